"""Writes what a review gives to a file."""

from pathlib import Path

from ...inputs.errors import PromptdagError


class ReviewFileError(PromptdagError):
    """A file of a review that cannot be written."""


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8.

    Raises:
        ReviewFileError: The file cannot be written.
    """
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise ReviewFileError(
            f"{path}: {error.strerror}; name a file that can be written"
        ) from None
