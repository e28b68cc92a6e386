"""The value of any node or signal of a prompt, whichever plan computed it."""

from typing import TYPE_CHECKING, Any

from ..inputs.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from ..inputs.signals import TurnSignals
    from .session import Session


def node_value(
    node: str, session: "Session", turn_values: tuple[Any, ...], turn: "TurnSignals | None"
) -> Any:
    """Return the value of a node or signal; `turn` is `None` in a prompt without one.

    Raises:
        UnknownNameError: There is no such node, or it belongs to a turn and there is none.
    """
    flow = session.flow
    if node not in flow.graph.nodes and node not in flow.graph.signals:
        near = did_you_mean(node, (*flow.graph.nodes, *flow.graph.signals))
        raise UnknownNameError(f"flow {flow.name!r}: no node {node!r}{near}")
    if node in flow.session_index:
        return session.values[flow.session_index[node]]
    if flow.graph.tier(node) != "turn":
        return flow.graph.signals[node].value(session.signals)
    if turn is None:
        raise UnknownNameError(
            f"flow {flow.name!r}: {node!r} belongs to a turn, and this prompt has none; "
            "make it with session.turn(...)"
        )
    if node in flow.turn_index:
        return turn_values[flow.turn_index[node]]
    return flow.graph.signals[node].value(turn)
