"""What the order of the original costs, and that the lint says it."""

import json
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import open_design_turn
from promptdag.dataflows.lint import LintFinding, lint
from promptdag.dataflows.open_design_turn import STABLE_SECTIONS, TurnOrder, prefix_saving
from promptdag.inputs.tokens import default_counter

GOLDEN = Path(__file__).parents[1] / "golden" / "open_design_turn"
STABLE = {
    "message": "M",
    "daemonSystemPrompt": "You are a design agent. " * 40,
    "runtimeToolPrompt": "The tools answer on port 7000. " * 10,
    "systemPrompt": "Answer in English. " * 20,
}
RESEARCH = {"research": {"enabled": True, "query": "one"}}
ANSWERS = {"currentPrompt": "[form answers \u2014 discovery]\n- a: b"}
TITLE = {"titleGeneration": {"enabled": True}}


def told(signals: dict[str, Any], order: TurnOrder = "original") -> list[LintFinding]:
    """Return what the lint says of the order for one given turn."""
    report = lint(open_design_turn.flow(order=order), [STABLE | signals], max_inputs=0)
    return [one for one in report.findings if one.code == "OD005"]


@pytest.mark.parametrize(
    ("signals", "parts"),
    [
        (RESEARCH, ["systemPrompt"]),
        (TITLE, ["systemPrompt"]),
        ({"browserUsePromptGuard": "B"}, ["systemPrompt"]),
        ({"runContexts": [{"pluginIds": ["p"]}]}, ["systemPrompt"]),
        (ANSWERS, ["systemPrompt", "daemonSystemPrompt", "runtimeToolPrompt"]),
        (
            RESEARCH | {"currentPrompt": "[form answers]"},
            ["systemPrompt", "daemonSystemPrompt", "runtimeToolPrompt"],
        ),
    ],
    ids=str,
)
def test_the_lint_says_what_the_other_order_saves(
    signals: dict[str, Any], parts: list[str]
) -> None:
    """The tokens of the stable texts behind what changes every turn, and the argument to give."""
    (found,) = told(signals)
    count = default_counter().count
    tokens = sum(count(STABLE[part].strip()) for part in parts)
    assert f"{tokens} tokens of stable instructions" in found.found
    assert f"order='stable_first' to save these {tokens} tokens" in found.found
    assert (found.severity, found.subject) == ("info", "stable_instructions_stand_first")


@pytest.mark.parametrize(
    "signals", [{}, {"cwd": "/w"}, {"finalOverride": "X"}, {"systemPrompt": ""} | RESEARCH], ids=str
)
def test_a_turn_that_loses_nothing_is_left_alone(signals: dict[str, Any]) -> None:
    """Nor is there anything to say of the other order."""
    assert told(signals) == []


def test_the_other_order_has_nothing_to_save() -> None:
    """It is the remedy."""
    assert told(RESEARCH | ANSWERS, "stable_first") == []


@pytest.mark.parametrize(("before", "after"), [(RESEARCH, TITLE), (ANSWERS, RESEARCH)], ids=str)
def test_what_the_lint_says_is_what_two_turns_share(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    """A prefix cache then holds all of the stable texts, which the finding counted."""
    behind = STABLE["systemPrompt"].strip()
    if before is ANSWERS:
        behind += STABLE["daemonSystemPrompt"].strip() + STABLE["runtimeToolPrompt"].strip()
    turns = [STABLE | before, STABLE | after]
    saving = prefix_saving(turns)
    assert len(behind) <= saving.saved_bytes <= len(behind) + 40  # rules stand between the parts
    flow = open_design_turn.flow(order="stable_first")
    shared = flow.compose(turns[0]).text.encode()[: saving.stable_first_bytes].decode()
    assert all(str(text).strip() in shared for text in list(STABLE.values())[1:])


@pytest.mark.parametrize("order", ["original", "stable_first"])
def test_the_lint_finds_no_error(order: TurnOrder) -> None:
    """With the golden cases as given turns, and what is allowed has its reason."""
    files = sorted(GOLDEN.glob("*/prompt.txt"))
    given = [json.loads((one.parent / "signals.json").read_text("utf-8")) for one in files]
    report = lint(open_design_turn.flow(order=order), given, max_inputs=40)
    assert [str(one) for one in report.findings if one.severity != "info"] == []


def test_both_orders_hold_the_same_sections() -> None:
    """Only their places differ, and the stable ones come first."""
    flows = [open_design_turn.flow(), open_design_turn.stable_first_flow()]
    names = [[one.place.section.name for one in flow.positions] for flow in flows]
    assert sorted(names[0]) == sorted(names[1])
    assert names[1][1:4] == [one.name for one in STABLE_SECTIONS]
    assert [flow.name for flow in flows] == ["open_design_turn", "open_design_turn_stable_first"]
