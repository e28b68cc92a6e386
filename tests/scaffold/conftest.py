"""One clean environment for all tests of a flow of one's own."""

from pathlib import Path
from typing import NamedTuple

import pytest
from promptdag.dataflows.scaffold import make_scaffold

from ..clean_environment import CleanEnvironment
from ..conftest import build_wheel


class Installed(NamedTuple):
    """A flow of one's own, installed from its wheel beside promptdag from its own.

    Attributes:
        name: The flow's name.
        folder: The project's folder.
        environment: Where it is installed.
    """

    name: str
    folder: Path
    environment: CleanEnvironment


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A new flow and promptdag, with what their wheels declare and pytest; nothing else."""
    parent = tmp_path_factory.mktemp("clean")
    folder = make_scaffold("my_agent2", parent)
    wheels = [wheel, build_wheel(folder, parent / "wheels")]
    environment = CleanEnvironment(parent / "environment", wheels, also=["pytest"])
    return Installed("my_agent2", folder, environment)
