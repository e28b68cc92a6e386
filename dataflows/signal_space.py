"""Inputs to try with a flow: its signals vary by the values that types, code and cases tell.

What is tried is deterministic and bounded, so that an answer can say how many inputs it stands on.
It is a search and no proof: what no tried input does may still be possible.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ..inputs.errors import NodeError
from .flow import PromptFlow
from .node_functions import text_node
from .prompt import Prompt
from .signal_factors import (
    Inputs,
    Made,
    asked_value,
    near_inputs,
    node_inputs,
    paired_inputs,
    signal_factors,
)
from .signal_files import merged
from .transient import fragment_node

MAX_INPUTS = 1200
"""How many inputs are made at most where nothing else is said."""


@dataclass(frozen=True)
class Tried:
    """One input that was composed.

    Attributes:
        origin: Where it comes from: `given 1`, `required signals alone`, `memory varied`.
        signals: Session and turn signals in one mapping.
        prompt: What came of it.
    """

    origin: str
    signals: Mapping[str, Any]
    prompt: Prompt


@dataclass(frozen=True)
class SignalSpace:
    """The inputs that were tried with a flow.

    Attributes:
        tried: The composed inputs: the given ones first, then the poorest and the richest.
        refused: How many inputs the signal models refused.
        repaired: How many inputs were refused with all of their values, and tried with fewer.
        failed: For each node that raised, how many inputs made it raise.
        left_out: How many more inputs the bound left out.
        searched: How many more inputs were made to move one gate or section, and asked that alone.
    """

    tried: tuple[Tried, ...]
    refused: int
    repaired: int
    failed: Mapping[str, int]
    left_out: int
    searched: int

    @property
    def richest(self) -> Tried:
        """The first given input, else the one with the longest prompt."""
        given = [one for one in self.tried if one.origin.startswith("given")]
        return given[0] if given else max(self.tried, key=lambda one: len(one.prompt.text))

    def __str__(self) -> str:
        beside = [f"{self.refused} refused by the signal models"] if self.refused else []
        beside += [f"{self.repaired} repaired"] if self.repaired else []
        beside += [f"{count} failed in {node}" for node, count in self.failed.items()]
        beside += [f"{self.left_out} left out"] if self.left_out else []
        beside += [f"{self.searched} more for single gates"] if self.searched else []
        return f"{len(self.tried)} inputs tried" + (f" ({', '.join(beside)})" if beside else "")


def signal_space(
    flow: PromptFlow, given: Iterable[Mapping[str, Any]] = (), max_inputs: int = MAX_INPUTS
) -> SignalSpace:
    """Compose the given inputs, and inputs made from the models and the flow's functions.

    From each of the given, the richest and the poorest inputs one signal at a time is varied. For
    each gate and section that these left as it was, the signals that reach it are combined. Then
    pairs of all signals are varied together.

    Args:
        flow: The flow.
        given: Cases, each with session and turn signals in one mapping.
        max_inputs: How many made inputs are composed at most; given ones are always composed.

    Raises:
        pydantic.ValidationError: A given input does not fit the flow.
        NodeError: A node failed with a given input.
    """
    cases = [merged(flow, one) for one in given]
    inputs = Inputs(flow.signals_model, signal_factors(flow, cases))
    search = _Search(flow, inputs, max_inputs)
    search.add_given(cases)
    search.add(near_inputs(inputs, cases))
    for node in search.unmoved():
        search.look_for(node, node_inputs(inputs, flow, node))
    search.add(paired_inputs(inputs))
    return search.space()


class _Search:
    """Composes inputs up to a bound, each once."""

    def __init__(self, flow: PromptFlow, inputs: Inputs, max_inputs: int) -> None:
        self._flow = flow
        self._inputs = inputs
        self._max_inputs = max_inputs
        self._seen: set[str] = set()
        self._tried: list[Tried] = []
        self._made = self._refused = self._repaired = self._left_out = self._searched = 0
        self._failed: dict[str, int] = {}
        self._moved: dict[str, set[bool]] = {name: set() for name in _watched(flow)}

    def add_given(self, cases: Iterable[Mapping[str, Any]]) -> None:
        for number, case in enumerate(cases, start=1):
            self._seen.add(_key(case))
            self._compose(f"given {number}", case)

    def unmoved(self) -> Iterator[str]:
        """Yield the gates that had one value alone so far, and the sections without text."""
        for name, values in self._moved.items():
            if True not in values or (len(values) < 2 and self._is_gate(name)):
                yield name

    def look_for(self, node: str, inputs: Iterable[Made]) -> None:
        """Compose the first input that moves a gate, or gives text to a section."""
        now = self._moved[node]
        for one in inputs:
            self._searched += 1
            try:
                signals = self._flow.signals_model.model_validate(one.signals)
                value = bool(asked_value(self._flow, node, signals))
            except ValidationError:
                continue
            except NodeError as error:
                self._failed[error.node] = self._failed.get(error.node, 0) + 1
                continue
            if value not in now and (value or self._is_gate(node)):
                self.add([one])
                return

    def add(self, inputs: Iterable[Made]) -> None:
        """Compose inputs, or count them when there are too many or the models refuse them."""
        for one in inputs:
            if (key := _key(one.signals)) in self._seen:
                continue
            self._seen.add(key)
            if self._made == self._max_inputs:
                self._left_out += 1
                continue
            self._made += 1
            try:
                self._compose_or_repair(one)
            except NodeError as error:
                self._failed[error.node] = self._failed.get(error.node, 0) + 1

    def _compose_or_repair(self, one: Made) -> None:
        try:
            self._compose(one.origin, one.signals)
        except ValidationError:
            repaired = self._inputs.repaired(one)
            if repaired is None:
                self._refused += 1
                return
            self._repaired += 1
            if (key := _key(repaired)) not in self._seen:
                self._seen.add(key)
                self._compose(one.origin, repaired)

    def _compose(self, origin: str, signals: Mapping[str, Any]) -> None:
        prompt = self._flow.compose(signals)
        self._tried.append(Tried(origin, signals, prompt))
        for name, values in self._moved.items():
            if len(values) < 2:
                values.add(bool(prompt.value(name)))

    def _is_gate(self, name: str) -> bool:
        return self._flow.graph.nodes[name].kind == "gate"

    def space(self) -> SignalSpace:
        """Return what was tried."""
        return SignalSpace(
            tuple(self._tried),
            self._refused,
            self._repaired,
            self._failed,
            self._left_out,
            self._searched,
        )


def _watched(flow: PromptFlow) -> Iterator[str]:
    """Yield the gates of a flow and the nodes of its sections and fragments."""
    yield from (name for name, node in flow.graph.nodes.items() if node.kind == "gate")
    yield from (text_node(position.place.section) for position in flow.positions)
    if flow.transient:
        yield from (fragment_node(one) for one in flow.transient.fragments)


def _key(signals: Mapping[str, Any]) -> str:
    return repr(sorted(signals.items()))
