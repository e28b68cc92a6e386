"""Each notebook runs from top to bottom, says what it is for, and is committed without outputs."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a kind."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    return [one for one in notebook["cells"] if one["cell_type"] == kind]


def ran(path: Path) -> dict[str, Any]:
    """Run the code cells in order, as one program; return its names."""
    names: dict[str, Any] = {"__name__": path.stem}
    for number, cell in enumerate(cells(path, "code"), 1):
        exec(compile("".join(cell["source"]), f"{path.name}, code cell {number}", "exec"), names)
    return names


def test_a_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cell by cell, and shows something."""
    ran(path)
    assert capsys.readouterr().out


def test_a_notebook_is_committed_without_outputs(path: Path) -> None:
    """What it shows depends on the library of now."""
    assert all(not one["outputs"] and one["execution_count"] is None for one in cells(path, "code"))


def test_a_notebook_opens_with_its_purpose_and_defines_no_function(path: Path) -> None:
    """What is worth a function belongs into the library."""
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
    heading, _, purpose = "".join(first["source"]).partition("\n\n")
    assert first["cell_type"] == "markdown"
    assert heading.startswith("# ")
    assert purpose.endswith(".")
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    for cell in cells(path, "code"):
        tree = ast.parse("".join(cell["source"]))
        assert not any(isinstance(node, defined) for node in ast.walk(tree))
