"""Golden cases of zcode: `tests/golden/{flow}/{case}/signals.json`, the outputs beside it."""

import json
from pathlib import Path

import pytest

from .flows import FLOWS, GOLDEN, built, golden_signals

CASES = sorted(path.parent for flow in FLOWS for path in GOLDEN.glob(f"{flow}/*/signals.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_golden_case_comes_out_byte_for_byte(path: Path, request: pytest.FixtureRequest) -> None:
    """Wording is behaviour: a change of one byte is seen and accepted by hand."""
    prompt = built(path.parent.name).compose(golden_signals(path.parent.name, path.name))
    messages = json.dumps(prompt.messages, ensure_ascii=False, indent=1) + "\n"
    outputs = {"prompt.txt": prompt.text.encode(), "messages.json": messages.encode()}
    if request.config.getoption("--accept", default=False):
        for name, data in outputs.items():
            (path / name).write_bytes(data)
    kept = {one.name: one.read_bytes() for one in path.iterdir() if one.name != "signals.json"}
    assert kept == outputs


@pytest.mark.parametrize("flow", FLOWS)
def test_every_flow_has_a_full_and_a_bare_case(flow: str) -> None:
    """The two ends: all that can be open together, and the least."""
    assert {"full", "bare"} <= {path.name for path in CASES if path.parent.name == flow}


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_plan_and_driver_compose_the_same(path: Path) -> None:
    """The hot path gives what Hamilton gives."""
    flow, signals = built(path.parent.name), golden_signals(path.parent.name, path.name)
    names = [*(f"{block.name}_block" for block in flow.blocks), "messages"]
    prompt = flow.compose(signals)
    found = flow.driver.execute(names, inputs=flow.inputs(**signals))
    assert found == {name: prompt.value(name) for name in names}
