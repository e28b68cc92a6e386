"""theway against the structure of the original."""

import json
from pathlib import Path

import pytest
from promptdag.sections.theway import category, inventory

from ..flows import built

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_skeleton_of_each_case_is_the_originals_byte_for_byte(path: Path) -> None:
    """What appears, where, and how it is joined is as the original has it."""
    case = json.loads(path.read_text(encoding="utf-8"))
    prompt = built("theway", "skeleton").compose(case["input"])
    assert prompt.text == case["expect"]["skeleton"]
    assert [block.text for block in prompt.blocks] == [case["expect"]["skeleton"]]


def test_every_case_is_there() -> None:
    """A case that is lost is noticed."""
    assert [path.stem[:3] for path in CASES] == ["t01", "t02", "t03", "t05", "t06", "t07"]


def test_the_original_names_of_the_signals_are_taken_too() -> None:
    """A real session of the original can be fed as it is: names in camelCase."""
    ours = built("theway").compose({"cwd": "/a", "tool_names": ["ls"], "harness_intro": "x"})
    theirs = built("theway").compose({"cwd": "/a", "toolNames": ["ls"], "harnessIntro": "x"})
    assert ours.text == theirs.text


CATEGORIES = {
    "Orchestration & planning": "dag_ dag_plan dag_cron subagent subagents agent_profile_ "
    "agent_profile_set todo_write ask_user",
    "Session graph": "session_graph_ session_graph_read session_graph_trigger",
    "Context & search": "memory_ memory_save memory_trigger enhanced_ enhanced_grep grep outline "
    "read_output find_file_by_name crg__ crg__x",
    "Files": "read write edit ls find git",
    "Web": "web_ web_search web_cron",
    "Execution": "bash exec get_output kill_shell write_to_process",
    "Automation & skills": "new_cron_job cron micron trigger list_triggers new_trigger skill "
    "skill_builder skills install_skill install_skills remove_skill set_skill_state",
    "Other": "memory session_graph session_tool_result session_tool_result_grep reload Read web "
    "crg_x crg_ dag agent_profile todo_writes ask_users greps outline2 reads gitx bashx Bash "
    "set_skill remove_skil my_skill DAG_plan  ",
}


@pytest.mark.parametrize(
    ("name", "group"),
    [(name, group) for group, names in CATEGORIES.items() for name in names.split()]
    + [("", "Other")],
)
def test_a_tool_belongs_to_the_group_of_the_first_rule_that_matches(name: str, group: str) -> None:
    """Prefixes, whole names and parts of names; case matters."""
    assert category(name) == group


def test_groups_stand_in_the_order_in_which_their_first_tools_came() -> None:
    """Names in a group are sorted by code point, and each stands once."""
    names = ("web_b", "read", "web_a", "Zed", "ls", "web_b", "élan", "aé")
    assert inventory(names) == "- Web: web_a, web_b\n- Files: ls, read\n- Other: Zed, aé, élan"


def test_the_canonical_order_does_not_move_with_registration() -> None:
    """The groups stand as the rules do, whatever the order of registration."""
    names = ("zzz", "skill", "bash", "web_a", "read", "grep", "session_graph_read", "dag_plan")
    groups = ["Orchestration & planning", "Session graph", "Context & search", "Files", "Web"]
    groups += ["Execution", "Automation & skills", "Other"]
    lines = inventory(names, "canonical")
    assert lines == inventory(reversed(names), "canonical")
    assert [line[2:].split(":")[0] for line in lines.splitlines()] == groups
    assert inventory(names) != inventory(reversed(names))


def test_an_empty_name_still_makes_a_line_and_no_name_makes_the_notice() -> None:
    """As in the original."""
    assert inventory([""]) == "- Other: "
    assert inventory([]) == inventory([], "canonical") == "no tools registered"


@pytest.mark.parametrize(
    ("bound", "shown", "left_out"),
    [
        (None, "one\ntwo\nthree", 0),
        (13, "one\ntwo\nthree", 0),
        (12, "one\ntwo", 6),
        (7, "one\ntwo", 6),
        (6, "one", 10),
        (3, "one", 10),
        (2, "", 13),
        (0, "", 13),
    ],
)
def test_memory_is_cut_at_a_line_and_says_how_much_is_left_out(
    bound: int | None, shown: str, left_out: int
) -> None:
    """Nothing is cut in silence, and never inside a line."""
    prompt = built("theway", "skeleton").compose(
        {"cwd": "/", "memory": "one\ntwo\nthree", "max_memory_chars": bound}
    )
    notice = f"\n\n[⟦memory.cut⟧ {left_out}]" if left_out else ""
    assert f"<memory>\n{shown}{notice}\n</memory>" in prompt.text
    assert len(shown) + left_out == 13


def test_the_prompt_says_what_the_specification_asks_of_it() -> None:
    """The default texts oblige the agent to each of the harness's rules."""
    text = built("theway").compose({"cwd": "/tmp/waypoint"}).text
    headings = ["Session model:", "Collapse model:", "Exploration:"]
    headings += ["Graph and subagent orchestration principles:", "Behavioral rules:"]
    places = [text.index(f"\n\n{heading}\n") for heading in headings]
    assert places == sorted(places)
    named = "session_tool_result session_tool_result_grep /collapse session_graph_read "
    named += "session_graph_list session_graph_status session_graph_wait session_graph_attach "
    named += "outline grep todo_write dag_plan dag_wait dag_inspect dag_retry dag_skip "
    named += "new_cron_job list_cron_jobs set_cron_job_state remove_cron_job new_trigger "
    named += "list_triggers set_trigger_state remove_trigger promote_to_chat skill_builder "
    named += "install_skill"
    assert [one for one in named.split() if f"`{one}`" not in text] == []
    assert "`/collapse --adopt`" in text
    assert "`/cron enable <id>`" in text
    assert "Current working directory: /tmp/waypoint\n" in text
    assert not text.endswith("\n")


def test_the_wire_is_one_system_block_with_an_ephemeral_mark() -> None:
    """Memory, working directory and tools share the one cached block."""
    wire = built("theway").compose({"cwd": "/"}).to_anthropic()
    assert list(wire) == ["system", "messages"]
    assert [(one["type"], one["cache_control"]) for one in wire["system"]] == [
        ("text", {"type": "ephemeral"})
    ]


def test_the_manifest_of_a_full_prompt_is_as_the_specification_has_it() -> None:
    """Order, parent, cache hint, tier and gate of each section."""
    prompt = built("theway").compose({"cwd": "/", "memory": "m", "lineage": "l"})
    rows = [
        (row.order, row.name, row.parent, row.cache, row.tier, row.gate, row.open)
        for row in prompt.manifest.sections
    ]
    assert rows == [
        (1, "harness", None, "stable", "session", None, True),
        (2, "tools", None, "session", "session", None, True),
        (3, "environment", None, "session", "session", None, True),
        (4, "memory", None, "session", "session", "has_memory", True),
        (5, "lineage", None, "session", "session", "has_lineage", True),
    ]


def test_the_signals_that_reach_the_prompt_are_those_of_the_specification() -> None:
    """Lineage of the fingerprint: what can change the cached prefix."""
    flow = built("theway")
    assert set(flow.graph.signals_of(flow.last_fingerprint)) == {
        *("tools", "cwd", "memory", "tool_names", "lineage", "harness_intro"),
        *("tool_order", "max_memory_chars"),
    }
    drifting = {name for name, leaf in flow.graph.signals.items() if leaf.drifts}
    assert drifting == {"tools", "memory", "tool_names"}
