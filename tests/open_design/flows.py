"""The flows under test, each built once, and the cases."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from promptdag.dataflows import PromptFlow, open_design

FOLDER = Path(__file__).parent
CASES = sorted(
    path.name for path in (FOLDER / "cases").glob("[0-9]*.json") if "expect" not in path.name
)
GOLDEN = FOLDER / "golden"
VECTORS: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "cases/vectors.json").read_text())


@cache
def flow(texts: str = "default", gates: Any = "original") -> PromptFlow:
    """Return a flow; building one takes a moment."""
    return open_design.flow(texts, gates)


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the signals of a case and what is expected of it."""
    path = FOLDER / "cases" / name
    expected = path.with_name(name.replace(".json", ".expect.json"))
    return json.loads(path.read_text())["input"], json.loads(expected.read_text())


def open_sections(prompt: Any) -> list[str]:
    """Return the ids of the open sections in reading order, parts left out."""
    return [row.name for row in prompt.manifest.sections if row.open and row.parent is None]
