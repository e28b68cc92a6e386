"""The commands over the answers: what they print, and how they exit."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from promptdag.dataflows.command_line import main


def _run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two sets of signals."""
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, cwd in zip(paths, ("/a", "/b"), strict=True):
        path.write_text(json.dumps({"cwd": cwd, "memory": "x"}), "utf-8")
    return paths


def test_explain_prints_reason_place_and_flip(files: list[Path]) -> None:
    """The words of the gate, and what would close it."""
    done = _run("explain", "theway", "memory", files[0])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("memory: Open. Open when memory is not empty")
    assert "memory = '' would close it (1 tried" in done.stdout
    assert "shown_memory.text" in done.stdout
    data = json.loads(_run("explain", "theway", "memory", files[0], "--json").stdout)
    assert data["flip"]["changes"] == {"memory": ""}
    assert _run("explain", "theway", "memory").exit_code == 0


def test_explain_of_an_unknown_section_is_one_line_and_exit_code_1() -> None:
    """The nearest name stands in it."""
    done = _run("explain", "theway", "memry")
    assert done.exit_code == 1
    assert "did you mean 'memory'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_fields_prints_a_row_a_signal(files: list[Path]) -> None:
    """As a table, and as JSON filtered by what it reaches."""
    assert "harness_intro" in _run("fields", "theway", files[0]).stdout
    data = json.loads(_run("fields", "theway", "--reaching", "memory", "--json").stdout)
    assert [row["name"] for row in data["rows"]] == ["memory", "max_memory_chars"]


def test_what_if_prints_what_each_signal_rewrites(files: list[Path]) -> None:
    """The price is that of a model, or the user's own."""
    dear = files[0].parent / "dear.json"
    dear.write_text('{"models": {"claude-opus-5": {"usd_per_million_tokens": 1000000}}}')
    done = _run("what-if", "theway", files[0], "--providers", dear, "--json")
    row = next(row for row in json.loads(done.stdout)["rows"] if row["name"] == "cwd")
    assert row["extra_usd"] == pytest.approx(row["rewritten_tokens"] * 1.15)
    assert "max_memory_chars" in _run("what-if", "theway", files[0]).stdout


def test_diff_names_the_cause_and_fails_on_demand(files: list[Path]) -> None:
    """Exit code 1 is for a stable prefix that differs, and only when asked for."""
    done = _run("diff", "theway", *files)
    assert done.exit_code == 0, done.output
    assert "cwd" in done.stdout
    assert "+Current working directory: /b" in done.stdout
    assert _run("diff", "theway", *files, "--fail-on", "stable").exit_code == 1
    assert _run("diff", "theway", files[0], files[0], "--fail-on", "any").exit_code == 0
    data = json.loads(_run("diff", "theway", *files, "--json").stdout)
    assert [one["name"] for one in data["causes"]] == ["cwd"]
    packs = _run("diff", "theway", files[0], files[0], "--texts-after", "skeleton", "--json")
    assert [one["kind"] for one in json.loads(packs.stdout)["causes"]] == ["texts"]


@pytest.mark.parametrize("command", ["explain", "fields", "what-if", "diff"])
def test_help_teaches_by_example(command: str) -> None:
    """Each help shows a whole command line."""
    assert f"promptdag {command} theway" in _run(command, "--help").stdout
