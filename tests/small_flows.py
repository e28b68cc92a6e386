"""Small flows, made where a test needs one."""

from collections.abc import Callable
from typing import Any

from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.order import Item
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import Named, Section, frame, section, section_list


class Letters(SessionSignals):
    """A text for each section."""

    a: Text = ""
    b: Text = ""
    c: Text = ""
    d: Text = ""
    named: tuple[tuple[Text, Text], ...] = ()


@section(text="{{ a }}")
def sa(a: str) -> None:
    """Section a."""


@section(text="{{ b }}")
def sb(b: str) -> None:
    """Section b."""


@section(text="{{ c }}")
def sc(c: str) -> None:
    """Section c."""


@section(text="{{ d }}", keep_blank=True)
def sd(d: str) -> None:
    """Section d, which may be blank."""


@section_list()
def listed(named: tuple[tuple[str, str], ...]) -> tuple[Named, ...]:
    """Texts that the caller adds."""
    return tuple(Named(name, text) for name, text in named)


def framed(source: str) -> Any:
    """Return a frame with this template."""

    def around() -> None:
        """Prose around others."""

    made = frame(around)
    return type(made)(made.function, source)


def letters(*items: Section | Item, **options: Any) -> PromptFlow:
    """Return a flow of one block of these items."""
    return PromptFlow("letters", (block("only", *items, **options),), session=Letters)


def inline(name: str, source: str | None, function: Callable[..., None], **options: Any) -> Section:
    """Return a section of this name and template, with the function's parameters."""
    function.__name__ = name
    return section(text=source, **options)(function)
