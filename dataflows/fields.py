"""What each signal reaches, and what a change of it rewrites: by lineage, and by trying."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic_core import to_jsonable_python

from ..inputs.errors import NodeError, UnknownNameError, did_you_mean
from ..inputs.signals import Leaf
from ..inputs.tokens import TokenCounter, default_counter
from .candidates import RefusedError, candidate_values, changed_prompt, signal_values
from .diff import PromptDiff, diff_prompts
from .flow import PromptFlow
from .node_functions import text_node
from .overrides import section_node, sections_by_name
from .placed import Placed, placed_sections, tools_text
from .price import Price
from .prompt import Prompt
from .spans import section_spans

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One signal of a flow.

    Attributes:
        name: The dotted name.
        tier: `session` or `turn`.
        life: How long it stays as it is.
        drifts: Why its source can move within a session, or `None`.
        gates: The gates that it reaches.
        facts: The facts that it reaches.
        sections: The sections that it reaches, in reading order.
        blocks: The blocks that it reaches; never any for a turn signal.
        fingerprint: Whether it reaches the last fingerprint; always when it reaches any.
        path: A shortest path of nodes to that fingerprint.
        first_byte: Where a change can first show, in UTF-8 bytes of the block texts one after
            another; -1 for the tools in front of them; `None` without signals, or where a change
            of this signal alone shows nowhere.
        tokens_after: The tokens from there to the end of the prefix: what a change rewrites.
    """

    name: str
    tier: str
    life: str
    drifts: str | None
    gates: tuple[str, ...]
    facts: tuple[str, ...]
    sections: tuple[str, ...]
    blocks: tuple[str, ...]
    fingerprint: bool
    path: tuple[str, ...]
    first_byte: int | None
    tokens_after: int | None


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """What changing one session signal rewrites in a given session, by trying.

    Attributes:
        name: The signal's dotted name.
        value: The tried value that rewrites most; `None` also where none does.
        sections: The sections that it changes.
        first_byte: The first byte that differs; `None` where no tried value changes the prefix.
        rewritten_tokens: The tokens from there to the end.
        extra_usd: What they cost more than reading them.
        tried: How many values were tried.
        refused: How many of these the signal models do not allow, a node failed on, or change
            other signals too.
    """

    name: str
    value: Any
    sections: tuple[str, ...]
    first_byte: int | None
    rewritten_tokens: int
    extra_usd: float
    tried: int
    refused: int


Row = TypeVar("Row", FieldRow, WhatIfRow)


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """Rows of one answer.

    Attributes:
        flow: The flow's name.
        rows: One a signal.
    """

    flow: str
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """Return the row of a signal by its dotted name.

        Raises:
            UnknownNameError: There is none.
        """
        names = [one.name for one in self.rows]
        if name not in names:
            raise UnknownNameError(f"no signal {name!r}{did_you_mean(name, names)}")
        return self.rows[names.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data for JSON."""
        return dict(to_jsonable_python(asdict(self), fallback=str))

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a table; the columns are the fields of a row."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.rows]).set_index("name")

    def _repr_html_(self) -> str:
        from .answer_displays import fields_html  # only in notebooks

        return fields_html(self)


def fields(
    flow: PromptFlow,
    signals: Mapping[str, Any] | None = None,
    *,
    reaching: str | None = None,
    counter: TokenCounter | None = None,
) -> Table[FieldRow]:
    """Return what each signal reaches.

    Args:
        flow: The flow.
        signals: Session and turn signals together; without them there are no bytes and tokens.
        reaching: Only the signals that reach this node, section, or `fingerprint`; the path leads
            there.
        counter: Counts tokens; `None` for the exact offline counter.

    Raises:
        UnknownNameError: `reaching` names nothing.
        pydantic.ValidationError: The signals are wrong.
    """
    target = _target(flow, reaching)
    prompt = None if signals is None else flow.compose(signals)
    costs = None if prompt is None else _Costs(prompt, counter or default_counter())
    rows = [
        _field_row(flow, leaf, target, costs)
        for leaf in flow.graph.signals.values()
        if reaching is None or leaf.name in flow.graph.upstream[target]
    ]
    return Table(flow.name, tuple(rows))


def _target(flow: PromptFlow, reaching: str | None) -> str:
    known = sections_by_name(flow)
    if reaching in (None, "fingerprint"):
        return flow.last_fingerprint
    if reaching in flow.graph.nodes:
        return str(reaching)
    if reaching in known:
        return section_node(flow, known[reaching])
    names = (*flow.graph.nodes, *known, "fingerprint")
    hint = did_you_mean(str(reaching), names)
    raise UnknownNameError(f"flow {flow.name!r}: no node or section {reaching!r}{hint}")


def _field_row(flow: PromptFlow, leaf: Leaf, target: str, costs: "_Costs | None") -> FieldRow:
    graph = flow.graph
    below = graph.downstream[leaf.name]
    known = sections_by_name(flow).items()
    first, tokens = costs.of(leaf.name) if costs is not None else (None, None)
    kinds = {
        kind: tuple(name for name in below if graph.nodes[name].kind == kind)
        for kind in ("gate", "fact", "block")
    }
    return FieldRow(
        leaf.dotted,
        graph.tier(leaf.name),
        leaf.life,
        leaf.drifts,
        kinds["gate"],
        kinds["fact"],
        tuple(name for name, one in known if section_node(flow, one) in below),
        tuple(name.removesuffix("_block") for name in kinds["block"]),
        flow.last_fingerprint in below,
        graph.path(leaf.name, target) if target in below else (),
        first,
        tokens,
    )


class _Costs:
    """Finds where a change of a signal first shows in a prompt, and counts what follows."""

    def __init__(self, prompt: Prompt, counter: TokenCounter) -> None:
        self.prompt = prompt
        self.count = counter.count
        self.data = prompt.text.encode()
        self.placed = list(placed_sections(prompt))

    def of(self, name: str) -> tuple[int | None, int | None]:
        flow = self.prompt.session.flow
        if name == "tools":
            return -1, self.count(tools_text(self.prompt)) + self.count(self.prompt.text)
        if flow.last_fingerprint not in flow.graph.downstream[name]:
            return None, None
        offsets = [
            offset for offset in (self._open(name), self._closed(name)) if offset is not None
        ]
        if not offsets:
            return None, None
        first = min(offsets)
        return first, self.count(self.data[first:].decode())

    def _open(self, name: str) -> int | None:
        """Return the first byte of an open section that the signal can change."""
        flow = self.prompt.session.flow
        below, dotted = flow.graph.downstream[name], flow.graph.signals[name].dotted
        for one in self.placed:
            section = one.position.place.section
            if text_node(section) not in below:
                continue
            if any(gate.name in below for gate in flow.gates_of(section.name)):
                return one.row.start
            found = self._span(one, dotted)
            if found is not None:
                return found
        return None

    def _span(self, one: Placed, dotted: str) -> int | None:
        section = one.position.place.section
        own = one.own if section.many else None
        spans = section_spans(self.prompt, section, own)
        rest = "".join(span.text for span in spans if dotted not in span.signals)
        if not rest.strip():
            return one.row.start  # without this value the section is blank, and its glue goes too
        for span in spans:
            if dotted in span.signals:
                return one.own_start + len(one.own[: span.start].encode())
        return None

    def _closed(self, name: str) -> int | None:
        """Return where the first closed section would stand that this signal alone can open."""
        flow = self.prompt.session.flow
        below = flow.graph.downstream[name]
        sections = sections_by_name(flow)
        for row in self.prompt.manifest.sections:
            section = sections.get(row.name)
            if row.open or section is None or text_node(section) not in below:
                continue
            asked = [g.name for g in flow.gates_of(row.name) if g.name in flow.graph.nodes]
            if all(gate in below or self.prompt.value(gate) for gate in asked):
                return self._behind_text(row.start)
        return None

    def _behind_text(self, start: int) -> int:
        """Return the end of the last text before an offset: a wrapper may close behind it."""
        ends = [
            one.own_start + len(one.own.encode()) for one in self.placed if one.own_start < start
        ]
        return ends[-1] if ends else 0


def what_if(
    flow: PromptFlow,
    signals: Mapping[str, Any],
    *,
    cases: Iterable[Mapping[str, Any]] = (),
    price: Price | None = None,
    counter: TokenCounter | None = None,
) -> Table[WhatIfRow]:
    """Return what changing each session signal of a session rewrites, by trying values.

    Raises:
        pydantic.ValidationError: The signals are wrong.
    """
    prompt = flow.compose(signals).session.turnless()
    others = [signal_values(flow.compose(case)) for case in cases]
    values = signal_values(prompt)
    rows = []
    for name, leaf in flow.graph.signals.items():
        if leaf.turn:
            continue
        best: tuple[PromptDiff, Any] | None = None
        refused = 0
        candidates = candidate_values(flow, leaf, values[name], others)
        for value in candidates:
            try:
                other = changed_prompt(prompt, {name: value})
            except (RefusedError, NodeError):
                refused += 1
                continue
            if any(signal_values(other)[one] != values[one] for one in values if one != name):
                refused += 1  # an absent model above it brings other fields with it
                continue
            found = diff_prompts(prompt, other, price=price, counter=counter)
            if found.stable_changed and (
                best is None or found.rewritten_tokens > best[0].rewritten_tokens
            ):
                best = (found, value)
        rows.append(_what_if_row(leaf, best, len(candidates), refused))
    return Table(flow.name, tuple(rows))


def _what_if_row(
    leaf: Leaf, best: tuple[PromptDiff, Any] | None, tried: int, refused: int
) -> WhatIfRow:
    if best is None:
        return WhatIfRow(leaf.dotted, None, (), None, 0, 0.0, tried, refused)
    found, value = best
    sections = tuple(one.name for one in found.sections if one.change != "glue")
    return WhatIfRow(
        leaf.dotted,
        value,
        sections,
        found.first_byte,
        found.rewritten_tokens,
        found.extra_usd,
        tried,
        refused,
    )
