"""What is proven when a flow is built, and what is said of wrong signals: exact messages."""

import itertools
from typing import Any, Literal

import pytest
from promptdag.dataflows import PromptFlow, block, group, one_of, place
from promptdag.dataflows.graph import Node, build_graph
from promptdag.inputs.errors import (
    CycleError,
    FlowError,
    GateError,
    MissingNodeError,
    NameClashError,
    NodeError,
    OrderError,
    TurnLeakError,
    UnknownNameError,
)
from promptdag.inputs.signals import SessionSignals, Signals, TurnSignals, leaves
from promptdag.inputs.text import Text
from promptdag.sections import Section, fact, gate, section
from pydantic import ValidationError, model_validator

from .flows import FLOWS, FlowCase, built, modules_of


class Place(Signals):
    """A nested model."""

    folder: Text
    branch: Text | None = None


class Fixed(SessionSignals):
    """Session signals."""

    note: Text = ""
    count: int = 0
    kind: Literal["x", "y"] = "x"
    place: Place | None = None
    places: tuple[Place, ...] = ()


class Turned(TurnSignals):
    """Turn signals."""

    said: Text = ""
    times: int = 0


def flow_of(*sections: Section, **options: Any) -> PromptFlow:
    """Return a flow of one block of these sections."""
    options = {"session": Fixed, "turn": Turned} | options
    return PromptFlow("small", (block("only", *sections),), **options)


@section(text="{{ note }}")
def plain(note: str) -> None:
    """Shows the note."""


# --- the turn side cannot reach a block


@fact
def shouted(said: str) -> str:
    """What was said, loudly."""
    return said.upper()


@fact
def quoted(shouted: str, note: str) -> str:
    """What was said, in quotes."""
    return f"{note}{shouted!r}"


@section(text="{{ quoted }}")
def leaking(quoted: str) -> None:
    """Shows what was said, which it must not."""


def test_a_turn_signal_that_reaches_a_block_is_named_with_its_path() -> None:
    """A proof, not a convention: field, path and block."""
    with pytest.raises(TurnLeakError) as caught:
        flow_of(plain, leaking)
    path = ("said", "shouted", "quoted", "leaking_text", "only_block")
    assert (caught.value.field, caught.value.path, caught.value.block) == ("said", path, "only")
    assert str(caught.value) == (
        "flow 'small': turn signal 'said' reaches block 'only' by the path "
        "said -> shouted -> quoted -> leaking_text -> only_block; make it a session signal, "
        "or move what uses it to the turn side"
    )


def test_a_turn_signal_that_reaches_a_block_by_a_gate_leaks_too() -> None:
    """Whether a section appears is part of the prefix."""

    @gate
    def spoken(said: str) -> bool:
        """Open when something was said."""
        return said != ""

    @section(gate=spoken, text="x")
    def gated() -> None:
        """Appears when something was said."""

    with pytest.raises(TurnLeakError) as caught:
        flow_of(gated, facts=[spoken])
    assert caught.value.path == ("said", "spoken", "gated_text", "only_block")


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_no_turn_signal_reaches_a_block_of_our_own_flows(case: FlowCase) -> None:
    """Counted on the graph, apart from the proof at build time."""
    graph = built(case.name).graph
    texts = {f"{one.place.section.name}_text" for one in built(case.name).positions}
    for name, node in graph.nodes.items():
        if node.kind in ("block", "fingerprint") or name in texts:
            assert [one for one in graph.signals_of(name) if graph.signals[one].turn] == []


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_section_of_the_package_stands_in_the_order(case: FlowCase) -> None:
    """A section that is written and not listed would be missed by nobody."""
    placed = {position.place.section.name for position in built(case.name).positions}
    written = {
        one.name
        for module in modules_of(case.sections)
        for one in vars(module).values()
        if isinstance(one, Section)
    }
    assert written - placed == set(case.unplaced)


# --- cycles, clashes, missing nodes


@fact
def hen(egg: str) -> str:
    """Needs the egg."""
    return egg


@fact
def egg(nest: str) -> str:
    """Needs the nest."""
    return nest


@fact
def nest(hen: str) -> str:
    """Needs the hen."""
    return hen


@section(text="{{ hen }}")
def farm(hen: str) -> None:
    """Shows the hen."""


def test_a_cycle_is_named_along_its_path() -> None:
    """The first is repeated at the end; what leads to the cycle is not in it."""
    with pytest.raises(CycleError) as caught:
        flow_of(farm)
    path = caught.value.path
    assert path[0] == path[-1]
    assert set(path) == {"hen", "egg", "nest"}
    assert len(path) == 4
    for giver, taker in itertools.pairwise(path):
        needs = {"hen": "egg", "egg": "nest", "nest": "hen"}
        assert needs[taker] == giver
    assert str(caught.value) == (
        f"flow 'small': the nodes {' -> '.join(path)} form a cycle; "
        "take one of these parameters away"
    )


def test_a_fact_that_needs_itself_is_a_cycle() -> None:
    """The shortest one."""

    @fact
    def own(own: str) -> str:
        """Needs itself."""
        return own

    @section(text="{{ own }}")
    def showing(own: str) -> None:
        """Shows it."""

    with pytest.raises(CycleError) as caught:
        flow_of(showing, facts=[own])
    assert caught.value.path == ("own", "own")


def test_two_facts_of_one_name_are_named_with_their_places() -> None:
    """Which of them a parameter meant would be a matter of luck."""

    def twin() -> Any:
        @fact
        def shouted(note: str) -> str:
            """Another one."""
            return note

        return shouted

    other = twin()
    with pytest.raises(NameClashError) as caught:
        flow_of(plain, facts=[other])
    assert str(caught.value) == (
        f"flow 'small': {shouted.place} and {other.place} both make a node 'shouted'; "
        "rename one of them"
    )


def test_a_fact_named_like_a_section_node_is_a_clash() -> None:
    """Section nodes end in `_text`."""

    @fact
    def plain_text(note: str) -> str:
        """Named like the node of `plain`."""
        return note

    with pytest.raises(NameClashError) as caught:
        flow_of(plain, facts=[plain_text])
    assert str(caught.value) == (
        f"flow 'small': {plain.place} and {plain_text.place} both make a node 'plain_text' "
        "(section and fact); rename one of them"
    )


def test_a_signal_named_like_a_node_is_a_clash() -> None:
    """A node's name is the name of one thing."""

    class Clashing(Fixed):
        shouted: Text = ""

    with pytest.raises(NameClashError) as caught:
        flow_of(plain, session=Clashing)
    assert str(caught.value) == (
        "flow 'small': signal 'shouted' is named like the fact 'shouted' at "
        f"{shouted.place}; rename one of them"
    )


def test_one_name_on_both_sides_is_a_clash() -> None:
    """A session signal and a turn signal of one name."""

    class Both(TurnSignals):
        note: Text = ""

    with pytest.raises(NameClashError) as caught:
        flow_of(plain, turn=Both)
    assert str(caught.value) == (
        "flow 'small': the signals 'note' (session signal) and 'note' (turn signal) both make a "
        "node 'note'; rename one"
    )


def test_a_nested_signal_can_clash_with_a_flat_one() -> None:
    """Paths are joined by underscores."""

    class Clashing(Fixed):
        place_folder: Text = ""

    with pytest.raises(NameClashError) as caught:
        flow_of(plain, session=Clashing)
    assert "'place.folder' (session signal) and 'place_folder' (session signal)" in str(
        caught.value
    )


def test_two_blocks_of_one_name_are_a_clash() -> None:
    """Their nodes would be one."""
    with pytest.raises(NameClashError, match="both make a node 'one_block'"):
        PromptFlow("small", (block("one", plain), block("one", farm)), session=Fixed)


def test_a_parameter_that_names_nothing_is_named_with_the_nearest() -> None:
    """A typo in a parameter."""

    @fact
    def broken(nore: str) -> str:
        """Has a typo."""
        return nore

    @section(text="{{ broken }}")
    def showing(broken: str) -> None:
        """Shows it."""

    with pytest.raises(MissingNodeError) as caught:
        flow_of(showing, facts=[broken])
    assert str(caught.value) == (
        f"flow 'small': {broken.place}: parameter 'nore' of 'broken' names no signal, fact or "
        "gate; did you mean 'note'?"
    )


def test_a_gate_that_the_flow_does_not_know_is_named() -> None:
    """A gate from a module that nobody passed."""

    @gate
    def hidden(note: str) -> bool:
        """Open when there is a note."""
        return note != ""

    @section(gate=hidden, text="x")
    def gated() -> None:
        """Gated."""

    with pytest.raises(MissingNodeError) as caught:
        flow_of(gated)
    assert str(caught.value) == (
        f"flow 'small': {gated.place}: gate 'hidden' of section 'gated' is not among the flow's "
        "facts; pass its module in facts="
    )


def test_what_no_root_reaches_is_left_out_of_the_graph() -> None:
    """A public helper of a module does not become a node."""
    flow = flow_of(plain)
    assert set(flow.graph.nodes) == {
        *("plain_text", "only_block", "only_fingerprint", "tools_fingerprint")
    }


# --- types, gates, sections


def test_a_parameter_of_another_type_than_its_signal_is_refused() -> None:
    """The signal's type is said as it must be declared."""

    @section(text="{{ count }}{{ place_branch }}")
    def showing(count: str, place_branch: str) -> None:
        """Shows both."""

    with pytest.raises(FlowError) as caught:
        flow_of(showing)
    assert str(caught.value) == (
        f"flow 'small': {showing.place}: parameter 'count' is declared str, the signal 'count' is "
        "int; declare it so"
    )


def test_a_leaf_of_a_model_that_may_be_absent_is_declared_with_none() -> None:
    """Also where the leaf itself is never absent."""

    @fact
    def where(place_folder: str) -> str:
        """The folder."""
        return place_folder

    with pytest.raises(FlowError) as caught:
        flow_of(plain, facts=[where])
    assert str(caught.value) == (
        f"flow 'small': {where.place}: parameter 'place_folder' is declared str, the signal "
        "'place.folder' is str | None; declare it so"
    )


def test_a_parameter_without_a_type_is_refused() -> None:
    """Types are read when the flow is built."""

    @fact
    def untyped(note) -> str:  # type: ignore[no-untyped-def]
        """Has no type."""
        return str(note)

    with pytest.raises(FlowError) as caught:
        flow_of(plain, facts=[untyped])
    assert str(caught.value) == (
        f"flow 'small': {untyped.place}: parameter 'note' has no type; write one"
    )


def test_a_type_that_cannot_be_resolved_is_refused() -> None:
    """An annotation that is imported only for type checkers."""

    @fact
    def lost(note: "Nowhere") -> str:  # type: ignore[name-defined]  # noqa: F821
        """Has a type that nobody imports."""
        return str(note)

    with pytest.raises(FlowError) as caught:
        flow_of(plain, facts=[lost])
    assert str(caught.value) == (
        f"flow 'small': {lost.place}: name 'Nowhere' is not defined; import it in the module"
    )


def test_a_gate_returns_bool() -> None:
    """Not a truthy text."""

    @gate
    def texty(note: str) -> str:  # type: ignore[arg-type]
        """Open when there is a note."""
        return note

    with pytest.raises(GateError) as caught:
        flow_of(plain, facts=[texty])
    assert str(caught.value) == (
        f"flow 'small': {texty.place}: gate 'texty' returns str; a gate returns bool"
    )


def test_the_docstring_of_a_gate_says_when_it_opens() -> None:
    """It is printed in the catalogue, and is the whole truth."""

    @gate
    def silent(note: str) -> bool:
        """Checks whether there is a note."""
        return note != ""

    with pytest.raises(GateError) as caught:
        flow_of(plain, facts=[silent])
    assert str(caught.value) == (
        f"flow 'small': {silent.place}: the docstring of gate 'silent' begins "
        "'Checks whether there'; begin it 'Open when', and say all of it"
    )


def test_a_section_has_no_body_and_returns_none() -> None:
    """What must be computed is a fact."""

    @section(text="{{ note }}")  # type: ignore[arg-type]
    def computing(note: str) -> str:
        """Computes."""
        return note

    with pytest.raises(FlowError) as caught:
        flow_of(computing)
    assert str(caught.value) == (
        f"flow 'small': {computing.place}: section 'computing' returns str; a section has no body "
        "and returns None: compute in a fact"
    )


def test_what_is_no_gate_cannot_open_a_section() -> None:
    """A typo fails when the module is imported."""
    with pytest.raises(TypeError, match="pass a function that is decorated with @gate"):
        section(gate=shouted)  # type: ignore[call-overload]


def test_a_gate_that_returns_no_bool_at_run_time_fails_the_section() -> None:
    """An annotation can lie; a section neither appears nor vanishes by a truthy value."""

    @gate
    def lying(note: str) -> bool:
        """Open when there is a note."""
        return note  # type: ignore[return-value]

    @section(gate=lying, text="x")
    def gated() -> None:
        """Gated."""

    for note in ("user text", ""):
        with pytest.raises(NodeError) as caught:
            flow_of(gated, facts=[lying]).session(note=note)
        assert str(caught.value) == (
            "flow 'small', node 'gated_text': TypeError was raised; "
            "its cause is chained to this error"
        )
        assert str(caught.value.__cause__) == "a gate of gated is not a bool: lying"


# --- the order


def test_a_section_that_stands_twice_is_named_with_both_blocks() -> None:
    """Each section has one place."""
    with pytest.raises(OrderError) as caught:
        PromptFlow("small", (block("one", plain), block("two", group(plain))), session=Fixed)
    assert str(caught.value) == (
        "flow 'small': section 'plain' stands in block 'one' and again in block 'two'; "
        "take one of the places away"
    )


def test_a_section_that_stands_twice_as_a_part_is_found_too() -> None:
    """Parts are places."""
    with pytest.raises(OrderError):
        flow_of(place(plain, plain))  # type: ignore[arg-type]


@fact
def choice(kind: Literal["x", "y"]) -> Literal["x", "y"]:
    """The choice."""
    return kind


@gate
def is_x(choice: Literal["x", "y"]) -> bool:
    """Open when x is chosen."""
    return choice == "x"


@gate
def is_any(choice: Literal["x", "y"]) -> bool:
    """Open when x or y is chosen."""
    return choice in ("x", "y")


@gate
def noted(note: str) -> bool:
    """Open when there is a note."""
    return note != ""


def alternative(name: str, *gates: Any) -> Section:
    """Return a section with these gates."""

    def one() -> None:
        """One alternative."""

    one.__name__ = name
    return section(gate=gates, text="x")(one)


def test_alternatives_that_do_not_exclude_each_other_are_refused_with_the_value() -> None:
    """The literal is enumerated."""
    with pytest.raises(OrderError) as caught:
        flow_of(one_of(alternative("p", is_x), alternative("q", is_any)))  # type: ignore[arg-type]
    assert str(caught.value) == (
        "flow 'small': one_of(p, q): for choice = 'x' the open ones are ['p', 'q']; "
        "exactly one must be"
    )


def test_alternatives_that_leave_a_value_out_are_refused() -> None:
    """Exactly one, so never none."""
    with pytest.raises(OrderError) as caught:
        flow_of(one_of(alternative("p", is_x)))  # type: ignore[arg-type]
    assert str(caught.value) == (
        "flow 'small': one_of(p): for choice = 'y' the open ones are []; exactly one must be"
    )


@pytest.mark.parametrize("gates", [(is_x, noted), (), (noted,)], ids=len)
def test_alternatives_ask_one_fact_that_names_the_choice(gates: tuple[Any, ...]) -> None:
    """Otherwise nothing could be proven."""
    with pytest.raises(OrderError) as caught:
        flow_of(one_of(alternative("p", is_x), alternative("q", *gates)))  # type: ignore[arg-type]
    assert str(caught.value) == (
        "flow 'small': one_of(p, q): each alternative takes one gate, and all gates ask one and "
        "the same fact of a Literal type, which names the choice"
    )


# --- the graph walk


def chain(length: int, end: tuple[str, ...]) -> list[Node]:
    """Return nodes of which each needs the next."""
    names = [f"n{number}" for number in range(length)]
    needs = [(name,) for name in names[1:]] + [end]
    return [
        Node(name, "fact", str, parameters, "here")
        for name, parameters in zip(names, needs, strict=True)
    ]


def test_a_chain_of_two_thousand_nodes_is_no_deeper_than_another() -> None:
    """The walk does not recurse."""
    graph = build_graph("deep", chain(2000, ("note",)), leaves(Fixed), ["n0"])
    assert next(iter(graph.nodes)) == "n1999"
    assert len(graph.path("note", "n0")) == 2001
    assert graph.tier("n0") == "session"
    assert len(graph.downstream["note"]) == 2000


def test_a_cycle_of_two_thousand_nodes_is_found() -> None:
    """As any other."""
    with pytest.raises(CycleError) as caught:
        build_graph("deep", chain(2000, ("n0",)), leaves(Fixed), ["n0"])
    assert len(caught.value.path) == 2001


# --- wrong signals


def errors_of(caught: pytest.ExceptionInfo[ValidationError]) -> list[tuple[str, str]]:
    """Return the place and message of each error."""
    return [(".".join(map(str, one["loc"])), one["msg"]) for one in caught.value.errors()]


class Wanting(Fixed):
    """Has a signal that must be given."""

    wanted: Text


def test_unknown_missing_and_wrong_signals_are_listed_together() -> None:
    """One error with everything, so that one call shows all there is to mend."""
    flow = flow_of(plain, session=Wanting)
    with pytest.raises(ValidationError) as caught:
        flow.session(
            noet="secret",
            count="secret",
            kind="z",
            zzzzzzzz=1,
            place={"foldr": "secret", "branch": 1},
            places=[{"folder": "f"}, {"folder": "f", "brunch": "secret"}],
        )
    known = "count, kind, note, place, places, tools, wanted"
    assert sorted(errors_of(caught)) == [
        ("count", "Input should be a valid integer, unable to parse string as an integer"),
        ("kind", "Input should be 'x' or 'y'"),
        ("noet", "unknown signal; did you mean 'note'?"),
        ("place.branch", "Input should be a valid string"),
        ("place.folder", "Field required"),
        ("place.foldr", "unknown signal; did you mean 'folder'?"),
        ("places.1.brunch", "unknown signal; did you mean 'branch'?"),
        ("wanted", "Field required"),
        ("zzzzzzzz", f"unknown signal; known are {known}"),
    ]
    assert "secret" not in str(caught.value)


def test_wrong_turn_signals_are_listed_together() -> None:
    """The same door on the turn's side; a session signal is unknown there."""
    session = flow_of(plain).session()
    with pytest.raises(ValidationError) as caught:
        session.turn(sayd="x", times="many", note="x")
    assert sorted(errors_of(caught)) == [
        ("note", "unknown signal; known are said, times"),
        ("sayd", "unknown signal; did you mean 'said'?"),
        ("times", "Input should be a valid integer, unable to parse string as an integer"),
    ]


def test_a_flow_without_turn_signals_knows_none() -> None:
    """The message has no empty list."""
    with pytest.raises(ValidationError) as caught:
        built("theway").session(cwd="/").turn(said="x")
    assert errors_of(caught) == [("said", "unknown signal; known are none")]


def test_compose_knows_the_signals_of_both_sides() -> None:
    """Session and turn signals in one mapping."""
    flow = flow_of(plain)
    with pytest.raises(ValidationError) as caught:
        flow.compose({"noet": 1, "sayd": 1, "times": "many"})
    assert [place for place, _ in sorted(errors_of(caught))] == ["noet", "sayd", "times"]
    prompt = flow.compose({"note": "N", "said": "S", "times": 2})
    assert (prompt.text, prompt.value("said"), prompt.value("times")) == ("N", "S", 2)


def test_a_signal_given_under_both_its_names_is_refused() -> None:
    """Which of the two was meant cannot be known."""
    with pytest.raises(ValidationError):
        built("theway").session(cwd="/", tool_names=["a"], toolNames=["b"])


class Agreeing(SessionSignals):
    """Refuses a combination."""

    low: int = 0
    high: int = 1

    @model_validator(mode="after")
    def ordered(self) -> "Agreeing":
        """Refuse a low that is not below high."""
        if self.low >= self.high:
            raise ValueError(f"low is {self.low}, high is {self.high}; give a low below high")
        return self


@section(text="{{ low }}{{ high }}")
def span(low: int, high: int) -> None:
    """Shows both."""


def test_a_refused_combination_says_what_the_model_says() -> None:
    """At the door of session, compose and update."""
    flow = flow_of(span, session=Agreeing)
    session = flow.session()
    calls: list[Any] = [
        lambda: flow.session(low=3),
        lambda: flow.compose({"low": 3}),
        lambda: session.update(low=3),
    ]
    for call in calls:
        with pytest.raises(ValidationError) as caught:
            call()
        assert errors_of(caught) == [
            ("", "Value error, low is 3, high is 1; give a low below high")
        ]


# --- names that do not exist


def test_a_value_of_no_node_is_an_error_with_the_nearest() -> None:
    """A typo in a name."""
    prompt = flow_of(plain).session(note="N").turn(said="S")
    assert [prompt.value(name) for name in ("note", "said", "plain_text", "place_folder")] == [
        *("N", "S", "N"),
        None,
    ]
    for name, near in (("plain_txt", "plain_text"), ("tims", "times"), ("nte", "note")):
        with pytest.raises(UnknownNameError) as caught:
            prompt.value(name)
        assert str(caught.value) == (f"flow 'small': no node {name!r}; did you mean {near!r}?")


def test_a_value_of_a_turn_is_missing_from_a_prompt_without_a_turn() -> None:
    """The node exists, so nothing near it is proposed."""

    @fact
    def messages(said: str) -> list[dict[str, Any]]:
        """The turn's message."""
        return [{"role": "user", "content": said}]

    session = flow_of(plain, messages=messages).session()
    assert session.turn(said="S").value("messages") == [{"role": "user", "content": "S"}]
    for name in ("said", "messages"):
        with pytest.raises(UnknownNameError) as caught:
            session.turnless().value(name)
        assert str(caught.value) == (
            f"flow 'small': {name!r} belongs to a turn, and this prompt has none; "
            "make it with session.turn(...)"
        )


def test_an_override_of_no_node_is_an_error_with_the_nearest() -> None:
    """Hamilton would ignore it, and the prompt would look as if nothing had been closed."""
    flow = built("theway")
    with pytest.raises(UnknownNameError) as caught:
        flow.driver.execute(
            ["system_block"], inputs=flow.inputs(cwd="/"), overrides={"has_memry": True}
        )
    assert str(caught.value) == "overrides: no node 'has_memry'; did you mean 'has_memory'?"
