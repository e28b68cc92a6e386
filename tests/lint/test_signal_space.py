"""The values to try for signals, and the inputs made of them."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.code_constants import code_constants
from promptdag.dataflows.signal_factors import Inputs, signal_factors
from promptdag.dataflows.signal_space import signal_space
from promptdag.dataflows.signal_values import field_values, least
from promptdag.inputs.errors import NodeError
from promptdag.inputs.signals import SessionSignals, Signals
from promptdag.inputs.text import Text
from promptdag.sections import fact, gate
from pydantic import AfterValidator, Field, model_validator

from .samples import flow_of, named, said


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


class Place(Signals):
    """A nested model that needs a path."""

    path: Annotated[Text, AfterValidator(_not_blank)]
    depth: int = 0


class Space(SessionSignals):
    """Fields of many types."""

    kind: Literal["a", "b", "c"] = "a"
    on: bool = False
    where: Place | None = None
    words: tuple[Text, ...] = ()
    kinds: tuple[Literal["x", "y"], ...] = ()
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-01-02"])] | None = (
        None
    )
    notes: tuple[Annotated[Text, AfterValidator(_not_blank)], ...] = ()

    @model_validator(mode="after")
    def agree(self) -> "Space":
        """Refuse one combination."""
        if self.kind == "b" and self.on:
            raise ValueError("b is never on")
        return self


def _kind(kind: Literal["a", "b", "c"]) -> None:
    """Shows the kind."""


def space_flow(*facts: Any) -> PromptFlow:
    """Return a flow over these signals."""
    return flow_of(named("part", _kind, "{{ kind }}"), session=Space, facts=facts)


def values(made: PromptFlow, *cases: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Return the values to try by dotted name."""
    return {".".join(one.path): one.values for one in signal_factors(made, cases)}


def test_values_come_from_types_defaults_examples_and_cases() -> None:
    """The poorest stands first and the richest last."""
    found = values(space_flow(), {"words": ["given"]})
    assert found["kind"] == ("a", "b", "c")
    assert found["on"] == (False, True)
    assert found["where"] == (None, {})
    assert found["day"] == (None, "2026-01-02")
    assert found["words"][0] == []
    assert ["given"] in found["words"]
    assert sorted(found["kinds"][-1]) == ["x", "y"]


class Pair(Signals):
    """Three fields that are required, and one that is not."""

    first: Text
    second: Text
    third: Text
    more: Text = ""


class Pairs(SessionSignals):
    """A list of models."""

    pairs: tuple[Pair, ...] = ()


def test_items_hold_their_fields_in_the_order_of_the_model() -> None:
    """A set of names would give each process an order, and inputs, of its own."""
    names = list(Pair.model_fields)
    for item, *_ in (one for one in field_values(Pairs, "pairs") if one):
        assert list(item) == [name for name in names if name in item]


def test_a_value_that_a_field_does_not_take_is_not_tried() -> None:
    """A blank path is refused by itself; a model that is made holds what it requires."""
    assert "" not in values(space_flow())["where.path"]
    assert least(Place) == {"path": "sample path"}
    assert ["", "sample notes"] not in field_values(Space, "notes")
    assert field_values(Space, "notes")[-1] == ["another notes", "sample notes"]


def test_no_input_is_refused_and_what_excludes_each_other_stands_in_two() -> None:
    """What models refuse together is repaired, and each of it is tried."""
    space = signal_space(space_flow())
    assert space.refused == 0
    assert space.repaired > 0
    assert f"{space.repaired} repaired" in str(space)
    seen = {(one.signals.get("kind"), one.signals.get("on")) for one in space.tried}
    assert {("b", False), ("c", True)} <= seen
    assert ("b", True) not in seen
    paths = {one.prompt.value("where_path") for one in space.tried}
    assert {None, "sample path"} <= paths


class Locked(SessionSignals):
    """No value that is made for it fits beside anything."""

    text: Text = "open"

    @model_validator(mode="after")
    def fits(self) -> "Locked":
        """Refuse all but the default."""
        if self.text != "open":
            raise ValueError("it is locked")
        return self


def test_what_no_repair_makes_fit_is_counted_as_refused() -> None:
    """The signal that is varied is never given up in silence."""

    def part(text: str) -> None:
        """Shows the text."""

    space = signal_space(flow_of(named("part", part, "{{ text }}"), session=Locked))
    assert space.refused > 0
    assert f"{space.refused} refused" in str(space)
    assert {one.prompt.value("text") for one in space.tried} == {"open"}


def test_the_space_is_bounded_the_same_each_time_and_counts_what_it_left() -> None:
    """The given case stands first; the bound counts made inputs alone."""
    made = space_flow()
    space = signal_space(made, [{"kind": "b"}])
    assert space.tried[0].origin == "given 1"
    again = signal_space(made, [{"kind": "b"}])
    assert [one.signals for one in again.tried] == [one.signals for one in space.tried]
    small = signal_space(made, [{"kind": "b"}], max_inputs=5)
    assert len(small.tried) == 6
    assert small.left_out > 10
    assert f"{small.left_out} left out" in str(small)


NAMES: Mapping[str, str] = {"grep": "search", "bash": "shell"}


@fact
def abilities(words: tuple[str, ...]) -> frozenset[str]:
    """What the words allow."""
    return frozenset(NAMES[one] for one in words if one in NAMES)


@gate
def has_two(abilities: frozenset[str]) -> bool:
    """Open when two abilities are there at once."""
    return len(abilities) == 2


@gate
def has_many(words: tuple[str, ...]) -> bool:
    """Open when there are more than seven words."""
    return len(words) > 7


@gate
def is_rare(
    kind: Literal["a", "b", "c"], on: bool, where_path: str | None, words: tuple[str, ...]
) -> bool:
    """Open when each of four signals has one value of many."""
    return (kind, on, where_path) == ("a", True, "/srv") and words == ()


@pytest.mark.parametrize("one", [has_two, has_many, is_rare], ids=lambda one: one.name)
def test_a_gate_that_asks_for_much_at_once_is_opened(one: Any) -> None:
    """By a table of its module, by a list longer than its bound, or by values of its code."""

    def part() -> None:
        """Prose."""

    shown = named("part", part, "Prose.", gate=one)
    made = flow_of(said("a", "First."), shown, session=Space, facts=(abilities, one))
    assert {bool(each.prompt.value(one.name)) for each in signal_space(made).tried} == {True, False}


def test_a_search_for_one_gate_says_how_much_it_made() -> None:
    """It asks that gate alone, which is no composed input."""

    def part() -> None:
        """Prose."""

    shown = named("part", part, "Prose.", gate=is_rare)
    made = flow_of(said("a", "First."), shown, session=Space, facts=(is_rare,))
    space = signal_space(made)
    assert space.searched > 0
    assert f"{space.searched} more for single gates" in str(space)


BOUND = 20
TABLE = {"key": "value"}


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (lambda x: x == "word", {"word"}),
        (lambda x: x in ("b", "a"), {"a", "b"}),
        (lambda x: x > BOUND, {20}),
        (lambda x: TABLE.get(x), {"key"}),
        (lambda x: x is True, set()),
    ],
)
def test_constants_are_found_in_code_and_in_what_it_names(
    function: Callable[..., Any], wanted: set[Any]
) -> None:
    """Of a table the keys are compared with."""
    assert wanted <= set(code_constants(function))
    assert "value" not in set(code_constants(function))


class Absent(SessionSignals):
    """A signal that may be absent."""

    x: Text | None = None


def test_inputs_with_which_a_node_fails_are_counted_by_node() -> None:
    """A given one raises instead, for the caller wants to know."""

    def shown(x: str | None) -> None:
        """Shows x, also when it is absent."""

    made = flow_of(named("part", shown, "{{ x }}"), session=Absent)
    space = signal_space(made)
    assert space.failed["part_text"] > 0
    assert "failed in part_text" in str(space)
    with pytest.raises(NodeError):
        signal_space(made, [{"x": None}])


class Excluding(SessionSignals):
    """Two signals that exclude each other, and one beside them."""

    one: Text | None = None
    other: Text | None = None
    rest: Text = ""

    @model_validator(mode="after")
    def agree(self) -> "Excluding":
        """Refuse both together."""
        if self.one and self.other:
            raise ValueError("give one of them")
        return self


def test_signals_that_exclude_each_other_each_stand_in_a_rich_input() -> None:
    """What does not fit into the first rich input is the beginning of another one."""
    made = flow_of(said("part", "Prose."), session=Excluding)
    rich = Inputs(made.signals_model, signal_factors(made)).rich
    shown = [{name for name in ("one", "other", "rest") if case.get(name)} for case in rich]
    assert shown == [{"one", "rest"}, {"other", "rest"}]
