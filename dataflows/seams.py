"""What can be wrong where the sections of a block meet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from .assembly import BlockText, Segment
from .order import Block

FaultKind = Literal[
    "no separator",
    "doubled separator",
    "blank edge",
    "blank block",
    "empty wrapper",
    "duplicate",
    "order",
    "below minimum",
    "not covered",
]

_MIN_DUPLICATE_CHARS = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a block.

    Attributes:
        kind: What.
        block: The block.
        sections: The sections at the place.
        found: What stands there.
    """

    kind: FaultKind
    block: str
    sections: tuple[str, ...]
    found: str


def block_faults(
    block: Block, sections: Sequence[str], written: BlockText, seen: dict[str, str]
) -> Iterator[Fault]:
    """Yield what is wrong in the text of a block.

    Args:
        block: The block.
        sections: The names of its sections by their position.
        written: Its text and segments.
        seen: The texts of the blocks before, with their sections; those of this one are added.
    """
    if not written.text:
        return
    if not written.text.strip():
        yield Fault("blank block", block.name, (), repr(written.text))
        return
    edges = [part for part in re.findall(r"\A\s+|\s+\Z", written.text) if part]
    if edges:
        yield Fault("blank edge", block.name, (), " and ".join(map(repr, edges)))
    yield from _between(block.name, sections, written.segments)
    yield from _wrappers(block.name, written.segments)
    texts = [one for one in written.segments if one.kind == "text"]
    owners = [one.owner for one in texts]
    if owners != sorted(owners):
        names = tuple(_name(one, sections) for one in texts)
        yield Fault("order", block.name, names, "sections stand in another order than declared")
    for one in texts:
        text, name = " ".join(one.text.split()), _name(one, sections)
        first = seen.setdefault(text, name)
        if first != name and len(text) >= _MIN_DUPLICATE_CHARS:
            yield Fault("duplicate", block.name, (first, name), f"{len(text)} equal characters")


def _between(block: str, sections: Sequence[str], segments: Sequence[Segment]) -> Iterator[Fault]:
    """Yield the seams at which two texts run together, or stand too far apart."""
    before: Segment | None = None
    glue = ""
    for segment in segments:
        if segment.kind != "text":
            glue += segment.text
            continue
        if before is not None:
            seam = _tail(before.text) + glue + _head(segment.text)
            names = (_name(before, sections), _name(segment, sections))
            if not re.search(r"\s", seam):
                ends = f"{before.text[-12:]}{glue}{segment.text[:12]}"
                yield Fault("no separator", block, names, repr(ends))
            elif "\n\n\n" in seam:
                yield Fault("doubled separator", block, names, repr(seam))
        before, glue = segment, ""


def _wrappers(block: str, segments: Sequence[Segment]) -> Iterator[Fault]:
    """Yield the wrappers around nothing."""
    for one, other in pairwise(segments):
        if one.kind == "opening" and other.kind == "closing" and one.text.strip():
            yield Fault("empty wrapper", block, (), repr(one.text + other.text))


def _tail(text: str) -> str:
    return text[len(text.rstrip()) :]


def _head(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _name(segment: Segment, sections: Sequence[str]) -> str:
    return segment.name or sections[segment.owner]
