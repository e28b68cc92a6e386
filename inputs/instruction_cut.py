"""Cutting an instruction file to a number of bytes, at a line end and with a notice."""

import re
from dataclasses import dataclass

from .markdown_code import FenceScanner, closing_fence

CUT_NOTICE = "[{cut_bytes} bytes of {file_name} are not shown; open the file to read the rest]"
"""The line that stands where a text was cut; takes `cut_bytes` and `file_name`."""

_LINES = re.compile("[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Cut:
    """A text that fits.

    Attributes:
        content: The text, or its first lines, a closing fence where one is open, and the notice.
        cut_bytes: UTF-8 bytes of the text that `content` lacks.
    """

    content: str
    cut_bytes: int


def cut_to_bytes(text: str, limit_bytes: int | None, *, file_name: str, notice: str) -> Cut | None:
    """Return as many whole lines as fit, or `None` when neither a line nor the notice does.

    All of `content` counts, closing fence and notice too. A first line that is longer than the
    limit is cut between two characters, so that a file of one long line is not lost.

    Args:
        text: The whole text.
        limit_bytes: The UTF-8 bytes that `content` may take; `None` is no limit.
        file_name: For the notice.
        notice: A template as `CUT_NOTICE` is; an empty string writes none.
    """
    size = utf8_length(text)
    if limit_bytes is None or size <= limit_bytes:
        return Cut(text, 0)
    # The number is longest when it tells that everything was cut.
    room = limit_bytes - utf8_length(_notice_lines(notice, size, file_name))
    kept, closing = _lines_that_fit(text, room)
    if not kept:
        kept = _characters_that_fit(text, room)
    if room < 0 or not (kept or notice):
        return None
    cut_bytes = size - utf8_length(kept)
    ended = kept if not kept or kept.endswith("\n") else f"{kept}\n"
    return Cut(ended + closing + _notice_lines(notice, cut_bytes, file_name), cut_bytes)


def utf8_length(text: str) -> int:
    """Return how many bytes the text takes as UTF-8."""
    return len(text.encode())


def _notice_lines(notice: str, cut_bytes: int, file_name: str) -> str:
    """Return the notice after a blank line, so that no paragraph runs into it."""
    if not notice:
        return ""
    return f"\n{notice.format(cut_bytes=cut_bytes, file_name=file_name)}\n"


def _lines_that_fit(text: str, room_bytes: int) -> tuple[str, str]:
    """Return the longest run of first lines that fits, and the line that closes its fence."""
    scanner = FenceScanner()
    characters = used_bytes = 0
    best = (0, "")
    for line in _LINES.findall(text):
        used_bytes += utf8_length(line)
        if used_bytes > room_bytes:
            break
        characters += len(line)
        scanner.feed(line.rstrip("\n"))
        closing = f"{scanner.closing_line}\n" if scanner.closing_line else ""
        if used_bytes + len(closing) <= room_bytes:
            best = (characters, closing)
    return text[: best[0]], best[1]


def _characters_that_fit(text: str, room_bytes: int) -> str:
    """Return the start of the first line; nothing of a line that opens a fence."""
    line = text.partition("\n")[0]
    if closing_fence(line):
        return ""
    return line.encode()[: max(0, room_bytes - 1)].decode(errors="ignore")
