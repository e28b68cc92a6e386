"""The command's contract: what goes to stdout, what to stderr, and the exit codes."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from promptdag.dataflows import registry
from promptdag.dataflows.command_line import main

SIGNALS = {
    "cwd": "/home/me/äpp",
    "toolNames": ["read", "bash"],
    "memory": "Be concise.",
    "lineage": " ",
}


def run(*arguments: str, stdin: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, arguments, input=stdin)


def composed(*arguments: str, signals: Any = SIGNALS) -> Any:
    """Compose theway from stdin and return the JSON."""
    found = run("compose", "theway", "-", *arguments, "--format", "json", stdin=json.dumps(signals))
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)


def test_compose_prints_the_prompt_alone() -> None:
    """Nothing but the prompt goes to stdout, nothing at all to stderr."""
    found = run("compose", "theway", "-", "--texts", "skeleton", stdin=json.dumps(SIGNALS))
    assert found.stdout.startswith(
        "<harness>\n⟦intro⟧\n⟦body⟧\n</harness>\n\n<tools>\n- Files: read"
    )
    assert found.stdout.endswith("</memory>\n</environment>\n")
    assert found.stderr == ""


def test_the_sections_tile_the_block_texts() -> None:
    """Offsets are UTF-8 bytes; each byte belongs to one section; closed ones are empty."""
    found = composed()
    data = "".join(block["text"] for block in found["system"]).encode()
    end = 0
    for row in found["sections"]:
        assert row["start"] == end
        end = row["end"]
        assert data[row["start"] : end].decode() == row["text"]
        assert row["open"] == bool(row["text"])
    assert end == len(data)
    assert [row["name"] for row in found["sections"]] == [
        *("harness", "tools", "environment", "memory", "lineage"),
    ]
    assert [row["open"] for row in found["sections"]] == [True, True, True, True, False]


def test_glue_belongs_to_the_section_behind_it_and_a_closing_wrapper_to_the_one_before() -> None:
    """The memory closes the environment around it."""
    rows = {row["name"]: row["text"] for row in composed()["sections"]}
    assert rows["environment"].startswith("\n\n<environment>\nCurrent working directory: /home")
    assert rows["memory"] == "\n<memory>\nBe concise.\n</memory>\n</environment>"


def test_a_part_is_listed_in_the_section_that_it_belongs_to() -> None:
    """The section's range and text hold those of its parts."""
    signals = {
        "envInfo": {"cwd": "/w", "platform": "linux", "shell": "bash", "osVersion": "L"},
        "userInstructions": {"filePath": "/w/A.md", "fileName": "A.md", "content": "rules"},
    }
    found = run("compose", "zcode", "-", "--format", "json", stdin=json.dumps(signals))
    rows = {row["name"]: row for row in json.loads(found.stdout)["sections"]}
    context = rows["request_user_context"]
    assert [part["name"] for part in context["parts"]] == ["/w/A.md", "memory_index"]
    assert context["open"]
    assert context["end"] == context["parts"][-1]["end"]
    assert context["text"].endswith(context["parts"][0]["text"])
    assert len(context["text"].encode()) == context["end"] - context["start"]


def test_the_json_holds_all_that_is_promised() -> None:
    """The keys are a contract that others use."""
    found = composed()
    assert list(found) == ["flow", "fingerprint", "sections", "system", "messages"]
    assert list(found["sections"][0]) == [
        *("name", "block", "target", "cache", "tier", "gate", "open", "start", "end", "text"),
    ]
    assert found["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert found["messages"] == []
    assert len(found["fingerprint"]) == 64


def test_the_anthropic_format_prints_just_the_wire() -> None:
    """Two keys, the same as in the whole JSON."""
    found = run("compose", "theway", "-", "--format", "anthropic", stdin=json.dumps(SIGNALS))
    whole = composed()
    assert json.loads(found.stdout) == {name: whole[name] for name in ("system", "messages")}


def test_the_user_message_format_prints_one_message() -> None:
    """The instructions stand in front of the request."""
    found = run("compose", "theway", "-", "--format", "user_message", stdin=json.dumps(SIGNALS))
    message = json.loads(found.stdout)
    assert message["role"] == "user"
    assert message["content"].startswith("# Instructions (read first)\n\n")


def test_the_file_wins_over_the_folder_and_an_assignment_over_both(tmp_path: Path) -> None:
    """`--here` fills what the others leave open."""
    notes = tmp_path / ".theway" / "memory"
    notes.mkdir(parents=True)
    (notes / "note.md").write_text("The database is needed.\n")
    folder = composed("--here", str(tmp_path), signals={})
    assert str(tmp_path) in folder["sections"][2]["text"]
    assert "The database is needed." in folder["sections"][3]["text"]
    file = composed("--here", str(tmp_path), signals={"memory": ""})
    assert file["sections"][3]["open"] is False
    assigned = composed("--here", str(tmp_path), "--set", "cwd=/b", signals={"cwd": "/a"})
    assert "Current working directory: /b" in assigned["sections"][2]["text"]


@pytest.mark.parametrize(
    ("assignment", "node", "value"),
    [
        ("cwd=5", "cwd", "5"),
        ("lineage=null", "lineage", None),
        ("lineage=a=b", "lineage", "a=b"),
        ("maxMemoryChars=7", "max_memory_chars", 7),
        ("tool_order=canonical", "tool_order", "canonical"),
        ('tool_names=["x"]', "tool_inventory", "- Other: x"),
    ],
)
def test_an_assignment_is_text_or_json_as_the_signal_takes_it(
    assignment: str, node: str, value: Any
) -> None:
    """Text needs no quotes, and stays text when it looks like a number."""
    from promptdag.dataflows import theway
    from promptdag.dataflows.signal_files import assigned, merged

    flow = theway.flow()
    signals = merged(flow, {"cwd": "/a"}, assigned(flow, assignment))
    assert flow.compose(signals).value(node) == value


def test_values_of_nodes_are_one_json_object() -> None:
    """Facts, gates, signals, sections and blocks; a case file is unwrapped."""
    file = json.dumps({"id": "case", "input": SIGNALS, "expect": {}})
    found = run("value", "theway", "-", "has_memory", "tool_inventory", "cwd", stdin=file)
    assert json.loads(found.stdout) == {
        "has_memory": True,
        "tool_inventory": "- Files: read\n- Execution: bash",
        "cwd": "/home/me/äpp",
    }
    block = json.loads(run("value", "theway", "-", "system_block", stdin=file).stdout)
    assert block["system_block"].startswith("<harness>")


def test_the_catalogue_is_a_table_or_json() -> None:
    """Order, gate, gate in words, and the signals that reach each section."""
    rows = json.loads(run("sections", "theway", "--json").stdout)
    memory = next(row for row in rows if row["name"] == "memory")
    assert memory["order"] == 4
    assert memory["parent"] is None
    assert memory["gate"] == "has_memory"
    assert memory["open_when"].startswith("Open when memory is not empty")
    assert memory["signals"] == ["memory", "max_memory_chars"]
    table = run("sections", "theway").stdout
    for word in (
        "order",
        "name",
        "block",
        "target",
        "cache",
        "tier",
        "gate",
        "open when",
        "signals",
    ):
        assert word in table


def test_flows_are_listed_with_one_line_each() -> None:
    """The name, a colon, and what it is."""
    lines = run("flows").stdout.splitlines()
    assert any(line.startswith("theway: A terminal harness") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("compose", "thway"), "", "Error: no flow 'thway'; did you mean 'theway'?\n"),
        (
            ("compose", "theway", "-"),
            '{"cwdd": 1, "memory": 2}',
            "Error: 3 wrong in the signals: cwd: Field required; memory: Input should be a valid "
            "string; cwdd: unknown signal; did you mean 'cwd'?\n",
        ),
        (
            ("compose", "theway", "-"),
            '{"cwd": "/a"',
            "Error: stdin:1:13: not JSON: Expecting ',' delimiter\n",
        ),
        (
            ("compose", "theway", "-"),
            "[1]",
            "Error: stdin: signals are one JSON object, not list\n",
        ),
        (
            ("compose", "theway", "no-such.json"),
            "",
            "Error: no-such.json: No such file or directory\n",
        ),
        (
            ("value", "theway", "-", "tool_inventry"),
            '{"cwd": "/a"}',
            "Error: flow 'theway': no node 'tool_inventry'; did you mean 'tool_inventory'?\n",
        ),
        (
            ("compose", "theway", "--set", "toolnames=[]"),
            "",
            "Error: --set toolnames: no such signal; did you mean 'tool_names'?\n",
        ),
        (
            ("compose", "theway", "--set", "max_memory_chars=x"),
            "",
            "Error: --set max_memory_chars: not JSON: Expecting value; write a JSON value\n",
        ),
        (
            ("compose", "theway", "-", "--texts", "no-such-folder"),
            '{"cwd": "/a"}',
            "Error: no-such-folder: no such folder; a text pack is a folder of templates\n",
        ),
    ],
)
def test_an_error_of_ours_is_one_line_on_stderr(
    arguments: tuple[str, ...], stdin: str, message: str
) -> None:
    """Exit code 1, no traceback, nothing on stdout."""
    found = run(*arguments, stdin=stdin)
    assert (found.exit_code, found.stdout, found.stderr) == (1, "", message)


def test_a_wrong_use_exits_with_two() -> None:
    """As click tells it."""
    assert run("compose", "theway", "--no-such-option").exit_code == 2
    assert run("compose").exit_code == 2


def test_the_help_teaches_by_example() -> None:
    """Every command's help shows how it is called."""
    for command in main.commands:
        if command != "flows":
            assert f"promptdag {command} " in run(command, "--help").stdout
    assert "promptdag compose theway" in run("--help").stdout


def test_the_help_shows_each_example_on_its_own_line() -> None:
    """Not as one paragraph, with the mark for it in sight."""
    for text in (run("--help").stdout, run("compose", "--help").stdout):
        assert "\\b" not in text
        assert text.count("\n  promptdag compose theway ") >= 1
    assert run("compose", "--help").stdout.count("\n  promptdag compose theway ") == 4


def test_a_flow_whose_module_fails_is_one_line_that_names_the_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A name that a package does not show, as when a section was not listed."""
    broken = tmp_path / "broken_flow.py"
    broken.write_text("import json\n\nORDER = (json.nothing,)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = EntryPoint("broken", "broken_flow:flow", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [found])
    with pytest.raises(registry.LoadError) as refused:
        registry.flow_named("broken")
    with pytest.raises(registry.LoadError, match="flow 'broken'"):
        registry.flow_builders()
    assert "module 'json' has no attribute 'nothing'" in str(refused.value)
    assert str(refused.value).endswith("broken_flow.py, line 3")
