"""The order of a prompt: glue, zones, parts, frames, leads, and whose each byte is."""

import itertools
from hashlib import sha256
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.dataflows import PromptFlow, block, group, one_of, place, tag
from promptdag.dataflows.order import Wrap
from promptdag.inputs.errors import NameClashError, OrderError, TemplateError
from promptdag.inputs.signals import SessionSignals
from promptdag.sections import fact, gate, section

from .small_flows import Letters, framed, letters, listed, sa, sb, sc, sd

ABC = {"a": "A", "b": "B", "c": "C"}


def text_of(flow: PromptFlow, **signals: Any) -> str:
    """Return the text of a prompt."""
    return flow.session(**signals).turnless().text


def rows_of(flow: PromptFlow, **signals: Any) -> list[tuple[str, str]]:
    """Return the name and bytes of each section of a prompt."""
    return [(row.name, row.text) for row in flow.session(**signals).turnless().manifest.sections]


SHAPES: list[tuple[str, Any, dict[str, str], str]] = [
    ("a join stands between", letters(sa, sb, sc, join="-"), ABC, "A-B-C"),
    ("a join is not doubled", letters(sa, sb, sc, join="-"), {"a": "A", "c": "C"}, "A-C"),
    ("no join in front", letters(sa, sb, join="-"), {"b": "B"}, "B"),
    ("blank text is no text", letters(sa, sb, join="-"), {"a": " \n", "b": "B"}, "B"),
    ("kept blanks are text", letters(sd, sb, join="-"), {"d": " \n", "b": "B"}, " \n-B"),
    ("kept blanks can be empty", letters(sd, sb, join="-"), {"d": "", "b": "B"}, "B"),
    ("nothing at all", letters(sa, sb, join="-", lead=">", wrap=tag("x")), {}, ""),
    ("a lead", letters(sa, sb, join="-", lead=">"), ABC, ">A-B"),
    ("a lead before a wrap", letters(sa, lead=">", wrap=tag("x")), ABC, "><x>\nA\n</x>"),
    (
        "wraps from the inside out",
        letters(sa, wrap=(tag("x"), tag("y"))),
        ABC,
        "<y>\n<x>\nA\n</x>\n</y>",
    ),
    ("a group joins alone", letters(group(sa, sb, join="+"), sc, join="-"), ABC, "A+B-C"),
    ("a group's lead", letters(sa, group(sb, sc, join="+", lead="|"), join="-"), ABC, "A|B+C"),
    ("a lead stands in front too", letters(group(sb, lead="|"), sc, join="-"), ABC, "|B-C"),
    (
        "an empty group leaves nothing",
        letters(sa, group(sb, wrap=tag("x"), lead="|", before="<", after=">"), sc, join="-"),
        {"a": "A", "c": "C"},
        "A-C",
    ),
    ("before each, first too", letters(group(sa, sb, before="*"), sc, join="-"), ABC, "*A*B-C"),
    ("after each", letters(group(sa, sb, after=";"), sc, join="-"), ABC, "A;B;-C"),
    (
        "before and after a nested group",
        letters(group(group(sa, sb, join="+"), sc, before="*", after=";")),
        ABC,
        "*A+B;*C;",
    ),
    (
        "a place overrides the glue on its side",
        letters(group(sa, place(sb, before="=", after="!"), sc, join="-", after=";")),
        ABC,
        "A;=B!-C;",
    ),
    (
        "an empty override is an override",
        letters(group(place(sa, before=""), place(sb, before="", after=""), before="*", after=";")),
        ABC,
        "A;B",
    ),
    ("a place's wrap", letters(place(sa, wrap=tag("x")), sb, join="-"), ABC, "<x>\nA\n</x>-B"),
    (
        "parts in a wrap",
        letters(place(sa, sb, place(sc, wrap=tag("y")), wrap=tag("x"))),
        ABC,
        "<x>\nA\nB\n<y>\nC\n</y>\n</x>",
    ),
    ("a part's own glue", letters(place(sa, place(sb, before="", after="!"))), ABC, "AB!"),
    ("parts joined their way", letters(place(sa, sb, sc, join=", ")), ABC, "A, B, C"),
    ("parts of parts", letters(place(sa, place(sb, sc, join="."), join="/")), ABC, "A/B.C"),
    (
        "a part stands where its section has no text",
        letters(place(sa, sb, sc, wrap=tag("x"))),
        {"b": "B", "c": "C"},
        "<x>\nB\nC\n</x>",
    ),
    ("no part, no wrap", letters(place(sa, sb, wrap=tag("x")), sc), {"c": "C"}, "C"),
    (
        "a frame around a group",
        letters(group(sa, sb, join="+", wrap=framed("Begin {{ content }}, end.")), sc),
        ABC,
        "Begin A+B, end.C",
    ),
    ("a frame of nothing", letters(group(sa, wrap=framed("[{{ content }}]")), sb), {}, ""),
    (
        "a frame in a wrap",
        letters(group(sa, wrap=(framed("[{{ content }}]"), tag("x")))),
        ABC,
        "<x>\n[A]\n</x>",
    ),
]


@pytest.mark.parametrize(
    ("flow", "signals", "expected"),
    [pytest.param(*shape[1:], id=shape[0]) for shape in SHAPES],
)
def test_glue_stands_where_the_order_says(
    flow: PromptFlow, signals: dict[str, str], expected: str
) -> None:
    """Joins, leads, zones, parts, wrappers and frames."""
    assert text_of(flow, **signals) == expected


@pytest.mark.parametrize("flow", [shape[1] for shape in SHAPES], ids=[one[0] for one in SHAPES])
def test_the_rows_of_a_manifest_tile_the_text(flow: PromptFlow) -> None:
    """Every byte belongs to exactly one section, whatever is open; offsets are in UTF-8."""
    values = {"a": ("", "Ä"), "b": ("", "日本"), "c": ("", "c\n"), "d": ("", " ", "\U0001f469")}
    for chosen in itertools.product(*values.values()):
        prompt = flow.session(**dict(zip(values, chosen, strict=True))).turnless()
        data, position = prompt.text.encode(), 0
        rows = prompt.manifest.sections
        assert [row.order for row in rows] == list(range(1, len(rows) + 1))
        for row in rows:
            assert row.start == position
            assert data[row.start : row.end] == row.text.encode()
            assert row.sha256 == sha256(row.text.encode()).hexdigest()
            assert row.open == (row.end > row.start)
            position = row.end
        assert position == len(data)


def test_glue_in_front_belongs_to_the_section_and_a_closing_to_the_one_before() -> None:
    """So that a closed section takes its separator with it."""
    flow = letters(sa, place(sb, sc, wrap=tag("x")), sd, join="-")
    assert rows_of(flow, a="A", b="B", c="C", d="D") == [
        ("sa", "A"),
        ("sb", "-<x>\nB"),
        ("sc", "\nC\n</x>"),
        ("sd", "-D"),
    ]
    assert rows_of(flow, c="C", d="D") == [
        ("sa", ""),
        ("sb", ""),
        ("sc", "<x>\nC\n</x>"),
        ("sd", "-D"),
    ]


def test_offsets_run_on_from_block_to_block() -> None:
    """The block texts stand one after another."""
    flow = PromptFlow(
        "two", (block("one", sa, join="-"), block("two", sb, sc, lead=">")), session=Letters
    )
    rows = flow.session(a="ä", b="b", c="ç").turnless().manifest.sections
    assert [(row.block, row.start, row.end) for row in rows] == [
        ("one", 0, 2),
        ("two", 2, 4),
        ("two", 4, 6),
    ]


def test_listed_texts_have_a_row_each_and_blank_ones_no_glue() -> None:
    """What the caller adds is listed under its own names, joined like sections."""
    flow = letters(sa, group(listed, join="+", before="*", after=";"), sc, join="-")
    named = [["x", "X"], ["blank", " \n"], ["empty", ""], ["y", "Ÿ"]]
    assert text_of(flow, a="A", c="C", named=named) == "A-*X;*Ÿ;-C"
    assert rows_of(flow, a="A", c="C", named=named) == [
        ("sa", "A"),
        ("x", "-*X;"),
        ("y", "*Ÿ;"),
        ("sc", "-C"),
    ]
    assert rows_of(flow, a="A", named=[["blank", " "]]) == [("sa", "A"), ("listed", ""), ("sc", "")]
    assert text_of(flow, a="A", c="C") == "A-C"


def test_a_list_of_texts_takes_no_wrapper_of_its_own() -> None:
    """It would be dropped in silence: one wrapper cannot frame several runs."""
    with pytest.raises(OrderError) as caught:
        letters(place(listed, wrap=tag("x")))
    assert str(caught.value) == (
        "flow 'letters': section 'listed' is a list of texts and takes no wrapper and no parts; "
        "put it into a group(..., wrap=...)"
    )
    with pytest.raises(OrderError):
        letters(place(listed, sa))
    assert text_of(letters(group(listed, wrap=tag("x"))), named=[["x", "X"]]) == "<x>\nX\n</x>"


@pytest.mark.parametrize(("source", "times"), [("{{ content }} {{ content }}", 2)])
def test_a_frame_holds_its_content_once(source: str, times: int) -> None:
    """A second time would be content that nobody owns."""
    with pytest.raises(TemplateError) as caught:
        letters(group(sa, wrap=framed(source)))
    assert str(caught.value).endswith(
        f": frame 'around' holds {{{{ content }}}} {times} times; it holds it once"
    )


def test_a_frame_without_content_is_refused() -> None:
    """It would take the place of what it frames."""
    with pytest.raises(TemplateError, match="'content' is not used"):
        letters(group(sa, wrap=framed("no content")))


class Kinds(SessionSignals):
    """Which alternative."""

    kind: Literal["x", "y", "z"] = "x"


@fact
def choice(kind: Literal["x", "y", "z"]) -> Literal["x", "y", "z"]:
    """The alternative."""
    return kind


@gate
def is_x(choice: Literal["x", "y", "z"]) -> bool:
    """Open when x is chosen."""
    return choice == "x"


@gate
def is_not_x(choice: Literal["x", "y", "z"]) -> bool:
    """Open when another than x is chosen."""
    return choice != "x"


@section(gate=is_x, text="the x")
def the_x() -> None:
    """The first alternative."""


@section(gate=is_not_x, text="another")
def the_other() -> None:
    """The second alternative."""


@pytest.mark.parametrize(("kind", "text"), [("x", "the x"), ("y", "another"), ("z", "another")])
def test_exactly_one_alternative_is_open(kind: str, text: str) -> None:
    """It is proven when the flow is built, and so it comes out."""
    flow = PromptFlow(
        "kinds", (block("b", group(one_of(the_x, the_other), before="-")),), session=Kinds
    )
    assert text_of(flow, kind=kind) == f"-{text}"


def test_the_cache_hint_of_a_place_stands_in_place_of_the_blocks() -> None:
    """Hints and targets are data beside the list."""
    flow = letters(place(sa, cache="none"), sb, cache="session", target="meta_user")
    rows = flow.session(a="A").turnless().manifest.sections
    assert [(row.cache, row.target) for row in rows] == [
        ("none", "meta_user"),
        ("session", "meta_user"),
    ]


def test_the_wire_keeps_its_marks_whatever_the_host_writes_into_it() -> None:
    """A host adds to its request; the flow and the prompt do not change with it."""
    flow = letters(sa, cache_control="ephemeral")
    prompt = flow.session(a="A").turn()
    wire = prompt.to_anthropic()
    wire["system"][0]["cache_control"]["ttl"] = "1h"
    wire["system"].append("more")
    wire["messages"].append("more")
    assert prompt.to_anthropic() == {
        "system": [{"type": "text", "text": "A", "cache_control": {"type": "ephemeral"}}],
        "messages": [],
    }


GLUE = st.sampled_from(["", "\n", "--", "\n\n"])
TEXTS = st.sampled_from(["", " ", "x", "é\n"])


@given(GLUE, GLUE, GLUE, st.booleans(), st.tuples(TEXTS, TEXTS, TEXTS, TEXTS))
def test_any_glue_tiles_and_is_what_straight_code_joins(
    join: str, inner_join: str, lead: str, wrapped: bool, texts: tuple[str, str, str, str]
) -> None:
    """One group in a block, against the same thing written by hand."""
    wrap = Wrap("[", "]") if wrapped else Wrap("", "")
    flow = letters(sa, group(sb, sc, join=inner_join, lead=lead, wrap=wrap), sd, join=join)
    a, b, c = ("" if text.isspace() else text for text in texts[:3])
    inner = inner_join.join(text for text in (b, c) if text)
    text, d = a, texts[3]
    if inner:
        text += lead + wrap.opening + inner + wrap.closing
    if d:
        text += (join if text else "") + d
    session = flow.session(a=a, b=b, c=c, d=d)
    assert session.turnless().text == text
    assert "".join(row.text for row in session.turnless().manifest.sections) == text


def test_two_frames_of_one_name_are_a_clash() -> None:
    """The second once stood in the place of the first."""
    first, second = framed("A{{ content }}"), framed("B{{ content }}")
    with pytest.raises(NameClashError) as caught:
        letters(group(sa, wrap=first), group(sb, wrap=second))
    assert str(caught.value) == (
        f"flow 'letters': {first.place} and {second.place} both declare a frame 'around'; "
        "rename one of them"
    )
    assert text_of(letters(group(sa, wrap=first), group(sb, wrap=first)), a="a", b="b") == "AaAb"
