"""`promptdag fit`: where the budget of a turn went."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from promptdag.dataflows.command_line import main

CASE = Path(__file__).parent / "cases" / "m02-all-fragments.json"


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["fit", *arguments], env={"COLUMNS": "80"})


def test_the_fit_is_shown_as_a_table_and_as_bars() -> None:
    """One row and one bar a fragment; the headline says what was used."""
    done = run("minimal_agent", str(CASE))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("skills.catalog") == 2
    assert " of 4000 tokens, frame " in done.stdout
    assert "█" in done.stdout
    bars = done.stdout[done.stdout.index(" of 4000 tokens") :]
    assert max(map(len, bars.split("\n"))) <= 80


def test_a_budget_on_the_command_line_wins_over_the_signals() -> None:
    """Over a recorded call of the original, too."""
    told = json.loads(run("minimal_agent", str(CASE), "--budget", "150", "--json").stdout)
    assert told["budget_tokens"] == 150
    assert told["used_tokens"] <= 150
    assert not told["over_budget"]
    outcomes = {one["id"]: one["outcome"] for one in told["fragments"]}
    assert outcomes["project.instructions"] == "whole"
    assert outcomes["plugins.catalog"] == "budget"
    estimates = {one["id"]: one["estimated_tokens"] for one in told["fragments"]}
    assert (estimates["memory.persona"], estimates["tasks.active"]) == (5, None)
    over = json.loads(run("minimal_agent", str(CASE), "--budget", "0", "--json").stdout)
    assert over["over_budget_ids"] == ["runtime.host-state", "project.instructions"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("theway", "-"), 1, "flow 'theway' has no turn context that is fitted"),
        (("minimal_agent",), 2, "Missing argument"),
        (("minimal_agent", "-", "--budget", "-1"), 2, "-1 is not in the range x>=0"),
    ],
)
def test_a_wrong_request_is_told_on_stderr(
    arguments: tuple[str, ...], code: int, said: str
) -> None:
    """One line and no traceback; nothing on stdout."""
    done = CliRunner().invoke(main, ["fit", *arguments], input='{"cwd": "/"}')
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr


def test_the_help_shows_examples() -> None:
    """Of each way to use it."""
    text = run("--help").stdout
    assert text.count("promptdag fit minimal_agent signals.json") == 3
