"""When sections open, and that each opens alone."""

import pytest
from promptdag.dataflows.assembly import BlockText

from .flows import FLOWS, built, golden_signals
from .gate_tables import TABLES


def gates(flow: str) -> list[str]:
    """Return the names of a flow's gates."""
    return [name for name, node in built(flow).graph.nodes.items() if node.kind == "gate"]


ALL_GATES = sorted({gate for flow in FLOWS for gate in gates(flow)})


def test_every_gate_has_a_truth_table_with_both_answers() -> None:
    """A gate without a table would be untested, a table without a gate is stale."""
    assert sorted(TABLES) == ALL_GATES
    assert [
        name for name, rows in TABLES.items() if {found for _, found in rows} != {True, False}
    ] == []


@pytest.mark.parametrize("name", ALL_GATES)
def test_a_gate_answers_as_its_table_says(name: str) -> None:
    """Every row is asked of the gate's own function."""
    node = next(built(flow).graph.nodes[name] for flow in FLOWS if name in gates(flow))
    for arguments, expected in TABLES[name]:
        assert node.function(**arguments) is expected, arguments


@pytest.mark.parametrize(
    ("custom", "actor", "kind"),
    [
        (None, None, "default"),
        ("", None, "default"),
        (" \n", None, "default"),
        ("Be brief.", None, "custom"),
        (None, "", "actor"),
        (" ", "Ada", "actor"),
    ],
)
def test_one_identity_speaks(custom: str | None, actor: str | None, kind: str) -> None:
    """A blank custom prompt is none; an actor is one even without a name."""
    choose = built("zcode").graph.nodes["identity_kind"].function
    assert choose(custom_system_prompt=custom, workflow_actor_name=actor) == kind


@pytest.mark.parametrize(
    ("flow", "gate"), [(flow, gate) for flow in FLOWS for gate in gates(flow)], ids=str
)
def test_closing_one_gate_takes_exactly_its_sections_bytes(flow: str, gate: str) -> None:
    """From `full`, by an override: what the gate does not open stays byte for byte.

    The section behind a gap at the start of a block loses the glue in front of it.
    """
    one = built(flow)
    signals = golden_signals(flow, "full")
    prompt = one.compose(signals)
    blocks = [f"{block.name}_block" for block in one.blocks]
    found = one.driver.execute(
        [*blocks, *gates(flow)], inputs=one.inputs(**signals), overrides={gate: False}
    )
    shut = {name for name in gates(flow) if not found[name]}
    closed = {
        position.place.section.name
        for position in one.positions
        if shut & {found.name for found in one.gates_of(position.place.section.name)}
    }
    asking = {
        position.place.section.name
        for position in one.positions
        if gate in one.graph.upstream[f"{position.place.section.name}_text"]
    } - closed
    for block in one.blocks:
        before = prompt.value(f"{block.name}_block")
        places = [p.place.section.name for p in one.positions if p.block is block]
        gone = [number for number, name in enumerate(places) if name in closed | asking]
        after = found[f"{block.name}_block"]
        assert _texts(after, gone) == _texts(before, gone)
        assert not {places[s.owner] for s in after.segments if s.kind == "text"} & closed
        if asking & set(places):
            continue
        rows = [row for row in prompt.manifest.sections if row.block == block.name and row.open]
        left = [row.text for row in rows if _owner(row.name, row.parent, places) not in closed]
        if left and left[0] is rows[0].text and left[-1] is rows[-1].text:
            assert after.text == "".join(left)
        elif not left:
            assert after.text == ""


def _texts(block: BlockText, without: list[int]) -> list[str]:
    """Return the texts of a block's sections but for some, by their position."""
    return [s.text for s in block.segments if s.kind == "text" and s.owner not in without]


def _owner(name: str, parent: str | None, places: list[str]) -> str:
    """Return the section that a manifest row belongs to; a listed text has its own name."""
    if name in places:
        return name
    return "instructions" if parent is not None else "custom"


def test_the_gates_of_full_are_open_as_far_as_they_can_be_together() -> None:
    """What `full` cannot open are the identities that exclude the default one."""
    closed = {
        (flow, gate)
        for flow in FLOWS
        for gate in gates(flow)
        if not built(flow).compose(golden_signals(flow, "full")).value(gate)
    }
    others = {"custom_identity", "actor_identity", "actor_is_named", "actor_has_persona"}
    assert closed == {(flow, gate) for flow in ("zcode", "zcode_cache_first") for gate in others}
