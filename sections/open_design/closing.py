"""The end: what the run has at hand, how to hand over, and what never to do."""

from typing import NamedTuple

from ...inputs.open_design import McpServer
from ..declare import fact, gate, section
from .surface import writes_files


class McpLine(NamedTuple):
    """A connected server as it is listed.

    Attributes:
        id: Its id.
        note: Its label in brackets, where that says more than the id.
    """

    id: str
    note: str


@fact
def mcp_servers(connected_external_mcp: tuple[McpServer, ...] | None) -> tuple[McpLine, ...]:
    """The connected servers that have an id."""
    return tuple(
        McpLine(one.id, f" ({one.label})" if one.label and one.label != one.id else "")
        for one in connected_external_mcp or ()
        if one.id
    )


@gate
def has_mcp_servers(mcp_servers: tuple[McpLine, ...]) -> bool:
    """Open when at least one connected server has an id that is not blank."""
    return bool(mcp_servers)


@section(gate=has_mcp_servers)
def external_mcp(mcp_servers: tuple[McpLine, ...]) -> None:
    """Servers that need no sign-in."""


@gate
def is_gemini(agent: str) -> bool:
    """Open when the agent's id is exactly `gemini`.

    Under consistent gates in any case and with blanks around it, as for codex.
    """
    return agent == "gemini"


@section(gate=is_gemini)
def gemini_todo() -> None:
    """How Gemini's to-do tool is called."""


@section(gate=writes_files)
def filesystem_handoff() -> None:
    """Work is in files; forms and cards are text."""


@section
def clarifying_questions() -> None:
    """How to ask in the middle of a conversation."""


@section
def no_fabricated_turns() -> None:
    """Nobody's turn but its own is the agent's to write."""
