"""The small flow, importable for the tests of this folder."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.review import Review, Scenario, base_of, review_flow

from .greeter import NAME, make_repository

SCENARIOS = (
    Scenario("full", {"name": "Ada", "place": "Paris"}, "given"),
    Scenario("bare", {}, "given"),
)


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The repository of the flow, which is installed as far as Python can tell."""
    folder = make_repository(tmp_path_factory.mktemp("review") / "greeter")
    added = [str(folder / "src"), str(folder / "site")]
    sys.path[:0] = added
    importlib.invalidate_caches()
    with pytest.MonkeyPatch.context() as patch:
        # Another process finds the flow of today as well: the past must stand in front of it.
        patch.setenv("PYTHONPATH", added[0])
        yield folder
    for one in added:
        sys.path.remove(one)
    sys.modules.pop(NAME, None)


@pytest.fixture(scope="session")
def greeter(repository: Path) -> PromptFlow:
    """The flow of today."""
    from promptdag.dataflows.registry import flow_named

    return flow_named(NAME)()


@pytest.fixture(scope="session")
def reviewed(greeter: PromptFlow) -> Review:
    """A review of the flow against its past."""
    with base_of(NAME, "past") as base:
        return review_flow(greeter, base, scenarios=SCENARIOS)


@pytest.fixture(scope="session")
def alone(greeter: PromptFlow) -> Review:
    """A review of the flow by itself, over made scenarios."""
    return review_flow(greeter)
