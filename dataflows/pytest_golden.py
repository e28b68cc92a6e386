"""A pytest plugin: prompts compared with golden files.

::

    pytest_plugins = ["promptdag.dataflows.pytest_golden"]  # in conftest.py


    def test_the_prompt(golden_prompt):
        golden_prompt(flow.compose(signals), "full")

The files are `golden/{name}/prompt.txt`, `messages.json` and `sections.json` beside the test;
`pytest --accept-prompts` writes them. A difference names the sections that differ, and the signals
that reach them.
"""

import json
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

from .overrides import section_node, sections_by_name
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
        files = _files(folder / name, prompt)
        said = "" if accept else _moved(folder / name / "sections.json", prompt)
        for path, text in files.items():
            _compare(path, text, accept, said)

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


def _moved(path: Path, prompt: Prompt) -> str:
    """Return the sections that differ from the kept ones, with the signals that reach them."""
    if not path.exists():
        return ""
    kept = [(row["name"], row["sha256"]) for row in json.loads(path.read_bytes())["sections"]]
    rows = [(row.name, row.sha256) for row in prompt.manifest.sections if row.open]
    flow, known = prompt.session.flow, sections_by_name(prompt.session.flow)
    said = []
    for name in dict.fromkeys(one for one, _ in (*rows, *kept)):
        if [one for one in rows if one[0] == name] == [one for one in kept if one[0] == name]:
            continue
        if name not in known:
            said.append(f"{name} (a text of a list)")
            continue
        signals = flow.graph.signals_of(section_node(flow, known[name]))
        dotted = ", ".join(flow.graph.signals[one].dotted for one in signals)
        said.append(f"{name} (reached by {dotted or 'no signal'})")
    return f"sections that differ: {'; '.join(said)}\n" if said else ""


def _compare(path: Path, text: str, accept: bool, said: str) -> None:
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
        why = f"{path} differs; pytest --accept-prompts accepts it\n{said}{shown}"
        pytest.fail(why, pytrace=False)
