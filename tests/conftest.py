"""One option accepts golden files; one process composes what is compared across processes."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--accept`."""
    parser.addoption(
        "--accept",
        action="store_true",
        help="rewrite the golden files with what the flows compose now; read the diff afterwards",
    )


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are rewritten."""
    return bool(request.config.getoption("--accept"))
