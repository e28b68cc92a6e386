"""The nodes of a flow, the edges between them, and what is proven of them when a flow is built."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..inputs.errors import (
    CycleError,
    MissingNodeError,
    NameClashError,
    TurnLeakError,
    did_you_mean,
)
from ..inputs.signals import Leaf

Kind = Literal["fact", "gate", "section", "block", "fingerprint", "message", "fragment", "bundle"]
Tier = Literal["constant", "session", "turn"]


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a flow.

    Attributes:
        name: The node's name.
        kind: What it is.
        function: Computes it; called with keywords.
        parameters: The names of the nodes and signals that it needs, in the function's order.
        place: Where it is written, for messages.
    """

    name: str
    kind: Kind
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class Graph:
    """The nodes of one flow in topological order, with the signals they stand on.

    Attributes:
        flow: The flow's name, for messages.
        nodes: By name; a node stands behind all that it needs.
        signals: By name, session signals first.
    """

    flow: str
    nodes: Mapping[str, Node]
    signals: Mapping[str, Leaf]

    @cached_property
    def upstream(self) -> Mapping[str, frozenset[str]]:
        """For each node, every node and signal that reaches it."""
        reached: dict[str, frozenset[str]] = {}
        for name, node in self.nodes.items():
            direct = set(node.parameters)
            for parameter in node.parameters:
                direct |= reached.get(parameter, frozenset())
            reached[name] = frozenset(direct)
        return reached

    @cached_property
    def downstream(self) -> Mapping[str, tuple[str, ...]]:
        """For each node and signal, every node that it reaches, in topological order."""
        reached: dict[str, list[str]] = {name: [] for name in (*self.signals, *self.nodes)}
        for name in self.nodes:
            for source in self.upstream[name]:
                reached[source].append(name)
        return {name: tuple(names) for name, names in reached.items()}

    @cached_property
    def _signals_of(self) -> Mapping[str, tuple[str, ...]]:
        return {
            name: tuple(signal for signal in self.signals if signal in reached)
            for name, reached in self.upstream.items()
        }

    def signals_of(self, name: str) -> tuple[str, ...]:
        """Return the signals that reach a node, in the order in which they are declared."""
        return self._signals_of[name]

    def tier(self, name: str) -> Tier:
        """Return how often a node or signal can change."""
        if name in self.signals:
            return "turn" if self.signals[name].turn else "session"
        reaching = [self.signals[signal].turn for signal in self.signals_of(name)]
        if not reaching:
            return "constant"
        return "turn" if any(reaching) else "session"

    def path(self, source: str, target: str) -> tuple[str, ...]:
        """Return a shortest path of names from a signal or node to a node, both included."""
        back: dict[str, str] = {}
        front = [target]
        while front:
            reached: list[str] = []
            for name in front:
                for parameter in self.nodes[name].parameters if name in self.nodes else ():
                    if parameter not in back:
                        back[parameter] = name
                        reached.append(parameter)
            front = reached
        path = [source]
        while path[-1] != target:
            path.append(back[path[-1]])
        return tuple(path)


@dataclass(slots=True)
class _Walk:
    """A depth-first walk that puts nodes in topological order; iterative, for deep chains."""

    flow: str
    nodes: Mapping[str, Node]
    signals: Mapping[str, Leaf]
    done: dict[str, Node] = field(default_factory=dict)

    def visit(self, root: str) -> None:
        stack = [(root, iter(self.nodes[root].parameters))]
        trail = [root]
        while stack:
            name, parameters = stack[-1]
            for parameter in parameters:
                if parameter in self.done or parameter in self.signals:
                    continue
                if parameter not in self.nodes:
                    raise self._missing(self.nodes[name], parameter)
                if parameter in trail:
                    cycle = trail[trail.index(parameter) :]
                    raise CycleError(self.flow, (*reversed(cycle), cycle[-1]))
                stack.append((parameter, iter(self.nodes[parameter].parameters)))
                trail.append(parameter)
                break
            else:
                stack.pop()
                self.done[trail.pop()] = self.nodes[name]

    def _missing(self, node: Node, parameter: str) -> MissingNodeError:
        known = [*self.nodes, *self.signals]
        return MissingNodeError(
            f"flow {self.flow!r}: {node.place}: parameter {parameter!r} of {node.name!r} names no "
            f"signal, fact or gate{did_you_mean(parameter, known)}"
        )


def build_graph(
    flow: str, nodes: Iterable[Node], signals: Iterable[Leaf], roots: Iterable[str]
) -> Graph:
    """Return the graph of what the roots reach.

    Args:
        flow: The flow's name, for messages.
        nodes: All nodes that a parameter may name.
        signals: All signals.
        roots: The nodes to begin at; what they do not reach is left out.

    Raises:
        NameClashError: Two nodes or signals have one name, or a signal is named like a node.
        MissingNodeError: A parameter names nothing.
        CycleError: Nodes need each other.
    """
    by_name: dict[str, Node] = {}
    for node in nodes:
        if node.name in by_name:
            other = by_name[node.name]
            raise NameClashError(
                f"flow {flow!r}: {node.place} and {other.place} both make a node {node.name!r} "
                f"({node.kind} and {other.kind}); rename one of them"
            )
        by_name[node.name] = node
    fields = _signals_by_name(flow, signals)
    for name in fields:
        if name in by_name:
            raise NameClashError(
                f"flow {flow!r}: signal {fields[name].dotted!r} is named like the "
                f"{by_name[name].kind} {name!r} at {by_name[name].place}; rename one of them"
            )
    walk = _Walk(flow, by_name, fields)
    for root in roots:
        if root not in walk.done:
            walk.visit(root)
    return Graph(flow, walk.done, fields)


def _signals_by_name(flow: str, signals: Iterable[Leaf]) -> dict[str, Leaf]:
    fields: dict[str, Leaf] = {}
    for leaf in signals:
        if leaf.name in fields:
            other = fields[leaf.name]
            raise NameClashError(
                f"flow {flow!r}: the signals {other.dotted!r} ({_side(other)}) and "
                f"{leaf.dotted!r} ({_side(leaf)}) both make a node {leaf.name!r}; rename one"
            )
        fields[leaf.name] = leaf
    return fields


def _side(leaf: Leaf) -> str:
    return "turn signal" if leaf.turn else "session signal"


def prove_stable(graph: Graph, blocks: Mapping[str, str]) -> None:
    """Prove that no turn signal reaches a block.

    Args:
        graph: The flow's graph.
        blocks: The name of each block by the name of its node.

    Raises:
        TurnLeakError: It names the field, a path and the block.
    """
    for node, block in blocks.items():
        for signal in graph.signals_of(node):
            if graph.signals[signal].turn:
                raise TurnLeakError(graph.flow, graph.path(signal, node), block)
