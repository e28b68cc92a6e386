"""What the desktop application can show."""

import json

from ..declare import fact, gate, section
from .identity import default_identity


@gate
def desktop_surface(presentation_surface: str | None) -> bool:
    """Open when the prompt is shown in the ZCode desktop application."""
    return presentation_surface == "zcode_desktop"


@gate
def views_have_folder(gen_ui_output_directory: str | None) -> bool:
    """Open when a folder for interactive views is given that is not blank."""
    return gen_ui_output_directory is not None and gen_ui_output_directory.strip() != ""


@fact
def views_folder(gen_ui_output_directory: str | None) -> str:
    """The folder for interactive views as a JSON string, on every platform."""
    return json.dumps(gen_ui_output_directory or "", ensure_ascii=False)


@section(gate=(desktop_surface, default_identity))
def desktop_context(views_have_folder: bool, views_folder: str) -> None:
    """What the desktop application can render, and how to point at files and lines."""
