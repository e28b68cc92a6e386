"""Gates and sections that no input reaches, required fragments, and the ratchet of sizes."""

import json
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import transient
from promptdag.dataflows.lint import (
    LintReport,
    lint,
    prose_sizes,
    read_baseline,
    studied,
    write_baseline,
)
from promptdag.dataflows.signal_space import signal_space
from promptdag.inputs.errors import ReadError
from promptdag.inputs.signals import SessionSignals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import fragment, gate

from .samples import COUNTER, findings, flow_of, named, said, subjects


class Mode(SessionSignals):
    """A mode, and what nobody reads."""

    mode: Text = ""
    level: int = 0


@gate
def in_secret_mode(mode: str) -> bool:
    """Open when the mode is the reverse of a word that nobody guesses."""
    return mode[::-1] == "".join(reversed("open sesame"[:4] + "!"))


@gate
def is_plan(mode: str) -> bool:
    """Open when the mode is plan."""
    return mode == "plan"


@gate
def always() -> bool:
    """Open when anything is asked."""
    return True


@gate
def is_high(level: int) -> bool:
    """Open when the level is above 41."""
    return level > 41


def part() -> None:
    """Prose."""


def gated(one: Any) -> Any:
    """Return a flow of one gated section."""
    return flow_of(named("part", part, "Be brief.", gate=one), session=Mode, facts=(one,))


def test_a_gate_that_no_input_opened_says_how_many_were_tried() -> None:
    """It is a search, so the words promise no more, and a case of the caller ends it."""
    flow = gated(in_secret_mode)
    (found,) = findings(flow, "PD070")
    tried = len(signal_space(flow).tried)
    assert f"{tried} inputs tried, and none opened it" in found.found
    assert found.severity == "warning"
    assert subjects(flow, "PD072") == ["part"]
    assert subjects(flow, "PD070", {"mode": "open!"}) == []
    assert subjects(flow, "PD072", {"mode": "open!"}) == []


@pytest.mark.parametrize("one", [is_plan, is_high], ids=["a word", "a number"])
def test_gates_are_opened_with_the_constants_of_their_code(one: Any) -> None:
    """A gate that compares with a word or a number is both opened and closed."""
    for code in ("PD070", "PD071", "PD072"):
        assert subjects(gated(one), code) == []


def test_a_gate_that_never_closes_is_found_and_one_without_signals_is_an_error() -> None:
    """A gate that reads nothing decides nothing."""
    (found,) = findings(gated(always), "PD071")
    assert (found.severity, found.subject) == ("error", "always")


class Budget(TurnSignals):
    """A budget in tokens."""

    budget: int = 1000


@fragment(
    "rules", kind="rule", authority="constraint", priority=50, required=True, text="{{ mode }}"
)
def required(mode: str) -> None:
    """What must be there."""


def test_required_fragments_over_the_budget_are_an_error() -> None:
    """They are never dropped, so the bundle is larger than asked."""
    flow = flow_of(
        said("a", "Be brief."),
        session=Mode,
        turn=Budget,
        transient=transient(required, budget="budget", counter=COUNTER),
    )
    given = {"mode": "word " * 100, "budget": 20}
    assert subjects(flow, "PD063", given) == ["rules"]
    assert subjects(flow, "PD063", {**given, "budget": 900}) == []


def ratchet(text: str, baseline: dict[str, int]) -> list[tuple[str, str, str]]:
    """Return what the ratchet says of one section."""
    report: LintReport = lint(
        flow_of(said("a", text)), counter=COUNTER, allow=(), baseline=baseline
    )
    return [
        (one.code, one.severity, one.subject)
        for one in report.findings
        if one.code.startswith("PD08")
    ]


def test_prose_may_shrink_and_not_grow() -> None:
    """Growth is an error, a new section too; what shrank is a note to tighten the baseline."""
    assert ratchet("abcd" * 10, {"a": 10}) == []
    assert ratchet("abcd" * 11, {"a": 10}) == [("PD080", "error", "a")]
    assert ratchet("abcd" * 9, {"a": 10}) == [("PD082", "info", "a")]
    assert ratchet("abcd", {}) == [("PD081", "error", "a")]
    assert ratchet("abcd", {"a": 1, "gone": 3}) == [("PD082", "info", "gone")]


def test_a_baseline_is_written_and_read_again(tmp_path: Path) -> None:
    """It holds one section a line; one of another flow or counter is refused."""
    study = studied(flow_of(said("a", "abcd" * 10), said("b", "abcd")), counter=COUNTER)
    path = tmp_path / "sizes.json"
    write_baseline(path, study)
    assert read_baseline(path, "sample", COUNTER.id) == prose_sizes(study) == {"a": 10, "b": 1}
    assert '    "a": 10,\n' in path.read_text(encoding="utf-8")
    with pytest.raises(ReadError, match="not of"):
        read_baseline(path, "other", COUNTER.id)
    path.write_text(json.dumps({"sections": 3}), encoding="utf-8")
    with pytest.raises(ReadError, match="not a baseline"):
        read_baseline(path, "sample", COUNTER.id)
    with pytest.raises(ReadError, match="--update-baseline"):
        read_baseline(tmp_path / "none.json", "sample", COUNTER.id)
