"""Golden cases of zcode's flows: `golden/{flow}/{case}/signals.json`, the outputs beside it."""

import json
from pathlib import Path

import pytest

from .flows import FLOWS, built, golden_cases, golden_signals

CASES = golden_cases()


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_golden_case_comes_out_byte_for_byte(path: Path, accept: bool) -> None:
    """Wording is behaviour: a change of one byte is seen and accepted by hand."""
    prompt = built(path.parent.name).compose(golden_signals(path.parent.name, path.name))
    outputs = {"prompt.txt": prompt.text.encode()}
    if prompt.messages:
        messages = json.dumps(prompt.messages, ensure_ascii=False, indent=1) + "\n"
        outputs["messages.json"] = messages.encode()
    if accept:
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
