"""What differs between two snapshots of a flow."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .flips import Flip
from .views import CostView, FunctionView, ScenarioView, SectionView, Snapshot

SectionKind = Literal["added", "removed", "moved", "reworded", "gate", "place"]
Sign = Literal["appears", "disappears", "reworded", "moved", "same", "open", "closed"]


@dataclass(frozen=True, slots=True)
class DeclaredChange:
    """A section whose declaration differs.

    Attributes:
        kinds: What differs: `moved` stands elsewhere in the order, `reworded` has another
            template, `gate` other gates, `place` another block, target, cache hint or parent.
        before: As it was; `None` for an added one.
        after: As it is; `None` for a removed one.
    """

    name: str
    kinds: tuple[SectionKind, ...]
    before: SectionView | None
    after: SectionView | None


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """A gate or a fact that was added, removed or differs in words, code or effect.

    Attributes:
        sections: The sections that it reaches, on either side.
        flips: Of a gate: for whom it opens or closes.
    """

    name: str
    kind: Literal["gate", "fact"]
    before: FunctionView | None
    after: FunctionView | None
    sections: tuple[str, ...]
    flips: tuple[Flip, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """One node needs another, in the words of a reader: dotted signals, sections, blocks."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One section in one scenario.

    Attributes:
        sign: What became of it; without a base `open` or `closed`.
        before: Its text before, `None` while it was not open.
        after: Its text now.
        tokens: Its tokens now, or before where it has gone.
    """

    sign: Sign
    before: str | None
    after: str | None
    tokens: int


@dataclass(frozen=True, slots=True)
class ScenarioChange:
    """One scenario on both sides.

    Attributes:
        before: As it was; `None` without a base.
        after: As it is.
        cells: By section's name, in prompt order; of texts that a caller adds, by theirs.
        first_byte: The first byte of the prefix that differs; `None` when it is the same.
        rewritten_tokens: The tokens from there to the end, which no cache holds.
        rewritten_from_mark: Those from the last cache mark in front of it: what a provider writes
            that caches up to marks.
        billed_tokens: Those that its provider caches and writes again, from the change or from the
            mark on, as it caches.
        rewritten_usd: What writing them costs more than reading them, once for each session.
    """

    name: str
    before: ScenarioView | None
    after: ScenarioView
    cells: dict[str, Cell]
    first_byte: int | None
    rewritten_tokens: int
    rewritten_from_mark: int
    billed_tokens: int
    rewritten_usd: float | None

    @property
    def changed(self) -> bool:
        """Whether the prefix differs."""
        return self.before is not None and self.before.fingerprint != self.after.fingerprint

    def named(self, *signs: Sign) -> tuple[str, ...]:
        """Return the sections with one of these signs."""
        return tuple(name for name, cell in self.cells.items() if cell.sign in signs)

    def cost(self, side: Literal["before", "after"]) -> CostView | None:
        """Return the cost on a side, where it is known."""
        shown = self.before if side == "before" else self.after
        return shown.cost if shown is not None else None


@dataclass(frozen=True, slots=True)
class Review:
    """A flow, and with a base what differs from it.

    Attributes:
        before: The base, or `None`.
        after: The flow as it is.
        rows: The names of the matrix's rows in prompt order, removed sections where they stood.
        sections: The sections whose declaration differs, in the order of `rows`.
        functions: The gates, then the facts that differ.
        edges_gained: What newly needs what.
        edges_lost: What no longer needs what.
        notes: Changes of blocks and signals in words, and what a reader must know of the review.
        flips: By section: for whom it appears or disappears, whatever the cause.
        tried: How many inputs both sides were tried with.
    """

    before: Snapshot | None
    after: Snapshot
    rows: tuple[str, ...]
    scenarios: tuple[ScenarioChange, ...]
    sections: tuple[DeclaredChange, ...] = ()
    functions: tuple[FunctionChange, ...] = ()
    edges_gained: tuple[Edge, ...] = ()
    edges_lost: tuple[Edge, ...] = ()
    notes: tuple[str, ...] = ()
    flips: Mapping[str, tuple[Flip, ...]] = field(default_factory=dict)
    tried: int = 0

    @property
    def changed(self) -> bool:
        """Whether anything differs from the base."""
        return self.before is not None and bool(
            self.sections
            or self.functions
            or self.edges_gained
            or self.edges_lost
            or any(one.changed for one in self.scenarios)
        )

    @property
    def gates(self) -> tuple[FunctionChange, ...]:
        """The gates among the functions that differ."""
        return tuple(one for one in self.functions if one.kind == "gate")
