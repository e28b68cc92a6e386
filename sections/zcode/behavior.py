"""How the agent speaks, works and manages its context."""

from ..declare import fact, section
from .identity import default_identity, not_custom, styled


@section(gate=default_identity)
def dynamic_behavior() -> None:
    """How to write to the user, and how to act."""


@fact
def style_prompt(output_style_prompt: str | None) -> str:
    """The output style's prompt without blank ends."""
    return (output_style_prompt or "").strip()


@fact
def style_name(output_style_name: str | None) -> str:
    """The output style's name."""
    return output_style_name or ""


@section(gate=(not_custom, styled))
def output_style(style_name: str, style_prompt: str) -> None:
    """The way to answer that the user has chosen."""


@section(gate=not_custom)
def context_management() -> None:
    """How to work through a context that is summarised, and how far to go alone."""
