"""How the page looks: in the dark, on a phone, printed, and to those who do not tell colours."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import Opener

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# Contrast of each visible text with what is painted behind it.
# Source: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
FAINT = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (color) => color.slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = rgb(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || element.closest("svg, script") || !element.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${text.slice(0, 30)} (${element.className}): ${ratio.toFixed(2)}`);
  }
  return found;
}"""


def brightness(page: Page) -> float:
    """Return how bright the ground is, 0 to 255."""
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    parts = [float(one) for one in color.strip("rgb()").split(",")]
    return sum(parts[:3]) / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["small_page", "long_page"])
def test_every_text_has_enough_contrast(
    opened: Opener, which: str, scheme: str, request: pytest.FixtureRequest
) -> None:
    """At least 4.5 to 1, as WCAG AA asks of small text."""
    page = opened(request.getfixturevalue(which), color_scheme=scheme)
    assert page.evaluate(FAINT) == []


def test_the_page_is_dark_where_the_reader_wants_it(opened: Opener, small_page: Path) -> None:
    """The picture with it: its ground and its text."""
    assert brightness(opened(small_page, color_scheme="light")) > 230
    page = opened(small_page, color_scheme="dark")
    assert brightness(page) < 40
    fill = "one => getComputedStyle(one).fill.match(/\\d+/g).map(Number)"
    assert max(page.locator("#drawing .graph > polygon").first.evaluate(fill)) < 60
    assert min(page.locator("#drawing text").first.evaluate(fill)) > 200


@pytest.mark.parametrize("which", ["small_page", "long_page"])
def test_a_phone_never_scrolls_sideways(
    opened: Opener, which: str, request: pytest.FixtureRequest
) -> None:
    """What is wide scrolls inside its own frame, whatever is opened."""
    page = opened(request.getfixturevalue(which), **PHONE)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    width = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scrolled, client = page.evaluate(width)
    assert scrolled == client == 390
    page.locator("#matrix td a").first.tap()
    assert page.evaluate(width) == [390, 390]
    expect(page.locator(".section.selected h3")).to_be_visible()


def test_marks_are_told_apart_without_colour(opened: Opener, small_page: Path) -> None:
    """Each has a sign of its own and words for a screen reader; differences are struck or lined."""
    page = opened(small_page)
    cells: list[Any] = page.eval_on_selector_all(
        "#matrix td",
        "all => all.map(one => [one.className, ...one.innerText.split('\\n').filter(Boolean)])",
    )
    signs = {(kind, sign) for kind, sign, *_ in cells}
    assert len({sign for _, sign in signs}) == len({kind for kind, _ in signs}) >= 5
    assert page.locator("#matrix td.disappears .hidden").first.inner_text() == "disappears"
    line = "one => getComputedStyle(one).textDecorationLine"
    assert page.locator("ins").first.evaluate(line) == "underline"
    assert page.locator("del").first.evaluate(line) == "line-through"


def test_what_is_printed_is_what_changed(opened: Opener, small_page: Path) -> None:
    """Nothing to press, every changed section with all its texts, on white."""
    page = opened(small_page, color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for gone in (".jump", "#search", "#contents", "#fit"):
        expect(page.locator(gone)).to_be_hidden()
    for name in ("hello", "rules", "farewell"):
        expect(page.locator(f"#section-{name}")).to_be_visible()
    expect(page.locator("#text-hello-2 pre")).to_be_visible()
    assert brightness(page) == 255
    assert page.evaluate(FAINT) == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#text-hello-2").get_attribute("open") is None


def test_a_short_review_prints_on_few_sheets(opened: Opener, small_page: Path) -> None:
    """Summary, changes, matrix, costs, texts and picture; without the folded rest."""
    page = opened(small_page)
    sheets = page.pdf(format="A4", print_background=True).count(b"/Type /Page\n")
    assert 1 < sheets <= 6


def test_a_reader_without_eyes_finds_the_parts(opened: Opener, small_page: Path) -> None:
    """Landmarks, headings in order, names for all that can be pressed."""
    page = opened(small_page)
    levels = page.eval_on_selector_all(
        "h1, h2, h3, h4", "all => all.filter(one => one.offsetParent).map(one => +one.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    unnamed = page.eval_on_selector_all(
        "button, input, a[href], summary",
        """all => all.filter(one => one.checkVisibility() && !one.closest('svg')
        && !(one.innerText || '').trim() && !one.labels?.length && !one.ariaLabel)
        .map(one => one.outerHTML)""",
    )
    assert unnamed == []
    assert page.locator("main, nav[aria-label], header").count() >= 4
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
