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
_TEST = """
import sys
from promptdag.dataflows import theway

FLOW = theway.flow()

def test_prompt(golden_prompt):
    golden_prompt(FLOW.compose({"cwd": "/CWD"}), "bare")
"""
_RUNS = """
import sys, pytest
from pathlib import Path
test = Path("test_it.py")
codes = [int(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *more]))
         for more in ([], ["--accept-prompts"], [])]
golden = Path("golden/bare/prompt.txt")
golden.write_bytes(golden.read_bytes().replace(b"/CWD", b"/other"))
codes.append(int(pytest.main(["-q", "-p", "no:cacheprovider"])))
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


def test_golden_files_are_written_compared_and_their_difference_shown(tmp_path: Path) -> None:
    """Missing fails, accepted passes, and one changed byte fails with its line."""
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    (tmp_path / "test_it.py").write_text(_TEST)
    done = subprocess.run(
        [sys.executable, "-c", _RUNS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "codes [1, 0, 0, 1]" in done.stdout, done.stdout + done.stderr
    assert "no golden file; run pytest --accept-prompts" in done.stdout
    assert "+Current working directory: /CWD" in done.stdout
