"""One scenario on both sides: its sections, its first byte that differs, what writing it costs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from ...inputs.tokens import TokenCounter
from ..changed_sections import moved_keys
from ..price import Price
from ..update import first_difference
from .change import Cell, ScenarioChange, Sign
from .views import ScenarioView, SectionView, ShownSection, Snapshot


@dataclass(frozen=True, slots=True)
class RewritePrice:
    """What writing a cache again costs.

    Attributes:
        price: The price of tokens.
        up_to_marks: Whether the provider caches up to marks; else it finds the first byte itself.
        counter: Counts tokens.
    """

    price: Price
    up_to_marks: bool
    counter: TokenCounter


def matrix_rows(before: Snapshot | None, after: Snapshot) -> Iterator[str]:
    """Yield the sections in prompt order, removed ones where they stood.

    A text that a caller added has a row of its own, behind the section that declares its place.
    """
    names = [one.name for one in after.sections]
    for position, section in enumerate(before.sections if before else ()):
        if section.name not in names:
            names.insert(_behind(before.sections[:position] if before else (), names), section.name)
    added: dict[str, dict[str, None]] = {}
    for snapshot in (after, before):
        for scenario in snapshot.scenarios if snapshot else ():
            for key, shown in _keyed(scenario).items():
                if key != shown.section:
                    added.setdefault(shown.section, {})[key] = None
    for name in names:
        yield name
        yield from (key for key in added.get(name, ()) if key not in names)


def _behind(before: tuple[SectionView, ...], names: list[str]) -> int:
    """Return the place behind the last of some sections that is known."""
    for section in reversed(before):
        if section.name in names:
            return names.index(section.name) + 1
    return 0


def _keyed(scenario: ScenarioView | None) -> dict[str, ShownSection]:
    """Return the open sections by name; of several with one name the later ones are numbered."""
    seen: Counter[str] = Counter()
    found = {}
    for one in scenario.sections if scenario else ():
        seen[one.name] += 1
        number = seen[one.name]
        found[one.name if number == 1 else f"{one.name} ({number})"] = one
    return found


def scenario_change(
    before: ScenarioView | None, after: ScenarioView, rows: tuple[str, ...], price: RewritePrice
) -> ScenarioChange:
    """Return one scenario on both sides; without the first side, how it is."""
    if before is None or before.refused or after.refused:
        cells = dict(_cells(None, after, rows))
        return ScenarioChange(after.name, before, after, cells, None, 0, 0, 0, None)
    first = _first_byte(before, after)
    rewritten, from_mark = _rewritten(after, first, price.counter)
    cached = after.cost.cached_tokens if after.cost else 0
    billed = min(from_mark if price.up_to_marks else rewritten, cached)
    known = after.cost is not None and first is not None
    usd = price.price.extra_usd(billed) if known else None
    cells = dict(_cells(before, after, rows))
    return ScenarioChange(
        after.name, before, after, cells, first, rewritten, from_mark, billed, usd
    )


def _cells(
    before: ScenarioView | None, after: ScenarioView, rows: tuple[str, ...]
) -> Iterator[tuple[str, Cell]]:
    old, new = _keyed(before), _keyed(after)
    moved = moved_keys([key for key in old if key in new], [key for key in new if key in old])
    for name in rows:
        one, other = old.get(name), new.get(name)
        shown = other or one
        sign = _sign(one, other, name in moved) if before else ("open" if other else "closed")
        texts = (one.text if one else None, other.text if other else None)
        yield name, Cell(sign, *texts, shown.tokens if shown else 0)


def _sign(before: ShownSection | None, after: ShownSection | None, moved: bool) -> Sign:
    if before is None or after is None:
        if before is after:
            return "closed"
        return "appears" if before is None else "disappears"
    if before.text != after.text:
        return "reworded"
    return "moved" if moved else "same"


def _first_byte(before: ScenarioView, after: ScenarioView) -> int | None:
    """Return the first byte of the prefix that differs: tools, then blocks, shape included."""
    if before.fingerprint == after.fingerprint:
        return None
    start = 0
    parts = zip_longest(_parts(before), _parts(after))
    for old, new in parts:
        # The same bytes in other blocks are another prefix: its shape is sent as well.
        if old is None or new is None or old[0] != new[0]:
            return start
        if (first := first_difference(old[1], new[1])) is not None:
            return start + first
        start += len(new[1])
    return 0  # what differs stands in no text: a block's target, or the tier of its mark


def _parts(scenario: ScenarioView) -> list[tuple[tuple[str, bool], bytes]]:
    """Return the shape and the bytes of the tool table and of each block."""
    blocks = [((one.name, one.marked), one.text.encode()) for one in scenario.blocks]
    return [(("", False), scenario.tools.encode()), *blocks]


def _rewritten(after: ScenarioView, first: int | None, counter: TokenCounter) -> tuple[int, int]:
    """Return the tokens from a byte on, and those from the last mark in front of it."""
    if first is None:
        return 0, 0
    marked, text = 0, b""
    for (_, is_marked), part in _parts(after):
        text += part
        if is_marked and len(text) <= first:
            marked = len(text)
    rest = text[first:].decode("utf-8", "ignore")
    return counter.count(rest), counter.count(text[marked:].decode("utf-8", "ignore"))
