"""Finds question forms in text that arrives in pieces: in one pass, in a bounded memory."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...inputs.findings import Finding, Found
from .attributes import read_attributes
from .body import read_body
from .candidate import Candidate
from .fences import Fences

MAX_BODY_CHARS = 262_144
MAX_FINDINGS = 100

_NAMES = ("question-form", "ask-question")
_NAME = "|".join(_NAMES)
_LONGEST = max(len(name) for name in _NAMES) + 1
# ASCII alone: without it a long s and the Kelvin sign would match letters of the names.
_OPENING = re.compile(rf"<({_NAME})(?=[\s/>])", re.IGNORECASE | re.ASCII)
_FENCE_LINE = r"^[ \t]*+(?:`{3}|~{3})"
_FENCE = re.compile(_FENCE_LINE, re.MULTILINE)
_FENCE_OR_OPENING = re.compile(
    rf"{_FENCE_LINE}|<(?:{_NAME})(?=[\s/>])", re.IGNORECASE | re.ASCII | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class FoundForm:
    """A form that a card can be shown of, as it stood in the text.

    Attributes:
        name: The tag's name, in lower case.
        attributes: The attributes of the opening tag.
        content: The JSON object between the tags.
        start: Where its `<` stands in the stream, in characters.
        end: Where it ends.
    """

    name: str
    attributes: Mapping[str, str]
    content: Mapping[str, Any]
    start: int
    end: int


class FormDetector:
    """Finds forms in streamed text; how the text is cut into pieces makes no difference.

    A form in a code fence is an example and is passed over. A tag that is only spoken of, one that
    is never closed, `>` inside an attribute and blanks in the closing tag lose no form. Each
    character is looked at a few times at most, whatever the text; what is remembered is bounded by
    `max_body_chars`.

    Args:
        max_body_chars: The longest body that is read; a longer one is left out with a finding.

    Attributes:
        found: Whether a form was found so far.
    """

    def __init__(self, max_body_chars: int = MAX_BODY_CHARS) -> None:
        self.found = False
        self._max_body_chars = max_body_chars
        self._fences = Fences()
        self._candidates: list[Candidate] = []
        self._tail = ""
        self._before = 0
        self._findings: list[Finding] = []
        self._left_out_findings = 0

    @property
    def followed(self) -> int:
        """How many opening tags are followed at this moment; never more than three."""
        return len(self._candidates)

    def feed(self, text: str) -> tuple[FoundForm, ...]:
        """Take the next piece of the text; return the forms that end in it."""
        forms: list[FoundForm] = []
        place, last_line = 0, text.rfind("\n") + 1
        while place < len(text):
            place = self._past_plain_lines(text, place, last_line)
            newline = text.find("\n", place)
            end = len(text) if newline < 0 else newline + 1
            if place < end:
                self._line(text, place, end, forms)
            place = end
        self._before += len(text)
        self.found = self.found or bool(forms)
        return tuple(forms)

    def finish(self) -> tuple[Finding, ...]:
        """End the text; return what was found wrong, in the order of the text."""
        for one in self._candidates:
            self._report("unclosed-form", one, "is never closed; it was left out")
        self._candidates.clear()
        if self._left_out_findings:
            message = f"{self._left_out_findings} more findings are not listed"
            return (*self._findings, Finding("more-findings", message, severity="info"))
        return tuple(self._findings)

    def _past_plain_lines(self, text: str, place: int, last_line: int) -> int:
        """Return the first place from which a line must be read; whole plain lines are passed."""
        if self._candidates or self._tail or place >= last_line or not self._fences.fresh:
            return place
        pattern = _FENCE if self._fences.inside else _FENCE_OR_OPENING
        match = pattern.search(text, place)
        if match is None:
            return last_line
        return text.rfind("\n", place, match.start()) + 1 or place

    def _line(self, text: str, place: int, end: int, forms: list[FoundForm]) -> None:
        """Read a piece of one line, its newline included where it has come."""
        start = place
        for name, length, opened in self._openings(text, place, end):
            self._follow(text, place, opened, forms)
            place = opened
            if not self._fences.inside:
                before = self._before + opened - length
                self._candidates.append(Candidate(name, before, self._max_body_chars))
        self._follow(text, place, end, forms)
        self._fences.feed(text[start:end])

    def _openings(self, text: str, place: int, end: int) -> list[tuple[str, int, int]]:
        """Return name, length and end of each opening tag; one may have begun in the last piece."""
        back = len(self._tail)
        piece = self._tail + text[place:end]
        found = [
            (match[1].lower(), len(match[0]), place + match.end() - back)
            for match in _OPENING.finditer(piece)
        ]
        last = piece.rfind("<")
        begun = piece[last:].lower() if last >= 0 and len(piece) - last <= _LONGEST else ""
        whole = begun and any(f"<{name}".startswith(begun) for name in _NAMES)
        self._tail = piece[last:] if whole else ""
        return found

    def _follow(self, text: str, place: int, end: int, forms: list[FoundForm]) -> None:
        """Give characters to the candidates.

        A form that ends leaves no other candidate, and no fence of its body stays open.
        """
        for one in tuple(self._candidates):
            taken = one.feed(text, place, end)
            if one.state == "open":
                continue
            self._candidates.remove(one)
            form = self._closed(one, taken)
            if form is not None:
                forms.append(form)
                self._candidates.clear()
                self._fences.leave()
                return

    def _closed(self, one: Candidate, taken: int) -> FoundForm | None:
        if one.state == "too large":
            self._report(
                "form-too-large",
                one,
                f"is longer than {self._max_body_chars} characters; it was left out",
            )
        if one.state != "closed":
            return None
        body = read_body(one.body)
        if body.content is None:
            self._report("form-not-renderable", one, f"was left out: {body.fault}")
            return None
        attributes = read_attributes(one.attributes)
        return FoundForm(one.name, attributes, body.content, one.start, self._before + taken)

    def _report(self, code: str, one: Candidate, what: str) -> None:
        if len(self._findings) == MAX_FINDINGS:
            self._left_out_findings += 1
            return
        message = f"the form <{one.name}> at character {one.start} {what}"
        self._findings.append(Finding(code, message, severity="error"))


def find_forms(text: str) -> Found[tuple[FoundForm, ...]]:
    """Return the forms of a whole text that cards can be shown of."""
    detector = FormDetector()
    forms = detector.feed(text)
    return Found(forms, detector.finish())


def has_question_form(text: str) -> bool:
    """Tell whether a whole text holds a form that a card can be shown of."""
    return bool(FormDetector().feed(text))
