"""Tools that are named where they may not be there.

A rule about a tool belongs where the tool's presence decides: it is filed by asking whether it
still holds without the tool.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .finding import LintFinding
from .study import Study

_LISTS = re.compile(r"(?:^|_)tools?(?:_|$)")


def tools_in_identity(study: Study) -> Iterator[LintFinding]:
    """Yield the sections whose prose names a tool although no signal about tools reaches them."""
    names = _known_tools(study)
    asked = _tool_signals(study)
    found: dict[str, tuple[str, dict[str, None]]] = {}
    for run in study.prose:
        if asked & _signals_above(study, run.section):
            continue
        for name in names:
            if _names(run.text, name):
                found.setdefault(run.section, (run.where, {}))[1][name] = None
    for section, (where, named) in found.items():
        yield LintFinding(
            "PD052",
            "error",
            section,
            where,
            f"it names the tools {', '.join(named)}, and stands whether or not they are there",
            "gate the section by the tools, or move the sentence to the section of the tools",
        )


def _signals_above(study: Study, section: str) -> frozenset[str]:
    nodes = study.flow.graph.upstream
    own = f"{section}_text"
    return nodes.get(own, frozenset())


def _tool_signals(study: Study) -> frozenset[str]:
    return frozenset(
        leaf.name for leaf in study.flow.graph.signals.values() if _LISTS.search(leaf.name)
    )


def _known_tools(study: Study) -> tuple[str, ...]:
    """Return the tools of the given inputs: of `tools`, and of lists of texts named like tools."""
    names: dict[str, None] = {}
    for tried in study.given:
        names |= dict.fromkeys(tool.name for tool in tried.prompt.session.signals.tools)
        for name in _tool_signals(study):
            value = tried.prompt.value(name)
            if isinstance(value, tuple | list):
                names |= dict.fromkeys(found for one in value if (found := _name_of(one)))
    return tuple(name for name in names if name.strip())


def _name_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    name = value.get("name") if isinstance(value, Mapping) else getattr(value, "name", "")
    return name if isinstance(name, str) else ""


def _names(text: str, tool: str) -> bool:
    """Return whether a text names a tool; a word of the language does so only when it is marked."""
    name = re.escape(tool)
    marked = rf"[`\"'“「]{name}[`\"'”」(]|(?<!\w){name} tool\b|\btool {name}(?!\w)|{name} ?工具"
    special = "_" in tool or "-" in tool or any(c.isupper() for c in tool[1:])
    pattern = marked + (rf"|(?<![\w-]){name}(?![\w-])" if special else "")
    return re.search(pattern, text) is not None
