"""The lint of every flow that is shipped: no error, few warnings, and sizes that are kept."""

import json
from functools import cache
from pathlib import Path

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.gate_coverage import gate_coverage
from promptdag.dataflows.lint import (
    LintReport,
    Study,
    allow_files,
    lint_study,
    prose_sizes,
    read_baseline,
    studied,
    write_baseline,
)
from promptdag.dataflows.registry import flow_builders

from ..answers.cases import valid_cases
from ..flows import FLOWS
from .samples import COUNTER

SIZES = Path(__file__).with_name("sizes")
BUILDERS = {**flow_builders(), **{case.name: case.build for case in FLOWS}}
MOST_WARNINGS = 6


@cache
def study_of(name: str) -> tuple[PromptFlow, Study]:
    """Return what was studied of a flow, without any case."""
    flow = BUILDERS[name]("default")
    return flow, studied(flow, counter=COUNTER)


def report_of(name: str) -> LintReport:
    """Return the lint of a flow by itself."""
    flow, study = study_of(name)
    return lint_study(study, allow_files(flow))


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_shipped_flow_has_no_error_and_few_warnings(name: str) -> None:
    """What its original does is allowed with a reason, and each warning is worth reading."""
    report = report_of(name)
    assert [str(one) for one in report.errors] == []
    assert len(report.findings) <= MOST_WARNINGS, report.text()


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_every_gate_of_a_shipped_flow_is_moved_and_no_input_is_refused(name: str) -> None:
    """The made inputs reach every section; what excludes each other is repaired."""
    flow, study = study_of(name)
    assert study.space.refused == 0
    assert study.space.left_out == 0
    unmoved = {"PD070", "PD071", "PD072"}
    report = lint_study(study, ())
    assert [one.subject for one in report.findings if one.code in unmoved] == []
    for node in flow.graph.nodes.values():
        if node.kind == "gate":
            values = {bool(one.prompt.value(node.name)) for one in study.space.tried}
            assert values == {True, False}, node.name


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_shipped_flow_has_no_error_with_its_golden_cases(case: object) -> None:
    """Some rules look at given signals alone."""
    name = str(case)
    flow = BUILDERS[name]("default")
    study = studied(flow, valid_cases(name), counter=COUNTER, max_inputs=60)
    report = lint_study(study, allow_files(flow))
    assert [str(one) for one in report.errors] == []
    assert "PD010" not in report.skipped


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_the_prose_of_a_shipped_flow_does_not_grow_unseen(name: str, accept: bool) -> None:
    """`pytest --accept` writes the sizes anew, and a reviewer sees what grew."""
    flow, study = study_of(name)
    path = SIZES / f"{name}.json"
    if accept:
        path.parent.mkdir(exist_ok=True)
        write_baseline(path, study)
    assert dict(read_baseline(path, flow.name, COUNTER.id)) == prose_sizes(study)
    assert json.loads(path.read_text(encoding="utf-8"))["flow"] == name


def test_every_size_belongs_to_a_flow() -> None:
    """A flow that is renamed takes its sizes along."""
    assert {path.stem for path in SIZES.glob("*.json")} == set(BUILDERS)


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_the_gate_coverage_of_a_shipped_flow_opens_and_closes_every_gate(name: str) -> None:
    """No combination fails, and sections stand in order, told once and without blank blocks."""
    report = gate_coverage(study_of(name)[0], counter=COUNTER)
    assert report.impossible == {}
    # Blank edges and doubled separators are facts of the originals, which set their own seams.
    seams = {"blank edge", "doubled separator"}
    if name.startswith("open_design_turn"):
        # What closes the front of a turn closes all that stands in it; an override does not.
        seams.add("no separator")
    assert {one.kind for one in report.faults} <= seams
    assert all(one.opened and one.closed for one in report.gates)
