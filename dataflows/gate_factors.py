"""The gates of an order as factors: each open or closed, alternatives one at a time."""

from collections.abc import Mapping
from dataclasses import dataclass

from .flow import PromptFlow
from .order import alternatives
from .pairwise import all_combinations, pairwise

Combination = Mapping[str, bool]
"""Whether each gate is open, by its name."""


@dataclass(frozen=True, slots=True)
class GateFactors:
    """The gates of a flow's order.

    Attributes:
        gates: The sections that each gate opens, in reading order.
        choices: For each factor, its choices; each says of some gates whether they are open.
    """

    gates: Mapping[str, tuple[str, ...]]
    choices: tuple[tuple[Combination, ...], ...]


def gate_factors(flow: PromptFlow) -> GateFactors:
    """Return the gates that open the sections of the blocks, and those that templates ask."""
    gates: dict[str, list[str]] = {}
    for position in flow.positions:
        section = position.place.section.name
        node = flow.graph.nodes[f"{section}_text"]
        for name in node.parameters:
            if name in flow.graph.nodes and flow.graph.nodes[name].kind == "gate":
                gates.setdefault(name, []).append(section)
    choices: list[tuple[Combination, ...]] = []
    taken: set[str] = set()
    for one in alternatives(flow.blocks):
        names = [spot.section.gates[0].name for spot in one.places]
        if taken.isdisjoint(names):
            taken.update(names)
            choices.append(tuple({n: n == opened for n in names} for opened in names))
    choices += [({name: True}, {name: False}) for name in gates if name not in taken]
    return GateFactors({name: tuple(own) for name, own in gates.items()}, tuple(choices))


def gate_combinations(factors: GateFactors, most: int) -> tuple[list[Combination], bool]:
    """Return combinations of open and closed gates, and whether these are all.

    Args:
        factors: The gates.
        most: Up to so many combinations all are returned; else those in which every pair of
            choices occurs, with all open and all closed, which may be fewer or, at the limit, cut.
    """
    counts = [len(one) for one in factors.choices]
    rows = all_combinations(counts, most)
    exhaustive = rows is not None
    if rows is None:
        ends = [tuple(0 for _ in counts), tuple(count - 1 for count in counts)]
        alone = [tuple(int(a == b) for b in range(len(counts))) for a in range(len(counts))]
        rows = list(dict.fromkeys([*ends, *alone, *pairwise(counts, most)]))
    return [_joined(factors, row) for row in rows], exhaustive


def _joined(factors: GateFactors, row: tuple[int, ...]) -> Combination:
    joined: dict[str, bool] = {}
    for choices, choice in zip(factors.choices, row, strict=True):
        joined |= choices[choice]
    return joined
