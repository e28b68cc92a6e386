"""The test kit for users' repositories, and the golden files of its plugin."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows.testing import (
    assert_budget,
    assert_order,
    assert_prefix_stable,
    assert_tier,
)
from promptdag.inputs.errors import UnknownNameError

from ..flows import FLOWS, FlowCase, built
from .cases import full_case
from .small import FULL, SMALL

_CONFTEST = 'pytest_plugins = ["promptdag.dataflows.pytest_golden"]\n'
_FLOW = """
import os
from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.signals import SessionSignals, TurnSignals
from promptdag.sections import Named, fact, section, section_list

class Own(SessionSignals):
    folder: str = "/w"
    count: int = 1
    extra: tuple[tuple[str, str], ...] = ()

class Turn(TurnSignals):
    said: str = ""

@fact
def shown_count(count: int) -> str:
    return f"{count:03d}" if "FORK" in os.environ else f"{count}"

@section(text="Be brief.")
def rules() -> None: ...

@section(text="{{ shown_count }} files in {{ folder }}.")
def files(shown_count: str, folder: str) -> None: ...

@section_list()
def added(extra: tuple[tuple[str, str], ...]) -> tuple[Named, ...]:
    return tuple(Named(name, text) for name, text in extra)

@fact
def messages(said: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": said}]

FLOW = PromptFlow(
    "own", (block("all", rules, files, added, join="\\n"),), session=Own, turn=Turn,
    messages=messages,
)
SIGNALS = {"count": 7, "extra": [["mine", "My own text."]], "said": "hi"}
"""
_TEST = """
from own_flow import FLOW, SIGNALS
from promptdag.dataflows.testing import (
    assert_budget, assert_order, assert_prefix_stable, assert_tier,
)

def test_prompt(golden_prompt):
    golden_prompt(FLOW.compose(SIGNALS), "full")

def test_order_tier_budget_and_prefix():
    assert_order(FLOW, "rules", "files", "added")
    assert_order(FLOW.compose(SIGNALS), "rules", "files", "mine")
    assert_tier(FLOW, "rules", "constant")
    assert_tier(FLOW, "files", "session")
    assert_budget(FLOW.compose(SIGNALS), 40)
    assert_prefix_stable(FLOW, SIGNALS, changes=[{"said": "bye"}, {"said": ""}])
"""
_RUNS = """
import os, sys, pytest
from pathlib import Path
sys.path.insert(0, ".")
run = lambda *more: int(pytest.main(["-q", "-p", "no:cacheprovider", *more]))
codes = [run(*more) for more in ([], ["--accept-prompts"], [])]
os.environ["FORK"] = "1"
codes.append(run())
del os.environ["FORK"]
golden = Path("golden/full/prompt.txt")
golden.write_bytes(golden.read_bytes().replace(b"brief", b"short"))
codes.append(run())
print("codes", codes)
"""


def test_order_holds_and_its_opposite_is_refused() -> None:
    """In a flow, and in a prompt among the open sections."""
    assert_order(SMALL, "base", "desk", "identity", "clock")
    assert_order(SMALL.compose(FULL), "planning", "desk", "mine")
    with pytest.raises(AssertionError, match="'base' stands at 1, not behind 'desk'"):
        assert_order(SMALL, "desk", "base")
    with pytest.raises(AssertionError, match="section 'acting' is closed"):
        assert_order(SMALL.compose(FULL), "base", "acting")
    with pytest.raises(UnknownNameError, match="did you mean 'desk'"):
        assert_order(SMALL, "base", "deskk")


def test_tiers_are_asserted_of_sections_nodes_and_signals() -> None:
    """The message names the signals that make it so."""
    assert_tier(SMALL, "base", "constant")
    assert_tier(SMALL, "second_fingerprint", "session")
    assert_tier(SMALL, "clock", "turn")
    assert_tier(SMALL, "now", "turn")
    with pytest.raises(AssertionError, match="it is reached by model"):
        assert_tier(SMALL, "identity", "constant")
    with pytest.raises(UnknownNameError, match="did you mean 'identity'"):
        assert_tier(SMALL, "identty", "constant")


def test_a_budget_is_kept_or_the_largest_are_named() -> None:
    """Of the prompt, one section or one block."""
    prompt = SMALL.compose(FULL)
    total = prompt.manifest.tokens
    assert_budget(prompt, total)
    assert_budget(prompt, 10, section="identity")
    with pytest.raises(AssertionError, match=f"the prompt takes {total} tokens, 1 more than"):
        assert_budget(prompt, total - 1)
    with pytest.raises(AssertionError, match="second takes"):
        assert_budget(prompt, 1, block="second")
    with pytest.raises(UnknownNameError):
        assert_budget(prompt, 1, block="third")


def test_turn_signals_keep_the_prefix_and_session_signals_do_not() -> None:
    """The message names field, section and what is rewritten."""
    assert_prefix_stable(SMALL, FULL, changes={"now": "22", "said": "x"})
    assert_prefix_stable(SMALL, FULL, changes=[{"now": str(hour)} for hour in range(3)])
    with pytest.raises(AssertionError, match=r"(?s)model 'a' -> 'b'; sections identity.*\+Model b"):
        assert_prefix_stable(SMALL, FULL, changes={"model": "b"})
    with pytest.raises(AssertionError, match=r"work\.folder"):
        assert_prefix_stable(SMALL, FULL, changes=[{"now": "1"}, {"work.folder": "/x"}])
    with pytest.raises(UnknownNameError, match="did you mean 'model'"):
        assert_prefix_stable(SMALL, FULL, changes={"modl": "b"})


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_flow_keeps_its_prefix_when_turn_signals_change(case: FlowCase) -> None:
    """Texts of a turn are changed one by one."""
    flow = built(case.name)
    turn: list[dict[str, Any]] = [
        {leaf.name: "changed"}
        for leaf in flow.graph.signals.values()
        if leaf.turn and leaf.type in (str, str | None) and leaf.name not in ("date", "time_zone")
    ]
    assert_prefix_stable(flow, full_case(case.name), changes=[{}, *turn])


def test_a_users_project_tests_its_own_flow(tmp_path: Path) -> None:
    """Missing golden files fail, accepted ones pass; a changed formatter names section and field.

    Then one byte of a golden file is changed, and its line is shown.
    """
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    (tmp_path / "own_flow.py").write_text(_FLOW)
    (tmp_path / "test_it.py").write_text(_TEST)
    done = subprocess.run(
        [sys.executable, "-c", _RUNS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "codes [1, 0, 0, 1, 1]" in done.stdout, done.stdout + done.stderr
    assert "no golden file; run pytest --accept-prompts" in done.stdout
    assert "sections that differ: files (reached by folder, count)" in done.stdout
    assert "+007 files in /w." in done.stdout
    assert "+Be brief." in done.stdout
    assert {path.name for path in (tmp_path / "golden" / "full").iterdir()} == {
        "prompt.txt",
        "messages.json",
        "sections.json",
    }
