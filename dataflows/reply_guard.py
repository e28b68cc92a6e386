"""Ends a streamed reply where it begins to make up the next turn of the conversation."""

import re

from ..inputs.findings import Finding
from .question_forms.fences import Fences

ROLES = ("user", "assistant", "assist", "system")
# A longer line is no role marker, however many blanks are in it; so no more is held back.
MAX_HELD_CHARS = 64

# Two hashes and small letters, as transcripts write it: `## System` is a heading of a document.
_MARKER = re.compile(rf"[ \t]*##[ \t]*(?:{'|'.join(ROLES)})[ \t]*(?::|\r?\Z)")
_BEGUN_ROLES = "|".join(sorted({role[:size] for role in ROLES for size in range(len(role) + 1)}))
# What may still become a marker is held back.
_BEGUN = re.compile(
    rf"[ \t]*(?:#?|##[ \t]*(?:{_BEGUN_ROLES})|##[ \t]*(?:{'|'.join(ROLES)})[ \t]*\r?)\Z"
)


class ReplyGuard:
    """Passes a streamed reply on until a line that starts a made-up turn, such as `## user`.

    How the reply is cut into pieces makes no difference. A role in a code fence is an example and
    passes, and so does a heading that only begins with one, such as `## user stories`. At most 64
    characters are held back.

    Attributes:
        cut: What was found where the reply was ended, or `None`.
    """

    def __init__(self) -> None:
        self.cut: Finding | None = None
        self._fences = Fences()
        self._line = 1
        self._held = ""
        self._passing = False

    def feed(self, text: str) -> str:
        """Take the next piece of the reply; return what may be shown now."""
        shown: list[str] = []
        place = 0
        while place < len(text) and self.cut is None:
            newline = text.find("\n", place)
            end = len(text) if newline < 0 else newline + 1
            shown.append(self._piece(text[place:end]))
            place = end
        return "".join(shown)

    def finish(self) -> str:
        """End the reply; return what was held back and is no marker."""
        held, self._held = self._held, ""
        if self.cut is None and _marker(held):
            self._end_reply()
        return held if self.cut is None else ""

    def _piece(self, piece: str) -> str:
        """Take a piece of one line, its newline included where it has come."""
        self._fences.feed(piece)
        if self._passing or self._fences.inside:
            return self._pass(piece)
        self._held += piece
        line = self._held.removesuffix("\n")
        ended = line != self._held
        marker = _marker(line)
        if marker and (ended or marker.endswith(":")):
            self._end_reply()
            return ""
        if not ended and len(line) <= MAX_HELD_CHARS and _BEGUN.match(line):
            return ""
        return self._pass("")

    def _pass(self, piece: str) -> str:
        shown, self._held = self._held + piece, ""
        self._passing = not shown.endswith("\n")
        self._line += shown.count("\n")
        return shown

    def _end_reply(self) -> None:
        self._held = ""
        message = "the reply went on with a turn that nobody had taken; it was ended there"
        self.cut = Finding("fabricated-turn", message, line=self._line, severity="error")


def _marker(line: str) -> str:
    """Return the marker that a line begins with, or an empty string."""
    match = _MARKER.match(line)
    return match[0] if match and len(match[0]) <= MAX_HELD_CHARS else ""


def guarded(reply: str) -> str:
    """Return a whole reply up to a made-up turn."""
    guard = ReplyGuard()
    return guard.feed(reply) + guard.finish()
