"""`promptdag graph` from the command line."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from promptdag.dataflows.command_line import main

STARTS = {
    ".svg": b"<?xml",
    ".png": b"\x89PNG",
    ".mmd": b"flowchart LR",
    ".dot": b'digraph "theway"',
    ".html": b"<!doctype html>",
}


@pytest.mark.parametrize("ending", STARTS)
def test_the_ending_says_the_form(ending: str, tmp_path: Path) -> None:
    """The file holds it, stdout stays empty."""
    path = tmp_path / f"picture{ending}"
    done = CliRunner().invoke(main, ["graph", "theway", "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert path.read_bytes().startswith(STARTS[ending])


def test_without_a_file_dot_goes_to_stdout() -> None:
    """Signals from stdin show states; a focus keeps one ancestry."""
    arguments = ["graph", "theway", "-", "--focus", "lineage_text"]
    done = CliRunner().invoke(main, arguments, input='{"cwd": "/a"}')
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith('digraph "theway" {\n')
    assert "has_lineage  <I>closed</I>" in done.stdout
    assert "has_memory" not in done.stdout


def test_an_unknown_ending_is_a_wrong_use() -> None:
    """It is told before a flow is built."""
    done = CliRunner().invoke(main, ["graph", "theway", "-o", "a.pdf"])
    assert done.exit_code == 2
    assert "a.pdf: end it in .svg, .png, .mmd, .dot, .html" in done.stderr


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """Exit code 1, no traceback."""
    path = tmp_path / "none" / "a.dot"
    done = CliRunner().invoke(main, ["graph", "theway", "-o", str(path)])
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: {path}: No such file or directory; name a file that can be written\n"
    )


def test_themes_are_drawn_alone() -> None:
    """A row for each theme, and no focus or signals beside."""
    done = CliRunner().invoke(main, ["graph", "theway", "--themes"])
    assert done.exit_code == 0, done.output
    assert ">3-5</TD>" in done.stdout
    assert "has_memory" not in done.stdout
    refused = CliRunner().invoke(main, ["graph", "theway", "--themes", "--focus", "memory"])
    assert refused.exit_code == 2
    assert "--themes draws the whole flow: give it alone" in refused.stderr
