"""Finds interpolated values that touch: together they could make a tag that neither holds."""

from collections.abc import Iterable
from typing import NamedTuple

from jinja2 import nodes


class _Edges(NamedTuple):
    """What a piece of a template may begin and end with.

    Attributes:
        first: Whether a value may stand at its beginning.
        last: Whether a value may stand at its end.
        empty: Whether it may write nothing.
    """

    first: bool
    last: bool
    empty: bool


def values_touch(body: Iterable[nodes.Node]) -> bool:
    """Return whether a value may follow another one with nothing between."""
    try:
        _edges(body)
    except _TouchError:
        return True
    return False


class _TouchError(Exception):
    """Two values touch."""


def _edges(body: Iterable[nodes.Node]) -> _Edges:
    first, last, empty = False, False, True
    for piece in body:
        for part in piece.nodes if isinstance(piece, nodes.Output) else (piece,):
            edges = _edges_of(part)
            _refuse(last, edges.first)
            first = first or (empty and edges.first)
            last = edges.last or (edges.empty and last)
            empty = empty and edges.empty
    return _Edges(first, last, empty)


def _edges_of(part: nodes.Node) -> _Edges:
    match part:
        case nodes.TemplateData():
            return _Edges(False, False, not part.data)
        case nodes.Block():
            return _Edges(False, False, True)  # a pack may leave a slot empty
        case nodes.For():
            inner = _edges(part.body)
            _refuse(inner.last, inner.first)
            return inner._replace(empty=True)
        case nodes.If():
            then, other = _edges(part.body), _edges(part.else_)
            return _Edges(
                then.first or other.first, then.last or other.last, then.empty or other.empty
            )
    return _Edges(True, True, False)


def _refuse(last: bool, first: bool) -> None:
    if last and first:
        raise _TouchError
