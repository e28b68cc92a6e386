"""Code fences in streamed Markdown, line by line, in a memory of a few characters."""

import re
from enum import Enum, auto

_INDENT = re.compile(r"[ \t]*")


class _Line(Enum):
    """What the line has shown so far."""

    INDENT = auto()
    RUN = auto()
    INFO = auto()
    REST = auto()


class Fences:
    """Says whether the place that a stream has reached is inside a code fence.

    A fence opens and closes as in CommonMark, but at any indentation, since models put fences
    into lists. The line of a fence itself counts as outside.

    Source: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
    """

    __slots__ = (
        "_begun",
        "_blank_info",
        "_character",
        "_count",
        "_line",
        "_opened",
        "_ticks_in_info",
    )

    def __init__(self) -> None:
        self._opened: tuple[str, int] | None = None
        self._new_line()

    @property
    def inside(self) -> bool:
        """Whether the text that comes is code."""
        return self._opened is not None

    @property
    def fresh(self) -> bool:
        """Whether nothing of the line has come yet."""
        return not self._begun

    def feed(self, piece: str) -> None:
        """Take a piece of one line; its newline, if there is one, is its last character."""
        ended = piece.endswith("\n")
        self._begun = True
        if self._line is not _Line.REST:
            self._read(piece[:-1] if ended else piece)
        if ended:
            self._end_line()
            self._new_line()

    def leave(self) -> None:
        """Go on as outside of every fence and in the middle of a line."""
        self._opened = None
        self._line, self._begun = _Line.REST, True

    def _new_line(self) -> None:
        self._begun = False
        self._line = _Line.INDENT
        self._character, self._count = "", 0
        self._blank_info, self._ticks_in_info = True, False

    def _read(self, piece: str) -> None:
        place = 0
        if self._line is _Line.INDENT:
            place = _INDENT.match(piece).end()  # type: ignore[union-attr]  # it matches always
            if place == len(piece):
                return
            self._character = piece[place]
            self._line = _Line.RUN if self._character in "`~" else _Line.REST
        if self._line is _Line.RUN:
            rest = piece[place:].lstrip(self._character)
            self._count += len(piece) - place - len(rest)
            if not rest:
                return
            self._line = _Line.INFO if self._count >= 3 else _Line.REST
            place = len(piece) - len(rest)
        if self._line is _Line.INFO:
            info = piece[place:]
            self._blank_info = self._blank_info and not info.strip()
            self._ticks_in_info = self._ticks_in_info or "`" in info

    def _end_line(self) -> None:
        if self._line not in (_Line.RUN, _Line.INFO) or self._count < 3:
            return
        if self._opened is None:
            if self._character == "~" or not self._ticks_in_info:
                self._opened = (self._character, self._count)
            return
        character, count = self._opened
        if self._blank_info and self._character == character and self._count >= count:
            self._opened = None
