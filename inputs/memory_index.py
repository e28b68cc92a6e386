"""The index of a memory folder: `MEMORY.md`, cut to what a prompt takes."""

import os
import re
from pathlib import Path

from .file_text import read_file_text, removal_findings, shown_path, stays_within
from .findings import Finding, Found
from .markdown_code import FenceScanner
from .text import clean

INDEX_NAME = "MEMORY.md"
MAX_LINES = 200
MAX_CHARACTERS = 25_000
CHARACTERS_PER_KB = 1024

TOO_LONG_HINT = "its entries are too long"
"""Follows the size in KB when the lines alone would have fitted."""

WARNING_TAIL = (
    " Only its beginning stands above. Keep each entry to one short line and move what it tells "
    "into the file that it links."
)
"""Follows the size in the warning."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_COMMENT_START = re.compile(r" {0,3}<!--")
_LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")


def memory_index_text(text: str) -> Found[str]:
    """Return the index as it goes into a prompt, with a warning line when it was cut.

    Leading front matter and top-level HTML comments go (those inside a list, a quote, a line or
    code stay); then the text is trimmed and cut to `MAX_LINES` lines and, at the last line end
    that allows it, to `MAX_CHARACTERS` characters. The warning comes on top of both.

    Source: the index algorithm of zcode, save that characters are code points (UTF-16 units cut
    surrogate pairs apart, and count an emoji twice), and that front matter ends at a line that is
    `---` alone (the first `---` anywhere would end it within a value).
    """
    return _index_text(text, None)


def read_memory_index(root: str | os.PathLike[str]) -> Found[str | None]:
    """Return the index text of `<root>/MEMORY.md`, or `None` where there is none.

    A missing file or folder is no finding; one that cannot be read, or a link that leaves the
    folder, is one of severity `error`. Bytes that are not UTF-8 become U+FFFD with a finding.
    """
    path = Path(root) / INDEX_NAME
    if not os.path.lexists(path):
        return _no_index(Path(root))
    if not stays_within(path, Path(os.path.realpath(root))):
        message = "is a link that leaves the memory folder; it was not read"
        return Found(None, (Finding("link-escape", message, shown_path(path), severity="error"),))
    found = read_file_text(path)
    if found.value is None:
        return found
    index = _index_text(found.value, shown_path(path))
    return Found(index.value, (*found.findings, *index.findings))


def _no_index(root: Path) -> Found[str | None]:
    """Tell a missing index from a folder that hides whether it has one."""
    try:
        os.listdir(root)
    except FileNotFoundError:
        return Found(None)
    except OSError as error:
        message = f"cannot be listed as the memory folder ({error.strerror or error})"
        finding = Finding("unreadable-folder", message, shown_path(root), severity="error")
        return Found(None, (finding,))
    return Found(None)


def _index_text(text: str, where: str | None) -> Found[str]:
    findings = removal_findings(text, where)
    text = _without_comments(_FRONT_MATTER.sub("", clean(text), count=1)).strip()
    kept = _first_characters("\n".join(text.split("\n")[:MAX_LINES]))
    if kept == text:
        return Found(text, findings)
    size = _size(text)
    message = f"was cut to its first {len(kept)} of {len(text)} characters: it is {size}"
    warning = f"> WARNING: {INDEX_NAME} is {size}.{WARNING_TAIL}"
    return Found(f"{kept}\n\n{warning}", (*findings, Finding("index-cut", message, where)))


def _first_characters(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    line_end = text.rfind("\n", 0, MAX_CHARACTERS + 1)
    return text[: line_end if line_end > 0 else MAX_CHARACTERS]


def _size(text: str) -> str:
    """Return the size as the warning words it: lines, KB, or both."""
    lines = text.count("\n") + 1
    kilobytes = f"{_kilobytes(len(text))}KB"
    if len(text) <= MAX_CHARACTERS:
        return f"{lines} lines (limit: {MAX_LINES})"
    if lines <= MAX_LINES:
        return f"{kilobytes} (limit: {_kilobytes(MAX_CHARACTERS)}KB) — {TOO_LONG_HINT}"
    return f"{lines} lines and {kilobytes}"


def _kilobytes(characters: int) -> str:
    return f"{characters / CHARACTERS_PER_KB:.1f}".removesuffix(".0")


def _without_comments(text: str) -> str:
    """Return the text without its top-level HTML comments."""
    scanner = FenceScanner()
    nesting = _ListNesting()
    kept: list[str] = []
    lines = text.split("\n")
    # Known beforehand, lest every comment that is never closed is followed to the end of the text.
    last_end = max((number for number, line in enumerate(lines) if "-->" in line), default=-1)
    position = 0
    while position < len(lines):
        line = lines[position]
        opens = not scanner.closing_line and _COMMENT_START.match(line) and not nesting.holds(line)
        end = _comment_end(lines, position) if opens and position <= last_end else None
        if end is None:
            if not scanner.feed(line):
                nesting.feed(line)
            kept.append(line)
            position += 1
        else:
            position = _skip_comment(lines, end, blank_before=not kept or not kept[-1].strip())
    return "\n".join(kept)


def _comment_end(lines: list[str], start: int) -> tuple[int, int] | None:
    """Return the line and the place in it where the comment has ended, or `None`."""
    after = lines[start].index("<!--") + len("<!--")
    for number in range(start, len(lines)):
        end = lines[number].find("-->", after)
        if end >= 0:
            return number, end + len("-->")
        after = 0
    return None


def _skip_comment(lines: list[str], end: tuple[int, int], *, blank_before: bool) -> int:
    """Return where to read on; what follows the comment on its last line stays there."""
    number, column = end
    rest = lines[number][column:]
    if rest.strip():
        lines[number] = rest
        return number
    number += 1
    # One blank line stays between what the comment parted.
    while blank_before and number < len(lines) and not lines[number].strip():
        number += 1
    return number


class _ListNesting:
    """Tells what belongs to a list item from what stands at the top level."""

    def __init__(self) -> None:
        self._indent: int | None = None
        self._blank_before = True

    def holds(self, line: str) -> bool:
        return self._indent is not None and _indent(line) >= self._indent

    def feed(self, line: str) -> None:
        if not line.strip():
            self._blank_before = True
            return
        item = _LIST_ITEM.match(line)
        if not self.holds(line):
            if item:
                self._indent = len(item[0].expandtabs(4))
            elif self._blank_before:
                self._indent = None
        self._blank_before = False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
