"""The driver of a flow's graph, and the two plans of its hot path: a session's and a turn's."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..inputs.signals import Leaf
from .graph import Graph
from .node_functions import hamilton_module
from .plan import Step, compile_plan

if TYPE_CHECKING:
    from .hamilton_driver import FlowDriver


@dataclass(frozen=True, slots=True)
class Plans:
    """What runs on the hot path.

    Attributes:
        session: Takes session signals; returns the values of the session's nodes.
        turn: Takes session signals, those values and turn signals; returns the turn's nodes.
        session_index: For each node of the session, where its value stands.
        turn_index: For each node of the turn, where its value stands.
        session_steps: The session's steps by name, in topological order.
    """

    session: Callable[..., tuple[Any, ...]]
    turn: Callable[..., tuple[Any, ...]]
    session_index: Mapping[str, int]
    turn_index: Mapping[str, int]
    session_steps: Mapping[str, Step]


def flow_driver(graph: Graph, fingerprints: Iterable[str]) -> "FlowDriver":
    """Return Hamilton's driver over a graph, in two modules: the stable side and the transient.

    Args:
        graph: The flow's graph.
        fingerprints: The nodes whose ancestry is the stable side.
    """
    from .hamilton_driver import build_driver  # Hamilton brings pandas with it

    stable_side = {
        name for fingerprint in fingerprints for name in (fingerprint, *graph.upstream[fingerprint])
    }
    nodes = graph.nodes.items()
    stable = [node for name, node in nodes if name in stable_side]
    transient = [node for name, node in nodes if name not in stable_side]
    return build_driver(
        [
            hamilton_module(f"promptdag_{graph.flow}_{side}", part)
            for side, part in (("stable", stable), ("transient", transient))
            if part
        ]
    )


def compiled(graph: Graph, driver: "FlowDriver") -> Plans:
    """Return the plans that run the callables of the driver's own nodes."""
    session_steps: dict[str, Step] = {}
    turn_steps: dict[str, Step] = {}
    for name in graph.nodes:
        node = driver.graph.nodes[name]
        side = turn_steps if graph.tier(name) == "turn" else session_steps
        side[name] = Step(name, node.callable, tuple(node.input_types))
    session_index = {name: number for number, name in enumerate(session_steps)}
    leaves = graph.signals.values()
    session_reads = {leaf.name: _expression("s", leaf) for leaf in leaves if not leaf.turn}
    turn_reads = {leaf.name: _expression("t", leaf) for leaf in leaves if leaf.turn}
    values = {name: f"v[{number}]" for name, number in session_index.items()}
    known = values | session_reads | turn_reads
    return Plans(
        compile_plan(graph.flow, list(session_steps.values()), session_reads, "s"),
        compile_plan(graph.flow, list(turn_steps.values()), known, "s, v, t"),
        session_index,
        {name: number for number, name in enumerate(turn_steps)},
        session_steps,
    )


def _expression(source: str, leaf: Leaf) -> str:
    """Return the code that reads a signal; `None` where a model above it is absent."""
    read = f"{source}.{leaf.path[0]}"
    for field in leaf.path[1:]:
        read = f"(None if (m := {read}) is None else m.{field})"
    return f"({read} is not None)" if leaf.presence else read
