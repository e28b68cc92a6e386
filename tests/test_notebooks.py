"""Each notebook runs from top to bottom, says what it is for, and is committed without outputs."""

import ast
import json
import re
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

mpl.use("Agg")

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a kind."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    return [one for one in notebook["cells"] if one["cell_type"] == kind]


def ran(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the code cells in order, as one program in their folder; return what each displays."""
    monkeypatch.chdir(FOLDER)
    names: dict[str, Any] = {"__name__": path.stem}
    shown = []
    for number, cell in enumerate(cells(path, "code"), 1):
        program, last = _parts("".join(cell["source"]))
        place = f"{path.name}, code cell {number}"
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(program, place, "exec"), names)
            value = None if last is None else eval(compile(last, place, "eval"), names)
        shown += [] if value is None else [displayed(value)]
        asked = "print(" in ast.unparse(program) + ("" if last is None else ast.unparse(last))
        assert printed.getvalue().strip() or not asked, f"{place} prints nothing"
        draw_open_figures()
    return shown


def _parts(source: str) -> tuple[ast.Module, ast.Expression | None]:
    """Return the statements of a cell, and its last one where it is an expression to display."""
    program = ast.parse(source)
    last = program.body[-1]
    if not isinstance(last, ast.Expr):
        return program, None
    return ast.Module(program.body[:-1], []), ast.Expression(last.value)


def displayed(value: object) -> str:
    """Return what a notebook shows of a value; a drawing that shows itself is drawn."""
    names = ("_repr_mimebundle_", "_repr_html_", "_repr_svg_", "_repr_png_")
    found = [getattr(value, name)() for name in names if hasattr(value, name)]
    if found:
        # A figure of matplotlib has no HTML without a browser behind it, but an image.
        assert any(found), f"{type(value).__name__} shows nothing"
        return str(next(filter(None, found)))
    return repr(value)


def draw_open_figures() -> None:
    """Draw and close the figures of pyplot, as a notebook does after each cell."""
    for number in plt.get_fignums():
        plt.figure(number).savefig(BytesIO())
        plt.close(number)


def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell, and every display works and shows a value, not its address."""
    shown = ran(path, monkeypatch)
    assert shown
    assert not [one for one in shown if re.search(r"^<[\w.]+ object at 0x", one)]


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
