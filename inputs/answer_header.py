"""The header of submitted form answers: one grammar for everybody who reads it."""

import re
from dataclasses import dataclass
from typing import Literal

from .javascript_text import trimmed

OverrideKind = Literal["build", "generic", "none"]

# A dash or colon in front of the id, with or without spaces. Without an id the header must stand
# alone on its line, so that a sentence about the header is not taken for it.
_HEADER = re.compile(
    r"[\s\ufeff]*\[form answers"
    r"(?:[\s\ufeff]*[\u2014\u2013:-]([^\]\r\n]*)\]|[^\S\r\n]*\][^\S\r\n]*(?=[\r\n]|\Z))",
    re.IGNORECASE,
)
_NOT_IN_ID = re.compile(r"[^\w.-]")
_BUILDING = frozenset({"discovery", "task-type"})


@dataclass(frozen=True, slots=True)
class AnswerHeader:
    """The header of submitted answers.

    Attributes:
        form_id: The form's id as it was written, letters of every script kept; `form` for none.
        end: Where the header ends in the text, in characters.
    """

    form_id: str
    end: int

    @property
    def key(self) -> str:
        """The id in lower case: what decides."""
        return self.form_id.lower()

    @property
    def override(self) -> OverrideKind:
        """`build` where the answers begin the work, else `generic`."""
        return "build" if self.key in _BUILDING else "generic"


def form_id_of(text: str) -> str:
    """Return an id in which only letters, digits, `_`, `.` and `-` stand; `form` for none."""
    return _NOT_IN_ID.sub("", trimmed(text)) or "form"


def read_header(text: str | None) -> AnswerHeader | None:
    """Return the header that a text begins with, or `None`.

    Source: open_design's daemon and web readers, each of which took a part of this grammar.
    """
    match = _HEADER.match(text) if text else None
    return None if match is None else AnswerHeader(form_id_of(match[1] or ""), match.end())


def override_of(text: str | None) -> OverrideKind:
    """Return which override answers call for; `none` for a text that holds no answers."""
    header = read_header(text)
    return "none" if header is None else header.override


def write_header(form_id: str) -> str:
    """Return the header line of a form's answers."""
    return f"[form answers \u2014 {form_id_of(form_id)}]"
