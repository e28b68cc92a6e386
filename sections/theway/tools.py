"""The inventory of tools, grouped by what they are for."""

from collections.abc import Callable, Iterable
from typing import Literal

from ..declare import fact, section

ToolOrder = Literal["first_seen", "canonical"]


def _starts(*prefixes: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(prefixes)


def _is(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def _holds(*parts: str) -> Callable[[str], bool]:
    return lambda name: any(part in name for part in parts)


# The first rule that matches decides, so `web_cron` is Web and `dag_cron` is Orchestration.
_RULES: tuple[tuple[str, tuple[Callable[[str], bool], ...]], ...] = (
    (
        "Orchestration & planning",
        (_starts("dag_", "subagent", "agent_profile_"), _is("todo_write", "ask_user")),
    ),
    ("Session graph", (_starts("session_graph_"),)),
    (
        "Context & search",
        (
            _starts("memory_", "enhanced_", "crg__"),
            _is("grep", "outline", "read_output", "find_file_by_name"),
        ),
    ),
    ("Files", (_is("read", "write", "edit", "ls", "find", "git"),)),
    ("Web", (_starts("web_"),)),
    ("Execution", (_is("bash", "exec", "get_output", "kill_shell", "write_to_process"),)),
    (
        "Automation & skills",
        (
            _holds("cron", "trigger"),
            _starts("skill", "install_skill", "remove_skill", "set_skill_state"),
        ),
    ),
)
_OTHER = "Other"


def category(tool_name: str) -> str:
    """Return the group of a tool; case matters, and what no rule knows is `Other`."""
    for name, tests in _RULES:
        if any(test(tool_name) for test in tests):
            return name
    return _OTHER


def inventory(tool_names: Iterable[str], order: ToolOrder = "first_seen") -> str:
    """Return one line a group: `- Files: edit, read`, names sorted by code point, each once.

    Args:
        tool_names: In the order of their registration.
        order: `first_seen` puts the groups as their first tools came; `canonical` as the rules
            stand, so that the order of registration cannot change a byte.
    """
    named = (*(name for name, _ in _RULES), _OTHER) if order == "canonical" else ()
    groups: dict[str, set[str]] = {name: set() for name in named}
    for tool_name in tool_names:
        groups.setdefault(category(tool_name), set()).add(tool_name)
    lines = [f"- {name}: {', '.join(sorted(names))}" for name, names in groups.items() if names]
    return "\n".join(lines) or "no tools registered"


@fact
def tool_inventory(tool_names: tuple[str, ...], tool_order: ToolOrder) -> str:
    """The tools by group, or a line that says that there are none."""
    return inventory(tool_names, tool_order)


@section
def tools(tool_inventory: str) -> None:
    """What the agent can call."""
