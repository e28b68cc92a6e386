"""A user's flow: tools, a clock on the turn side, alternatives, a caller's sections, two blocks."""

from typing import Any, Literal

from promptdag.dataflows import PromptFlow, block, group, one_of, place, tag, transient
from promptdag.dataflows.order import Block
from promptdag.inputs.signals import SessionSignals, Signals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import (
    Named,
    fact,
    fragment,
    gate,
    section,
    section_list,
)


class Place(Signals):
    """Where the agent works."""

    folder: Text
    branch: Text | None = None


class Fixed(SessionSignals):
    """What is fixed in a session."""

    surface: Text | None = None
    mode: Literal["plan", "act"] = "act"
    work: Place | None = None
    memory: Text = ""
    rules: tuple[Text, ...] = ()
    extra: tuple[tuple[Text, Text], ...] = ()
    model: Text = "a"


class Moving(TurnSignals):
    """What a turn brings."""

    now: Text = ""
    said: Text = ""
    budget: int = 500


@gate
def desktop(surface: str | None) -> bool:
    """Open when the prompt is shown on the desktop."""
    return surface == "desktop_app"


@fact
def chosen(mode: Literal["plan", "act"]) -> Literal["plan", "act"]:
    """The way of working."""
    return mode


@gate
def plans(chosen: Literal["plan", "act"]) -> bool:
    """Open when the agent plans."""
    return chosen == "plan"


@gate
def acts(chosen: Literal["plan", "act"]) -> bool:
    """Open when the agent acts."""
    return chosen == "act"


@gate
def planning_on_desktop(surface: str | None, mode: Literal["plan", "act"]) -> bool:
    """Open when a plan is made on the desktop."""
    return surface == "desktop_app" and mode == "plan"


@gate
def is_late(now: str) -> bool:
    """Open when the clock says 23."""
    return now == "23"


@section(text="{% block base %}Base prose.{% endblock %}")
def base() -> None:
    """Constant prose."""


@section(gate=desktop, text="{% block desk %}Desktop prose.{% endblock %}")
def desk() -> None:
    """What the desktop can do."""


@section(gate=plans, text="Plan.")
def planning() -> None:
    """How to plan."""


@section(gate=acts, text="Act.")
def acting() -> None:
    """How to act."""


@section(gate=planning_on_desktop, text="Both.")
def both() -> None:
    """Needs two signals."""


@section(text="{% for rule in rules %}- {{ rule }}\n{% endfor %}")
def ruled(rules: tuple[str, ...]) -> None:
    """The rules."""


@gate
def works(work_folder: str | None) -> bool:
    """Open when there is a folder."""
    return work_folder is not None


@section(text="In {{ work_folder }}{% if desktop %} on a desktop{% endif %}.", gate=works)
def where(work_folder: str | None, desktop: bool) -> None:
    """The folder."""


@section(text="{{ memory }}")
def remembered(memory: str) -> None:
    """What is remembered."""


@section(text="Model {{ model }}.")
def identity(model: str) -> None:
    """Which model it is."""


@section_list()
def added(extra: tuple[tuple[str, str], ...]) -> tuple[Named, ...]:
    """Texts that the caller adds."""
    return tuple(Named(name, text) for name, text in extra)


@fragment("clock", kind="clock", authority="host", priority=90, gate=is_late, text="{{ now }}")
def clock(now: str) -> None:
    """The time."""


@fact
def messages(said: str) -> list[dict[str, Any]]:
    """The turn's messages."""
    return [{"role": "user", "content": said}]


def blocks(mark: str | None = "ephemeral", *, reverse: bool = False) -> tuple[Block, ...]:
    """Return the order; `reverse` swaps two sections."""
    tail = (ruled, remembered) if not reverse else (remembered, ruled)
    return (
        block("first", base, one_of(planning, acting), desk, both, join="\n\n", cache_control=mark),
        block(
            "second",
            place(where, wrap=tag("where")),
            group(*tail, join="\n", wrap=tag("memory")),
            added,
            identity,
            join="\n\n",
            lead="\n\n",
            cache_control=mark,
        ),
    )


def build(order: tuple[Block, ...] | None = None, texts: str = "default") -> PromptFlow:
    """Return the flow."""
    return PromptFlow(
        "small",
        order or blocks(),
        session=Fixed,
        turn=Moving,
        transient=transient(clock, budget="budget"),
        messages=messages,
        texts=texts,
    )


SMALL = build()
FULL: dict[str, Any] = {
    "surface": "desktop_app",
    "mode": "plan",
    "work": {"folder": "/w"},
    "memory": "be brief <b>",
    "rules": ["one", "two"],
    "extra": [["mine", "My text."], ["mine", "More."]],
    "now": "23",
    "said": "hello",
}
