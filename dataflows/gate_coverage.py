"""Gate coverage: what stands beside what when gates open and close, whatever the signals say."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..inputs.errors import NodeError
from ..inputs.signals import SessionSignals
from ..inputs.tokens import CachedCounter, TokenCounter, default_counter
from .flow import PromptFlow
from .gate_factors import Combination, GateFactors, gate_combinations, gate_factors
from .node_functions import block_node
from .seams import Fault, FaultKind, block_faults
from .signal_files import merged
from .signal_space import signal_space

if TYPE_CHECKING:
    import pandas as pd

MAX_COMBINATIONS = 256


@dataclass(frozen=True, slots=True)
class GateRow:
    """One gate of the order.

    Attributes:
        gate: The gate.
        sections: The sections that it opens.
        opened: In how many combinations that could be composed it was open.
        closed: In how many it was closed.
    """

    gate: str
    sections: tuple[str, ...]
    opened: int
    closed: int


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault, however many combinations show it.

    Attributes:
        kind: What is wrong.
        block: The block.
        sections: The sections at the place, in reading order.
        found: What stands there.
        count: How many combinations show it.
        closed: The gates that are closed in the first of them.
    """

    kind: FaultKind
    block: str
    sections: tuple[str, ...]
    found: str
    count: int
    closed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GateCoverage:
    """What was found while gates were opened and closed.

    Attributes:
        flow: The flow's name.
        combinations: How many combinations were composed.
        exhaustive: Whether these are all; else every two gates were combined.
        impossible: For each node that failed, how many combinations it made impossible: a section
            was opened without the signals that its gate asks for.
        gates: One row a gate.
        faults: One row a fault.
    """

    flow: str
    combinations: int
    exhaustive: bool
    impossible: Mapping[str, int]
    gates: tuple[GateRow, ...]
    faults: tuple[FaultRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return asdict(self)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row a fault; the columns are `FaultRow`'s fields."""
        import pandas as pd

        columns = ["kind", "block", "sections", "found", "count", "closed"]
        return pd.DataFrame([asdict(row) for row in self.faults], columns=columns)

    def text(self) -> str:
        """Return one line a gate, one a fault, and a line that counts."""
        lines = [
            f"{row.gate}: opens {', '.join(row.sections)}; {row.opened} open, {row.closed} closed"
            for row in self.gates
        ]
        lines += [
            f"{row.block}: [{row.kind}] {row.found} at {' | '.join(row.sections) or 'the block'}"
            f" ({row.count} of {self.combinations}; closed: {', '.join(row.closed) or 'none'})"
            for row in self.faults
        ]
        reach = "all combinations" if self.exhaustive else "every pair of gates"
        lost = "".join(f"; {n} impossible: {node} failed" for node, n in self.impossible.items())
        lines.append(
            f"{self.flow}: {len(self.faults)} faults in {self.combinations} combinations "
            f"({reach} of {len(self.gates)} gates){lost}"
        )
        return "\n".join(lines)


def gate_coverage(
    flow: PromptFlow,
    signals: Mapping[str, Any] | None = None,
    *,
    max_combinations: int = MAX_COMBINATIONS,
    min_tokens: int = 0,
    counter: TokenCounter | None = None,
) -> GateCoverage:
    """Open and close the gates of a flow's sections by override, and check what then stands.

    Alternatives of a `one_of` are one factor: exactly one of them is open.

    Args:
        flow: The flow.
        signals: The signals beneath the combinations. What they leave empty is made up, so that
            an opened section has text; blanks around texts are cut, being no fault of a seam.
        max_combinations: Up to so many combinations all are tried, else every pair of gates.
        min_tokens: The fewest tokens up to a block's cache mark; 0 for no minimum.
        counter: Counts tokens; `None` for the exact offline counter.

    Raises:
        pydantic.ValidationError: The signals do not fit the flow.
        NodeError: A node failed with the signals as they are.
    """
    bases = _bases(flow, signals)
    factors = gate_factors(flow)
    combinations, exhaustive = gate_combinations(factors, max_combinations)
    counting = _Counting(flow, min_tokens, CachedCounter(counter or default_counter()))
    impossible: Counter[str] = Counter()
    composed: list[Combination] = []
    for combination in combinations:
        try:
            values = _composed(flow, bases, combination)
        except NodeError as error:
            impossible[error.node] += 1
            continue
        composed.append(combination)
        counting.add(combination, values)
    rows = tuple(_gate_rows(factors, composed))
    faults = (*counting.rows(), *_not_covered(rows))
    return GateCoverage(flow.name, len(composed), exhaustive, dict(impossible), rows, faults)


def _bases(flow: PromptFlow, signals: Mapping[str, Any] | None) -> list[SessionSignals]:
    """Return the signals to put beneath a combination: given ones filled up, else made ones."""
    space = signal_space(flow)
    rich = next((one for one in space.tried if one.origin == "every signal rich"), space.richest)
    made = [one.prompt.session.signals for one in (rich, space.richest)]
    if signals is None:
        return made
    given = merged(flow, _without_edges(signals))
    told = {name: value for name, value in given.items() if value not in (None, "", [], {})}
    bases = [flow.compose(given).session.signals, *made]
    try:
        return [flow.compose({**rich.signals, **told}).session.signals, *bases]
    except ValidationError:
        return bases  # the made signals and the given ones exclude each other


def _without_edges(value: Any) -> Any:
    """Return data without the blanks around its texts, which would look like blanks of seams."""
    match value:
        case str():
            return value.strip()
        case Mapping():
            return {key: _without_edges(one) for key, one in value.items()}
        case list() | tuple():
            return [_without_edges(one) for one in value]
    return value


def _composed(
    flow: PromptFlow, bases: list[SessionSignals], combination: Combination
) -> dict[str, Any]:
    """Return the values of a combination over the first signals under which no node fails."""
    failed: NodeError | None = None
    for signals in bases:
        try:
            return values_with(flow, signals, combination)
        except NodeError as error:
            failed = failed or error
    assert failed is not None
    raise failed


def _gate_rows(factors: GateFactors, composed: list[Combination]) -> Iterator[GateRow]:
    for gate, sections in factors.gates.items():
        opened = sum(one[gate] for one in composed)
        yield GateRow(gate, sections, opened, len(composed) - opened)


def _not_covered(rows: tuple[GateRow, ...]) -> Iterator[FaultRow]:
    for row in rows:
        if not row.opened or not row.closed:
            found = (
                f"gate {row.gate!r} could be composed {'closed' if row.closed else 'open'} alone"
            )
            yield FaultRow("not covered", "-", row.sections, found, 0, ())


class _Counting:
    """Collects faults over combinations, equal ones in one row."""

    def __init__(self, flow: PromptFlow, min_tokens: int, counter: TokenCounter) -> None:
        self._flow = flow
        self._min_tokens = min_tokens
        self._counter = counter
        self._rows: dict[Fault, FaultRow] = {}

    def add(self, combination: Combination, values: Mapping[str, Any]) -> None:
        closed = tuple(gate for gate, opened in combination.items() if not opened)
        for fault in self._faults(values):
            key = replace(fault, found="") if fault.kind == "below minimum" else fault
            row = self._rows.get(key)
            if row is None:
                place = (fault.kind, fault.block, fault.sections, fault.found)
                self._rows[key] = FaultRow(*place, 1, closed)
            else:
                self._rows[key] = replace(row, count=row.count + 1)

    def rows(self) -> tuple[FaultRow, ...]:
        return tuple(self._rows.values())

    def _faults(self, values: Mapping[str, Any]) -> Iterator[Fault]:
        seen: dict[str, str] = {}
        tokens = 0
        for block in self._flow.blocks:
            sections = [p.place.section.name for p in self._flow.positions if p.block is block]
            written = values[block_node(block.name)]
            yield from block_faults(block, sections, written, seen)
            tokens += sum(self._counter.count(segment.text) for segment in written.segments)
            if block.cache_control and written.text and tokens < self._min_tokens:
                found = f"about {tokens} tokens up to the mark, the minimum is {self._min_tokens}"
                yield Fault("below minimum", block.name, (), found)


def values_with(
    flow: PromptFlow, signals: SessionSignals, overrides: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of all session nodes, with those of some nodes given.

    Args:
        flow: The flow.
        signals: Validated session signals.
        overrides: Values by node name.

    Raises:
        NodeError: A node failed.
    """
    values: dict[str, Any] = {}
    for name, step in flow.session_steps.items():
        if name in overrides:
            values[name] = overrides[name]
            continue
        given = {
            parameter: values[parameter]
            if parameter in flow.session_index
            else flow.graph.signals[parameter].value(signals)
            for parameter in step.parameters
        }
        try:
            values[name] = step.function(**given)
        except Exception as error:
            raise NodeError(flow.name, name, error) from error
    return values
