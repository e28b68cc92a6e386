"""Instructions for this turn alone: search, selections, a browser, a title."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...inputs.findings import Found
from ...inputs.javascript_text import finite, one_line, text_or_empty, trimmed
from ...inputs.markdown_fences import Fenced, code, fenced
from ...inputs.run_context import RunContext, WorkspaceItem, merged, read_run_context
from ..declare import fact, gate, section

DEFAULT_SOURCES, MAX_SOURCES = 5, 20


@gate
def researches(research_enabled: bool) -> bool:
    """Open when research is enabled for this turn."""
    return research_enabled


@fact
def research_sources(research_max_sources: Any) -> int:
    """How many sources a search may return: 1 to 20."""
    wanted = finite(research_max_sources)
    if wanted is None or wanted <= 0:
        return DEFAULT_SOURCES
    return min(max(math.floor(wanted), 1), MAX_SOURCES)


@fact
def search_query(research_query: str | None, message: str) -> Fenced:
    """What to search for: the query, else the message; empty for neither."""
    text = trimmed(research_query or "") or trimmed(message)
    return fenced(text)


@gate
def has_search_query(search_query: Fenced) -> bool:
    """Open when there is something to search for."""
    return search_query.text != ""


@section(gate=researches)
def research_contract(
    host_node_variable: str,
    host_command_variable: str,
    research_sources: int,
    search_query: Fenced,
    has_search_query: bool,
) -> None:
    """The command that searches, and what to do with what it finds."""


class Selection(NamedTuple):
    """What is shown of a selection.

    Attributes:
        items: What is open in the workspace, one line each.
        browser: One entry where the hint on browsers applies; `terminal`, `files` and `artifact`
            likewise.
        plugins: The plugins that were chosen, one line each.
        servers: The MCP servers.
        connectors: The connectors.
    """

    items: tuple[str, ...]
    browser: tuple[str, ...]
    terminal: tuple[str, ...]
    files: tuple[str, ...]
    artifact: tuple[str, ...]
    plugins: tuple[str, ...]
    servers: tuple[str, ...]
    connectors: tuple[str, ...]


@fact
def found_contexts(run_contexts: tuple[Any, ...]) -> Found[RunContext]:
    """The selections as one, with what was left out."""
    found = [read_run_context(one) for one in run_contexts]
    findings = tuple(finding for one in found for finding in one.findings)
    return Found(merged(one.value for one in found), findings)


@fact
def run_context(found_contexts: Found[RunContext]) -> RunContext:
    """The selections as one."""
    return found_contexts.value


@fact
def selection(run_context: RunContext, context_catalog: Any) -> Selection:
    """The lines that a selection is shown in."""
    kinds = {item.kind for item in run_context.workspace_items}
    catalog = context_catalog if isinstance(context_catalog, Mapping) else {}
    listed = (
        _chosen(ids, _by_id(catalog.get(name)))
        for ids, name in (
            (run_context.plugin_ids, "contextPlugins"),
            (run_context.mcp_server_ids, "contextMcpServers"),
            (run_context.connector_ids, "contextConnectors"),
        )
    )
    plugins, servers, connectors = listed
    return Selection(
        tuple(_item(number, one) for number, one in enumerate(run_context.workspace_items, 1)),
        ("browser",) * ("browser" in kinds),
        ("terminal",) * ("terminal" in kinds),
        ("files",) * (not kinds.isdisjoint(("file", "folder", "design-files"))),
        ("live-artifact",) * ("live-artifact" in kinds),
        plugins,
        servers,
        connectors,
    )


def _item(number: int, item: WorkspaceItem) -> str:
    parts = (
        ("path", item.path, code),
        ("absolute", item.absolute_path, code),
        ("url", item.url, one_line),
        ("title", item.title, one_line),
        ("tab", item.tab_id, code),
    )
    shown = " | ".join(f"{name}: {show(text)}" for name, text, show in parts if text)
    line = f"{number}. {item.kind}: {one_line(item.label)} ({code(item.id)})"
    return f"{line} \u2014 {shown}" if shown else line


def _by_id(listed: Any) -> dict[str, Mapping[str, Any]]:
    entries = listed if isinstance(listed, list | tuple) else ()
    return {
        text_or_empty(one.get("id")): one for one in reversed(entries) if isinstance(one, Mapping)
    }


def _chosen(ids: Iterable[str], known: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(_chosen_line(own_id, known.get(own_id, {})) for own_id in ids)


def _chosen_line(own_id: str, fields: Mapping[str, Any]) -> str:
    label, *about = (
        next((text for name in names if (text := one_line(text_or_empty(fields.get(name))))), "")
        for names in (
            ("title", "label", "name"),
            ("provider",),
            ("transport",),
            ("status",),
            ("accountLabel",),
        )
    )
    line = f"- {label or one_line(own_id)} ({code(own_id)})"
    details = " \u00b7 ".join(one for one in about if one)
    return f"{line} \u2014 {details}" if details else line


@gate
def has_selection(selection: Selection) -> bool:
    """Open when a workspace item, plugin, MCP server or connector is selected."""
    return any(selection)


@gate
def selects_items(selection: Selection) -> bool:
    """Open when something of the workspace is selected."""
    return bool(selection.items)


@gate
def selects_plugins(selection: Selection) -> bool:
    """Open when a plugin is selected."""
    return bool(selection.plugins)


@gate
def selects_servers(selection: Selection) -> bool:
    """Open when an MCP server is selected."""
    return bool(selection.servers)


@gate
def selects_connectors(selection: Selection) -> bool:
    """Open when a connector is selected."""
    return bool(selection.connectors)


@section(gate=has_selection)
def selected_context(
    selection: Selection,
    selects_items: bool,
    selects_plugins: bool,
    selects_servers: bool,
    selects_connectors: bool,
) -> None:
    """What is selected for this run; skills are part of the system prompt instead."""


@fact
def browser_guard(browser_use_prompt_guard: str) -> str:
    """The rules for a browser in use, trimmed."""
    return trimmed(browser_use_prompt_guard)


@section(text="{{ browser_guard }}")
def browser_rules(browser_guard: str) -> None:
    """What the host says about a browser in use."""


@gate
def asks_for_title(title_generation_enabled: bool, is_resuming: bool) -> bool:
    """Open when a title is wanted and the conversation is not resumed."""
    return title_generation_enabled and not is_resuming


@section(gate=asks_for_title)
def title_task() -> None:
    """The task to begin the reply with a title."""
