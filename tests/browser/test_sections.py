"""Sections: chosen by click, by keyboard, by search, from the matrix and in the picture."""

from pathlib import Path

from playwright.sync_api import Page, expect

from .conftest import Opener

ALL = ["hello", "place_note", "farewell", "rules"]


def shown(page: Page) -> list[str]:
    """Return the sections whose part can be seen."""
    return page.eval_on_selector_all(
        "#articles .section",
        "all => all.filter(one => one.offsetParent).map(one => one.dataset.section)",
    )


def current(page: Page) -> list[str]:
    """Return the sections that the table of contents marks."""
    return page.eval_on_selector_all(
        "#contents [aria-current]", "all => all.map(one => one.dataset.section)"
    )


def listed(page: Page, where: str = "#contents li") -> int:
    """Return how many entries can be seen."""
    return page.locator(f"{where}:visible").count()


def test_a_page_begins_with_the_first_section_that_changed(
    opened: Opener, small_page: Path
) -> None:
    """One part is shown, and marked in the table of contents; the picture is lit for none."""
    page = opened(small_page)
    assert shown(page) == current(page) == ["hello"]
    assert page.locator("#drawing.lit").count() == 0


def test_a_click_in_the_contents_shows_that_section(opened: Opener, small_page: Path) -> None:
    """And the browser's own way back shows the one before."""
    page = opened(small_page)
    page.click('#contents [data-section="rules"]')
    assert shown(page) == current(page) == ["rules"]
    assert page.url.endswith("#section-rules")
    page.click('#contents [data-section="place_note"]')
    assert shown(page) == ["place_note"]
    page.go_back()
    expect(page.locator("#section-rules")).to_be_visible()
    assert shown(page) == ["rules"]


def test_an_address_opens_its_section(opened: Opener, small_page: Path) -> None:
    """A link to a section can be sent to somebody."""
    page = opened(small_page)
    page.goto(f"{small_page.as_uri()}#section-rules")
    page.reload()
    assert shown(page) == ["rules"]


def test_arrows_move_in_the_contents(opened: Opener, small_page: Path) -> None:
    """The focus goes along, so that the next arrow works as well."""
    page = opened(small_page)
    page.focus('#contents [data-section="hello"]')
    for key, wanted in (
        ("ArrowDown", "place_note"),
        ("End", "rules"),
        ("ArrowDown", "rules"),
        ("ArrowUp", "farewell"),
        ("Home", "hello"),
    ):
        page.keyboard.press(key)
        assert shown(page) == current(page) == [wanted], key
        assert page.evaluate("document.activeElement.dataset.section") == wanted


def test_letters_move_from_anywhere(opened: Opener, small_page: Path) -> None:
    """Keys j and k to the next and the previous, n to the next that changed."""
    page = opened(small_page)
    for key, wanted in (
        ("j", "place_note"),
        ("j", "farewell"),
        ("k", "place_note"),
        ("n", "farewell"),
    ):
        page.keyboard.press(key)
        assert shown(page) == [wanted], key
    page.keyboard.press("Control+k")
    assert shown(page) == ["farewell"]


def test_a_search_leaves_what_fits(opened: Opener, small_page: Path) -> None:
    """By name, signal and the words of a gate, in the contents and in the matrix."""
    page = opened(small_page)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("open place")
    assert listed(page) == listed(page, "#matrix .row") == 1
    assert page.inner_text("#found") == "1 of 4"
    page.keyboard.press("Escape")
    assert listed(page) == listed(page, "#matrix .row") == 4
    assert page.inner_text("#found") == ""
    assert page.evaluate("document.activeElement.id") != "search"


def test_letters_are_letters_while_one_types(opened: Opener, small_page: Path) -> None:
    """A search for j must not go to the next section."""
    page = opened(small_page)
    page.fill("#search", "")
    page.focus("#search")
    page.keyboard.type("jkn/")
    assert page.input_value("#search") == "jkn/"
    assert current(page) == ["hello"]
    assert listed(page) == 0


def test_a_cell_opens_the_text_of_its_scenario(opened: Opener, small_page: Path) -> None:
    """The second text of the section is folded until it is asked for."""
    page = opened(small_page)
    assert page.locator("#text-hello-2").get_attribute("open") is None
    page.click('#matrix a[title^="hello in bare"]')
    assert shown(page) == ["hello"]
    assert page.locator("#text-hello-2").get_attribute("open") is not None
    expect(page.locator("#text-hello-2 pre")).to_be_in_viewport()
    assert page.inner_text("#text-hello-2 pre") == "Hello , have a nicegood day."
    assert page.inner_text("#text-hello-2 del") == "nice"


def test_arrows_move_in_the_matrix_and_enter_follows(opened: Opener, small_page: Path) -> None:
    """It is one stop for the Tab key, however many cells it has."""
    page = opened(small_page)
    assert page.locator('#matrix .row a[tabindex="0"]').count() == 1
    page.focus("#matrix .row a")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.title") == "farewell in full: disappears"
    assert page.locator('#matrix .row a[tabindex="0"]').count() == 1
    page.keyboard.press("Enter")
    assert shown(page) == ["farewell"]
    expect(page.locator("#section-farewell")).to_be_focused()


def test_what_did_not_change_can_be_left_out_of_the_matrix(
    opened: Opener, small_page: Path
) -> None:
    """And comes back."""
    page = opened(small_page)
    button = page.locator("#only-changed")
    page.evaluate(
        "document.querySelector('#matrix [data-section=rules]').className='row unchanged'"
    )
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert listed(page, "#matrix .row") == 3
    button.click()
    assert listed(page, "#matrix .row") == 4


def test_themes_fold_one_by_one_and_all_at_once(opened: Opener, small_page: Path) -> None:
    """By mouse and by keyboard."""
    page = opened(small_page)
    theme = page.locator("#matrix .theme button").first
    theme.click()
    assert theme.get_attribute("aria-expanded") == "false"
    assert listed(page, "#matrix .row") == 0
    theme.press("Enter")
    assert listed(page, "#matrix .row") == 4
    page.click("#fold-all")
    assert listed(page, "#matrix .row") == 0


def test_details_fold(opened: Opener, small_page: Path) -> None:
    """The code of a gate is open, the template of a section is not."""
    page = opened(small_page)
    code = page.locator("#gate-has_place details", has_text="Code")
    expect(code.locator("pre")).to_be_visible()
    code.locator("summary").click()
    expect(code.locator("pre")).to_be_hidden()
    template = page.locator("#section-hello > details", has_text="Template")
    expect(template.locator("pre")).to_be_hidden()
    template.locator("summary").press("Enter")
    expect(template.locator("pre")).to_be_visible()


def test_the_picture_lights_what_a_section_stands_on(opened: Opener, small_page: Path) -> None:
    """Its gate, its signal and the edges between; the others are dimmed."""
    page = opened(small_page)
    page.click('#contents [data-section="place_note"]')
    lit = page.eval_on_selector_all("#drawing .on", "all => all.map(one => one.id).sort()")
    assert lit == [
        "edge-has_place--place_note_text",
        "edge-place--has_place",
        "edge-place--place_note_text",
        "node-has_place",
        "node-place",
        "node-place_note_text",
    ]
    dim = page.locator("#node-name").evaluate("one => Number(getComputedStyle(one).opacity)")
    assert dim < 0.5
    assert page.inner_text("#lit") == "lit: place_note"
    page.click("#unlight")
    assert page.locator("#drawing .on").count() == 0
    expect(page.locator("#unlight")).to_be_hidden()


def test_a_row_of_the_picture_chooses_its_section(opened: Opener, small_page: Path) -> None:
    """And does not leave the picture."""
    page = opened(small_page)
    page.locator("#node-rules_text").click()
    assert current(page) == ["rules"]
    expect(page.locator("#drawing")).to_be_in_viewport()


def test_the_picture_is_fitted_or_whole(opened: Opener, small_page: Path) -> None:
    """In its own size it scrolls inside its frame."""
    page = opened(small_page, viewport={"width": 900, "height": 600})
    width = "document.querySelector('#drawing svg').getBoundingClientRect().width"
    fitted = page.evaluate(width)
    assert fitted <= page.evaluate("document.getElementById('drawing').clientWidth")
    page.click("#fit")
    assert page.evaluate(width) > fitted


def test_a_long_review_begins_with_what_changed(opened: Opener, long_page: Path) -> None:
    """Ninety sections stay usable: the matrix shows changed rows, the contents scroll along."""
    page = opened(long_page)
    assert 0 < listed(page, "#matrix .row") < listed(page)
    assert listed(page) > 85
    page.focus("#contents a")
    page.keyboard.press("End")
    inside = page.evaluate(
        """() => { const a = document.querySelector('#contents [aria-current]')
        .getBoundingClientRect(), b = document.getElementById('contents').getBoundingClientRect();
        return a.top >= b.top && a.bottom <= b.bottom }"""
    )
    assert inside
    row = page.locator("#drawing .node .on, #drawing .node.on").last
    assert row.count() == 1


def test_without_script_all_is_there(opened: Opener, small_page: Path) -> None:
    """Every section is shown, links lead to them, and nothing is offered that would not work."""
    page = opened(small_page, java_script_enabled=False)
    for name in ALL:
        expect(page.locator(f"#section-{name}")).to_be_visible()
    for tool in page.locator(".tools").all():
        expect(tool).to_be_hidden()
    page.click('#matrix a[title^="rules in full"]')
    assert page.url.endswith("#text-rules-1")
