"""A picture in which each theme is one row, for flows that are too long to be seen whole."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from .model import Picture
from .nodes import PictureEdge, PictureNode


def by_theme(picture: Picture) -> Picture:
    """Return a picture of signals and themes: who feeds what, gates and facts left out.

    Neighbouring sections of one theme are one row, the fields of one model one box; what reaches
    one of them reaches the row. `collapsed` tells what each stands for.
    """
    stands_for = {**_signal_groups(picture), **_theme_rows(picture)}
    kept = {n.name for n in picture.nodes if n.kind not in ("gate", "fact", "message")}
    nodes = dict.fromkeys(
        stands_for.get(node.name, node) for node in picture.nodes if node.name in kept
    )
    edges = dict.fromkeys(
        PictureEdge(_name(stands_for, source), _name(stands_for, target))
        for source, target in _contracted(picture, kept)
    )
    return replace(picture, nodes=tuple(nodes), edges=tuple(edges))


def _name(stands_for: Mapping[str, PictureNode], name: str) -> str:
    return stands_for[name].name if name in stands_for else name


def _signal_groups(picture: Picture) -> dict[str, PictureNode]:
    """Return, for each signal of a nested model, the box of its model."""
    groups: dict[str, list[PictureNode]] = {}
    for node in picture.nodes:
        if node.kind == "signal" and "." in node.label:
            groups.setdefault(f"{node.label.split('.')[0]} {node.tier}", []).append(node)
    found: dict[str, PictureNode] = {}
    for members in groups.values():
        model = members[0].label.split(".")[0]
        box = replace(
            members[0],
            label=f"{model}: {len(members)} fields" if len(members) > 1 else members[0].label,
            drifts=any(one.drifts for one in members),
            collapsed=tuple(one.label for one in members),
            doc=", ".join(one.label for one in members),
        )
        found |= dict.fromkeys((one.name for one in members), box)
    return found


def _theme_rows(picture: Picture) -> dict[str, PictureNode]:
    """Return, for each section and fragment, the row of its run of one theme."""
    found: dict[str, PictureNode] = {}
    for holder in (node.name for node in picture.nodes if node.kind in ("block", "bundle")):
        for theme, members in picture.themes_of(holder):
            row = _theme_row(theme, members)
            found |= dict.fromkeys((one.name for one in members), row)
    return found


def _theme_row(theme: str, members: tuple[PictureNode, ...]) -> PictureNode:
    first, *others = members
    if not others:
        return replace(first, theme="", nested=False)
    tiers = [one.tier for one in members]
    names = tuple(one.label for one in members)
    return replace(
        first,
        label=theme,
        tier=next(tier for tier in ("turn", "session", "constant") if tier in tiers),
        theme="",
        marks=(f"{len(members)} fragments",) if first.kind == "fragment" else (),
        nested=False,
        collapsed=names,
        doc=", ".join(names),
    )


def _contracted(picture: Picture, kept: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the edges between kept nodes, paths through the others drawn as one edge."""
    above: dict[str, list[str]] = {}
    for edge in picture.edges:
        above.setdefault(edge.target, []).append(edge.source)
    known = set(kept)
    for node in picture.nodes:
        if node.name in known:
            found: dict[str, None] = {}
            _collect(node.name, above, known, found)
            yield from ((source, node.name) for source in found)


def _collect(
    name: str, above: Mapping[str, list[str]], kept: set[str], found: dict[str, None]
) -> None:
    """Add the nearest kept nodes above one."""
    waiting, seen = list(reversed(above.get(name, ()))), {name}
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if one in kept:
            found[one] = None
        else:
            waiting += reversed(above.get(one, ()))
