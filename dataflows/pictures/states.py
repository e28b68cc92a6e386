"""What given signals make of a flow's nodes: open, closed, blank, kept, cut, dropped."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..node_functions import text_node
from ..transient import BUNDLE
from .nodes import PictureNode

if TYPE_CHECKING:
    from ..prompt import Prompt


def states_of(prompt: "Prompt", nodes: Iterable[PictureNode]) -> dict[str, str]:
    """Return the state of each gate, section, block and fragment, by the node's name.

    Nodes of a turn have none when the prompt was made without one.
    """
    flow = prompt.session.flow
    with_turn = prompt.has_turn
    gates = {
        text_node(position.place.section): flow.gates_of(position.place.section.name)
        for position in flow.positions
    }
    fates = _fates(prompt) if with_turn and flow.transient else {}
    states: dict[str, str] = {}
    for node in nodes:
        if node.tier == "turn" and not with_turn:
            continue
        if node.kind == "gate":
            states[node.name] = "open" if prompt.value(node.name) else "closed"
        elif node.kind == "section":
            asked = [prompt.value(one.name) for one in gates.get(node.name, ())]
            states[node.name] = _section_state(prompt.value(node.name), all(asked))
        elif node.kind == "block":
            states[node.name] = "open" if prompt.value(node.name).text else "blank"
        elif node.kind == "fragment" and with_turn:
            states[node.name] = _fragment_state(prompt.value(node.name), fates)
    return states


def _section_state(text: Any, gates_open: bool) -> str:
    if text:
        return "open"
    return "blank" if gates_open else "closed"


def _fates(prompt: "Prompt") -> dict[str, str]:
    report = prompt.value(BUNDLE).report
    kept = {one.id: "cut" if one.cut else "kept" for one in report.included}
    return kept | {one.id: "dropped" for one in report.omitted}


def _fragment_state(fragments: Any, fates: dict[str, str]) -> str:
    found = [fates[one.id] for one in fragments]
    if len(found) < 2:
        return found[0] if found else "closed"
    counts = {fate: found.count(fate) for fate in ("kept", "cut", "dropped") if fate in found}
    return ", ".join(f"{number} {fate}" for fate, number in counts.items())
