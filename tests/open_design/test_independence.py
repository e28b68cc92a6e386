"""One gate at a time: what it closes, and what it leaves alone."""

import pytest
from open_design_flows import flow
from open_design_pages import SCENARIOS, section_names

NAMES = section_names()
GATES = sorted({gate.name for name in NAMES for gate in flow().gates_of(name)})


@pytest.mark.parametrize("gate", GATES)
def test_a_closed_gate_takes_its_sections_and_no_other(gate: str) -> None:
    """By override in a scenario in which one of its sections is open."""
    built = flow()
    own = [name for name in NAMES if gate in {one.name for one in built.gates_of(name)}]
    nodes = [f"{name}_text" for name in NAMES]
    for signals in SCENARIOS.values():
        prompt = built.compose(signals)
        before = {node: prompt.value(node) for node in nodes}
        if any(before[f"{name}_text"] for name in own):
            break
    else:
        pytest.fail(f"no scenario opens a section of {gate}")
    after = built.driver.execute(nodes, inputs=built.inputs(**signals), overrides={gate: False})
    for node in nodes:
        if node.removesuffix("_text") in own:
            assert not after[node]
        elif gate not in built.graph.upstream[node]:
            assert after[node] == before[node]
