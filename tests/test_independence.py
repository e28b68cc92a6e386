"""From a prompt as full as can be, one gate is closed: exactly what it opens goes."""

import json
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.assembly import BlockText
from promptdag.dataflows.transient import fragment_node

from .flows import FLOWS, FlowCase, built

GOLDEN = Path(__file__).parent / "golden"


def full(case: FlowCase) -> dict[str, Any]:
    """Return the signals of the flow's full case."""
    found: dict[str, Any] = json.loads((GOLDEN / case.name / "full" / "signals.json").read_text())
    return found


def fullest(case: FlowCase, gate: str) -> dict[str, Any]:
    """Return the signals of the full case; of another, where the gate opens nothing in it."""
    flow = built(case.name)
    sections = [position.place.section.name for position in flow.positions]
    nodes = [f"{name}_text" for name in sections if opens(flow, gate, name)]
    folders = {path.parent for path in GOLDEN.glob(f"{case.name}/*/prompt.txt")}
    for folder in sorted(folders, key=lambda one: (one.name != "full", one.name)):
        signals: dict[str, Any] = json.loads((folder / "signals.json").read_text("utf-8"))
        prompt = flow.compose(signals)
        if prompt.value(gate) and any(prompt.value(node) for node in nodes):
            return signals
    pytest.fail(f"gate {gate} opens nothing in any golden case")


def section_gates(flow: PromptFlow) -> list[str]:
    """Return the gates that open whole sections, each once."""
    names: dict[str, None] = {}
    for position in flow.positions:
        names |= dict.fromkeys(one.name for one in flow.gates_of(position.place.section.name))
    return list(names)


CASES = [
    pytest.param(case, gate, id=f"{case.name}.{gate}")
    for case in FLOWS
    for gate in section_gates(built(case.name))
]


@pytest.mark.parametrize(("case", "gate"), CASES)
def test_closing_one_gate_takes_exactly_its_sections_away(case: FlowCase, gate: str) -> None:
    """Every other text stays, and of the glue only what stood around the section goes.

    A text that reads the gate otherwise, in its template or by another gate, may change.
    """
    flow = built(case.name)
    signals = fullest(case, gate)
    prompt = flow.compose(signals)
    nodes = [f"{block.name}_block" for block in flow.blocks]
    inputs = flow.inputs(**signals)
    closed = flow.driver.execute(nodes, inputs=inputs, overrides={gate: False})
    gone_in_all = 0
    for block, node in zip(flow.blocks, nodes, strict=True):
        sections = [one.place.section.name for one in flow.positions if one.block is block]
        gated = [number for number, name in enumerate(sections) if opens(flow, gate, name)]
        asking = [
            number
            for number, name in enumerate(sections)
            if f"{name}_text" in flow.graph.downstream[gate] and number not in gated
        ]
        before, after = (
            [one for one in texts_of(text) if one[0] not in asking]
            for text in (prompt.value(node), closed[node])
        )
        assert after == [one for one in before if one[0] not in gated]
        gone = [one for one in before if one[0] in gated]
        gone_in_all += len(gone)
        if not asking and are_neighbours([number for number, _ in before], gated):
            assert is_cut(prompt.value(node).text, closed[node].text, gone)
    assert gone_in_all


def opens(flow: PromptFlow, gate: str, section: str) -> bool:
    """Whether a gate opens a section, or the section that it is a part of."""
    return gate in [one.name for one in flow.gates_of(section)]


def texts_of(block: BlockText) -> list[tuple[int, str]]:
    """Return the owner and text of each segment that is no glue."""
    return [(one.owner, one.text) for one in block.segments if one.kind == "text"]


def are_neighbours(owners: list[int], gated: list[int]) -> bool:
    """Whether what a gate opens stands in one run."""
    places = [place for place, owner in enumerate(owners) if owner in gated]
    return places == list(range(places[0], places[-1] + 1)) if places else True


def is_cut(before: str, after: str, gone: list[tuple[int, str]]) -> bool:
    """Whether one text is the other with one run cut out, which holds what is gone."""
    pairs = enumerate(zip(before, after, strict=False))
    start = next((place for place, (one, other) in pairs if one != other), len(after))
    end = start + len(before) - len(after)
    around = sum(len(text) for _, text in gone)
    return before[:start] + before[end:] == after and end - start >= around


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_gate_that_a_template_asks_changes_only_its_section(case: FlowCase) -> None:
    """Turned round by override, nothing else moves but what asks it."""
    flow = built(case.name)
    texts = [f"{position.place.section.name}_text" for position in flow.positions]
    texts += [fragment_node(one) for one in flow.transient.fragments] if flow.transient else []
    inputs = flow.inputs(**full(case))
    before = flow.driver.execute(texts, inputs=inputs)
    for name, node in flow.graph.nodes.items():
        if node.kind != "gate":
            continue
        value = flow.driver.execute([name], inputs=inputs)[name]
        after = flow.driver.execute(texts, inputs=inputs, overrides={name: not value})
        reached = set(flow.graph.downstream[name])
        assert {one for one in texts if before[one] != after[one]} <= reached
        assert reached & set(texts), f"gate {name} reaches no section"
