"""What the original does, case by case: which sections, in which order, and which facts."""

import json

import pytest
from promptdag.dataflows.open_design import BLOCKS
from promptdag.dataflows.order import positions

from .flows import CASES, GOLDEN, case, flow, open_sections


@pytest.mark.parametrize("name", CASES)
def test_the_open_sections_are_those_of_the_original(name: str) -> None:
    """The ordered ids equal the recorded ones."""
    signals, expected = case(name)
    assert open_sections(flow().compose(signals)) == expected["sections"]


@pytest.mark.parametrize("name", CASES)
def test_the_facts_are_those_of_the_original(name: str) -> None:
    """Every recorded fact is a node with the recorded value."""
    signals, expected = case(name)
    prompt = flow().compose(signals)
    for fact in expected.keys() - {"sections"}:
        value = prompt.value(fact)
        assert (list(value) if isinstance(value, tuple) else value) == expected[fact], fact


def test_there_are_41_sections() -> None:
    """Every id of the table stands once in the list."""
    names = [p.place.section.name for p in positions(BLOCKS) if p.parent is None]
    assert len(names) == len(set(names)) == 41


def test_no_prompt_ends_in_a_newline() -> None:
    """The last section has nothing behind it."""
    for name in CASES:
        assert not flow().compose(case(name)[0]).text.endswith("\n")


@pytest.mark.parametrize("name", sorted(path.parent.name for path in GOLDEN.glob("*/signals.json")))
def test_the_skeleton_equals_the_one_derived_from_the_table(name: str) -> None:
    """Glue and headings byte for byte; the files were written from the table, not by the flow."""
    signals = json.loads((GOLDEN / name / "signals.json").read_text())
    expected = (GOLDEN / name / "skeleton.md").read_bytes()
    assert flow("skeleton").compose(signals).text.encode() == expected


@pytest.mark.parametrize("name", CASES[::7])
def test_plan_and_driver_agree(name: str) -> None:
    """Hamilton's own execution gives the bytes of the plan."""
    signals, _ = case(name)
    driven = flow().driver.execute(["system_block"], inputs=flow().inputs(**signals))
    assert driven["system_block"].text == flow().compose(signals).text


def test_a_saved_session_comes_back() -> None:
    """What validation made safe stays as it is when it is validated again."""
    session = flow().session(**case("39-quoted-headings.json")[0])
    again = flow().load(session.save())
    assert again.fingerprint == session.fingerprint
    assert again.signals == session.signals


def test_the_profile_goes_by_both_its_names() -> None:
    """The fact has the signal's name, so the signal takes the original's and ours."""
    for given in ({"executionProfile": "text_artifact"}, {"execution_profile": "text_artifact"}):
        assert flow().compose(given).value("execution_profile") == "text_artifact"
    updated = flow().session().update(execution_profile="text_artifact")
    assert updated.signals.execution_profile_given == "text_artifact"
