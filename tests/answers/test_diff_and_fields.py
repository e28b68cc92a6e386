"""Diff, fields and what-if: what a change of a signal reaches, rewrites and costs."""

import json
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.diff import diff_prompts
from promptdag.dataflows.fields import fields
from promptdag.dataflows.overrides import sections_by_name
from promptdag.dataflows.price import Price
from promptdag.dataflows.what_if import what_if
from promptdag.inputs.errors import UnknownNameError
from promptdag.inputs.tokens import default_counter

from ..flows import FLOWS, built
from ..small_flows import Letters, sa, sb, sc
from .cases import valid_cases
from .small import FULL, SMALL, blocks, build

CASES = [(SMALL, [FULL, {}])] + [(built(one.name), valid_cases(one.name)) for one in FLOWS]
TOOL = {"name": "t", "description": "see https://x/session/123"}


def _diff(before: dict[str, Any], after: dict[str, Any]) -> Any:
    return diff_prompts(SMALL.compose(before), SMALL.compose(after))


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_there_is_a_cause_exactly_while_something_differs(flow: PromptFlow, cases: Any) -> None:
    """Every pair of cases: fingerprints differ if and only if bytes and blocks do."""
    prompts = [flow.compose(signals) for signals in cases]
    for before in prompts:
        for after in prompts:
            found = diff_prompts(before, after)
            assert found.stable_changed is (before.fingerprint != after.fingerprint)
            assert found.stable_changed is bool(found.blocks)
            if found.stable_changed:
                assert any(one.blocks for one in found.causes)
                assert found.first_byte is not None
                texts = before.text.encode(), after.text.encode()
                assert texts[0][: found.first_byte] == texts[1][: found.first_byte]
            else:
                assert (found.first_byte, found.rewritten_tokens) == (None, 0)


def test_field_section_block_byte_tokens_and_money() -> None:
    """The last section changes: little is rewritten."""
    found = diff_prompts(
        SMALL.compose(FULL), SMALL.compose(FULL | {"model": "b"}), price=Price(1.0, 1.25, 0.1)
    )
    assert [(one.name, one.sections, one.blocks) for one in found.causes] == [
        ("model", ("identity",), ("second",))
    ]
    text = SMALL.compose(FULL | {"model": "b"}).text.encode()
    assert found.first_byte == text.rindex(b"b.")
    assert found.rewritten_tokens == default_counter().count("b.")
    assert found.extra_usd == pytest.approx(found.rewritten_tokens * 1.15)
    second = SMALL.compose(FULL | {"model": "b"}).blocks[1].text
    assert found.rewritten_block_tokens == default_counter().count(second)


def test_the_same_change_early_costs_more_than_late() -> None:
    """What follows decides: the first letter against the last of much text."""
    long = "word " * 2000
    costs = []
    for order, name in (((sa, sb), "a"), ((sb, sa), "a")):
        flow = PromptFlow("letters", (block("only", *order, join="\n"),), session=Letters)
        before = flow.compose({"a": "x", "b": long})
        found = diff_prompts(before, flow.compose({"a": "y", "b": long}))
        costs.append((found.rewritten_tokens, fields(flow, {"a": "x", "b": long}).row(name)))
    assert costs[0][0] > 2000
    assert costs[1][0] < 5
    assert (costs[0][1].tokens_after or 0) > 2000
    assert (costs[1][1].tokens_after or 0) < 5


def test_tools_stand_in_front_of_all() -> None:
    """A changed tool rewrites everything, and is its own cause."""
    found = _diff(FULL, FULL | {"tools": [TOOL]})
    assert [(one.name, one.blocks) for one in found.causes] == [("tools", ("tools",))]
    assert (found.first_byte, found.sections) == (0, ())
    assert found.rewritten_tokens == found.prefix_tokens
    assert not _diff(
        {"tools": [{"name": "a"}, {"name": "b"}]}, {"tools": [{"name": "b"}, {"name": "a"}]}
    ).stable_changed


def test_sections_are_compared_by_identity() -> None:
    """Added, removed, moved and changed ones, two of one name among them."""
    after = FULL | {"surface": None, "memory": "new", "extra": [["mine", "My text."], ["new", "N"]]}
    changes = {(one.name, one.change) for one in _diff(FULL, after).sections}
    assert {("desk", "removed"), ("both", "removed"), ("remembered", "changed")} <= changes
    assert {("new", "added"), ("mine", "removed")} <= changes
    swapped = diff_prompts(SMALL.compose(FULL), build(blocks(reverse=True)).compose(FULL))
    assert [one.change for one in swapped.sections if one.change != "glue"] == ["moved"]
    assert [one.kind for one in swapped.causes] == ["code"]


def test_text_pack_and_marks_are_causes_too() -> None:
    """No signal differs, the fingerprints do."""
    plain = SMALL.compose(FULL)
    pack = diff_prompts(plain, build(texts="skeleton").compose(FULL))
    assert [(one.kind, one.before, one.after) for one in pack.causes] == [
        ("texts", "default", "skeleton")
    ]
    marks = diff_prompts(plain, build(blocks(None)).compose(FULL))
    assert [one.kind for one in marks.causes] == ["blocks"]
    assert marks.first_byte == 0


def test_a_turn_signal_is_named_and_changes_no_prefix() -> None:
    """Only the messages differ."""
    found = _diff(FULL, FULL | {"said": "bye", "now": "22"})
    assert [(one.name, one.tier, one.blocks) for one in found.causes] == [
        ("now", "turn", ()),
        ("said", "turn", ()),
    ]
    assert (found.stable_changed, found.messages_changed) == (False, True)


def test_the_text_diff_is_unified_and_the_answers_are_data() -> None:
    """One section after another; JSON holds all; the table has a row a section."""
    found = _diff(FULL, FULL | {"model": "b"})
    assert "-Model a.\n+Model b." in found.text_diff()
    assert json.loads(json.dumps(found.to_dict()))["stable_changed"] is True
    assert list(found.to_frame()["name"]) == ["identity"]
    assert list(_diff(FULL, FULL).to_frame().columns) == list(found.to_frame().columns)


def test_prompts_of_two_flows_are_not_compared() -> None:
    """They have no sections in common."""
    with pytest.raises(UnknownNameError, match="compare prompts of one flow"):
        diff_prompts(SMALL.compose({}), built("theway").compose({"cwd": "/"}))


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_no_turn_signal_reaches_a_block_and_every_signal_has_a_row(
    flow: PromptFlow, cases: Any
) -> None:
    """The proof of the build, as a table."""
    rows = fields(flow).rows
    assert [row.name for row in rows] == [leaf.dotted for leaf in flow.graph.signals.values()]
    assert not any(row.blocks or row.fingerprint for row in rows if row.tier == "turn")
    reaching = {row.name for row in fields(flow, reaching="fingerprint").rows}
    assert reaching == {row.name for row in rows if row.fingerprint}


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_what_trying_finds_lies_within_what_lineage_says(flow: PromptFlow, cases: Any) -> None:
    """No tried value changes a byte in front of the first byte of its signal's row."""
    for signals in cases[:3]:
        table = fields(flow, signals)
        tried = what_if(flow, signals)
        assert any(row.first_byte is not None for row in tried.rows)
        for row in tried.rows:
            said = table.row(row.name)
            if row.first_byte is not None:
                assert said.first_byte is not None, row
                assert said.first_byte <= row.first_byte, row
                own = set(row.sections) & set(sections_by_name(flow))
                assert own <= set(said.sections), row


def test_a_row_says_what_its_signal_reaches() -> None:
    """Gates, facts, sections, blocks and the path; a gate that another signal closes counts."""
    row = fields(SMALL, {}).row("mode")
    assert row.gates == ("plans", "acts", "planning_on_desktop")
    assert (row.facts, row.sections) == (("chosen",), ("planning", "acting", "both"))
    assert (row.blocks, row.path[0], row.path[-1]) == (("first",), "mode", "second_fingerprint")
    assert fields(built("theway"), {"cwd": "/"}).row("max_memory_chars").first_byte is None
    assert fields(SMALL, FULL).row("work.folder").first_byte is not None
    assert len(fields(SMALL).to_frame()) == len(SMALL.graph.signals)
    with pytest.raises(UnknownNameError, match="did you mean 'mode'"):
        fields(SMALL).row("mod")
    with pytest.raises(UnknownNameError, match="did you mean 'desk'"):
        fields(SMALL, reaching="deskk")


def test_what_if_says_what_the_model_costs_and_how_many_were_tried() -> None:
    """The identity stands last, so another model rewrites little."""
    table = what_if(SMALL, FULL)
    model, mode = table.row("model"), table.row("mode")
    assert model.sections == ("identity",)
    assert 0 < model.rewritten_tokens < 10 < mode.rewritten_tokens
    assert (mode.tried, mode.value) == (1, "act")
    assert json.loads(json.dumps(table.to_dict()))["flow"] == "small"


def test_a_manifest_counts_tokens_by_section() -> None:
    """Bytes of the sections are the text; tokens are theirs."""
    flow = PromptFlow("letters", (block("only", sa, sb, sc, join="\n"),), session=Letters)
    manifest = flow.compose({"a": "one two", "c": "three"}).manifest
    assert [row.tokens for row in manifest.sections] == [2, 0, default_counter().count("\nthree")]
    assert manifest.to_dict()["tokens"] == manifest.tokens == 4
    assert list(manifest.to_frame()["tokens"]) == [row.tokens for row in manifest.sections]
