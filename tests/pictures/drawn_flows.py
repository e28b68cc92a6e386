"""Flows to draw: one with turn context, one of sixty sections."""

from types import FunctionType
from typing import Any

from promptdag.dataflows import PromptFlow, block, place, tag, transient
from promptdag.inputs.signals import SessionSignals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, fragment, gate, section
from promptdag.sections.declare import Section


class Fixed(SessionSignals):
    """What is fixed in a session."""

    cwd: Text
    branch: Text | None = None
    unused: Text = ""


class Moving(TurnSignals):
    """What a turn brings."""

    task: Text = ""
    found: Text = ""
    notes: Text = ""
    budget_tokens: int = 400


@section(text="{% block role %}You fix bugs.{% endblock %}")
def role() -> None:
    """Who the agent is: "quotes", <tags> & more."""


@section(text="You work in {{ cwd }}.")
def workplace(cwd: str) -> None:
    """Where it works."""


@gate
def on_branch(branch: str | None) -> bool:
    """Open when the folder is on a branch."""
    return branch is not None


@section(gate=on_branch, text="The branch is {{ branch }}.")
def branch_note(branch: str | None) -> None:
    """What is checked out."""


@gate
def has_task(task: str) -> bool:
    """Open when there is a task."""
    return bool(task)


@fragment(
    "task.current", kind="task", authority="host", priority=90, gate=has_task, text="{{ task }}"
)
def current_task(task: str) -> None:
    """What is to be done now."""


@fragment("search.found", kind="found", authority="untrusted-data", priority=40, text="{{ found }}")
def found_text(found: str) -> None:
    """What a search brought."""


@fragment(
    "notes.old",
    kind="note",
    authority="user-evidence",
    priority=20,
    cut="lines",
    text="{{ notes }}",
)
def old_notes(notes: str) -> None:
    """What was noted long ago."""


@fact
def messages(bundle: Any) -> list[dict[str, Any]]:
    """The turn's message."""
    return [{"role": "user", "content": bundle.text}]


def turn_flow() -> PromptFlow:
    """Return a flow with two blocks and turn context."""
    return PromptFlow(
        "fixer",
        (
            block("base", role, cache_control="ephemeral"),
            block("place", place(workplace, branch_note, wrap=tag("place")), target="meta_user"),
        ),
        session=Fixed,
        turn=Moving,
        transient=transient(current_task, found_text, old_notes, budget="budget_tokens"),
        messages=messages,
    )


class Many(SessionSignals):
    """Thirty texts, each for one section."""

    __annotations__ = {f"text_{number}": Text for number in range(30)}
    locals().update({f"text_{number}": "" for number in range(30)})


THEMES = ("identity", "safety", "tools", "style", "memory", "workspace")


def sixty_flow() -> PromptFlow:
    """Return a flow of sixty sections in six themes: half constant, half gated by a signal."""
    sections = [_one(number) for number in range(60)]
    return PromptFlow(
        "sixty",
        (
            block("first", *sections[:30], join="\n\n", cache_control="ephemeral"),
            block("second", *sections[30:], join="\n\n", cache_control="ephemeral"),
        ),
        session=Many,
    )


def _one(number: int) -> Section:
    theme = THEMES[number // 10]
    # Of each theme the first five are constant, the others read a signal behind a gate.
    if number % 10 < 5:
        return section(text=f"Rule {number}.")(_function(f"rule_{number}", "", "None", theme))
    signal = f"text_{number // 10 * 5 + number % 5}"
    opens = gate(_function(f"has_{signal}", f"{signal}: str", "bool", theme, f"bool({signal})"))
    declare = section(gate=opens, text="{{ " + signal + " }}")
    made = _function(f"{theme}_{number}", f"{signal}: str", "None", theme)
    made.__globals__[opens.name] = opens
    return declare(made)


def _function(
    name: str, parameters: str, result: str, theme: str, body: str = "None"
) -> FunctionType:
    source = f'def {name}({parameters}) -> {result}:\n    "Open when asked."\n    return {body}\n'
    names: dict[str, Any] = {"__name__": f"made.{theme}"}
    exec(compile(source, f"{theme}.py", "exec"), names)
    made: FunctionType = names[name]
    return made
