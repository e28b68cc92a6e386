"""Matplotlib figures, made only where one is asked for, which show themselves in a notebook."""

from io import BytesIO
from typing import TYPE_CHECKING

from ..inputs.errors import PromptdagError

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]


class MissingLibraryError(PromptdagError):
    """A picture was asked for, and the library that draws it is not installed."""


def blank_figure(asked: str, otherwise: str, width: float, height: float) -> "Figure":
    """Return a figure of no backend, so that it draws without a screen.

    A notebook shows only figures of `pyplot` by itself, so this one brings its own display.

    Args:
        asked: What needs it, for the message.
        otherwise: What does without matplotlib, for the message.
        width: In inches.
        height: In inches.

    Raises:
        MissingLibraryError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports] - optional
    except ImportError as error:
        raise MissingLibraryError(
            f"{asked} needs matplotlib, which cannot be imported ({error}); install it, or use "
            f"{otherwise}"
        ) from error

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            drawn = BytesIO()
            self.savefig(drawn, format="png")
            return drawn.getvalue()

    return ShownFigure(figsize=(width, height), layout="constrained")
