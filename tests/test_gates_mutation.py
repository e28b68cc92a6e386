"""Each gate against its truth table, and each change of a decision against a row of it."""

from collections.abc import Callable
from typing import Any

import pytest
from promptdag.sections import Gate

from .flows import FLOWS, FlowCase, built, modules_of
from .mutator import mutants

Row = tuple[dict[str, object], bool]


def gates_of(case: FlowCase) -> dict[str, Gate[...]]:
    """Return every gate that is written in the flow's sections or reached by its graph."""
    found = {
        one.name: one
        for module in modules_of(case.sections)
        for one in vars(module).values()
        if isinstance(one, Gate)
    }
    graph = built(case.name).graph
    reached = {name for name, node in graph.nodes.items() if node.kind == "gate"}
    assert reached <= found.keys(), "a gate of the flow is declared outside its sections"
    return found


ALL_GATES = [
    pytest.param(case, gate, id=f"{case.name}.{name}")
    for case in FLOWS
    for name, gate in sorted(gates_of(case).items())
]


def table(case: FlowCase, gate: Gate[...]) -> list[Row]:
    """Return the gate's truth table."""
    rows: list[Row] = case.gate_tables.TABLES.get(gate.name, [])
    assert rows, (
        f"gate {gate.name!r} at {gate.place} has no truth table; "
        f"write its rows into TABLES of {case.gate_tables.__name__}"
    )
    return rows


def contradicts(function: Callable[..., Any], rows: list[Row]) -> bool:
    """Whether a function answers a row otherwise, or fails on it."""
    for arguments, answer in rows:
        try:
            if function(**arguments) is not answer:
                return True
        except Exception:  # a mutant may fail in any way
            return True
    return False


@pytest.mark.parametrize(("case", "gate"), ALL_GATES)
def test_a_gate_answers_each_row_of_its_truth_table(case: FlowCase, gate: Gate[...]) -> None:
    """With a bool, and both answers stand in the table."""
    rows = table(case, gate)
    assert [(arguments, gate(**arguments)) for arguments, _ in rows] == rows
    assert {gate(**arguments) for arguments, _ in rows} == {True, False}
    assert not contradicts(gate.function, rows)


@pytest.mark.parametrize(("case", "gate"), ALL_GATES)
def test_every_mutant_of_a_gate_contradicts_a_row(case: FlowCase, gate: Gate[...]) -> None:
    """No decision of a gate can change without a row that notices."""
    rows = table(case, gate)
    made = mutants(gate.function)
    assert made
    assert [one.change for one in made if not contradicts(one.function, rows)] == []


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_truth_table_belongs_to_a_gate(case: FlowCase) -> None:
    """A gate that was renamed leaves no table behind."""
    assert set(case.gate_tables.TABLES) - set(gates_of(case)) == set()


def example(a: int, b: str | None, c: tuple[str, ...]) -> bool:
    """Stands for every decision that the mutator changes."""
    if not c:
        return False
    return (a > 3 and b is not None and b.strip() != "") or b in ("x", "y")


def test_the_mutator_changes_each_decision() -> None:
    """Read as a list: nothing that decides is left out."""
    changes = [one.change.split(": ", 1)[1] for one in mutants(example)]
    for expected in (
        "a > 3 -> a >= 3",
        "a > 3 -> a <= 3",
        "3 -> 4",
        "3 -> 2",
        "b is not None -> b is None",
        "b.strip() -> b",
        "b.strip() != '' -> b.strip() == ''",
        "'' -> '~'",
        "b in ('x', 'y') -> b not in ('x', 'y')",
        "('x', 'y') -> ('y',)",
        "'x' -> 'x~'",
        "not c -> c",
        "False -> True",
        "return False -> return not False",
        "a > 3 and b is not None and (b.strip() != '') -> a > 3 and b is not None",
        "a > 3 and b is not None and (b.strip() != '') -> "
        "a > 3 or b is not None or b.strip() != ''",
    ):
        assert expected in changes
    assert sum("if not c" in change for change in changes) == 2
    assert len(changes) == len(set(changes)) == 26


def test_a_row_that_nothing_notices_would_be_seen() -> None:
    """The test of the test: with a row less, mutants survive."""
    rows: list[Row] = [
        ({"a": 4, "b": "z", "c": ("c",)}, True),
        ({"a": 3, "b": "z", "c": ("c",)}, False),
    ]
    assert not contradicts(example, rows)
    survivors = [one.change for one in mutants(example) if not contradicts(one.function, rows)]
    assert any("b in ('x', 'y')" in change for change in survivors)
    assert not any("a > 3 -> a >= 3" in change for change in survivors)
