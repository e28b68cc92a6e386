"""What a picture of a flow shows, whatever draws it: nodes, edges, places and states."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ...inputs.errors import UnknownNameError, did_you_mean
from .entries import entries_of
from .nodes import PictureEdge, PictureNode
from .states import states_of

if TYPE_CHECKING:
    from ..flow import PromptFlow
    from ..prompt import Prompt

SHOWN_CONSTANTS = 40
"""Up to so many sections every constant one is drawn; above, runs of them are one row."""


@dataclass(frozen=True)
class Picture:
    """A picture of a flow, or of a part of it.

    Attributes:
        flow: The flow's name.
        nodes: In the order of the flow: signals, what stands on them, sections in prompt order.
        edges: In the order of their targets, then of the target's parameters.
        focus: The node that the picture is of, or empty for the whole flow.
        hidden: How many nodes of each holder are left out by the focus.
        unread: Signals that nothing reads, by their dotted paths; they are not drawn.
    """

    flow: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    focus: str = ""
    hidden: tuple[tuple[str, int], ...] = ()
    unread: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, PictureNode]:
        """The nodes by name."""
        return {node.name: node for node in self.nodes}

    @property
    def has_states(self) -> bool:
        """Whether signals were given."""
        return any(node.state for node in self.nodes)

    def rows_of(self, holder: str) -> tuple[PictureNode, ...]:
        """Return the sections of a block, or the fragments of the bundle, in their order."""
        rows = [node for node in self.nodes if node.holder == holder]
        return tuple(sorted(rows, key=lambda node: node.position or 0))

    def themes_of(self, holder: str) -> tuple[tuple[str, tuple[PictureNode, ...]], ...]:
        """Return a holder's rows as runs of one theme; prompt order comes before theme."""
        runs: list[tuple[str, list[PictureNode]]] = []
        for row in self.rows_of(holder):
            if not runs or runs[-1][0] != row.theme:
                runs.append((row.theme, []))
            runs[-1][1].append(row)
        return tuple((theme, tuple(rows)) for theme, rows in runs)

    def _repr_html_(self) -> str:
        from ..displays import picture_html  # only in notebooks

        return picture_html(self)


def picture_of(
    flow: "PromptFlow",
    prompt: "Prompt | None" = None,
    *,
    focus: str | None = None,
    collapse_constants: bool | None = None,
) -> Picture:
    """Return the picture of a flow.

    Args:
        flow: The flow.
        prompt: A prompt of it, whose gates are shown open or closed.
        focus: One node, section, block or signal: only its ancestry is drawn; of a signal, what it
            reaches.
        collapse_constants: Whether neighbouring sections that never change are drawn as one row;
            `None` for yes above `SHOWN_CONSTANTS` sections.

    Raises:
        UnknownNameError: The focus names nothing; the nearest name is told.
    """
    nodes, edges = entries_of(flow)
    reached = {edge.source for edge in edges}
    unread = tuple(n.label for n in nodes if n.kind == "signal" and n.name not in reached)
    nodes = tuple(n for n in nodes if n.kind != "signal" or n.name in reached)
    if prompt is not None:
        states = states_of(prompt, nodes)
        nodes = tuple(replace(node, state=states.get(node.name, "")) for node in nodes)
    picture = Picture(flow.name, nodes, edges, unread=unread)
    if focus is not None:
        picture = _focused(picture, focus)
    if collapse_constants is None:
        collapse_constants = sum(n.kind == "section" for n in nodes) > SHOWN_CONSTANTS
    return _collapsed(picture) if collapse_constants and focus is None else picture


def _focused(picture: Picture, focus: str) -> Picture:
    """Return the part of a picture that belongs to one node."""
    name = _resolved(picture, focus)
    down = picture.by_name[name].kind == "signal"
    near = _reached(picture.edges, name, down)
    # Of two ends that are drawn, the holder may only be there to hold a row.
    holders = {n.holder for n in picture.nodes if n.name in near and n.holder}
    kept = near | holders
    hidden: dict[str, int] = {}
    for node in picture.nodes:
        if node.holder in kept and node.name not in kept:
            hidden[node.holder] = hidden.get(node.holder, 0) + 1
    return replace(
        picture,
        nodes=tuple(n for n in picture.nodes if n.name in kept),
        edges=tuple(e for e in picture.edges if e.source in kept and e.target in kept),
        focus=name,
        hidden=tuple(hidden.items()),
        unread=(),
    )


def _resolved(picture: Picture, name: str) -> str:
    spellings = (name, f"{name}_text", f"{name}_fragment", f"{name}_block")
    for spelling in spellings:
        if spelling in picture.by_name:
            return spelling
    for node in picture.nodes:
        if node.label == name:
            return node.name
    known = (*picture.by_name, *(node.label for node in picture.nodes))
    raise UnknownNameError(
        f"flow {picture.flow!r}: no node {name!r} to draw{did_you_mean(name, known)}"
    )


def _reached(edges: Iterable[PictureEdge], start: str, down: bool) -> set[str]:
    steps: dict[str, list[str]] = {}
    for edge in edges:
        here, there = (edge.source, edge.target) if down else (edge.target, edge.source)
        steps.setdefault(here, []).append(there)
    found, waiting = {start}, [start]
    while waiting:
        for name in steps.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _collapsed(picture: Picture) -> Picture:
    """Return a picture in which runs of sections that never change are one row each."""
    stands_for: dict[str, PictureNode] = {}
    for holder in (node.name for node in picture.nodes if node.kind == "block"):
        for run in _constant_runs(picture.themes_of(holder)):
            first = run[0]
            names = tuple(node.label for node in run)
            label = f"{len(run)} constant sections"
            row = replace(first, label=label, collapsed=names, doc=", ".join(names), nested=False)
            stands_for |= dict.fromkeys((node.name for node in run), row)
    nodes = dict.fromkeys(stands_for.get(node.name, node) for node in picture.nodes)
    edges = dict.fromkeys(
        PictureEdge(stands_for[e.source].name if e.source in stands_for else e.source, e.target)
        for e in picture.edges
    )
    return replace(picture, nodes=tuple(nodes), edges=tuple(edges))


def _constant_runs(
    themes: Iterable[tuple[str, tuple[PictureNode, ...]]],
) -> Iterable[list[PictureNode]]:
    """Yield runs of two or more constant sections of one theme."""
    for _, rows in themes:
        run: list[PictureNode] = []
        for row in (*rows, None):
            if row is not None and row.tier == "constant":
                run.append(row)
                continue
            if len(run) > 1:
                yield run
            run = []
