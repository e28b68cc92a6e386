"""Finds interpolated values that touch: together they could make a tag that neither holds."""

from collections.abc import Iterable
from typing import NamedTuple

from jinja2 import nodes


class _Edges(NamedTuple):
    """What a piece of a template may begin and end with.

    Attributes:
        first: Values that may stand at its beginning.
        last: Values that may stand at its end.
        empty: Whether it may write nothing.
    """

    first: frozenset[nodes.Node]
    last: frozenset[nodes.Node]
    empty: bool


_NONE: frozenset[nodes.Node] = frozenset()


def touching_value(body: Iterable[nodes.Node]) -> nodes.Node | None:
    """Return a value that may follow another one with nothing between, or `None`."""
    try:
        _edges(body)
    except _TouchError as found:
        return found.node
    return None


class _TouchError(Exception):
    def __init__(self, node: nodes.Node) -> None:
        self.node = node


def _edges(body: Iterable[nodes.Node]) -> _Edges:
    first, last, empty = _NONE, _NONE, True
    for piece in body:
        for part in piece.nodes if isinstance(piece, nodes.Output) else (piece,):
            edges = _edges_of(part)
            _refuse(last, edges.first)
            first |= edges.first if empty else _NONE
            last = edges.last | (last if edges.empty else _NONE)
            empty = empty and edges.empty
    return _Edges(first, last, empty)


def _edges_of(part: nodes.Node) -> _Edges:
    match part:
        case nodes.TemplateData():
            return _Edges(_NONE, _NONE, not part.data)
        case nodes.Block():
            return _Edges(_NONE, _NONE, True)  # a pack may leave a slot empty
        case nodes.For():
            inner = _edges(part.body)
            _refuse(inner.last, inner.first)
            return inner._replace(empty=True)
        case nodes.If():
            then, other = _edges(part.body), _edges(part.else_)
            return _Edges(
                then.first | other.first, then.last | other.last, then.empty or other.empty
            )
    return _Edges(frozenset({part}), frozenset({part}), False)


def _refuse(last: frozenset[nodes.Node], first: frozenset[nodes.Node]) -> None:
    if last and first:
        raise _TouchError(min(first, key=lambda node: node.lineno))
