"""What is selected for a run: read, merged, shown."""

import json
from dataclasses import asdict
from pathlib import Path

from promptdag.dataflows import open_design_turn
from promptdag.inputs.run_context import RunContext, WorkspaceItem, merged, read_run_context

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))


def test_a_selection_is_made_regular() -> None:
    """Ids are trimmed and stand once, items need a known kind, an id and a label."""
    raw = {
        "pluginIds": [" p1 ", "p2", "p1", 7, ""],
        "connectorIds": ["n"],
        "mcpServerIds": "no list",
        "workspaceItems": [
            {"id": "b", "kind": "browser", "label": " Docs ", "url": "https://x", "title": "T"},
            {"id": "b", "kind": "browser", "label": "again"},
            {"id": "f", "kind": "file", "label": "App", "tabId": "t1", "path": "src/a.ts"},
            {"id": "u", "kind": "unknown", "label": "x"},
            None,
        ],
    }
    expected = CASES["run_context"]["normalize"]
    found = read_run_context(raw)
    assert list(found.value.plugin_ids) == expected["pluginIds"]
    assert list(found.value.connector_ids) == expected["connectorIds"]
    assert found.value.skill_ids == found.value.mcp_server_ids == ()
    names = {"tab_id": "tabId", "absolute_path": "absolutePath"}
    items = [
        {names.get(name, name): value for name, value in asdict(item).items() if value}
        for item in found.value.workspace_items
    ]
    assert items == expected["workspaceItems"]
    assert len(found.findings) == 3
    assert read_run_context("x").value == RunContext()


def test_long_values_are_cut() -> None:
    """Ids at 240, paths at 500 and addresses at 1000 UTF-16 units."""
    item = {"kind": "file", "label": "l", "id": "i" * 300, "path": "p" * 600, "url": "u" * 2000}
    (found,) = read_run_context({"workspaceItems": [item]}).value.workspace_items
    assert [len(one) for one in (found.id, found.path, found.url)] == [240, 500, 1000]


def test_the_first_of_each_thing_counts() -> None:
    """Selections are united in their order; an item is known by its kind and id."""
    one = RunContext(plugin_ids=("a", "b"), workspace_items=(WorkspaceItem("1", "file", "A"),))
    two = RunContext(plugin_ids=("b", "c"), workspace_items=(WorkspaceItem("1", "file", "B"),))
    both = merged([one, two])
    assert both.plugin_ids == ("a", "b", "c")
    assert [item.label for item in both.workspace_items] == ["A"]
    assert merged([]) == RunContext()


def test_a_selection_is_shown() -> None:
    """Items with what is known of them, one hint for each kind, labels from the catalog."""
    items = [
        {"id": "a`b", "kind": "file", "label": "A\n# x", "path": "p", "absolutePath": "/p"},
        {"id": "t", "kind": "terminal", "label": "T", "tabId": "9"},
        {"id": "b", "kind": "browser", "label": "B", "url": "u", "title": "n"},
        {"id": "c", "kind": "folder", "label": "C"},
        {"id": "d", "kind": "live-artifact", "label": "D"},
    ]
    catalog = {
        "contextPlugins": [{"id": "p", "title": "P"}, None],
        "contextMcpServers": [{"id": "m", "label": "M", "transport": "stdio"}],
        "contextConnectors": [
            {"id": "c", "name": "N", "provider": "V", "status": "ok", "accountLabel": "me"}
        ],
    }
    text = (
        open_design_turn.flow(texts="skeleton")
        .compose(
            {
                "runContexts": [
                    {"mcpServerIds": ["m", "x"], "workspaceItems": items, "skillIds": ["s"]},
                    {"pluginIds": ["p"], "connectorIds": ["c"]},
                ],
                "contextCatalog": catalog,
            }
        )
        .text
    )
    assert text.partition("\n\n")[2].partition("\n\n(")[0].split("\n") == [
        "## Selected run context",
        "### Active workspace context",
        "\u27e6context.items\u27e7",
        "1. file: A # x (`` a`b ``) \u2014 path: `p` | absolute: `/p`",
        "2. terminal: T (`t`) \u2014 tab: `9`",
        "3. browser: B (`b`) \u2014 url: u | title: n",
        "4. folder: C (`c`)",
        "5. live-artifact: D (`d`)",
        "- \u27e6context.browser\u27e7",
        "- \u27e6context.terminal\u27e7",
        "- \u27e6context.files\u27e7",
        "- \u27e6context.artifact\u27e7",
        "### Selected plugins",
        "\u27e6context.plugins\u27e7",
        "- P (`p`)",
        "### Selected MCP servers",
        "\u27e6context.servers\u27e7",
        "- M (`m`) \u2014 stdio",
        "- x (`x`)",
        "### Selected connectors",
        "\u27e6context.connectors\u27e7",
        "- N (`c`) \u2014 V \u00b7 ok \u00b7 me",
    ]


def test_skills_alone_show_nothing() -> None:
    """They are part of the system prompt."""
    prompt = open_design_turn.flow().compose({"runContexts": [{"skillIds": ["s"]}, None]})
    assert prompt.text.startswith("# User request")
