"""What differs between two flows, for whom, and what it costs."""

from dataclasses import replace

import pytest
from promptdag.dataflows import PromptFlow, block, transient
from promptdag.dataflows.price import Price
from promptdag.dataflows.review import (
    OtherFlow,
    Review,
    Scenario,
    StoredSnapshot,
    made_scenarios,
    review_flow,
    summary,
)
from promptdag.dataflows.review.change import Edge
from promptdag.dataflows.review.compare import same_code
from promptdag.dataflows.review.scenario_change import RewritePrice, scenario_change
from promptdag.dataflows.review.views import CostView, ScenarioView, ShownBlock
from promptdag.sections import section

from ..pictures.drawn_flows import turn_flow
from ..small_flows import Letters, letters, sa, sb, sc
from .conftest import SCENARIOS


def test_each_section_tells_what_differs_in_its_declaration(reviewed: Review) -> None:
    """Added, removed, moved and reworded are told apart; what is the same is not told."""
    assert {one.name: one.kinds for one in reviewed.sections} == {
        "hello": ("reworded",),
        "rules": ("moved",),
        "farewell": ("removed",),
    }


def test_the_rows_keep_removed_sections_where_they_stood(reviewed: Review) -> None:
    """Farewell stood behind the place."""
    assert reviewed.rows == ("hello", "place_note", "farewell", "rules")


def test_a_gate_tells_its_words_its_code_and_for_whom_it_opens(reviewed: Review) -> None:
    """Blank places and one word of the old code were found as inputs and told apart."""
    (gate,) = reviewed.gates
    assert gate.before is not None
    assert gate.after is not None
    assert gate.before.words == "Open when the place is not blank."
    assert gate.after.words == "Open when a place is given."
    assert 'place.strip() != ""' in gate.before.code
    assert gate.sections == ("place_note",)
    (flip,) = gate.flips
    assert flip.effect == "opens"
    assert 'place is "nowhere"' in flip.words
    assert flip.example["place"] == "nowhere"
    assert 0 < flip.count < flip.tried == reviewed.tried


def test_a_change_that_no_scenario_shows_gets_one(reviewed: Review) -> None:
    """The value stands in the old code alone, so both sides' constants must be tried."""
    names = [one.name for one in reviewed.scenarios]
    assert names == ["full", "bare", 'place is "nowhere"']
    found = reviewed.scenarios[-1]
    assert found.after.origin == "found, since place_note appears there"
    assert found.cells["place_note"].sign == "appears"


def test_each_cell_tells_what_became_of_a_section(reviewed: Review) -> None:
    """A moved section is one whose place among the others differs, not one that slid along."""
    full, bare, _ = reviewed.scenarios
    signs = {name: cell.sign for name, cell in full.cells.items()}
    assert signs == {
        "hello": "reworded",
        "place_note": "same",
        "farewell": "disappears",
        "rules": "moved",
    }
    assert bare.cells["place_note"].sign == "closed"
    assert full.cells["farewell"].before == "Good bye."
    assert full.cells["farewell"].after is None


def test_what_is_written_again_is_counted_from_the_first_byte(reviewed: Review) -> None:
    """The rules stood first, so all differs; the prompt is too short for any cache."""
    full = reviewed.scenarios[0]
    assert full.changed
    assert full.first_byte == 0
    assert full.rewritten_tokens == full.rewritten_from_mark > 10
    assert (full.billed_tokens, full.rewritten_usd) == (0, 0.0)
    assert full.after.cost is not None
    assert full.after.cost.cached_tokens == 0


@pytest.mark.parametrize(("up_to_marks", "cached", "billed"), [
    (True, 1000, 30), (False, 1000, 10), (True, 25, 25),
])  # fmt: skip
def test_what_is_billed_is_what_the_provider_caches(
    up_to_marks: bool, cached: int, billed: int
) -> None:
    """From the last mark or from the change on, and no more than is cached."""
    cost = CostView(
        model="m", prices_date="2026-01-01", cold_usd=1.0, warm_usd=0.1, cached_tokens=cached
    )
    old, new = (
        ScenarioView(
            name="full",
            signals={},
            fingerprint=end,
            blocks=(
                ShownBlock(name="a", text="a " * 10, marked=True),
                ShownBlock(name="b", text="b " * 20 + f"{end} " * 10, marked=True),
            ),
            cost=cost,
        )
        for end in ("x", "y")
    )
    price = RewritePrice(Price(1.0, 1.25, 0.1), up_to_marks, _Words())
    found = scenario_change(old, new, (), price)
    assert (found.rewritten_tokens, found.rewritten_from_mark) == (10, 30)
    assert found.billed_tokens == billed
    assert found.rewritten_usd == pytest.approx(billed * 1.15)


class _Words:
    """Counts words."""

    id, exact = "words", False

    def count(self, text: str) -> int:
        """Return how many words a text has."""
        return len(text.split())


def test_a_flow_compared_with_itself_differs_in_nothing(greeter: PromptFlow) -> None:
    """The summary says so in one line."""
    found = review_flow(greeter, OtherFlow(greeter, "itself"), scenarios=SCENARIOS)
    assert not found.changed
    assert [one.first_byte for one in found.scenarios] == [None, None]
    (line,) = summary(found)
    assert line.startswith("Nothing differs from `itself`")


def test_a_flow_by_itself_has_scenarios_that_show_each_gate_both_ways(alone: Review) -> None:
    """Made from the types of its signals."""
    states = [cell.cells["place_note"].sign for cell in alone.scenarios]
    assert {"open", "closed"} == set(states)
    assert [one.name for one in alone.scenarios][:2] == ["full", "bare"]
    assert not alone.changed


def test_made_scenarios_of_a_flow_without_gates_are_two(greeter: PromptFlow) -> None:
    """There is nothing more to show."""
    assert [one.name for one in made_scenarios(letters(sa, sb))] == ["full", "bare"]


def test_a_stored_snapshot_brings_its_own_scenarios(greeter: PromptFlow, reviewed: Review) -> None:
    """Other ones could not be composed as the flow was."""
    assert reviewed.before is not None
    found = review_flow(greeter, StoredSnapshot(reviewed.before), scenarios=())
    assert [one.name for one in found.scenarios] == [one.name for one in reviewed.scenarios]
    assert found.sections == reviewed.sections
    assert found.gates[0].flips == reviewed.gates[0].flips


def test_a_signal_that_the_base_does_not_know_is_left_out_there_and_told() -> None:
    """A new signal would else make every scenario fail on one side."""

    class More(Letters):
        """One letter more."""

        e: str = ""

    @section(text="{{ e }}")
    def se(e: str) -> None:
        """Section e."""

    before = letters(sa, join="\n")
    after = PromptFlow("letters", (block("all", sa, se, join="\n"),), session=More)
    given = Scenario("one", {"a": "x", "e": "y"}, "given")
    found = review_flow(after, OtherFlow(before, "old"), scenarios=[given])
    scenario = found.scenarios[0]
    assert scenario.before is not None
    assert scenario.before.dropped == ("e",)
    assert scenario.cells["se"].sign == "appears"
    assert "scenario one: old does not know e" in found.notes
    assert "signal e is new: tier session" in found.notes
    assert found.edges_gained == (Edge("e", "se"),)


def test_signals_that_a_side_refuses_are_told_and_not_compared() -> None:
    """Neither side's refusal may look like a change of the prompt."""
    before = letters(sa, sb, join="\n")
    refused = Scenario("wrong", {"a": 5}, "given")
    found = review_flow(before, OtherFlow(before, "old"), scenarios=[refused])
    scenario = found.scenarios[0]
    assert "a: Input should be a valid string" in scenario.after.refused
    assert scenario.first_byte is None
    assert not found.changed


def test_texts_that_a_caller_adds_have_rows_of_their_own() -> None:
    """Behind the section that declares their place."""
    from ..small_flows import listed

    flow = letters(sa, listed, sb, join="\n")
    given = Scenario("one", {"a": "x", "named": [["mine", "1"], ["mine", "2"]]}, "given")
    found = review_flow(flow, scenarios=[given])
    assert found.rows == ("sa", "listed", "mine", "mine (2)", "sb")
    assert found.scenarios[0].cells["mine (2)"].after == "2"


def test_a_section_in_another_block_changed_its_place() -> None:
    """Its text is the same; what stands around it is not."""
    before = PromptFlow("x", (block("p", sa, sb), block("q", sc)), session=Letters)
    after = PromptFlow("x", (block("p", sa), block("q", sb, sc)), session=Letters)
    given = Scenario("one", {"a": "x", "b": "y", "c": "z"}, "given")
    found = review_flow(after, OtherFlow(before, "old"), scenarios=[given])
    assert {one.name: one.kinds for one in found.sections} == {"sb": ("place",)}
    assert found.scenarios[0].changed
    assert found.scenarios[0].first_byte == 1


def test_a_cache_mark_that_moves_is_a_change_of_the_prefix() -> None:
    """The same bytes in another shape are sent as another request, from that block on."""
    first, second = block("p", sa), block("q", sb)
    marked = replace(second, cache_control={"type": "e"})
    before = PromptFlow("x", (first, second), session=Letters)
    after = PromptFlow("x", (first, marked), session=Letters)
    given = Scenario("one", {"a": "x", "b": "y"}, "given")
    found = review_flow(after, OtherFlow(before, "old"), scenarios=[given])
    assert found.scenarios[0].first_byte == 1
    assert found.notes == ("block q: system, cache mark none became system, cache mark type e",)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("def f(a):\n    return a", "def f(a):\n\n    return a  # why", True),
        (
            'def f(a):\n    """One."""\n    return a',
            'def f(a):\n    """Two."""\n    return a',
            True,
        ),
        ("def f(a):\n    return a", "def f(a):\n    return not a", False),
        ("@gate\ndef f(a): ...", "@fact\ndef f(a): ...", False),
        ("def f(:", "def f(: ", False),
    ],
)
def test_code_is_compared_by_what_it_does(before: str, after: str, same: bool) -> None:
    """Layout, comments and the docstring are no change of a gate."""
    assert same_code(before, after) is same


def test_fragments_of_the_turn_are_reviewed_as_well() -> None:
    """Before their fit; the cached prefix stays as it is whatever they say."""
    flow = turn_flow()
    given = Scenario("one", {"cwd": "/a", "task": "do it", "found": "x"}, "given")
    found = review_flow(flow, scenarios=[given])
    assert found.rows[-3:] == ("task.current", "search.found", "notes.old")
    assert found.scenarios[0].cells["task.current"].after == "do it"
    assert found.scenarios[0].cells["notes.old"].sign == "closed"
    assert "3 fragments of turn context beside them, in no cached block." in summary(found)
    task = flow.transient and flow.transient.fragments[0]
    assert task
    reworded = replace(task, section=replace(task.section, text="Task: {{ task }}"))
    assert flow.transient is not None
    turn = transient(reworded, *flow.transient.fragments[1:], budget="budget_tokens")
    changed = PromptFlow(
        flow.name, flow.blocks, session=flow.session_model, turn=flow.turn_model, transient=turn
    )
    against = review_flow(changed, OtherFlow(flow, "old"), scenarios=[given])
    assert {one.name: one.kinds for one in against.sections} == {"task.current": ("reworded",)}
    assert against.scenarios[0].cells["task.current"].sign == "reworded"
    assert against.scenarios[0].first_byte is None
    assert "The cached prefix is the same in every scenario: no cache is lost." in summary(against)
