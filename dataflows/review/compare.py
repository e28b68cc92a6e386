"""Compares two snapshots of a flow: what is declared, what the scenarios show, and for whom."""

import ast
from collections.abc import Iterator, Mapping
from typing import TypeVar

from ..changed_sections import moved_keys
from .change import DeclaredChange, Edge, FunctionChange, Review, SectionKind
from .flips import Flip, Pair, gate_flips, pairs_of, section_flips
from .scenario_change import RewritePrice, matrix_rows, scenario_change
from .views import FunctionView, SectionView, Snapshot

_Named = TypeVar("_Named")


def compare(before: Snapshot | None, after: Snapshot, price: RewritePrice) -> Review:
    """Return what differs between a base and a flow.

    Args:
        before: The base; `None` for a flow by itself.
        after: The flow.
        price: What writing tokens again costs more than reading them.
    """
    rows = tuple(matrix_rows(before, after))
    shown = {one.name: one for one in before.scenarios} if before else {}
    scenarios = tuple(
        scenario_change(shown.get(one.name), one, rows, price) for one in after.scenarios
    )
    if before is None:
        return Review(None, after, rows, scenarios)
    pairs = pairs_of(before, after)
    gained, lost = _edges(before, after)
    return Review(
        before,
        after,
        rows,
        scenarios,
        tuple(_sections(before, after, rows)),
        tuple(_functions(before, after, pairs)),
        gained,
        lost,
        tuple(_notes(before, after)),
        dict(_section_flips(before, after, pairs)),
        len(pairs),
    )


def _section_flips(
    before: Snapshot, after: Snapshot, pairs: tuple[Pair, ...]
) -> Iterator[tuple[str, tuple[Flip, ...]]]:
    """Yield the sections that stand in the prompt of one side only, for some inputs."""
    old = {one.name: one for one in before.sections}
    new = {one.name: one for one in after.sections}
    for name in dict.fromkeys((*new, *old)):
        signals = _both(*(side[name].signals if name in side else () for side in (old, new)))
        if flips := section_flips(name, pairs, signals):
            yield name, flips


def _sections(before: Snapshot, after: Snapshot, rows: tuple[str, ...]) -> Iterator[DeclaredChange]:
    old = {one.name: one for one in before.sections}
    new = {one.name: one for one in after.sections}
    moved = moved_keys([name for name in old if name in new], [name for name in new if name in old])
    for name in rows:
        one, other = old.get(name), new.get(name)
        kinds = tuple(_kinds(one, other, name in moved))
        if kinds:
            yield DeclaredChange(name, kinds, one, other)


def _kinds(
    before: SectionView | None, after: SectionView | None, moved: bool
) -> Iterator[SectionKind]:
    if before is None or after is None:
        if before is not after:
            yield "added" if before is None else "removed"
        return
    if moved:
        yield "moved"
    if before.template != after.template:
        yield "reworded"
    if before.gates != after.gates:
        yield "gate"
    stands = [(one.block, one.target, one.cache, one.parent) for one in (before, after)]
    if stands[0] != stands[1]:
        yield "place"


def _functions(
    before: Snapshot, after: Snapshot, pairs: tuple[Pair, ...]
) -> Iterator[FunctionChange]:
    old = {one.name: one for one in before.functions}
    new = {one.name: one for one in after.functions}
    reached = [_sections_below(one) for one in (before, after)]
    found = []
    for name in dict.fromkeys((*new, *old)):
        one, other = old.get(name), new.get(name)
        shown = other or one
        assert shown is not None
        signals = _both(one.signals if one else (), other.signals if other else ())
        # Of a gate that is new or gone, all inputs in which it is open would be told.
        both = one is not None and other is not None and shown.kind == "gate"
        flips = gate_flips(name, pairs, signals) if both else ()
        if flips or _differ(one, other):
            sections = _both(*(side.get(name, ()) for side in reached))
            found.append(FunctionChange(name, shown.kind, one, other, sections, flips))
    yield from sorted(found, key=lambda one: one.kind != "gate")


def _differ(before: FunctionView | None, after: FunctionView | None) -> bool:
    if before is None or after is None:
        return True
    return before.words != after.words or not same_code(before.code, after.code)


def same_code(before: str, after: str) -> bool:
    """Tell whether two sources of a function do the same, however they are laid out.

    Comments, white space and the docstring do not count.
    """
    if before == after:
        return True
    try:
        return _plain(before) == _plain(after)
    except SyntaxError:
        return False


def _plain(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*other, *one)))


def _sections_below(snapshot: Snapshot) -> Mapping[str, tuple[str, ...]]:
    """Return the sections that each node reaches, in prompt order."""
    found: dict[str, list[str]] = {}
    for section in snapshot.sections:
        for name in snapshot.above(section.node):
            found.setdefault(name, []).append(section.name)
    return {name: tuple(sections) for name, sections in found.items()}


def _edges(before: Snapshot, after: Snapshot) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    old, new = dict.fromkeys(_shown_edges(before)), dict.fromkeys(_shown_edges(after))
    gained = tuple(edge for edge in new if edge not in old)
    return gained, tuple(edge for edge in old if edge not in new)


def _shown_edges(snapshot: Snapshot) -> Iterator[Edge]:
    """Yield the edges into facts, gates and sections; which block holds a section is no need."""
    words = {one.name: one.dotted for one in snapshot.signals}
    words |= {one.name: one.name for one in snapshot.functions}
    words |= {one.node: one.name for one in snapshot.sections}
    targets = words.keys() - {one.name for one in snapshot.signals}
    for source, target in snapshot.edges:
        if target in targets and source in words:
            yield Edge(words[source], words[target])


def _notes(before: Snapshot, after: Snapshot) -> Iterator[str]:
    yield from _named_notes(
        "signal",
        {one.dotted: f"tier {one.tier}" for one in before.signals},
        {one.dotted: f"tier {one.tier}" for one in after.signals},
    )
    yield from _named_notes(
        "block",
        {one.name: f"{one.target}, cache mark {one.mark or 'none'}" for one in before.blocks},
        {one.name: f"{one.target}, cache mark {one.mark or 'none'}" for one in after.blocks},
    )
    if not before.inputs_made:
        yield (
            f"{before.label} has no search for inputs; only values that the flow of today "
            "suggests were tried"
        )
    for one in before.scenarios:
        if one.dropped:
            yield f"scenario {one.name}: {before.label} does not know {', '.join(one.dropped)}"


def _named_notes(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*after, *before)):
        if name not in before:
            yield f"{kind} {name} is new: {after[name]}"
        elif name not in after:
            yield f"{kind} {name} is gone: it was {before[name]}"
        elif before[name] != after[name]:
            yield f"{kind} {name}: {before[name]} became {after[name]}"
