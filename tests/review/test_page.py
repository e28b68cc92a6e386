"""The page by its structure: whole, self-contained, and safe whatever the texts hold."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.review import Review, Scenario, page, review_flow
from promptdag.dataflows.review.change import Cell
from promptdag.dataflows.review.section_page import section_pages

from ..small_flows import letters, sa, sb

VOID = {"meta", "input", "link", "img", "br", "hr"}
FETCHING = {"src", "srcset", "action", "poster", "data", "background", "formaction", "ping"}


class Parsed(HTMLParser):
    """Collects elements, and complains about what is not closed as it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element that closes itself."""
        self.elements.append((tag, dict(attrs)))

    def ids(self) -> Counter[str]:
        """Return how often each id is there."""
        return Counter(one["id"] for _, one in self.elements if one.get("id"))


@pytest.fixture(scope="module")
def text(reviewed: Review, greeter: PromptFlow) -> str:
    """The page of the reviewed flow."""
    return page(reviewed, greeter)


def test_the_page_is_well_formed_and_every_link_leads_somewhere(text: str) -> None:
    """Elements are closed in turn, ids are there once, and anchors name one of them."""
    parsed = Parsed(text)
    assert parsed.open == []
    ids = parsed.ids()
    assert [one for one, count in ids.items() if count > 1] == []
    for tag, attributes in parsed.elements:
        for name in ("href", "xlink:href"):
            target = attributes.get(name)
            if target is not None:
                assert target.startswith("#"), f"<{tag} {name}={target}>"
                assert target[1:] in ids or target.startswith("#node-"), target


def test_the_page_loads_nothing(text: str) -> None:
    """No address but those of name spaces, no element that fetches, no style that imports."""
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for tag, attributes in Parsed(text).elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        assert not FETCHING & attributes.keys(), (tag, attributes)
    assert "@import" not in text
    assert "url(" not in text


def test_every_section_has_its_part_its_link_and_its_row(text: str, reviewed: Review) -> None:
    """Also those that have gone."""
    parsed = Parsed(text)
    rows = [
        one["data-section"] for tag, one in parsed.elements if tag == "tr" and "data-section" in one
    ]
    parts = [
        one["data-section"]
        for tag, one in parsed.elements
        if tag == "article" and "data-section" in one
    ]
    links = [
        one["data-section"] for tag, one in parsed.elements if tag == "a" and "data-section" in one
    ]
    assert rows == parts == links == list(reviewed.rows)


def test_a_cell_leads_to_the_text_of_its_scenario(text: str) -> None:
    """Of a section that reads otherwise in three scenarios each has its own text."""
    wanted = {
        one["title"]: one["href"]
        for tag, one in Parsed(text).elements
        if tag == "a" and "title" in one and str(one["title"]).startswith("hello in")
    }
    assert wanted == {
        "hello in full: reads otherwise": "#text-hello-1",
        "hello in bare: reads otherwise": "#text-hello-2",
        'hello in place is "nowhere": reads otherwise': "#text-hello-2",
    }


def test_the_summary_stands_first_and_says_what_whom_and_how_much(text: str) -> None:
    """Before any table."""
    head = text[: text.index('id="changes"')]
    assert "now also opens when place is &#34;nowhere&#34;" in head
    assert "<code>farewell</code> is missing in 3 of 3 scenarios where it stood" in head
    assert "tokens from byte 0 on are written again; no cache held them" in head


def test_a_gate_shows_its_words_and_code_on_both_sides(text: str) -> None:
    """The difference alone is marked."""
    card = text[text.index('id="gate-has_place"') :]
    assert "Open when <del>the</del><ins>a</ins> place is " in card
    assert '<del>    """Open when the place is not blank."""' in card.replace("&#34;", '"')


def test_outside_text_cannot_become_markup() -> None:
    """Not as a text, a signal, a name that a caller gives, or a line of the JSON in the page."""
    from ..small_flows import listed

    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    flow = letters(sa, listed, sb, join="\n")
    given = Scenario(evil, {"a": evil, "b": "\ud800", "named": [[evil, "text"]]}, evil)
    text = page(review_flow(flow, scenarios=[given]), flow)
    parsed = Parsed(text)
    assert [tag for tag, _ in parsed.elements].count("script") == 2
    assert "img" not in {tag for tag, _ in parsed.elements}
    assert parsed.open == []
    assert max(parsed.ids().values()) == 1
    text.encode()


def test_the_lineage_names_elements_of_the_picture(text: str, greeter: PromptFlow) -> None:
    """A section's own element first, then what it stands on."""
    found = re.search(r'id="lineage">(.*?)</script>', text)
    assert found is not None
    lineage = json.loads(found[1])
    ids = Parsed(text).ids()
    assert all(one in ids for names in lineage.values() for one in names)
    assert lineage["place_note"][0] == "node-place_note_text"
    assert {"node-place", "node-has_place"} < set(lineage["place_note"])
    assert lineage["rules"] == ["node-rules_text"]


def test_a_long_flow_is_drawn_by_its_themes() -> None:
    """Each of its sections lights the row of its theme."""
    from promptdag.dataflows import open_design

    flow = open_design.flow()
    text = page(review_flow(flow, scenarios=[Scenario("bare", {}, "given")]), flow)
    found = re.search(r'id="lineage">(.*?)</script>', text)
    assert found is not None
    lineage = json.loads(found[1])
    assert len(lineage) == len(flow.positions)
    ids = Parsed(text).ids()
    assert all(names and names[0] in ids for names in lineage.values())
    assert len({names[0] for names in lineage.values()}) < 30
    assert len(text) < 900_000


def test_a_review_without_a_base_shows_no_change(alone: Review, greeter: PromptFlow) -> None:
    """No part of it speaks of what was."""
    text = page(alone, greeter)
    assert 'id="changes"' not in text
    assert "first byte that differs" not in text
    assert "3 sections in 1 block" in text


def test_a_section_is_marked_whose_gate_alone_differs(text: str, reviewed: Review) -> None:
    """Its prompt may look the same in every scenario, and its part leads to the gate."""
    part = text[text.index('id="section-place_note"') :]
    assert '<a class="badge" href="#gate-has_place">gate has_place differs</a>' in part
    calm = [one for one in section_pages(reviewed) if one.name == "place_note"]
    quiet = replace(calm[0], cells={"full": Cell("same", "x", "x", 1)})
    assert quiet.changed
    assert not replace(quiet, changed_functions=()).changed
