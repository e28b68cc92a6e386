"""A real browser with real pages: of the small flow with a past, and of a long one."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from promptdag.dataflows import PromptFlow, open_design
from promptdag.dataflows.review import OtherFlow, Review, page, review_flow, scenarios_in

from ..review.conftest import greeter, repository, reviewed  # noqa: F401 (fixtures)

GOLDEN = Path(__file__).parents[1] / "golden"

# Without these the browser asks its maker's hosts at every start.
QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The machine's own Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "no Chromium on PATH: make test-browser installs one"
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=[*QUIET, *alone])
        yield started
        started.close()


@pytest.fixture(scope="session")
def small_page(
    reviewed: Review,  # noqa: F811 (fixture)
    greeter: PromptFlow,  # noqa: F811 (fixture)
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The page of the small flow against its past."""
    path = tmp_path_factory.mktemp("page") / "small.html"
    path.write_text(page(reviewed, greeter), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a flow of some ninety sections, against the same under the skeleton pack."""
    flow = open_design.flow()
    base = OtherFlow(open_design.flow(texts="skeleton"), "skeleton")
    cases = [one for one in scenarios_in(GOLDEN / "open_design") if one.name in ("bare", "image")]
    path = tmp_path_factory.mktemp("page") / "long.html"
    path.write_text(page(review_flow(flow, base, scenarios=cases), flow), encoding="utf-8")
    return path


Opener = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opener]:
    """Opens a file in a fresh window; at the end nothing may have failed or been asked for."""
    contexts = []
    faults: list[str] = []

    def open_page(path: Path, **options: object) -> Page:
        size = {"width": 1280, "height": 900}
        context = browser.new_context(**{"viewport": size, "reduced_motion": "reduce", **options})
        contexts.append(context)
        shown = context.new_page()
        shown.set_default_timeout(5_000)
        shown.on("pageerror", lambda error: faults.append(str(error)))
        shown.on("console", lambda said: said.type == "error" and faults.append(said.text))
        shown.on(
            "request",
            lambda asked: (
                asked.url.startswith("file://") or faults.append(f"asked for {asked.url}")
            ),
        )
        shown.goto(path.as_uri())
        return shown

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
