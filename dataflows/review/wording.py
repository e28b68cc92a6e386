"""Differences of texts by words and of code by lines, and signals' values in words."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal, NamedTuple

_WORDS = re.compile(r"\w+|\s+|[^\w\s]+")
_SHORT_CHARS = 40
_MIN_SHARED = 0.4
"""Texts that share a smaller part than this are told one after another, not word by word."""

PieceKind = Literal["same", "gone", "new"]


class Piece(NamedTuple):
    """A run of text that stands on both sides, on the first alone, or on the second alone."""

    kind: PieceKind
    text: str


def word_pieces(before: str, after: str) -> tuple[Piece, ...]:
    """Return two texts as one run of pieces, compared line by line, then word by word."""
    pieces: list[Piece] = []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for kind, a, b in _steps(old, new):
        if kind == "equal":
            pieces.append(Piece("same", "".join(a)))
        else:
            pieces += _words("".join(a), "".join(b))
    return tuple(_joined(pieces))


def line_pieces(before: str, after: str) -> tuple[Piece, ...]:
    """Return two sources as one run of whole lines."""
    pieces: list[Piece] = []
    for _, a, b in _steps(before.splitlines(keepends=True), after.splitlines(keepends=True)):
        if a == b:
            pieces.append(Piece("same", "".join(a)))
        else:
            pieces += [Piece("gone", "".join(a)), Piece("new", "".join(b))]
    return tuple(_joined(pieces))


def _words(before: str, after: str) -> Iterator[Piece]:
    """Yield a run of lines by words; two texts that have little in common one after another."""
    steps = list(_steps(_WORDS.findall(before), _WORDS.findall(after)))
    shared = sum(len("".join(a).strip()) for kind, a, _ in steps if kind == "equal")
    if shared < _MIN_SHARED * max(len(before), len(after)):
        yield from (Piece("gone", before), Piece("new", after))
        return
    gone = new = ""
    for number, (kind, a, b) in enumerate(steps):
        text = "".join(a)
        between = 0 < number < len(steps) - 1
        if kind == "equal" and not (between and not text.strip() and "\n" not in text):
            yield from (Piece("gone", gone), Piece("new", new), Piece("same", text))
            gone = new = ""
        else:  # a blank between two changes joins them, or every word is marked by itself
            gone, new = gone + text, new + "".join(b)
    yield from (Piece("gone", gone), Piece("new", new))


def _steps(before: list[str], after: list[str]) -> Iterator[tuple[str, list[str], list[str]]]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        yield kind, before[a:b], after[c:d]


def _joined(pieces: list[Piece]) -> Iterator[Piece]:
    """Yield pieces without empty ones, neighbours of one kind as one."""
    waiting: Piece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if waiting is not None and waiting.kind == piece.kind:
            waiting = Piece(piece.kind, waiting.text + piece.text)
            continue
        if waiting is not None:
            yield waiting
        waiting = piece
    if waiting is not None:
        yield waiting


def value_words(value: Any) -> str:
    """Return what a signal's value is, in so few words that equal words mean alike values."""
    match value:
        case None:
            return "absent"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return _text_words(value)
        case list() | tuple():
            return "empty" if not value else f"{len(value)} entr{'y' if len(value) == 1 else 'ies'}"
        case dict():
            return "given" if value else "empty"
    return str(value)


def _text_words(value: str) -> str:
    if not value:
        return "empty"
    if not value.strip():
        return "blank"
    return f'"{value}"' if len(value) <= _SHORT_CHARS else "a long text"
