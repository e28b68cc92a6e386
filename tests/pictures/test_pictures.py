"""What a picture holds, and what its text and drawn forms make of it."""

import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font
from promptdag.dataflows import PromptFlow, open_design
from promptdag.dataflows.pictures import (
    Picture,
    RenderError,
    by_theme,
    draw_png,
    inline_svg,
    picture_of,
    to_dot,
    to_mermaid,
    to_page,
)
from promptdag.inputs.errors import UnknownNameError

from ..flows import FLOWS, built
from .drawn_flows import THEMES, sixty_flow, turn_flow

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
SIGNALS = {
    "cwd": "/a",
    "task": "do it",
    "found": "x " * 600,
    "notes": "one line of note\n" * 100,
    "budget_tokens": 230,
}


@cache
def turning() -> PromptFlow:
    """The flow with turn context."""
    return turn_flow()


@cache
def sixty() -> PromptFlow:
    """The flow of sixty sections."""
    return sixty_flow()


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_node_and_read_signal_of_a_flow_is_drawn(case: object) -> None:
    """What is left out would be lost in silence; unread signals are named."""
    flow = built(str(case))
    picture = picture_of(flow, collapse_constants=False)
    read = {name for node in flow.graph.nodes.values() for name in node.parameters}
    # A fragment and its text are one thing in the picture.
    drawn_as = {
        f"{one.name}_text": f"{one.name}_fragment"
        for one in (flow.transient.fragments if flow.transient else ())
    }
    expected = set(flow.graph.nodes) | (read & set(flow.graph.signals))
    assert set(picture.by_name) == expected - set(drawn_as)
    dotted = {leaf.dotted for name, leaf in flow.graph.signals.items() if name not in read}
    assert set(picture.unread) == dotted
    edges = {(edge.source, edge.target) for edge in picture.edges}
    wanted = {
        (drawn_as.get(parameter, parameter), drawn_as.get(node.name, node.name))
        for node in flow.graph.nodes.values()
        for parameter in node.parameters
    }
    assert edges == {(source, target) for source, target in wanted if source != target}


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_rows_stand_in_the_order_of_the_prompt(case: object) -> None:
    """Drawn from the top, the sections of all blocks read as the prompt does."""
    flow = built(str(case))
    picture = picture_of(flow, collapse_constants=False)
    heights = heights_of(inline_svg(picture))
    names = [f"{position.place.section.name}_text" for position in flow.positions]
    assert [picture.by_name[name].position for name in names] == list(range(1, len(names) + 1))
    drawn = [heights[picture.by_name[name].element_id] for name in names]
    assert all(above < below for above, below in pairwise(drawn))


def heights_of(svg: str) -> dict[str, float]:
    """Return how far down each element with an id of a node has its text."""
    found: dict[str, float] = {}
    for element in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        name = element.get("id", "")
        text = next(element.iter(f"{SVG}text"), None)
        if name.startswith("node-") and text is not None:
            assert name not in found
            found[name] = float(text.get("y", "nan"))
    return found


def test_every_drawn_node_has_one_element_with_its_id() -> None:
    """A page finds gates, sections and fragments alike by `node-{name}`."""
    picture = picture_of(turning())
    elements = ElementTree.fromstring(inline_svg(picture)).iter()
    ids = [element.get("id", "") for element in elements]
    drawn = sorted(one for one in ids if one.startswith("node-"))
    assert drawn == sorted(node.element_id for node in picture.nodes)


@pytest.mark.parametrize("state", [None, SIGNALS], ids=["plain", "with signals"])
def test_no_text_reaches_the_edge_of_its_box(state: dict[str, object] | None) -> None:
    """Not even in DejaVu Sans, the widest font that viewers commonly fall back to."""
    picture = picture_of(turning(), turning().compose(state) if state else None)
    boxes = 0
    for element in ElementTree.fromstring(inline_svg(picture)).iter(f"{SVG}g"):
        name = element.get("id", "")
        if not name.startswith("node-") or name.endswith(("_block", "-bundle")):
            continue
        boxes += 1
        shapes = [*element.iter(f"{SVG}polygon"), *element.iter(f"{SVG}path")]
        drawn = " ".join(shape.get("points", shape.get("d", "")) for shape in shapes)
        numbers = re.findall(r"(-?[\d.]+),", drawn)
        left, right = min(map(float, numbers)), max(map(float, numbers))
        texts = list(element.iter(f"{SVG}text"))
        assert float(texts[0].get("x", "nan")) - left >= 4, name
        assert float(texts[-1].get("x", "nan")) + drawn_width(texts[-1]) <= right - 2, name
    assert boxes == len([node for node in picture.nodes if node.kind not in ("block", "bundle")])


def drawn_width(text: ElementTree.Element) -> float:
    """Return the width of a text in DejaVu Sans."""
    slant, weight = text.get("font-style", ""), text.get("font-weight", "")
    name = "DejaVuSans" + ("-Bold" if weight else "-Oblique" if slant else "")
    font = FT2Font(str(Path(get_data_path(), "fonts", "ttf", f"{name}.ttf")))
    font.set_size(float(text.get("font-size", "nan")), 72)
    font.set_text(text.text or "")
    return float(font.get_width_height()[0]) / 64


def test_text_forms_are_the_same_whatever_the_hash_seed() -> None:
    """They can be committed and compared."""
    code = (
        "from tests.pictures.drawn_flows import turn_flow\n"
        "from promptdag.dataflows.pictures import *\n"
        "picture = picture_of(turn_flow())\n"
        "print(to_dot(picture) + to_mermaid(picture), end='')"
    )
    here = to_dot(picture_of(turning())) + to_mermaid(picture_of(turning()))
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == here


def test_a_tier_is_told_by_colour_and_by_a_letter() -> None:
    """Greyscale and colour blindness leave the letter."""
    dot = to_dot(picture_of(turning()))
    for name, letter, fill in (
        ("cwd", "S", "#cfe4f7"),
        ("has_task", "T", "#ffd8a8"),
    ):
        (line,) = [one for one in dot.splitlines() if one.strip().startswith(f'"{name}" [')]
        assert f"<B>{letter}</B>" in line
        assert fill in line
    assert re.search(r'BGCOLOR="#ececec"[^>]*><B>C</B></TD><TD [^>]*>role<', dot)


def test_gates_are_hexagons_in_both_text_forms() -> None:
    """A gate is told from a fact by its shape."""
    picture = picture_of(turning())
    assert re.search(r'"on_branch" \[id="node-on_branch", shape=hexagon', to_dot(picture))
    assert 'n_on_branch{{"S · on_branch"}}:::session' in to_mermaid(picture)


def test_the_turn_stands_apart() -> None:
    """What a turn brings is in a subgraph of its own, and nothing else is."""
    picture = picture_of(turning())
    apart = {node.name for node in picture.nodes if node.side == "turn"}
    assert apart == {
        *("task", "found", "notes", "budget_tokens", "has_task", "bundle", "messages"),
        *("current_task_fragment", "found_text_fragment", "old_notes_fragment"),
    }
    inside = to_dot(picture).split("subgraph cluster_turn {")[1].split("\n  }")[0]
    assert '"has_task" [' in inside
    assert '"on_branch" [' not in inside


def test_given_signals_show_what_is_open_closed_kept_cut_and_dropped() -> None:
    """The states are words, and what is off is dashed."""
    prompt = turning().compose(SIGNALS)
    picture = picture_of(turning(), prompt)
    states = {node.name: node.state for node in picture.nodes if node.state}
    assert states == {
        "on_branch": "closed",
        "has_task": "open",
        "role_text": "open",
        "workplace_text": "open",
        "branch_note_text": "closed",
        "base_block": "open",
        "place_block": "open",
        "current_task_fragment": "kept",
        "found_text_fragment": "dropped",
        "old_notes_fragment": "cut",
    }
    dot, mermaid = to_dot(picture), to_mermaid(picture)
    assert (
        '"on_branch" -> "place_block":"branch_note_text":w '
        '[id="edge-on_branch--branch_note_text", color="#b5b5b5", style=dashed]' in dot
    )
    assert 'n_on_branch{{"S · on_branch (closed)"}}:::off' in mermaid
    assert "n_on_branch -.-> n_branch_note_text" in mermaid


def test_a_prompt_without_a_turn_shows_the_stable_side_alone() -> None:
    """Nothing is said of gates that have no value yet."""
    picture = picture_of(turning(), turning().session(cwd="/a").turnless())
    states = {node.name: node.state for node in picture.nodes}
    assert states["on_branch"] == "closed"
    assert states["has_task"] == states["current_task_fragment"] == ""


def test_a_focus_keeps_the_ancestry_of_one_node() -> None:
    """The block stays as the frame of the section, and says how many rows are not drawn."""
    picture = picture_of(turning(), focus="branch_note")
    assert picture.focus == "branch_note_text"
    assert set(picture.by_name) == {"branch", "on_branch", "branch_note_text", "place_block"}
    assert "1 more not drawn" in to_dot(picture)


def test_a_focus_on_a_signal_shows_what_it_reaches() -> None:
    """A signal has no ancestry."""
    names = set(picture_of(turning(), focus="task").by_name)
    assert names == {"task", "has_task", "current_task_fragment", "bundle", "messages"}


def test_a_focus_on_nothing_tells_the_nearest_name() -> None:
    """A misspelt name is an error."""
    with pytest.raises(UnknownNameError, match="'on_brunch' to draw; did you mean 'on_branch'"):
        picture_of(turning(), focus="on_brunch")


def test_constants_of_a_long_flow_are_one_row_for_each_theme() -> None:
    """Sixty sections are thirty-six rows; the row names what it stands for."""
    picture = picture_of(sixty())
    rows = [row for block in ("first_block", "second_block") for row in picture.rows_of(block)]
    assert len(rows) == 36
    assert rows[0].collapsed == tuple(f"rule_{number}" for number in range(5))
    assert ">51-55</TD>" in to_dot(picture)
    assert [theme for theme, _ in picture.themes_of("first_block")] == list(THEMES[:3])
    assert len(picture_of(sixty(), collapse_constants=False).nodes) == len(picture.nodes) + 24


def test_every_end_of_a_mermaid_edge_is_declared() -> None:
    """Mermaid would draw a bare box for a name that it does not know."""
    text = to_mermaid(picture_of(turning()))
    declared = set(re.findall(r"(n_\w+)[\[({>]", text))
    used = {end for edge in re.findall(r"(n_\w+) -\.?->? (n_\w+)", text) for end in edge}
    used |= {end for edge in re.findall(r"(n_\w+) --> (n_\w+)", text) for end in edge}
    assert used
    assert used <= declared
    assert text.count("subgraph ") == len(re.findall(r"^ *end$", text, re.MULTILINE))


def test_a_page_loads_nothing_and_escapes_what_it_shows() -> None:
    """It is one file: no script, no address to load from."""
    page = to_page(picture_of(turning()))
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "Who the agent is: &quot;quotes&quot;, &lt;tags&gt; &amp; more." in page
    assert "unused" in page


def test_a_png_is_drawn() -> None:
    """The renderer of the wheel draws it; no Graphviz is asked for."""
    assert draw_png(to_dot(picture_of(turning()))).startswith(b"\x89PNG\r\n")


def test_what_the_renderer_refuses_is_an_error_of_ours() -> None:
    """Its own words are passed on."""
    with pytest.raises(RenderError, match="could not draw the picture"):
        draw_png("digraph {")


def test_a_missing_renderer_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The text forms need none."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match="pip install graphviz-pure"):
        draw_png("digraph {}")


def test_the_focus_on_a_fingerprint_keeps_the_wire_in_front_of_it() -> None:
    """A fingerprint's ancestry is the wire in front of it."""
    picture: Picture = picture_of(turning(), focus="place_fingerprint")
    assert {"tools", "base_block", "place_block", "role_text"} <= set(picture.by_name)
    assert "messages" not in picture.by_name


def test_themes_stand_for_their_sections_and_models_for_their_fields() -> None:
    """What reaches one of them reaches the row; gates and facts are drawn as the way through."""
    picture = by_theme(picture_of(open_design.flow(), collapse_constants=False))
    assert {node.kind for node in picture.nodes} == {"signal", "block", "section", "fingerprint"}
    rows = picture.rows_of("system_block")
    assert [row.places for row in rows][:3] == ["1-6", "7-10", "11-16"]
    covered = sum(len(row.collapsed) or 1 for row in rows)
    assert covered == len(open_design.flow().positions)
    host = next(node for node in picture.nodes if node.label == "host: 9 fields")
    assert all(field.startswith("host.") for field in host.collapsed)
    names = {node.name for node in picture.nodes}
    assert {end for edge in picture.edges for end in (edge.source, edge.target)} <= names
    assert len(picture.edges) == len(set(picture.edges))


def test_a_theme_of_one_section_keeps_its_name() -> None:
    """Only a row that stands for several tells a range of places."""
    picture = by_theme(picture_of(turning()))
    for row in (node for node in picture.nodes if node.kind in ("section", "fragment")):
        assert bool(row.collapsed) == (row.places.count("-") == 1), row
    drawn = to_mermaid(picture)
    assert "%% \n" not in drawn
    assert ElementTree.fromstring(inline_svg(picture)).tag.endswith("svg")
