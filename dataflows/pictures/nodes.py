"""One node and one edge of a picture."""

from dataclasses import dataclass
from typing import Literal

from ..graph import Tier

PictureKind = Literal[
    "signal", "fact", "gate", "section", "block", "fingerprint", "fragment", "bundle", "message"
]
Level = Literal["stable", "turn"]


@dataclass(frozen=True, slots=True)
class PictureNode:
    """One node of a picture.

    Attributes:
        name: The name of the graph's node or signal.
        label: What people call it: a section without `_text`, a signal by its dotted path.
        kind: What it is.
        tier: How often it can change.
        theme: The module that declares it, by its last name; empty for what none declares.
        position: A section's place in the prompt, a fragment's in its declaration; from 1.
        holder: The block or bundle that it stands in, by its node's name; else empty.
        nested: Whether it is a part of another section.
        marks: Short words: a target, a cache mark, a priority.
        drifts: Whether the source of a session signal can move within a session.
        state: With signals given: `open`, `closed`, `blank`, or what became of a fragment.
        collapsed: The sections that this row stands for; empty for all others.
        doc: Its docstring or description, in one line.
    """

    name: str
    label: str
    kind: PictureKind
    tier: Tier
    theme: str = ""
    position: int | None = None
    holder: str = ""
    nested: bool = False
    marks: tuple[str, ...] = ()
    drifts: bool = False
    state: str = ""
    collapsed: tuple[str, ...] = ()
    doc: str = ""

    @property
    def element_id(self) -> str:
        """The id of its element in a drawn picture; it stays while the name does."""
        return f"node-{self.name}"

    @property
    def places(self) -> str:
        """Its place in words, or the range of places that it stands for; empty without one."""
        if self.position is None:
            return ""
        last = self.position + len(self.collapsed) - 1
        return f"{self.position}-{last}" if self.collapsed else str(self.position)

    @property
    def side(self) -> Level:
        """The subgraph that it belongs to."""
        transient = self.tier == "turn" or self.kind in ("fragment", "bundle", "message")
        return "turn" if transient else "stable"


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """One node needs another: `source` reaches `target`."""

    source: str
    target: str

    @property
    def element_id(self) -> str:
        """The id of its element in a drawn picture."""
        return f"edge-{self.source}--{self.target}"
