"""Which sections differ between two prompts, by identity."""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from .node_functions import text_node
from .placed import Placed, placed_sections
from .prompt import Prompt

Key = TypeVar("Key", bound=Hashable)

ChangeKind = Literal["added", "removed", "moved", "changed", "glue"]


@dataclass(frozen=True, slots=True)
class SectionChange:
    """One section that differs.

    Attributes:
        name: The section's name, or the caller's for a text that it added.
        change: `moved` stands elsewhere among those that both prompts have, its text may differ
            too; `glue` has the same text with other separators or wrappers.
        node: The node of its text.
        block: The block that it stands in, or stood in.
        block_before: The block that it stood in, `None` for an added one.
        text_before: Its text before, glue included; empty for an added one.
        text: Its text now, glue included; empty for a removed one.
    """

    name: str
    change: ChangeKind
    node: str
    block: str
    block_before: str | None
    text_before: str
    text: str


def section_changes(before: Prompt, after: Prompt) -> Iterator[SectionChange]:
    """Yield the sections that differ: the second prompt's in its order, then removed ones."""
    old = {one.key: one for one in placed_sections(before)}
    new = {one.key: one for one in placed_sections(after)}
    moved = moved_keys([key for key in old if key in new], [key for key in new if key in old])
    for key, one in new.items():
        kind = _kind(old.get(key), one, key in moved)
        if kind is not None:
            yield _change(one, kind, old.get(key), one)
    for key, one in old.items():
        if key not in new:
            yield _change(one, "removed", one, None)


def _kind(old: Placed | None, new: Placed, moved: bool) -> ChangeKind | None:
    if old is None:
        return "added"
    if moved or old.row.block != new.row.block:
        return "moved"
    if old.own != new.own:
        return "changed"
    return "glue" if old.row.text != new.row.text else None


def _change(
    shown: Placed, kind: ChangeKind, old: Placed | None, new: Placed | None
) -> SectionChange:
    return SectionChange(
        shown.row.name,
        kind,
        text_node(shown.position.place.section),
        shown.row.block,
        old.row.block if old else None,
        old.row.text if old else "",
        new.row.text if new else "",
    )


def moved_keys(before: Sequence[Key], after: Sequence[Key]) -> set[Key]:
    """Return the fewest keys whose moves turn one order into the other.

    Source: what stays is a longest increasing run of old places, by patience sorting.
    """
    place = {key: number for number, key in enumerate(before)}
    tails: list[int] = []
    last: list[Key] = []
    back: dict[Key, Key | None] = {}
    for key in after:
        at = bisect_left(tails, place[key])
        tails[at : at + 1] = [place[key]]
        back[key] = last[at - 1] if at else None
        last[at : at + 1] = [key]
    kept: set[Key] = set()
    step = last[-1] if last else None
    while step is not None:
        kept.add(step)
        step = back[step]
    return set(after) - kept
