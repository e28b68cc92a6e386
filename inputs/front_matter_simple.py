"""The front matter that most files have, read without a YAML parser."""

import re

from .front_matter_yaml import Value

_KEY = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
# What follows the colon of a block: how its lines are joined, and what ends it.
_BLOCKS = {" >": (" ", "\n"), " >-": (" ", ""), " |": ("\n", "\n"), " |-": ("\n", "")}


def simple_fields(head: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Return the fields of simple front matter and the index of each one's line, else `None`.

    Most files are simple, and reading them so takes a fifth of the time. Values are plain text in
    which YAML sees nothing special, quoted text without an escape, and, indented by two spaces,
    a mapping of such values or a block of even lines. A property test compares the result with
    `YamlReader`. In doubt the answer is `None`: `isprintable` refuses TAB, controls, what YAML 1.1
    takes for a line end, and much that is harmless.
    """
    fields: dict[str, Value] = {}
    places: dict[str, int] = {}
    lines = head[:-1].split("\n")
    index, end = 0, len(lines)
    while index < end:
        line = lines[index]
        key, _, written = line.partition(":")
        if key in fields or not _KEY.fullmatch(key):
            return None
        places[key] = index
        index += 1
        value: Value | None = _text(line, written) if written else None
        if value is None:
            start = index
            while index < end and lines[index].startswith("  "):
                index += 1
            indented = [line[2:] for line in lines[start:index]]
            value = _block(indented, written) if written else _mapping(indented)
            if value is None:
                return None
        fields[key] = value
    return fields, places


def _text(line: str, written: str) -> str | None:
    """Return the text that is written after a key's colon on a line."""
    text = written.strip(" ")
    if not text or written[0] != " " or not line.isprintable():
        return None
    quote = text[0]
    if quote in "\"'":
        is_whole = len(text) > 1 and text.find(quote, 1) == len(text) - 1
        return text[1:-1] if is_whole and "\\" not in text else None
    is_plain = quote.isalnum() and ": " not in text and " #" not in text and text[-1] != ":"
    return text if is_plain else None


def _mapping(lines: list[str]) -> dict[str, Value] | None:
    mapping: dict[str, Value] = {}
    for line in lines:
        key, _, written = line.partition(":")
        value = _text(line, written) if written else None
        if value is None or key in mapping or not _KEY.fullmatch(key):
            return None
        mapping[key] = value
    return mapping or None


def _block(lines: list[str], header: str) -> str | None:
    if header not in _BLOCKS or not lines:
        return None
    for line in lines:
        if not line or line[0] == " " or not line.isprintable():
            return None
    joint, end = _BLOCKS[header]
    return joint.join(lines) + end
