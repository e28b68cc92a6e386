"""An order in which what moves often stands before what moves seldom, and a better one."""

from collections.abc import Iterator, Sequence

from ..graph import Graph
from ..node_functions import text_node
from ..order import Block, Group, Item, OneOf, Place, places_in
from .finding import LintFinding
from .study import Study

CONSTANT, PROCESS, SESSION, DRIFTS, STEP = range(5)
_WORDS = ("is constant", "holds for a process", "holds for a session", "may move within a session")


def volatility(graph: Graph, node: str) -> int:
    """Return how soon a node may change: from `CONSTANT` up to `STEP`."""
    ranks = [CONSTANT]
    for name in graph.signals_of(node):
        leaf = graph.signals[name]
        if leaf.turn or leaf.life in ("step", "turn"):
            ranks.append(STEP)
        elif leaf.drifts is not None:
            ranks.append(DRIFTS)
        else:
            ranks.append(PROCESS if leaf.life == "process" else SESSION)
    return max(ranks)


def wasteful_order(study: Study) -> Iterator[LintFinding]:
    """Yield each item that stands before what moves less than it, with the order to prefer.

    Items are moved only within the group or block that holds them, and blocks only among blocks of
    one target, so glue, wrappers and cache marks stay as they are.
    """
    order = _Order(study)
    for target in ("system", "meta_user"):
        blocks = [block for block in study.flow.blocks if block.target == target]
        yield from order.waste(f"target {target!r}", [block.content for block in blocks], blocks)
    for block in study.flow.blocks:
        yield from order.inside(f"block {block.name!r}", block.content)


class _Order:
    """Ranks the items of an order by what reaches them."""

    def __init__(self, study: Study) -> None:
        self._study = study
        known = {position.place.section.name for position in study.flow.positions}
        self._sizes: dict[str, int] = {}
        for tried in study.space.tried:
            sizes: dict[str, int] = {}
            owner = ""
            for row in tried.prompt.manifest.sections:
                # A listed text has its own name, and stands behind the section that lists it.
                owner = row.name if row.name in known else owner
                sizes[owner] = sizes.get(owner, 0) + study.tokens(row.text)
            for name, size in sizes.items():
                self._sizes[name] = max(size, self._sizes.get(name, 0))

    def inside(self, where: str, group: Group) -> Iterator[LintFinding]:
        yield from self.waste(where, group.items)
        for item in group.items:
            if isinstance(item, Group):
                yield from self.inside(f"{where}, a group", item)

    def waste(
        self, where: str, items: Sequence[Item], blocks: Sequence[Block] = ()
    ) -> Iterator[LintFinding]:
        ranks = [self._rank(item) for item in items]
        better = sorted(range(len(items)), key=lambda number: ranks[number])
        names = [
            blocks[number].name if blocks else self._name(item) for number, item in enumerate(items)
        ]
        for number, rank in enumerate(ranks):
            behind = [other for other in range(number + 1, len(items)) if ranks[other] < rank]
            saved = sum(self._size(items[other]) for other in behind)
            if not behind or not saved:
                continue
            least = names[min(behind, key=lambda other: (ranks[other], other))]
            words = (*_WORDS, "changes every step")
            yield LintFinding(
                "PD004",
                "error" if rank >= DRIFTS else "warning",
                names[number],
                where,
                f"{names[number]!r} {words[rank]} and stands before {least!r}, which "
                f"{words[min(ranks[other] for other in behind)]}; each change of it writes "
                f"up to about {saved} tokens anew that could stand before it",
                f"prefer the order {', '.join(names[one] for one in better)}",
            )

    def _rank(self, item: Item) -> int:
        graph = self._study.flow.graph
        return max(
            (volatility(graph, text_node(spot.section)) for spot, _ in places_in(item)),
            default=CONSTANT,
        )

    def _size(self, item: Item) -> int:
        return sum(self._sizes.get(spot.section.name, 0) for spot, _ in places_in(item))

    @staticmethod
    def _name(item: Item) -> str:
        match item:
            case Place():
                return item.section.name
            case OneOf():
                return "|".join(spot.section.name for spot in item.places)
        names = [spot.section.name for spot, _ in places_in(item)]
        return names[0] if len(names) < 2 else f"{names[0]}..{names[-1]}"
