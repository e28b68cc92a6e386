"""A user's agent: what all sessions share, what one session owns, and what a turn brings."""

from typing import Annotated, Any, Literal

from promptdag.dataflows import PromptFlow, block, tag, transient
from promptdag.dataflows.fit import Bundle
from promptdag.dataflows.order import place
from promptdag.inputs.signals import Drifts, SessionSignals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import Named, fact, fragment, gate, section, section_list

State = Literal["pending", "ready"]


class Own(SessionSignals):
    """What holds for a session."""

    skills: tuple[tuple[Text, Text], ...] = ()
    servers: tuple[Text, ...] = ()
    cwd: Annotated[Text, Drifts("the user changes folders")] = "/w"
    home: Text = "/srv"
    scratch: Text = "/run/s"
    memory: Annotated[Text, Drifts("files are edited")] = "Be brief."


class Moving(TurnSignals):
    """What a turn brings."""

    today: Text = "2026-03-01"
    status: Text = " M a.py"
    new_tools: tuple[Text, ...] = ()
    state: State = "pending"
    said: Text = "Hello"
    budget: int = 2000


@section(text="Read a file before you change it, and say what you did.")
def rules() -> None:
    """What holds for everybody."""


@section_list()
def skilled(skills: tuple[tuple[str, str], ...]) -> tuple[Named, ...]:
    """The skills."""
    return tuple(Named(name, f"- {name}: {words}") for name, words in skills)


@section(text="Servers: {% for name in servers %}{{ name }} {% endfor %}")
def connected(servers: tuple[str, ...]) -> None:
    """The servers by name, whether they are ready or not."""


@section(text="You work in {{ cwd }}, at home in {{ home }}, scratch in {{ scratch }}.")
def environment(cwd: str, home: str, scratch: str) -> None:
    """Where this session works."""


@section(text="{{ memory }}")
def remembered(memory: str) -> None:
    """What is remembered."""


@fragment("day", kind="clock", authority="host", priority=90, text="Today is {{ today }}.")
def day(today: str) -> None:
    """The date."""


@fragment("repo", kind="git", authority="host", priority=80, text="{{ status }}")
def repo(status: str) -> None:
    """The state of the repository."""


@fact
def tool_note(new_tools: tuple[str, ...]) -> str:
    """The names of tools that came late."""
    return ", ".join(new_tools)


@gate
def has_new_tools(new_tools: tuple[str, ...]) -> bool:
    """Open when tools came while the session ran."""
    return bool(new_tools)


@fragment(
    "tools",
    kind="tools",
    authority="host",
    priority=70,
    gate=has_new_tools,
    text="New tools: {{ tool_note }}.",
)
def came_late(tool_note: str) -> None:
    """Tools that came while the session ran."""


@fragment("servers", kind="servers", authority="host", priority=60, text="Servers: {{ state }}.")
def server_state(state: State) -> None:
    """Whether the servers are ready."""


@fact
def messages(bundle: Bundle, said: str) -> list[dict[str, Any]]:
    """The turn's context, and what the user said."""
    return [{"role": "user", "content": f"{bundle.text}\n{said}"}]


def host(*, mark: Any = "ephemeral", own_mark: Any = None) -> PromptFlow:
    """Return the flow: a block that all sessions share, and one of the session's own."""
    return PromptFlow(
        "host",
        (
            block("shared", rules, skilled, connected, join="\n\n", cache_control=mark),
            block(
                "own",
                environment,
                place(remembered, wrap=tag("memory")),
                join="\n\n",
                lead="\n\n",
                cache="session",
                cache_control=own_mark,
            ),
        ),
        session=Own,
        turn=Moving,
        transient=transient(day, repo, came_late, server_state, budget="budget"),
        messages=messages,
    )


HOST = host()


def spoken(prompt: Any) -> str:
    """Return the text of the turn's message."""
    text: str = prompt.messages[0]["content"]
    return text
