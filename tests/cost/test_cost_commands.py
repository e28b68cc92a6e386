"""The commands: data to stdout, the rest to stderr."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from promptdag.dataflows.command_line import main

SIGNALS = {"cwd": "/", "tool_names": ["read"], "memory": "Be concise."}


def run(*arguments: str, stdin: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, arguments, input=stdin)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of three turns; the memory moves in the last."""
    path = tmp_path / "log.jsonl"
    turns = [(0, "a"), (60, "a"), (120, "b")]
    lines = [{"time": time, "signals": SIGNALS | {"memory": text}} for time, text in turns]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def test_cost_prints_a_row_a_section_and_the_total() -> None:
    """The hints go to stderr, with the date of the prices."""
    found = run("cost", "theway", "-", "--model", "claude-opus-5", stdin=json.dumps(SIGNALS))
    assert found.exit_code == 0, found.stderr
    for word in ("harness", "memory", "total", "cold usd", "change usd"):
        assert word in found.stdout
    assert "prices of 20" in found.stderr
    assert "[break-even:1h]" in found.stderr


def test_cost_prints_json() -> None:
    """Sums by scenario, rows, splits and hints."""
    arguments = ("--model", "claude-opus-5", "--turns", "4", "--gap", "20m", "--json")
    found = json.loads(run("cost", "theway", "-", *arguments, stdin=json.dumps(SIGNALS)).stdout)
    assert found["gap_seconds"] == 1200
    assert found["usd"]["mixed"] == pytest.approx(found["usd"]["cold"])
    assert found["splits"]["warm"]["read"] == 4 * found["tokens"]


def test_prices_are_overridden_by_a_file(tmp_path: Path) -> None:
    """A user knows better."""
    path = tmp_path / "prices.json"
    path.write_text('{"models": {"claude-opus-5": {"usd_per_million_tokens": 50}}}')
    usd = []
    for extra in ((), ("--providers", str(path))):
        arguments = ("cost", "theway", "-", "--model", "claude-opus-5", "--json", *extra)
        usd.append(json.loads(run(*arguments, stdin=json.dumps(SIGNALS)).stdout)["usd"]["plain"])
    assert usd[1] == pytest.approx(usd[0] * 10)


def test_wrong_options_are_told_in_one_line() -> None:
    """2 for a wrong use, 1 for what we refuse."""
    bad_gap = run("cost", "theway", "-", "--model", "claude-opus-5", "--gap", "soon", stdin="{}")
    assert bad_gap.exit_code == 2
    assert "'soon' is no duration; write 90s, 3m or 1h" in bad_gap.stderr
    unknown = run("cost", "theway", "-", "--model", "claude", stdin=json.dumps(SIGNALS))
    assert unknown.exit_code == 1
    assert unknown.stderr.startswith("Error: the table of 20")


def test_replay_prints_causes_and_sums(log: Path) -> None:
    """The progress bar is on stderr."""
    found = run("replay", "theway", str(log), "--model", "claude-opus-5")
    assert found.exit_code == 0, found.stderr
    assert "3 turns: 1 hits, 0 partial, 2 misses" in found.stdout
    assert "memory" in found.stdout
    assert "100%" in found.stderr
    assert "100%" not in found.stdout


def test_replay_prints_json_and_writes_turns_and_a_figure(log: Path, tmp_path: Path) -> None:
    """A line a turn, and a picture."""
    turns, plot = tmp_path / "turns.jsonl", tmp_path / "money.png"
    options = ("--json", "--turns", str(turns), "--plot", str(plot))
    found = run("replay", "theway", str(log), "--model", "claude-opus-5", *options)
    report = json.loads(found.stdout)
    assert {one["name"] for one in report["causes"]} == {"memory", "first turn"}
    written = [json.loads(line) for line in turns.read_text(encoding="utf-8").splitlines()]
    assert [one["outcome"] for one in written] == ["miss", "hit", "miss"]
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_replay_reads_stdin_and_says_where_a_line_is_wrong(log: Path) -> None:
    """One line, no traceback."""
    text = log.read_text(encoding="utf-8")
    good = run("replay", "theway", "-", "--model", "claude-opus-5", "--json", stdin=text)
    assert json.loads(good.stdout)["turns"] == 3
    bad = run("replay", "theway", "-", "--model", "claude-opus-5", stdin=text + "{}\n")
    assert bad.exit_code == 1
    assert "<stdin>:4: a turn is" in bad.stderr


@pytest.mark.parametrize("wire", ["openai", "responses", "gemini", "plain"])
def test_compose_prints_every_wire(wire: str) -> None:
    """The request alone on stdout; what it cannot say on stderr."""
    found = run("compose", "theway", "-", "--format", wire, stdin=json.dumps(SIGNALS))
    assert found.exit_code == 0
    assert ("cache mark" in found.stderr) or ("cache_control" in found.stderr)
    text = found.stdout if wire == "plain" else json.dumps(json.loads(found.stdout))
    assert "Be concise." in text
