"""The YAML between the fences: a strict subset, built from PyYAML's events.

Events, not nodes or objects: an alias, an anchor or a tag is refused when it is met, before
anything is expanded, resolved or called.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, NoReturn, TypeAlias

import yaml

from .findings import Finding

# PyYAML's types know neither which events have marks nor what else they hold.
Event: TypeAlias = Any
Value: TypeAlias = "str | list[Value] | dict[str, Value]"

MAX_DEPTH = 8
# libyaml is five times as fast; PyYAML may have been built without it.
EVENT_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

SEPARATORS = re.compile("[\x0c\x85\u2028\u2029]")
# libyaml's own list; U+FEFF is a byte order mark that is not at the beginning.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0d-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_COMMENT_TAIL = re.compile(r"[ \t]+#")
_KEY_END = re.compile(r":(?=[ \t]|\Z)")
_GROUP_START = re.compile(r"^(?=[^\s#-])", re.MULTILINE)
# What quotes, blocks, flows, anchors, aliases, tags and comments begin with: never plain text.
_NOT_PLAIN = tuple("\"'|>[{&*!#")


class Refusal(Exception):  # noqa: N818 - it ends the reading of one file and never leaves a reader
    """Why a file's front matter is not read.

    Attributes:
        code: The code of the finding.
        line: 1-based, or `None`.
        column: 1-based, or `None`.
    """

    def __init__(
        self, code: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        self.code = code
        self.line = line
        self.column = column
        super().__init__(message)

    def finding(self, path: str) -> Finding:
        """Return the error finding for a file."""
        return Finding(self.code, str(self), path, self.line, self.column, "error")


def refuse_controls(text: str, first_line: int) -> None:
    """Raise `Refusal` at the first control character of a text that begins on `first_line`."""
    if found := _CONTROLS.search(text):
        position = found.start()
        line = first_line + text.count("\n", 0, position)
        message = f"U+{ord(found[0]):04X} may not stand in front matter; remove it"
        raise Refusal("control-character", message, line, position - text.rfind("\n", 0, position))


class YamlReader:
    """Reads one piece of front matter.

    Attributes:
        lines: The 1-based line of each top-level key, once `fields` has run.
    """

    def __init__(
        self,
        text: str,
        first_line: int,
        path: str,
        prose_keys: Collection[str],
        findings: list[Finding],
    ) -> None:
        self.lines: dict[str, int] = {}
        self._text = text
        self._first_line = first_line
        self._path = path
        self._prose_keys = prose_keys
        self._findings = findings
        self._source = text.split("\n")

    def fields(self) -> dict[str, Value]:
        """Return the top-level mapping, repaired where an unquoted value is not YAML.

        Raises:
            Refusal: When the text is not YAML or holds what front matter may not hold.
        """
        noted = len(self._findings)
        try:
            return self._read()
        except yaml.MarkedYAMLError as error:
            del self._findings[noted:]
            return self._repaired(error)

    def _read(self) -> dict[str, Value]:
        self.lines.clear()
        events = self._events()
        next(events)  # the start of the stream
        document = next(events)
        if isinstance(document, yaml.StreamEndEvent):
            return {}
        if document.explicit:
            self._refuse(document, "yaml-invalid", "a second document begins; keep one")
        root = next(events)
        self._refuse_extras(root)
        if not isinstance(root, yaml.MappingStartEvent):
            self._refuse(root, "not-a-mapping", "front matter must be lines 'key: value'")
        fields = self._mapping(events, 1)
        next(events)  # the end of the document
        if not isinstance(after := next(events), yaml.StreamEndEvent):
            self._refuse(after, "yaml-invalid", "a second document begins; keep one")
        return fields

    def _events(self) -> Iterator[Event]:
        try:
            yield from yaml.parse(self._text, Loader=EVENT_LOADER)
        except ValueError as error:  # PyYAML without libyaml, at an escape beyond U+10FFFF
            raise _invalid("an escape names no character", self._first_line, 1) from error

    def _value(self, event: Event, events: Iterator[Event], depth: int) -> Value:
        self._refuse_extras(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if depth > MAX_DEPTH:
            message = f"values are nested more than {MAX_DEPTH} deep; flatten them"
            self._refuse(event, "yaml-depth", message)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(events, depth)
        items: list[Value] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(self._noted(item, self._value(item, events, depth + 1)))
        return items

    def _mapping(self, events: Iterator[Event], depth: int) -> dict[str, Value]:
        mapping: dict[str, Value] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            name = self._key(key)
            if name in mapping:
                self._refuse(key, *_duplicate(name))
            event = next(events)
            value = self._value(event, events, depth + 1)
            if depth == 1:
                self.lines[name] = self._first_line + key.start_mark.line
            mapping[name] = self._noted(event, value, key, depth == 1 and name in self._prose_keys)
        return mapping

    def _key(self, event: Event) -> str:
        self._refuse_extras(event)
        if not isinstance(event, yaml.ScalarEvent):
            self._refuse(event, "yaml-key", "a key is a list or a mapping; use text")
        return self._scalar(event)

    def _scalar(self, event: Event) -> str:
        text: str = event.value
        if event.style == '"' and not text.isprintable():
            # An escape can hide what may not stand there in the open.
            if found := _CONTROLS.search(text):
                message = f"an escape makes U+{ord(found[0]):04X}; remove it"
                self._refuse(event, "control-character", message)
            if found := SEPARATORS.search(text):
                message = f"an escape makes U+{ord(found[0]):04X}, read as a space; remove it"
                self._note(event, "line-separator", message)
                text = SEPARATORS.sub(" ", text)
        return text

    def _noted(
        self,
        event: Event,
        value: Value,
        key: Event | None = None,
        is_prose: bool = False,
    ) -> Value:
        """Return the value, with the text that YAML took for a comment where it is prose."""
        if not isinstance(value, str) or event.style:
            return value
        tail = self._source[event.end_mark.line][event.end_mark.column :]
        tail = tail if tail and _COMMENT_TAIL.match(tail) else ""
        above = self._comment_above(event, key)
        if not tail and not above:
            return value
        message = f"YAML takes what follows '#' for a comment and reads {value!r}; quote the value"
        self._note(event, "comment-truncation", message)
        return " ".join((above, value + tail.rstrip())).strip() if is_prose else value

    def _comment_above(self, value: Event, key: Event | None) -> str:
        """Return the comment between a key and a value that stands on a later line."""
        if key is None or key.end_mark.line == value.start_mark.line:
            return ""
        rest = self._source[key.end_mark.line][key.end_mark.column :].lstrip(" \t:")
        return rest.rstrip() if rest.startswith("#") else ""

    def _repaired(self, error: yaml.MarkedYAMLError) -> dict[str, Value]:
        """Return the fields read one by one, taking the text of those that are not YAML."""
        fields: dict[str, Value] = {}
        lines: dict[str, int] = {}
        line = self._first_line
        noted = len(self._findings)
        for group in _GROUP_START.split(self._text):
            reader = YamlReader(group, line, self._path, self._prose_keys, self._findings)
            for name, value in reader._one_field().items():
                if name in fields:
                    raise Refusal(*_duplicate(name), line, 1)
                fields[name] = value
                lines[name] = reader.lines[name]
            line += group.count("\n")
        if all(finding.code != "yaml-repaired" for finding in self._findings[noted:]):
            raise _invalid(*self._problem(error))
        self.lines = lines
        return fields

    def _one_field(self) -> dict[str, Value]:
        noted = len(self._findings)
        try:
            return self._read()
        except yaml.MarkedYAMLError as error:
            del self._findings[noted:]
            problem, line, column = self._problem(error)
            name, text = self._plain_text(problem, line, column)
            message = f"not YAML ({problem}), so the line is taken as text; quote the value"
            self._findings.append(Finding("yaml-repaired", message, self._path, line, column))
            self.lines = {name: self._first_line}
            return {name: text}

    def _plain_text(self, problem: str, line: int, column: int) -> tuple[str, str]:
        """Return key and text of a field that is not YAML; raise `Refusal` when unclear."""
        first, *more = self._text.split("\n")
        end = _KEY_END.search(first)
        name = first[: end.start()].rstrip() if end else ""
        written = first[end.end() :].strip() if end else ""
        if written.startswith("!"):
            raise Refusal("yaml-tag", "tags are not read; remove it", line, column)
        more = [text for text in more if text.strip() and not text.startswith("#")]
        indented = all(text[0] in " \t" for text in more)
        unclear = name.startswith(_NOT_PLAIN) or written.startswith(_NOT_PLAIN)
        if not name or not written or not indented or unclear:
            raise _invalid(problem, line, column)
        return name, " ".join((written, *(text.strip() for text in more)))

    def _problem(self, error: yaml.MarkedYAMLError) -> tuple[str, int, int]:
        mark = error.problem_mark or error.context_mark
        if mark is None:
            return str(error.problem), self._first_line, 1
        return str(error.problem), self._first_line + mark.line, mark.column + 1

    def _refuse_extras(self, event: Event) -> None:
        if event.anchor is None and event.tag is None:
            return
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, "yaml-alias", "aliases are not read; write the value out")
        if event.anchor is not None:
            self._refuse(event, "yaml-anchor", "anchors are not read; remove it")
        self._refuse(event, "yaml-tag", f"the tag {event.tag!r} is not read; remove it")

    def _refuse(self, event: Event, code: str, message: str) -> NoReturn:
        mark = event.start_mark
        raise Refusal(code, message, self._first_line + mark.line, mark.column + 1)

    def _note(self, event: Event, code: str, message: str) -> None:
        line, column = self._first_line + event.start_mark.line, event.start_mark.column + 1
        self._findings.append(Finding(code, message, self._path, line, column))


def _invalid(problem: str, line: int, column: int) -> Refusal:
    message = f"not YAML: {problem}; correct the line, or quote the value"
    return Refusal("yaml-invalid", message, line, column)


def _duplicate(name: str) -> tuple[str, str]:
    subject = name if name.isprintable() and len(name) <= 64 else ascii(name)[1:65]
    return f"duplicate-key:{subject}", f"the key {subject!r} is given twice; keep one"
