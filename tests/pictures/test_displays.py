"""How values show themselves in a notebook."""

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from promptdag.dataflows import Prompt, PromptFlow

from .drawn_flows import turn_flow
from .test_pictures import SIGNALS


@cache
def flow() -> PromptFlow:
    """The flow with turn context."""
    return turn_flow()


@cache
def prompt() -> Prompt:
    """A prompt of it, whose branch is closed."""
    return flow().compose(SIGNALS | {"cwd": "</pre><script>alert(1)</script>"})


class _Balance(HTMLParser):
    """Raises where a tag closes another one than the last opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """An SVG shape closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown(value: object) -> str:
    """Return the HTML of a value, its tags found balanced."""
    html: str = value._repr_html_()  # type: ignore[attr-defined]
    balance = _Balance()
    balance.feed(html)
    assert balance.open == []
    return html


def test_a_prompt_folds_each_open_section_in_the_colour_of_its_tier() -> None:
    """Closed ones are named; the turn's messages and budget stand behind."""
    html = shown(prompt())
    titles = re.findall(r"</b> ([^<]*)</summary>", html)
    assert titles[:2] == ["1. role · 13 bytes", "2. workplace · 61 bytes"]
    assert titles[2:] == ["text of the bundle", "message, user"]
    assert "without text: 3. branch_note" in html
    assert '<details style="--tier:#ececec"><summary><b class="chip"' in html


def test_a_value_from_outside_is_text_in_a_display() -> None:
    """A notebook would run its script."""
    assert "<script" not in shown(prompt())
    assert "&lt;script&gt;" in shown(prompt())


def test_a_prompt_without_a_turn_shows_its_blocks() -> None:
    """It has no messages, and asking for them would fail."""
    html = shown(flow().session(cwd="/a").turnless())
    assert "1. role" in html
    assert "bundle" not in html.split("</style>")[1]


def test_a_bundle_shows_what_each_fragment_takes_of_the_budget() -> None:
    """As bars: kept, cut and dropped differ in colour and in words."""
    bundle = prompt().bundle
    html = shown(bundle)
    assert bundle is not None
    assert f"{bundle.report.used_tokens} of 230 tokens" in html
    outcomes = re.findall(r'<tr class="(\w+)"><td>([^<]*)</td><td>([^<]*)</td>', html)
    assert outcomes == [
        ("kept", "frame", "kept"),
        ("kept", "task.current", "kept"),
        ("cut", "notes.old", "cut"),
        ("dropped", "search.found", "dropped: budget"),
    ]
    widths = [float(width) for width in re.findall(r'style="width:([\d.]+)em"', html)]
    assert widths[1] == pytest.approx(bundle.report.included[0].tokens / 230 * 16, abs=0.01)


def test_a_session_shows_what_made_it_differ() -> None:
    """A change shows itself, and so does the session that it made."""
    session = flow().session(cwd="/a").update(branch="main")
    assert str(session.change) in shown(session)
    assert "<th>signals</th><td>branch</td>" in shown(session.change)


def test_a_flow_shows_its_picture_and_its_sections_as_a_table() -> None:
    """The picture is one SVG element, with its legend."""
    html = shown(flow())
    assert html.count("<svg") == 1
    assert "may change every turn" in html
    assert list(flow().sections()["name"]) == ["role", "workplace", "branch_note"]
