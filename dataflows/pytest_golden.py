"""A pytest plugin: prompts compared with golden files.

::

    pytest_plugins = ["promptdag.dataflows.pytest_golden"]  # in conftest.py


    def test_the_prompt(golden_prompt):
        golden_prompt(flow.compose(signals), "full")

The files are `golden/{name}/prompt.txt`, `messages.json` and `sections.json` beside the test;
`pytest --accept-prompts` writes them.
"""

import json
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

from .prompt import Prompt


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--accept-prompts`."""
    parser.addoption(
        "--accept-prompts",
        action="store_true",
        help="write golden prompts as they are composed now; read the diff afterwards",
    )


@pytest.fixture
def golden_prompt(request: pytest.FixtureRequest) -> Callable[[Prompt, str], None]:
    """Compare a prompt with `golden/{name}/` beside the test file, as bytes."""
    folder = request.path.parent / "golden"
    accept = bool(request.config.getoption("--accept-prompts"))

    def compare(prompt: Prompt, name: str) -> None:
        for path, text in _files(folder / name, prompt).items():
            _compare(path, text, accept)

    return compare


def _files(folder: Path, prompt: Prompt) -> dict[Path, str]:
    rows = [
        {"name": row.name, "block": row.block, "tier": row.tier, "sha256": row.sha256}
        for row in prompt.manifest.sections
        if row.open
    ]
    sections = {"fingerprint": prompt.fingerprint, "sections": rows}
    files = {
        folder / "prompt.txt": prompt.text,
        folder / "sections.json": json.dumps(sections, indent=1) + "\n",
    }
    if prompt.messages:
        messages = json.dumps(prompt.messages, ensure_ascii=False, indent=1) + "\n"
        files[folder / "messages.json"] = messages
    return files


def _compare(path: Path, text: str, accept: bool) -> None:
    if accept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return
    if not path.exists():
        pytest.fail(f"{path}: no golden file; run pytest --accept-prompts", pytrace=False)
    kept = path.read_bytes().decode()
    if kept != text:
        lines = unified_diff(kept.splitlines(), text.splitlines(), "kept", "composed", lineterm="")
        shown = "\n".join(lines) or "only line ends differ"
        pytest.fail(f"{path} differs; pytest --accept-prompts accepts it\n{shown}", pytrace=False)
