"""Gate coverage: combinations of gates, and what they bring to light."""

from itertools import combinations
from typing import Any, Literal

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.assembly import BlockText, Segment
from promptdag.dataflows.gate_coverage import gate_coverage, values_with
from promptdag.dataflows.order import Wrap, group, one_of, place
from promptdag.dataflows.pairwise import all_combinations, pairwise
from promptdag.dataflows.seams import block_faults
from promptdag.dataflows.signal_space import signal_space, values_to_try
from promptdag.inputs.errors import NodeError
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import Section, gate
from pydantic import BaseModel, model_validator

from .alternatives import chosen, planning, working
from .samples import COUNTER, flow_of, named, said


class Switches(SessionSignals):
    """One signal for each gate."""

    x: Text | None = None
    y: bool = False
    mode: Text = ""


@gate
def has_x(x: str | None) -> bool:
    """Open when x is given."""
    return x is not None


@gate
def has_y(y: bool) -> bool:
    """Open when y is set."""
    return y


def prose(name: str, text: str, one: Any = ()) -> Section:
    """Return a section of constant prose behind a gate."""

    def declared() -> None:
        """Prose."""

    return named(name, declared, text, gate=one)


def flow(*items: Any, **options: Any) -> PromptFlow:
    """Return a flow whose gates are known."""
    facts = (has_x, has_y, chosen, planning, working)
    return flow_of(*items, session=Switches, facts=facts, **options)


def kinds(made: PromptFlow, **options: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return the kinds and places of the faults of a flow."""
    report = gate_coverage(made, counter=COUNTER, **options)
    return [(one.kind, one.sections) for one in report.faults]


def test_a_sound_flow_has_no_fault_and_each_gate_is_opened_and_closed() -> None:
    """Two gates make four combinations."""
    made = flow(said("a", "First."), prose("b", "Second.", has_x), prose("c", "Third.", has_y))
    report = gate_coverage(made, counter=COUNTER)
    assert report.faults == ()
    assert (report.combinations, report.exhaustive) == (4, True)
    assert [(one.gate, one.sections, one.opened, one.closed) for one in report.gates] == [
        ("has_x", ("b",), 2, 2),
        ("has_y", ("c",), 2, 2),
    ]
    assert report.text().endswith("0 faults in 4 combinations (all combinations of 2 gates)")


def test_a_seam_without_separator_names_what_it_joins_and_what_is_closed() -> None:
    """Only when the section between is closed do the two others meet."""
    made = flow(said("a", "First."), prose("b", " Between. ", has_x), said("c", "Third."), join="")
    report = gate_coverage(made, counter=COUNTER)
    (row,) = report.faults
    assert (row.kind, row.sections, row.closed, row.count) == (
        "no separator",
        ("a", "c"),
        ("has_x",),
        1,
    )
    assert "First.Third." in row.found
    assert list(report.to_frame()["kind"]) == ["no separator"]


def test_a_separator_that_is_doubled_is_found() -> None:
    """A text with a newline of its own meets the separator of the block."""
    assert kinds(flow(said("a", "First.\n", slot=True), said("b", "Second."))) == []
    made = flow(said("a", "First."), prose("b", "\nSecond.", has_x))
    assert kinds(made) == [("doubled separator", ("a", "b"))]


def test_blank_edges_blank_blocks_and_empty_wrappers_are_found() -> None:
    """Glue that stands alone is no prompt."""
    edge = flow(place(said("a", "First."), after="\n"))
    assert kinds(edge) == [("blank edge", ())]
    blank = Section(prose("a", " ").function, (), " ", keep_blank=True)
    assert kinds(flow(blank)) == [("blank block", ())]
    segments = (Segment(-1, "opening", "<m>\n"), Segment(-1, "closing", "\n</m>"))
    empty = BlockText("<m>\n\n</m>", segments)
    found = block_faults(block("only", said("a", "x")), ["a"], empty, {})
    assert [one.kind for one in found] == ["empty wrapper"]
    wrapped = flow(group(prose("a", "First.", has_x), wrap=Wrap("<m>\n", "\n</m>")))
    assert kinds(wrapped) == []


def test_an_order_other_than_declared_is_found() -> None:
    """Segments carry their owner, so an assembly that swaps two is seen."""
    segments = (Segment(1, "text", "B. "), Segment(0, "text", "A."))
    found = block_faults(
        block("only", said("a", "x")), ["a", "b"], BlockText("B. A.", segments), {}
    )
    assert [(one.kind, one.sections) for one in found] == [("order", ("b", "a"))]


def test_equal_texts_in_one_prompt_are_found_across_blocks() -> None:
    """Forty characters are no accident; of alternatives only one is open."""
    text = "Read a file before you edit it, and say what you changed."
    one, two = prose("a", text), prose("b", text, has_x)
    made = PromptFlow(
        "two",
        (block("first", one), block("second", two)),
        session=Switches,
        facts=(has_x,),
    )
    assert kinds(made) == [("duplicate", ("a", "b"))]
    choice = one_of(prose("a", text, planning), prose("b", text, working))
    report = gate_coverage(flow(choice), counter=COUNTER)
    assert (report.faults, report.combinations) == ((), 2)
    assert [(one.opened, one.closed) for one in report.gates] == [(1, 1), (1, 1)]


def test_a_marked_block_under_the_minimum_is_found_with_its_size() -> None:
    """The size is that of the first combination that is too small."""
    made = flow(said("a", "abcd" * 10), prose("b", "efgh" * 10, has_x), cache_control="ephemeral")
    assert kinds(made, min_tokens=10) == []
    report = gate_coverage(made, counter=COUNTER, min_tokens=15)
    (row,) = report.faults
    assert (row.kind, row.closed) == ("below minimum", ("has_x",))
    assert "about 10 tokens" in row.found


def test_what_cannot_be_composed_is_counted_and_named() -> None:
    """A section that always fails when it is open is no silent gap."""

    class Never(SessionSignals):
        z: Literal[None] = None

    @gate
    def opens(z: Literal[None]) -> bool:
        """Open when z is not absent."""
        return z is not None

    def failing(z: Literal[None]) -> None:
        """Shows what is never there."""

    made = flow_of(
        said("a", "First."),
        named("part", failing, "{{ z }}", gate=opens),
        session=Never,
        facts=(opens,),
    )
    report = gate_coverage(made, counter=COUNTER)
    assert report.impossible == {"part_text": 1}
    assert [(one.kind, one.sections) for one in report.faults] == [("not covered", ("part",))]
    assert "1 impossible: part_text failed" in report.text()


def test_many_gates_are_combined_in_pairs() -> None:
    """Past the bound not all combinations are tried, and the report says so."""
    scope: dict[str, Any] = {"gate": gate}
    for n in range(10):
        source = f"@gate\ndef g{n}(y: bool) -> bool:\n    'Open when y is set.'\n    return y\n"
        exec(source, scope)
    gates = [scope[f"g{n}"] for n in range(10)]
    sections = [prose(f"s{n}", f"Number {n}.", one) for n, one in enumerate(gates)]
    made = flow_of(*sections, session=Switches, facts=gates)
    report = gate_coverage(made, counter=COUNTER, max_combinations=64)
    assert not report.exhaustive
    assert 10 < report.combinations < 64
    assert all(one.opened and one.closed for one in report.gates)
    assert "every pair of gates" in report.text()
    assert gate_coverage(made, counter=COUNTER, max_combinations=1024).combinations == 1024


def test_values_with_overrides_agree_with_the_driver() -> None:
    """The way around the driver gives the same values as Hamilton's overrides."""
    made = flow(said("a", "First."), prose("b", "Second.", has_x))
    session = made.session(x="1")
    inputs = made.inputs(x="1")
    for opened in (True, False):
        values = values_with(made, session.signals, {"has_x": opened})
        slow = made.driver.execute(["only_block"], inputs=inputs, overrides={"has_x": opened})
        assert values["only_block"] == slow["only_block"]


@pytest.mark.parametrize("factors", [[2] * 12, [3, 2, 4, 2, 2], [2, 2], [5], []])
def test_every_pair_of_choices_stands_in_some_row(factors: list[int]) -> None:
    """That is what pairwise means; the rows are few, and the same every time."""
    rows = pairwise(factors, 1000)
    for one, other in combinations(range(len(factors)), 2):
        assert {(row[one], row[other]) for row in rows} == {
            (a, b) for a in range(factors[one]) for b in range(factors[other])
        }
    assert rows == pairwise(factors, 1000)
    assert len(rows) <= 20
    assert len(pairwise(factors, 3)) <= 3


def test_all_combinations_are_all_or_none() -> None:
    """None stands for more than the bound."""
    assert all_combinations([2, 3], 6) == [(a, b) for a in range(2) for b in range(3)]
    assert all_combinations([2, 3], 5) is None
    assert all_combinations([], 1) == [()]


class Place(BaseModel):
    """A nested model."""

    path: Text
    depth: int = 0


class Space(SessionSignals):
    """Fields of many types."""

    kind: Literal["a", "b"] = "a"
    on: bool = False
    where: Place | None = None
    words: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def agree(self) -> "Space":
        """Refuse one combination."""
        if self.kind == "b" and self.on:
            raise ValueError("b is never on")
        return self


def test_the_space_of_signals_is_bounded_the_same_and_counts_what_it_left() -> None:
    """Literals, bools, absence and given cases are in it; what is refused is counted."""
    made = flow_of(named("part", _kind, "{{ kind }}"), session=Space)
    values = values_to_try(made, [{"words": ["given"]}])
    assert values["kind"] == ("a", "b")
    assert values["on"] == (False, True)
    assert values["where"][0] is None
    assert values["where"][-1]["path"]
    assert ["given"] in values["words"]
    space = signal_space(made, [{"kind": "b"}])
    assert space.tried[0].origin == "given 1"
    assert space.refused > 0
    assert f"{space.refused} refused" in str(space)
    again = signal_space(made, [{"kind": "b"}])
    assert [one.signals for one in again.tried] == [one.signals for one in space.tried]
    small = signal_space(made, [{"kind": "b"}], max_inputs=5)
    assert len(small.tried) + small.refused == 6
    assert small.left_out == len(space.tried) + space.refused - 6


def _kind(kind: Literal["a", "b"]) -> None:
    """Shows the kind."""


def test_inputs_with_which_a_node_fails_are_counted_by_node() -> None:
    """A given one raises instead, for the caller wants to know."""

    def shown(x: str | None) -> None:
        """Shows x, also when it is absent."""

    made = flow(named("part", shown, "{{ x }}"))
    space = signal_space(made)
    assert space.failed["part_text"] > 0
    assert "failed in part_text" in str(space)
    with pytest.raises(NodeError):
        signal_space(made, [{"x": None}])
