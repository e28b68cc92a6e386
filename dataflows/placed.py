"""Where the text of each section stands in a prompt, and what is around it."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..inputs.signals import canonical_json, canonical_tools
from .manifest import SectionRow
from .node_functions import block_node
from .order import Position
from .prompt import Prompt


class Placed(NamedTuple):
    """One open section of a prompt.

    Attributes:
        key: Its identity: the name, and how many of that name stand before it.
        row: Its manifest row.
        position: Where the flow's order has it; texts of a list share one.
        own: Its text without glue and wrappers.
        own_start: Where that text starts, in UTF-8 bytes of the block texts one after another.
    """

    key: tuple[str, int]
    row: SectionRow
    position: Position
    own: str
    own_start: int


def placed_sections(prompt: Prompt) -> Iterator[Placed]:
    """Yield the open sections of a prompt in reading order."""
    flow = prompt.session.flow
    rows = iter([row for row in prompt.manifest.sections if row.open])
    seen: Counter[str] = Counter()
    start = 0
    for block in flow.blocks:
        positions = [p for p in flow.positions if p.block is block]
        for segment in prompt.value(block_node(block.name)).segments:
            if segment.kind == "text":
                row = next(rows)
                key = (row.name, seen[row.name])
                seen[row.name] += 1
                yield Placed(key, row, positions[segment.owner], segment.text, start)
            start += len(segment.text.encode())


def tools_text(prompt: Prompt) -> str:
    """Return the tool table as the wire holds it; empty when there are no tools."""
    tools = prompt.session.signals.tools
    return canonical_json(canonical_tools(tools)) if tools else ""
