"""The tool layer: which tools there are, and what they let the agent do."""

from collections.abc import Mapping
from types import MappingProxyType

from ..declare import fact, gate, section

TOOL_CAPABILITIES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Read": frozenset({"files.read"}),
        "Edit": frozenset({"files.edit"}),
        "Write": frozenset({"files.edit"}),
        "Grep": frozenset({"files.search"}),
        "Glob": frozenset({"files.search"}),
        "Bash": frozenset({"shell"}),
        "Agent": frozenset({"agents"}),
        "Advisor": frozenset({"advisor"}),
        "AskUserQuestion": frozenset({"questions"}),
        "WebSearch": frozenset({"web.search"}),
        "WebFetch": frozenset({"web.fetch"}),
        "WebBrowser": frozenset({"web.browse"}),
        "RecallMemory": frozenset({"memory"}),
        "TaskCreate": frozenset({"tasks"}),
        "TaskGet": frozenset({"tasks"}),
        "TaskUpdate": frozenset({"tasks"}),
        "TaskList": frozenset({"tasks"}),
    }
)
"""What each known tool lets the agent do. A tool that is not listed gives nothing."""


@fact
def capabilities(tool_names: tuple[str, ...]) -> frozenset[str]:
    """What the tools let the agent do."""
    return frozenset().union(*(TOOL_CAPABILITIES.get(name, frozenset()) for name in tool_names))


@fact
def enabled_capabilities(capabilities: frozenset[str]) -> tuple[str, ...]:
    """The capabilities, sorted."""
    return tuple(sorted(capabilities))


@fact
def tool_list(tool_names: tuple[str, ...]) -> str:
    """The tools as they are given: order and repeats included."""
    return ", ".join(tool_names)


@section
def tools(tool_list: str) -> None:
    """The tools by name, and what the lines below are."""


@gate
def can_edit_files(capabilities: frozenset[str]) -> bool:
    """Open when a tool reads files and a tool edits them."""
    return capabilities >= {"files.read", "files.edit"}


@gate
def can_search_and_run(capabilities: frozenset[str]) -> bool:
    """Open when a tool searches files and a shell could do so too."""
    return capabilities >= {"files.search", "shell"}


@gate
def can_delegate(capabilities: frozenset[str]) -> bool:
    """Open when a tool starts other agents."""
    return "agents" in capabilities


@gate
def can_ask_advisor(capabilities: frozenset[str]) -> bool:
    """Open when a tool asks the advisor."""
    return "advisor" in capabilities


@gate
def can_ask_user(capabilities: frozenset[str]) -> bool:
    """Open when a tool asks the user."""
    return "questions" in capabilities


@gate
def can_search_web(capabilities: frozenset[str]) -> bool:
    """Open when a tool searches the web."""
    return "web.search" in capabilities


@gate
def can_fetch_and_browse(capabilities: frozenset[str]) -> bool:
    """Open when a tool fetches pages and another one opens them in a browser."""
    return capabilities >= {"web.fetch", "web.browse"}


@gate
def can_browse(capabilities: frozenset[str]) -> bool:
    """Open when a tool drives a browser."""
    return "web.browse" in capabilities


@section(gate=can_edit_files)
def read_before_edit() -> None:
    """A file is read before it is changed."""


@section(gate=can_edit_files)
def parallel_reads() -> None:
    """Reads go together, writes one after another."""


@section(gate=can_search_and_run)
def search_before_shell() -> None:
    """Search tools come before the shell."""


@section(gate=can_delegate)
def delegate() -> None:
    """Independent work goes to agents, with a whole brief, and the result is collected."""


@section(gate=can_ask_advisor)
def consult_advisor() -> None:
    """When the advisor is asked."""


@section(gate=can_ask_user)
def ask_user() -> None:
    """When the user is asked."""


@section(gate=can_search_web)
def search_web() -> None:
    """Searches carry dates."""


@section(gate=can_fetch_and_browse)
def fetch_before_browser() -> None:
    """A page is fetched before a browser is opened for it."""


@section(gate=can_browse)
def leave_to_human() -> None:
    """What only a person may do in a browser is left to the person."""
