"""The framework that slide decks are built on."""

from pathlib import Path

from ..declare import gate, section
from .surface import Surface

_TEXTS = Path(__file__).parent / "texts"


def _with_directive(heading: str) -> str:
    """Return a template with the directive that both alternatives hold behind its heading."""
    parts = (_TEXTS / f"{name}.md.j2" for name in (heading, "deck_directive"))
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@gate
def is_deck_without_seed(exclusive_surface: Surface | None, has_skill_seed: bool) -> bool:
    """Open when the exclusive surface is deck and the skill brings no seed."""
    return exclusive_surface == "deck" and not has_skill_seed


@section(gate=is_deck_without_seed, text=_with_directive("deck_framework_heading"))
def deck_framework() -> None:
    """The framework of slides, not negotiable."""


@gate
def may_become_deck(
    exclusive_surface: Surface | None, freeform: bool, has_skill_seed: bool
) -> bool:
    """Open when the project is freeform, its surface is not deck, and the skill brings no seed."""
    return exclusive_surface != "deck" and freeform and not has_skill_seed


@section(gate=may_become_deck, text=_with_directive("deck_framework_conditional_heading"))
def deck_framework_conditional() -> None:
    """The framework of slides, for when the brief turns out to be a deck."""
