"""Golden cases: `tests/golden/{flow}/{case}/signals.json`, the output beside it, as bytes.

`pytest --accept` rewrites the outputs. A case whose signals are wrong has `error.txt` in place of
`prompt.txt`. `messages.json` stands beside the prompt where the flow composes messages.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from .flows import FLOWS, FlowCase, built

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.parent for path in GOLDEN.glob("*/*/signals.json"))


def _outputs(flow: str, signals: dict[str, Any]) -> dict[str, str]:
    """Return the text of each file that a case must have."""
    try:
        prompt = built(flow).compose(signals)
    except ValidationError as error:
        return {"error.txt": _listed(error)}
    outputs = {"prompt.txt": prompt.text}
    if prompt.messages:
        outputs["messages.json"] = json.dumps(prompt.messages, ensure_ascii=False, indent=1) + "\n"
    return outputs


def _listed(error: ValidationError) -> str:
    """Return the error without the addresses that hold pydantic's version."""
    found = error.errors(include_url=False)
    lines = [f"{'.'.join(map(str, one['loc']))}: {one['msg']} [{one['type']}]\n" for one in found]
    return "".join(lines)


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_golden_case_comes_out_byte_for_byte(case: Path, accept: bool) -> None:
    """Wording is behaviour: a change of one byte is seen and accepted by hand."""
    signals = json.loads((case / "signals.json").read_text(encoding="utf-8"))
    outputs = _outputs(case.parent.name, signals)
    if accept:
        for stale in case.iterdir():
            if stale.name != "signals.json" and stale.name not in outputs:
                stale.unlink()
        for name, text in outputs.items():
            (case / name).write_bytes(text.encode())
    kept = {path.name: path.read_bytes() for path in case.iterdir() if path.name != "signals.json"}
    assert kept == {name: text.encode() for name, text in outputs.items()}


@pytest.mark.parametrize("flow", FLOWS, ids=str)
def test_a_flow_has_cases_with_each_gate_open_and_closed(
    flow: FlowCase,
) -> None:
    """`full` opens all gates that can be open together, `bare` none that can be closed.

    Alternatives exclude each other, so that each but one has a case of its own.
    """
    graph = built(flow.name).graph
    gates = [name for name, node in graph.nodes.items() if node.kind == "gate"]
    seen: dict[str, set[bool]] = {gate: set() for gate in gates}
    folders = [path for path in CASES if path.parent.name == flow.name]
    assert {"full", "bare"} <= {path.name for path in folders}
    for path in folders:
        if (path / "error.txt").exists():
            continue
        prompt = built(flow.name).compose(json.loads((path / "signals.json").read_text("utf-8")))
        for gate in gates:
            seen[gate].add(prompt.value(gate))
    assert {gate: found for gate, found in seen.items() if found != {True, False}} == {}


def test_every_golden_folder_belongs_to_a_flow() -> None:
    """A folder of a flow that is not in the list would never be compared."""
    assert {path.name for path in GOLDEN.iterdir()} == {flow.name for flow in FLOWS}
