"""One opening tag that may become a form: an automaton over what follows it.

It dies at the first character that no form can have there, so that of all the tags in a text no
more than three are followed at a time: `<` and a backslash are fatal outside of quotes, and any
quote that a later tag needs ends the quotes of an earlier one. This keeps detection linear.
"""

import re
from enum import IntEnum, auto
from typing import Literal

from ...inputs.javascript_text import SPACE

MAX_ATTRIBUTE_CHARS = 4096

State = Literal["open", "dead", "closed", "too large"]


class _Phase(IntEnum):
    """Where in the grammar of a form the candidate is."""

    ATTRIBUTES = auto()
    DOUBLE_QUOTED = auto()
    SINGLE_QUOTED = auto()
    START = auto()
    FENCE = auto()
    JSON = auto()
    STRING = auto()
    ESCAPE = auto()
    CLOSING = auto()


# What a phase passes over without a look at each character.
_INSIDE_STRING = r'(?:[^"\\\x00-\x1f]++|\\.)*+'
_RUNS = {
    _Phase.ATTRIBUTES: re.compile(r"[^<>\\\"'=]*"),
    _Phase.DOUBLE_QUOTED: re.compile(r'[^"]*'),
    _Phase.SINGLE_QUOTED: re.compile(r"[^']*"),
    _Phase.START: re.compile(rf"[{SPACE}]*"),
    _Phase.FENCE: re.compile(""),
    _Phase.JSON: re.compile(rf'(?:[^"<\\]++|"{_INSIDE_STRING}")*+'),
    _Phase.STRING: re.compile(_INSIDE_STRING),
    _Phase.ESCAPE: re.compile(""),
}
_BLANKS = re.compile(r"[ \t\n\r\f\v]*")
_IN_TAG = frozenset({_Phase.ATTRIBUTES, _Phase.DOUBLE_QUOTED, _Phase.SINGLE_QUOTED})


class Candidate:
    """Follows one opening tag to its closing tag of the same name.

    Attributes:
        name: `question-form` or `ask-question`.
        start: Where its `<` stands in the stream, in characters.
        state: `open` until it is `closed`, `dead`, or `too large`.
    """

    __slots__ = (
        "_attributes",
        "_body",
        "_closing",
        "_matched",
        "_max_body_chars",
        "_parts",
        "_phase",
        "_size",
        "_ticks",
        "_value_follows",
        "name",
        "start",
        "state",
    )  # fmt: skip

    def __init__(self, name: str, start: int, max_body_chars: int) -> None:
        self.name = name
        self.start = start
        self.state: State = "open"
        self._closing = f"</{name}"
        self._max_body_chars = max_body_chars
        self._phase = _Phase.ATTRIBUTES
        self._value_follows = False
        self._ticks = self._matched = self._size = 0
        self._parts: list[str] = []
        self._attributes = self._body = ""

    @property
    def attributes(self) -> str:
        """What stands between the name and the `>` of the opening tag."""
        return self._attributes

    @property
    def body(self) -> str:
        """What stands between the tags, once it is closed."""
        return self._body

    def feed(self, text: str, start: int, end: int) -> int:
        """Take the characters from start to end; return the place behind the last one taken."""
        mark = place = start
        while place < end:
            if self._is_closing:
                return self._close(text, place, end)
            room = self._limit - (self._size + place - mark)
            stop = min(end, place + room + 1)
            run_end = _RUNS[self._phase].match(text, place, stop).end()  # type: ignore[union-attr]
            if run_end - place > room:
                self.state = "dead" if self._phase in _IN_TAG else "too large"
                return run_end
            if self._phase is _Phase.ATTRIBUTES and not text[place:run_end].isspace():
                self._value_follows = self._value_follows and run_end == place
            if run_end == end:
                break
            before = self._phase
            self._step(text[run_end])
            place = run_end + 1
            if self.state != "open":
                return place
            if before is _Phase.ATTRIBUTES and self._phase is _Phase.START:
                self._attributes = self._taken(text[mark:run_end])
                mark = place
            elif self._is_closing:
                self._body = self._taken(text[mark:run_end])
        if not self._is_closing:
            self._parts.append(text[mark:end])
            self._size += end - mark
        return end

    def _close(self, text: str, place: int, end: int) -> int:
        """Take characters of the closing tag; return the place behind the last one taken."""
        wanted = self._closing[self._matched : self._matched + end - place]
        piece = text[place : place + len(wanted)]
        if not piece.isascii() or piece.lower() != wanted:
            self.state = "dead"
            return place
        self._matched += len(wanted)
        place = _BLANKS.match(text, place + len(wanted), end).end()  # type: ignore[union-attr]
        if place == end:
            return end
        self.state = "closed" if text[place] == ">" else "dead"
        return place + 1

    @property
    def _is_closing(self) -> bool:
        return self._phase is _Phase.CLOSING

    @property
    def _limit(self) -> int:
        return MAX_ATTRIBUTE_CHARS if self._phase in _IN_TAG else self._max_body_chars

    def _taken(self, last: str) -> str:
        whole = "".join((*self._parts, last))
        self._parts, self._size = [], 0
        return whole

    def _step(self, character: str) -> None:
        match self._phase:
            case _Phase.ATTRIBUTES:
                self._step_attributes(character)
            case _Phase.DOUBLE_QUOTED | _Phase.SINGLE_QUOTED:
                self._phase, self._value_follows = _Phase.ATTRIBUTES, False
            case _Phase.START | _Phase.FENCE:
                self._step_start(character)
            case _Phase.JSON:
                self._step_json(character)
            case _Phase.STRING:
                self._step_string(character)
            case _Phase.ESCAPE:
                self._phase = _Phase.STRING

    def _step_attributes(self, character: str) -> None:
        if character == ">":
            self._phase = _Phase.START
        elif character in "<\\":
            self.state = "dead"
        elif character == "=":
            self._value_follows = True
        elif self._value_follows:  # a quote elsewhere, as in don't, opens nothing
            quoted = _Phase.DOUBLE_QUOTED if character == '"' else _Phase.SINGLE_QUOTED
            self._phase = quoted

    def _step_start(self, character: str) -> None:
        if character == "`":
            self._ticks += 1
            self._phase = _Phase.JSON if self._ticks == 3 else _Phase.FENCE
        elif character == "{" and self._phase is _Phase.START:
            self._phase = _Phase.JSON
        else:
            self.state = "dead"

    def _step_json(self, character: str) -> None:
        if character == '"':
            self._phase = _Phase.STRING
        elif character == "<":
            self._phase, self._matched = _Phase.CLOSING, 1
        else:
            self.state = "dead"

    def _step_string(self, character: str) -> None:
        if character == '"':
            self._phase = _Phase.JSON
        elif character == "\\":
            self._phase = _Phase.ESCAPE
        else:
            self.state = "dead"  # JSON allows no control character in a string
