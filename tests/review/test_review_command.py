"""The command's contract: what it writes, what it prints, and how it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.command_line import main

from .greeter import NAME


def run(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["review", NAME, *arguments])


@pytest.fixture(autouse=True)
def _apart(greeter: PromptFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without golden cases."""
    monkeypatch.chdir(tmp_path)


def test_a_page_is_written_against_a_revision(tmp_path: Path) -> None:
    """Nothing goes to stdout; progress and the file's name go to stderr."""
    found = run("--base", "past", "-o", "review.html")
    assert found.exit_code == 0, found.output
    assert found.stdout == ""
    assert "making scenarios" in found.stderr
    assert found.stderr.endswith("wrote review.html\n")
    assert "now also opens" in (tmp_path / "review.html").read_text(encoding="utf-8")


def test_without_an_output_the_summary_is_printed() -> None:
    """The sentences alone, one a line."""
    found = run()
    assert found.exit_code == 0
    assert found.stdout.startswith("3 sections in 1 block: 1 never change, 2 are fixed")


def test_markdown_goes_to_stdout() -> None:
    """To be piped into a comment."""
    found = run("--base", "past", "--markdown")
    assert found.stdout.startswith(f"### `{NAME}`: review against `past (")


def test_json_holds_the_review() -> None:
    """With texts, signals and what differs."""
    found = json.loads(run("--base", "past", "--json").stdout)
    assert [one["name"] for one in found["sections"]] == ["hello", "farewell", "rules"]


def test_a_snapshot_is_written_and_compared_with(tmp_path: Path) -> None:
    """The flow has not changed between the two."""
    assert run("-o", "now.json").exit_code == 0
    found = run("--against", "now.json")
    assert found.stdout.startswith("Nothing differs from `now`"), found.output


def test_scenarios_are_read_from_a_folder(tmp_path: Path) -> None:
    """Files and golden cases alike; a case that is meant to be refused is none."""
    cases = tmp_path / "cases"
    (cases / "golden").mkdir(parents=True)
    (cases / "wrong").mkdir()
    (cases / "one.json").write_text('{"name": "Ada"}')
    (cases / "golden" / "signals.json").write_text('{"input": {"place": "here"}}')
    (cases / "wrong" / "signals.json").write_text("{}")
    (cases / "wrong" / "error.txt").write_text("refused")
    found = run("--scenarios", "cases", "--json")
    assert found.stderr.startswith("scenarios of cases: 2\n")
    names = [one["name"] for one in json.loads(found.stdout)["scenarios"]]
    assert names == ["golden", "one"]


def test_the_golden_cases_are_the_scenarios_where_there_are_some(tmp_path: Path) -> None:
    """Of the folder that the command runs in."""
    case = tmp_path / "tests" / "golden" / NAME / "full"
    case.mkdir(parents=True)
    (case / "signals.json").write_text('{"name": "Ada"}')
    assert run().stderr.startswith(f"scenarios of tests/golden/{NAME}: 1\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--base", "past", "--against", "x.json"], 2, "name one thing to compare with"),
        (["-o", "review.pdf"], 2, "end it in .html, .md or .json"),
        (["--base", "nowhere"], 1, "no revision 'nowhere'"),
        (["--against", "thewy"], 1, "no flow 'thewy'; did you mean 'theway'?"),
        (["--against", "none.json"], 1, "none.json: No such file or directory"),
        (["--model", "claude-opos-5"], 1, "did you mean 'claude-opus-5'"),
        (["-o", "none/review.html"], 1, "none/review.html: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: list[str], code: int, message: str
) -> None:
    """Without a traceback."""
    found = run(*arguments)
    assert found.exit_code == code
    assert message in found.stderr
    assert "Traceback" not in found.stderr


def test_an_empty_folder_of_scenarios_says_what_to_put_there(tmp_path: Path) -> None:
    """No scenario would be no review."""
    (tmp_path / "empty").mkdir()
    found = run("--scenarios", "empty")
    assert found.exit_code == 1
    assert "empty: no scenario in it; put NAME.json or NAME/signals.json there" in found.stderr
