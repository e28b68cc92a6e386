"""A choice between two sections."""

from typing import Literal

from promptdag.sections import fact, gate

Choice = Literal["plan", "work"]


@fact
def chosen(mode: str) -> Choice:
    """The mode, or work."""
    return "plan" if mode == "plan" else "work"


@gate
def planning(chosen: Choice) -> bool:
    """Open when the mode is plan."""
    return chosen == "plan"


@gate
def working(chosen: Choice) -> bool:
    """Open when the mode is not plan."""
    return chosen != "plan"
