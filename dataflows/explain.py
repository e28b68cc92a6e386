"""Why a section is there or not, where it stands, and where each stretch of its text comes from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from pydantic_core import to_jsonable_python

from ..inputs.errors import NodeError, UnknownNameError, did_you_mean
from ..sections.declare import Section
from .candidates import RefusedError, candidate_values, changed_prompt, signal_values
from .flow import PromptFlow
from .overrides import section_node, sections_by_name
from .placed import placed_sections
from .prompt import Prompt
from .spans import Span, section_spans

if TYPE_CHECKING:
    import pandas as pd

NO_VALUE = "—"
"""Stands for a value where no signals were given."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A gate, fact or signal that a section depends on.

    Attributes:
        name: The node's name; of a signal the dotted one.
        kind: `gate`, `fact` or `signal`.
        words: What it says of itself.
        value: Its value; `NO_VALUE` where no signals were given.
    """

    name: str
    kind: str
    words: str
    value: Any


@dataclass(frozen=True, slots=True)
class Flip:
    """A change of signals that would open a closed section, or close an open one.

    Attributes:
        changes: The new values by the signals' dotted names; empty when none was found, which
            does not make it impossible.
        tried: How many changes were tried.
        refused: How many of these the signal models do not allow, or a node failed on.
    """

    changes: Mapping[str, Any]
    tried: int
    refused: int

    @property
    def found(self) -> bool:
        """Whether a change was found."""
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a section is there or not.

    Attributes:
        flow: The flow's name.
        section: The section's name.
        reason: In a sentence, why it is there or not.
        open: Whether it has text; `None` where no signals were given.
        tier: How often it can change.
        block: The block, or `bundle` for a piece of turn context.
        parent: The section that it is a part of.
        order: Its place in the flow, counted from 1.
        before: The section in front of it, open or not; `None` at the beginning.
        after: The section behind it.
        open_before: The nearest open section in front of it.
        open_after: The nearest open section behind it.
        start: Its first byte in the block texts one after another, glue included.
        end: Its end.
        answers: The gates, then facts and signals that reach it.
        flip: What would open or close it; `None` where no signals were given.
        spans: The origin of each stretch of its text.
    """

    flow: str
    section: str
    reason: str
    open: bool | None
    tier: str
    block: str
    parent: str | None
    order: int
    before: str | None
    after: str | None
    open_before: str | None
    open_after: str | None
    start: int | None
    end: int | None
    answers: tuple[Answer, ...]
    flip: Flip | None
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """Its text, without glue and wrappers."""
        return "".join(span.text for span in self.spans)

    def of(self, kind: str) -> tuple[Answer, ...]:
        """Return the answers of a kind: `gate`, `fact` or `signal`."""
        return tuple(one for one in self.answers if one.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data for JSON."""
        plain = to_jsonable_python(asdict(self) | {"text": self.text}, fallback=str)
        return dict(plain)

    def to_frame(self) -> "pd.DataFrame":
        """Return gates, facts and signals as a table; the columns are `Answer`'s fields."""
        import pandas as pd

        columns = list(Answer.__dataclass_fields__)
        return pd.DataFrame([asdict(one) for one in self.answers], columns=columns)

    def _repr_html_(self) -> str:
        from .answer_displays import explanation_html  # only in notebooks

        return explanation_html(self)


def explain(
    flow: PromptFlow,
    section: str,
    signals: Mapping[str, Any] | None = None,
    *,
    cases: Iterable[Mapping[str, Any]] = (),
    max_tried: int = 500,
) -> Explanation:
    """Return why a section is there or not.

    Args:
        flow: The flow.
        section: The section's name; a piece of turn context has the name of its function.
        signals: Session and turn signals together; without them there are no values.
        cases: Other sets of signals, whose values are tried as well.
        max_tried: How many changes the search for a flip may try.

    Raises:
        UnknownNameError: The flow has no such section; it names the nearest.
        pydantic.ValidationError: The signals are wrong.
    """
    known = sections_by_name(flow)
    if section not in known:
        raise UnknownNameError(
            f"flow {flow.name!r}: no section {section!r}{did_you_mean(section, known)}"
        )
    declared = known[section]
    prompt = None if signals is None else flow.compose(signals)
    node = section_node(flow, declared)
    answers = tuple(_answers(flow, node, prompt))
    order = list(known)
    place = order.index(section)
    flip = None
    if prompt is not None:
        tried = [signal_values(flow.compose(case)) for case in cases]
        flip = find_flip(prompt, declared, tried, max_tried)
    position = next((p for p in flow.positions if p.place.section is declared), None)
    return Explanation(
        flow.name,
        section,
        _reason(flow, declared, prompt),
        None if prompt is None else bool(prompt.value(node)),
        flow.graph.tier(node),
        position.block.name if position else "bundle",
        position.parent.section.name if position and position.parent else None,
        place + 1,
        order[place - 1] if place else None,
        order[place + 1] if place + 1 < len(order) else None,
        *_neighbours(flow, order, place, prompt),
        *_range(prompt, declared),
        answers,
        flip,
        _spans(prompt, declared),
    )


def find_flip(
    prompt: Prompt, section: Section, cases: list[dict[str, Any]], max_tried: int
) -> Flip:
    """Search a change of one signal, then of two, that opens or closes a section."""
    flow = prompt.session.flow
    node = section_node(flow, section)
    now = bool(prompt.value(node))
    tried = refused = 0
    for changes in _changes(flow, node, signal_values(prompt), cases):
        if tried == max_tried:
            break
        tried += 1
        try:
            other = changed_prompt(prompt, changes)
        except (RefusedError, NodeError):
            refused += 1
            continue
        if bool(other.value(node)) != now:
            # A model that was absent brings other fields with it: all that differs is named.
            old, new = signal_values(prompt), signal_values(other)
            differ = [name for name in new if new[name] != old[name]]
            dotted = {flow.graph.signals[name].dotted: new[name] for name in differ}
            return Flip(dotted, tried, refused)
    return Flip({}, tried, refused)


def _changes(
    flow: PromptFlow, node: str, values: dict[str, Any], cases: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    leaves = flow.graph.signals
    reaching = (name for name in flow.graph.signals_of(node) if name in values)
    names = [name for name in reaching if not leaves[name].presence]
    tries = {
        name: candidate_values(flow, flow.graph.signals[name], values[name], cases)
        for name in names
    }
    for name in names:
        yield from ({name: value} for value in tries[name])
    for one, two in combinations(names, 2):
        yield from ({one: a, two: b} for a, b in product(tries[one], tries[two]))


def _answers(flow: PromptFlow, node: str, prompt: Prompt | None) -> Iterator[Answer]:
    graph = flow.graph
    above = [name for name in graph.nodes if name in graph.upstream[node]]
    for kind in ("gate", "fact"):
        for name in above:
            if graph.nodes[name].kind == kind:
                words = " ".join((graph.nodes[name].function.__doc__ or "").split())
                yield Answer(name, kind, words, _value(prompt, name))
    for name in graph.signals_of(node):
        leaf = graph.signals[name]
        yield Answer(leaf.dotted, "signal", leaf.doc, _value(prompt, name))


def _value(prompt: Prompt | None, name: str) -> Any:
    return NO_VALUE if prompt is None else prompt.value(name)


def _reason(flow: PromptFlow, section: Section, prompt: Prompt | None) -> str:
    node = section_node(flow, section)
    over = [one for one in flow.overrides if one.name in (section.name, node)]
    note = "".join(f" Override {one.kind} by {one.who}: {one.why}." for one in over)
    gates = [g for g in flow.gates_of(section.name) if g.name in flow.graph.nodes[node].parameters]
    words = " And: ".join(" ".join(gate.doc.split()) for gate in gates)
    if prompt is None:
        return (words or "Always there: it has no gate.") + note
    if prompt.value(node):
        return ("Open. " + words if words else "Open: it has no gate.") + note
    closed = [gate for gate in gates if not prompt.value(gate.name)]
    if closed:
        said = " ".join(f"{one.name} is closed. {' '.join(one.doc.split())}" for one in closed)
        return f"Closed: {said}{note}"
    disabled = any(one.kind in ("disable", "set") for one in over)
    return ("Closed." if disabled else "No text: its gates are open, its text is blank.") + note


def _neighbours(
    flow: PromptFlow, order: list[str], place: int, prompt: Prompt | None
) -> tuple[str | None, str | None]:
    if prompt is None:
        return None, None
    known = sections_by_name(flow)
    opened = [bool(prompt.value(section_node(flow, known[name]))) for name in order]
    front = next((order[n] for n in range(place - 1, -1, -1) if opened[n]), None)
    behind = next((order[n] for n in range(place + 1, len(order)) if opened[n]), None)
    return front, behind


def _range(prompt: Prompt | None, section: Section) -> tuple[int | None, int | None]:
    found = [] if prompt is None else _placed(prompt, section)
    return (found[0].row.start, found[-1].row.end) if found else (None, None)


def _placed(prompt: Prompt, section: Section) -> list[Any]:
    return [one for one in placed_sections(prompt) if one.position.place.section is section]


def _spans(prompt: Prompt | None, section: Section) -> tuple[Span, ...]:
    if prompt is None:
        return ()
    if not section.many:
        return section_spans(prompt, section)
    listed = _placed(prompt, section)
    return tuple(span for one in listed for span in section_spans(prompt, section, one.own))
