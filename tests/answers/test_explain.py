"""Explain: why a section is there or not, and where its text comes from."""

import json
from typing import Any

import pytest
from promptdag.dataflows.candidates import changed_prompt
from promptdag.dataflows.explain import NO_VALUE, explain
from promptdag.dataflows.overrides import append, disable, section_node, sections_by_name
from promptdag.inputs.errors import UnknownNameError

from ..flows import FLOWS, FlowCase, built
from .cases import valid_cases
from .small import FULL, SMALL

CASES = [(SMALL, [FULL, {}])] + [(built(one.name), valid_cases(one.name)) for one in FLOWS]


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_the_origins_of_a_section_join_to_its_text(flow: Any, cases: Any) -> None:
    """Each stretch has an origin, and none is guessed."""
    for signals in cases:
        prompt = flow.compose(signals)
        for name, section in sections_by_name(flow).items():
            found = explain(flow, name, signals, max_tried=0)
            value = prompt.value(section_node(flow, section))
            assert found.open is bool(value)
            if isinstance(value, str):
                assert found.text == value
            ends = [span.end for span in found.spans]
            assert section.many or [0, *ends][:-1] == [span.start for span in found.spans]


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_a_flip_that_is_found_flips(flow: Any, cases: Any) -> None:
    """The change is made, and the section is composed again: once where it is open, once closed."""
    names = {leaf.dotted: leaf.name for leaf in flow.graph.signals.values()}
    prompts = [flow.compose(signals) for signals in cases]
    found_any = False
    for name, section in sections_by_name(flow).items():
        node = section_node(flow, section)
        states = {bool(prompt.value(node)): n for n, prompt in enumerate(prompts)}
        for now, number in states.items():
            found = explain(flow, name, cases[number], max_tried=60)
            assert found.open is now
            if found.flip is not None and found.flip.found:
                found_any = True
                changes = {names[key]: value for key, value in found.flip.changes.items()}
                other = changed_prompt(prompts[number], changes)
                assert bool(other.value(node)) is not now
    assert found_any


def test_a_closed_section_names_its_gate_in_words_and_what_would_open_it() -> None:
    """The literal stands in the gate's code, not in the model."""
    found = explain(SMALL, "desk", {})
    assert found.reason == (
        "Closed: desktop is closed. Open when the prompt is shown on the desktop."
    )
    assert found.flip is not None
    assert found.flip.changes == {"surface": "desktop_app"}
    assert [(one.name, one.value) for one in found.answers] == [
        ("desktop", False),
        ("surface", None),
    ]


def test_a_section_that_needs_two_signals_is_opened_by_two() -> None:
    """Pairs are tried behind single changes."""
    found = explain(SMALL, "both", {})
    assert found.flip is not None
    assert found.flip.changes == {"surface": "desktop_app", "mode": "plan"}


def test_none_found_says_how_many_were_tried() -> None:
    """A section without a gate has nothing to try; a limit of one try is kept."""
    always = explain(SMALL, "base", {}).flip
    limited = explain(SMALL, "both", {}, max_tried=1).flip
    assert always is not None
    assert limited is not None
    assert (always.found, always.tried) == (False, 0)
    assert (limited.found, limited.tried) == (False, 1)


def test_given_cases_are_tried_first() -> None:
    """A value that neither models nor code list comes from a case."""
    found = explain(SMALL, "remembered", {}, cases=[{"memory": "from a case"}])
    assert found.flip is not None
    assert found.flip.changes == {"memory": "from a case"}


def test_where_it_stands_and_who_is_beside_it() -> None:
    """Neighbours of the order, and those that are open."""
    found = explain(SMALL, "desk", {"mode": "act"})
    assert (found.block, found.before, found.after) == ("first", "acting", "both")
    assert (found.open_before, found.open_after) == ("acting", "identity")


def test_turn_context_is_explained_too() -> None:
    """A piece of the bundle has gates and signals like a section."""
    found = explain(SMALL, "clock", FULL)
    assert (found.open, found.tier, found.block) == (True, "turn", "bundle")
    assert found.flip is not None
    assert set(found.flip.changes) == {"now"}


def test_without_signals_there_are_gates_and_no_values() -> None:
    """The graph alone says what a section depends on."""
    found = explain(SMALL, "desk")
    assert found.open is None
    assert found.flip is None
    assert [one.value for one in found.answers] == [NO_VALUE, NO_VALUE]


def test_a_blank_text_and_an_override_are_reasons() -> None:
    """A section without text and without a closed gate says why."""
    assert "its text is blank" in explain(SMALL, "remembered", {}).reason
    flow = SMALL.with_overrides(disable("desk", who="ops", why="a trial"))
    assert explain(flow, "desk", FULL).reason == "Closed. Override disable by ops: a trial."
    flow = SMALL.with_overrides(append("desk", "!", who="ops", why="a trial"))
    kinds = [(one.kind, one.text) for one in explain(flow, "desk", FULL).spans]
    assert kinds == [("slot", "Desktop prose."), ("override", "!")]


def test_an_explanation_is_data_and_a_table() -> None:
    """JSON holds all of it; the table has a row for each gate, fact and signal."""
    found = explain(SMALL, "where", FULL)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["text"] == "In /w on a desktop."
    assert data["spans"][1] | {"place": ""} == {
        "start": 3,
        "end": 5,
        "text": "/w",
        "kind": "value",
        "source": "work_folder",
        "place": "",
        "signals": ["work.folder"],
    }
    assert list(found.to_frame()["name"]) == [one.name for one in found.answers]


def test_an_unknown_section_is_an_error_with_the_nearest() -> None:
    """A typo is answered."""
    with pytest.raises(UnknownNameError, match="did you mean 'desk'"):
        explain(SMALL, "deskk")


def test_the_flows_under_test_are_those_of_the_list() -> None:
    """A flow that is added to the list is explained too."""
    assert [flow.name for flow, _ in CASES[1:]] == [one.name for one in FLOWS]
    assert all(isinstance(one, FlowCase) for one in FLOWS)
