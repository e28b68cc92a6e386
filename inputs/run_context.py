"""What a user or a host has selected for one run: read from JSON, merged, each thing once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from .findings import Finding, Found
from .javascript_text import cut, text_or_empty

WORKSPACE_KINDS = frozenset(
    {
        "design-files",
        "design-system",
        "file",
        "folder",
        "browser",
        "terminal",
        "side-chat",
        "live-artifact",
    }
)
MAX_UNITS = {
    "id": 240,
    "kind": 64,
    "label": 240,
    "tabId": 240,
    "path": 500,
    "title": 500,
    "url": 1000,
    "absolutePath": 1000,
}


@dataclass(frozen=True, slots=True)
class WorkspaceItem:
    """Something that is open in the workspace; empty texts are absent."""

    id: str
    kind: str
    label: str
    tab_id: str = ""
    path: str = ""
    title: str = ""
    url: str = ""
    absolute_path: str = ""


@dataclass(frozen=True, slots=True)
class RunContext:
    """A selection: ids in the order in which they were chosen, each once."""

    skill_ids: tuple[str, ...] = ()
    plugin_ids: tuple[str, ...] = ()
    mcp_server_ids: tuple[str, ...] = ()
    connector_ids: tuple[str, ...] = ()
    workspace_items: tuple[WorkspaceItem, ...] = ()


def read_run_context(raw: Any) -> Found[RunContext]:
    """Return a selection from a host's JSON; what is not an object selects nothing.

    Source: open_design's `normaliseRunContextSelection`.
    """
    if not isinstance(raw, Mapping):
        return Found(RunContext())
    findings: list[Finding] = []
    ids = [
        _ids(raw.get(name), name, findings)
        for name in ("skillIds", "pluginIds", "mcpServerIds", "connectorIds")
    ]
    items: dict[str, WorkspaceItem] = {}
    for number, one in enumerate(_listed(raw.get("workspaceItems")), 1):
        item = _workspace_item(one if isinstance(one, Mapping) else {})
        if item is None:
            message = f"item {number} was left out: it needs a known kind, an id and a label"
            findings.append(Finding("workspace-item-unusable", message, severity="error"))
        else:
            items.setdefault(f"{item.kind}:{item.id}", item)
    skills, plugins, servers, connectors = ids
    context = RunContext(skills, plugins, servers, connectors, tuple(items.values()))
    return Found(context, tuple(findings))


def merged(contexts: Iterable[RunContext]) -> RunContext:
    """Return the union of selections: the first of each thing stands where it first came."""
    parts: dict[str, dict[Any, Any]] = {one.name: {} for one in fields(RunContext)}
    for context in contexts:
        for name, kept in parts.items():
            for value in getattr(context, name):
                key = (value.kind, value.id) if isinstance(value, WorkspaceItem) else value
                kept.setdefault(key, value)
    return RunContext(**{name: tuple(kept.values()) for name, kept in parts.items()})


def _ids(value: Any, name: str, findings: list[Finding]) -> tuple[str, ...]:
    texts = [text_or_empty(one) for one in _listed(value)]
    if not all(texts):
        findings.append(Finding(f"id-unusable:{name}", f"{name} holds what is no id"))
    return tuple(dict.fromkeys(text for text in texts if text))


def _workspace_item(fields: Mapping[str, Any]) -> WorkspaceItem | None:
    texts = {
        name: cut(text_or_empty(fields.get(name)), max_units).text
        for name, max_units in MAX_UNITS.items()
    }
    if texts["kind"] not in WORKSPACE_KINDS or not texts["id"] or not texts["label"]:
        return None
    return WorkspaceItem(
        texts["id"],
        texts["kind"],
        texts["label"],
        texts["tabId"],
        texts["path"],
        texts["title"],
        texts["url"],
        texts["absolutePath"],
    )


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else ()
