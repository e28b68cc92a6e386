"""Fingerprints: the wire bytes from offset 0, equal for equal prompts and for no others."""

import itertools
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, section

from .flows import built


class Two(SessionSignals):
    """Two texts."""

    one: Text = ""
    two: Text = ""
    names: tuple[Text, ...] = ()


@section(text="{{ one }}")
def first(one: str) -> None:
    """The first text."""


@section(text="{{ two }}")
def second(two: str) -> None:
    """The second text."""


@fact
def distinct(names: tuple[str, ...]) -> str:
    """Names each once, sorted, out of a set."""
    return " ".join(sorted(set(names)))


@section(text="{{ distinct }}")
def third(distinct: str) -> None:
    """The distinct names."""


def two_blocks(**marks: Any) -> PromptFlow:
    """Return a flow of two blocks."""
    return PromptFlow("two", (block("a", first, **marks), block("b", second)), session=Two)


FIXED_TOOLS = "0aa03677e89c5e66cdcbc2812c44794659f763c3d53f670377bcac0adc478856"
FIXED_BLOCKS = [
    "654e33ffc252005f5520784d5e5ef9e174ad2c73971686c7b5184227d4dbc86c",
    "eccba26a7eb186fd386ffc180f4b842970ea4c8875a498f7a213436666a1e199",
]

TOOLS: list[dict[str, Any]] = [
    {"name": "b", "description": "B", "input_schema": {"type": "object", "a": 1}},
    {"name": "a", "input_schema": {"properties": {"y": {"z": 1, "b": 2}, "x": {}}}},
    {"name": "c"},
]


def test_the_order_of_tools_does_not_matter() -> None:
    """Tools arrive in any order; the wire and the hash have one."""
    flow = built("theway")
    sessions = [flow.session(cwd="/", tools=tools) for tools in itertools.permutations(TOOLS)]
    assert len({session.fingerprint for session in sessions}) == 1
    wires = [session.turn().to_anthropic()["tools"] for session in sessions]
    assert all(repr(wire) == repr(wires[0]) for wire in wires)
    assert [tool["name"] for tool in wires[0]] == ["a", "b", "c"]


def test_the_order_of_keys_does_not_matter_at_any_depth() -> None:
    """Equal JSON, equal bytes."""
    flow = built("theway")
    turned = [
        {"input_schema": {"a": 1, "type": "object"}, "description": "B", "name": "b"},
        {"input_schema": {"properties": {"x": {}, "y": {"b": 2, "z": 1}}}, "name": "a"},
        {"name": "c"},
    ]
    sessions = [flow.session(cwd="/", tools=tools) for tools in (TOOLS, turned)]
    assert sessions[0].fingerprint == sessions[1].fingerprint
    wires = [repr(session.turn().to_anthropic()) for session in sessions]
    assert wires[0] == wires[1]


def test_a_tool_that_changes_changes_the_fingerprint() -> None:
    """Tools stand before the system text, so they are hashed first."""
    flow = built("theway")
    plain = flow.session(cwd="/")
    with_tool = flow.session(cwd="/", tools=[{"name": "a"}])
    described = flow.session(cwd="/", tools=[{"name": "a", "description": "x"}])
    nested = flow.session(cwd="/", tools=[{"name": "a", "input_schema": {"x": {"y": 1}}}])
    assert len({one.fingerprint for one in (plain, with_tool, described, nested)}) == 4
    assert len({one.turnless().text for one in (plain, with_tool, described, nested)}) == 1


def test_two_hundred_runs_give_one_fingerprint() -> None:
    """A rare nondeterminism shows only when one looks often."""
    flow = PromptFlow("three", (block("a", first, second, third, join="\n"),), session=Two)
    names = [f"name {number}" for number in range(30)]
    seen = set()
    for number in range(200):
        random.Random(number).shuffle(names)
        seen.add(flow.session(one="1", two="2", names=[*names, *names[:7]]).fingerprint)
    assert len(seen) == 1


def test_the_fingerprint_of_a_fixed_prompt_is_fixed() -> None:
    """It is compared across versions and machines: a change of the scheme must be meant."""
    flow = two_blocks(cache_control={"type": "ephemeral", "ttl": "1h"})
    session = flow.session(one="h\u00e9llo", two="world", tools=TOOLS)
    assert session.turnless().value("tools_fingerprint") == FIXED_TOOLS
    assert [one.fingerprint for one in session.turnless().blocks] == FIXED_BLOCKS
    assert session.fingerprint == FIXED_BLOCKS[-1]


def test_a_fingerprint_is_cumulative() -> None:
    """What stands behind a block does not change its fingerprint; what stands before does."""
    flow = two_blocks()
    base, later, earlier = (
        flow.session(one=one, two=two).turnless().blocks
        for one, two in (("x", "y"), ("x", "z"), ("w", "y"))
    )
    assert base[0].fingerprint == later[0].fingerprint
    assert base[1].fingerprint != later[1].fingerprint
    assert base[1].fingerprint != earlier[1].fingerprint


def test_shape_and_marks_are_in_the_fingerprint() -> None:
    """The same text with another target or cache mark is another wire."""
    kinds: list[dict[str, Any]] = [
        {},
        {"cache_control": "ephemeral"},
        {"cache_control": {"type": "ephemeral", "ttl": "1h"}},
        {"target": "meta_user"},
    ]
    found = {two_blocks(**kind).session(one="x").fingerprint for kind in kinds}
    assert len(found) == len(kinds)


def test_an_empty_block_is_not_on_the_wire_and_not_in_the_fingerprint() -> None:
    """A mark on an empty block would be refused by the provider."""
    one_block = PromptFlow("two", (block("b", second),), session=Two)
    session = two_blocks(cache_control="ephemeral").session(two="y")
    assert session.fingerprint == one_block.session(two="y").fingerprint
    wire = session.turn().to_anthropic()
    assert wire["system"] == [{"type": "text", "text": "y"}]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("ab", "c"), ("a", "bc")),
        (("abc", ""), ("ab", "c")),
        (("a", "b"), ("b", "a")),
        (("1\na", ""), ("1", "a")),
        (("a\n1\nb", ""), ("a", "b")),
    ],
)
def test_no_two_lists_of_blocks_share_a_fingerprint(
    left: tuple[str, str], right: tuple[str, str]
) -> None:
    """Lengths are hashed with the texts."""
    flow = two_blocks()
    found = [flow.session(one=one, two=two).fingerprint for one, two in (left, right)]
    assert found[0] != found[1]


@given(st.text("ab\n1", max_size=8))
def test_moving_text_between_two_blocks_changes_the_fingerprint(whole: str) -> None:
    """All ways to cut one text into two blocks differ wherever the wires do."""
    flow = _marked_blocks()
    cuts = [flow.session(one=whole[:at], two=whole[at:]) for at in range(len(whole) + 1)]
    wires = {repr(session.turn().to_anthropic()["system"]) for session in cuts}
    assert len({session.fingerprint for session in cuts}) == len(wires)


@cache
def _marked_blocks() -> PromptFlow:
    return two_blocks(cache_control="ephemeral")
