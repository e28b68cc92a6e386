"""The lint names each contradiction of the original's gates for the given signals."""

from typing import Any

import pytest
from promptdag.dataflows.open_design_rules import RULES

from .flows import flow

CASES: list[tuple[str, dict[str, Any]]] = [
    ("OD001", {"skillMode": "image", "metadata": {"kind": "deck"}}),
    ("OD001", {"skillModes": ["image"]}),
    ("OD002", {"skillMode": "prototype", "skillModes": []}),
    ("OD003", {"mediaExecution": {"mode": "disabled"}}),
    ("OD004", {"streamFormat": "plain", "executionProfile": "filesystem"}),
]


def said(signals: dict[str, Any], gates: str = "original") -> list[str]:
    """Return the codes of the rules that find something."""
    prompt = flow("default", gates).compose(signals)
    found = []
    for rule in RULES:
        names = [name for name in rule.function.__annotations__ if name != "return"]
        if rule.function(**{name: prompt.value(name) for name in names}):
            found.append(rule.code)
    return found


@pytest.mark.parametrize(("code", "signals"), CASES)
def test_a_contradiction_is_named(code: str, signals: dict[str, Any]) -> None:
    """Each by its own code."""
    assert said(signals) == [code]


@pytest.mark.parametrize("signals", [{}, {"metadata": {"kind": "image"}}, {"skillMode": "deck"}])
def test_signals_without_contradiction_are_left_alone(signals: dict[str, Any]) -> None:
    """No rule speaks."""
    assert said(signals) == []


def test_the_consistent_gates_leave_no_hint_under_a_disabled_policy() -> None:
    """Decided from one fact."""
    assert said({"mediaExecution": {"mode": "disabled"}}, "consistent") == []


def test_the_flow_carries_the_rules() -> None:
    """So `promptdag lint open_design SIGNALS.json` asks them."""
    assert flow().lint_rules == RULES
