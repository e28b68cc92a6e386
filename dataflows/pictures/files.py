"""Writes a picture to a file, in the form that its name asks for."""

from pathlib import Path

from ...inputs.errors import PromptdagError
from .dot import to_dot
from .mermaid import to_mermaid
from .model import Picture
from .page import inline_svg, to_page
from .renderer import draw_png

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class PictureFileError(PromptdagError):
    """A picture that could not be written, or whose form is unknown."""


def write_picture(picture: Picture, path: Path) -> None:
    """Write a picture as `.svg`, `.png`, `.mmd`, `.dot` or `.html`.

    Raises:
        PictureFileError: The ending is another one, or the file cannot be written.
        RenderError: The renderer is not installed, or refuses.
    """
    data = _data(picture, path)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise PictureFileError(
            f"{path}: {error.strerror}; name a file that can be written"
        ) from None


def _data(picture: Picture, path: Path) -> bytes:
    match path.suffix:
        case ".svg":
            return (_DECLARATION + inline_svg(picture)).encode()
        case ".png":
            return draw_png(to_dot(picture))
        case ".mmd":
            return to_mermaid(picture).encode()
        case ".dot":
            return to_dot(picture).encode()
        case ".html":
            return to_page(picture).encode()
    raise PictureFileError(f"{path}: end it in .svg, .png, .mmd, .dot or .html")
