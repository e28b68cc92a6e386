"""The catalogue of a flow: each section, where it stands, when it opens, what it reads."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from .flow import PromptFlow
from .node_functions import text_node

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """One section of a flow.

    Attributes:
        order: The position, counted from 1.
        name: The section's name.
        block: The block that it stands in.
        target: The block's target.
        cache: The cache hint.
        tier: How often it can change, computed from the signals that reach it.
        gate: The gates that open it, joined by ` and `, or `None`.
        open_when: The gates in words, or `always`.
        signals: The signals that reach it, by their dotted names.
        parent: The section that it is a part of, or `None`.
    """

    order: int
    name: str
    block: str
    target: str
    cache: str
    tier: str
    gate: str | None
    open_when: str
    signals: tuple[str, ...]
    parent: str | None


def catalogue(flow: PromptFlow) -> tuple[CatalogueRow, ...]:
    """Return the sections of a flow in reading order."""
    rows = []
    for order, position in enumerate(flow.positions, start=1):
        section = position.place.section
        gates = flow.gates_of(section.name)
        node = text_node(section)
        rows.append(
            CatalogueRow(
                order,
                section.name,
                position.block.name,
                position.block.target,
                position.place.cache or position.block.cache,
                flow.graph.tier(node),
                " and ".join(one.name for one in gates) or None,
                " And: ".join(" ".join(one.doc.split()) for one in gates) or "always",
                tuple(flow.graph.signals[name].dotted for name in flow.graph.signals_of(node)),
                position.parent.section.name if position.parent else None,
            )
        )
    return tuple(rows)


def catalogue_frame(flow: PromptFlow) -> "pd.DataFrame":
    """Return the catalogue as a table, one row a section; the columns are `CatalogueRow`'s."""
    import pandas as pd

    return pd.DataFrame([asdict(row) for row in catalogue(flow)]).set_index("order")
