"""Pictures of a flow: what is drawn, and its forms: DOT, Mermaid, SVG, PNG and a page."""

from .dot import to_dot
from .mermaid import to_mermaid
from .model import Picture, picture_of
from .nodes import PictureEdge, PictureNode
from .page import inline_svg, legend, to_page
from .renderer import RenderError, draw_png, draw_svg
from .themes import by_theme

__all__ = [
    "Picture",
    "PictureEdge",
    "PictureNode",
    "RenderError",
    "by_theme",
    "draw_png",
    "draw_svg",
    "inline_svg",
    "legend",
    "picture_of",
    "to_dot",
    "to_mermaid",
    "to_page",
]
