"""Puts the texts of a block's sections together, and remembers where each byte came from."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from ..sections.declare import Frame
from .order import Group, OneOf, Place, Wrap, places_in


class Segment(NamedTuple):
    """A run of a block's text.

    Attributes:
        owner: The position of the section in the block, counted from 0, or -1 for glue.
        kind: `text`, `opening` (belongs to the text behind it) or `closing` (to the one before).
        text: The characters.
        name: The name under which the section is listed, where it is not its own.
    """

    owner: int
    kind: Literal["text", "opening", "closing"]
    text: str
    name: str = ""


class BlockText(NamedTuple):
    """The value of a block node: its text, and the segments that make it up."""

    text: str
    segments: tuple[Segment, ...]


class Assembly:
    """Puts the texts of one block together.

    Args:
        content: What stands in the block.
        frames: The wrapper that each frame's template makes, by the frame's name.
    """

    def __init__(self, content: Group, frames: Mapping[str, Wrap]) -> None:
        self._content = content
        self._frames = frames
        self._owners = {id(spot): number for number, (spot, _) in enumerate(places_in(content))}

    def __call__(self, texts: list[Any]) -> BlockText:
        """Return the block's text, given its sections' texts in reading order."""
        segments: list[Segment] = []
        self._group(self._content, texts, segments)
        return BlockText("".join([segment.text for segment in segments]), tuple(segments))

    def _group(self, item: Group, texts: list[Any], out: list[Segment]) -> bool:
        inner: list[Segment] = []
        for one in item.items:
            if isinstance(one, Group):
                written: list[Segment] = []
                if self._group(one, texts, written):
                    glue = self._glue(one.lead, item, bool(inner))
                    _append(inner, glue, written, item.after)
            else:
                for spot in one.places if isinstance(one, OneOf) else (one,):
                    self._place_in(spot, item, texts, inner)
        if not inner:
            return False
        wraps = [self._wrap(one) for one in item.wraps]
        for wrap in reversed(wraps):
            if wrap.opening:
                out.append(Segment(-1, "opening", wrap.opening))
        out.extend(inner)
        for wrap in wraps:
            if wrap.closing:
                out.append(Segment(-1, "closing", wrap.closing))
        return True

    def _wrap(self, one: Wrap | Frame) -> Wrap:
        return self._frames[one.name] if isinstance(one, Frame) else one

    @staticmethod
    def _glue(own: str | None, around: Group, behind: bool) -> str:
        if own is not None:
            return own
        if around.before is not None:
            return around.before
        return around.join if behind else ""

    def _place_in(self, spot: Place, around: Group, texts: list[Any], inner: list[Segment]) -> None:
        after = around.after if spot.after is None else spot.after
        for written in self._written(spot, texts):
            _append(inner, self._glue(spot.before, around, bool(inner)), written, after)

    def _written(self, spot: Place, texts: list[Any]) -> Iterator[list[Segment]]:
        """Yield what a place writes: one run of segments, or one for each listed text."""
        owner = self._owners[id(spot)]
        value = texts[owner]
        if not value and not spot.parts:
            return
        if spot.section.many:
            for named in value:
                yield [Segment(owner, "text", named.text, named.name)]
            return
        run = [Segment(owner, "text", value)] if value else []
        for part in spot.parts:
            for written in self._written(part, texts):
                glue = spot.join if part.before is None else part.before
                _append(run, glue if run else "", written, part.after or "")
        if run and spot.wrap is not None:
            wrap = self._wrap(spot.wrap)
            run.insert(0, Segment(-1, "opening", wrap.opening))
            run.append(Segment(-1, "closing", wrap.closing))
        if run:
            yield run


def _append(out: list[Segment], glue: str, written: list[Segment], after: str) -> None:
    if glue:
        out.append(Segment(-1, "opening", glue))
    out.extend(written)
    if after:
        out.append(Segment(-1, "closing", after))
