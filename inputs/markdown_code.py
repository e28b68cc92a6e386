"""Which parts of a Markdown text are code, by line and by character.

Source: CommonMark 0.31.2, "Fenced code blocks" and "Code spans", without its indented code blocks:
whether four spaces make code or the rest of a list item takes a whole parser to tell. A fence may
stand at any depth of lists and quotes.
"""

import re
from collections.abc import Iterable

# Quotes and list markers that may stand before an opening fence.
_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*")
_QUOTES = re.compile(r"(?:[ \t]{0,3}>)*[ \t]*")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_BLOCK_START = re.compile(
    r"[ \t]*(?:$|#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|\d{1,9}[.)][ \t]|[-=]+[ \t]*$)"
)
_BACKTICKS = re.compile("`+")


class FenceScanner:
    """Follows the fences of a text, one line after the other.

    Attributes:
        closing_line: The line that would close the fence that is open now, or an empty string.
    """

    def __init__(self) -> None:
        self.closing_line = ""
        self._marker = ""
        self._quotes = 0
        self._indent = 0
        self._in_item = False

    def feed(self, line: str) -> bool:
        """Take the next line, without its line end; return whether it is part of a fence."""
        if self._marker and self._leaves_container(line):
            self._close()
        if not self._marker:
            return self._opens(line)
        if self._closes(line):
            self._close()
        return True

    def _opens(self, line: str) -> bool:
        prefix = _prefix(_CONTAINERS, line)
        fence = _FENCE.match(line, len(prefix))
        if fence is None:
            return False
        self._marker = fence[1] or fence[2]
        self._quotes = prefix.count(">")
        after_quotes = prefix.rpartition(">")[2]
        self._indent = len(after_quotes.expandtabs(4))
        self._in_item = bool(after_quotes.strip())
        self.closing_line = "> " * self._quotes + " " * self._list_indent() + self._marker
        return True

    def _list_indent(self) -> int:
        # One blank after `>` belongs to the quote, and `closing_line` has written it already.
        return max(0, self._indent - 1) if self._quotes else self._indent

    def _leaves_container(self, line: str) -> bool:
        if _prefix(_QUOTES, line).count(">") < self._quotes:
            return True
        inside = self._inside_quotes(line)
        return self._in_item and bool(inside.strip()) and _indent(inside) < self._indent

    def _closes(self, line: str) -> bool:
        inside = self._inside_quotes(line)
        # Four blanks are text of the block, unless the block itself stands that deep in a list.
        if _indent(inside) > max(3, self._indent):
            return False
        fence = inside.strip(" \t")
        return len(fence) >= len(self._marker) and not fence.strip(self._marker[0])

    def _inside_quotes(self, line: str) -> str:
        for _ in range(self._quotes):
            line = line.partition(">")[2]
        return line

    def _close(self) -> None:
        self._marker = self.closing_line = ""


def closing_fence(text: str) -> str:
    """Return the line that closes the fence left open at the end of the text, or `""`."""
    scanner = FenceScanner()
    for line in text.split("\n"):
        scanner.feed(line)
    return scanner.closing_line


def mask_code(text: str) -> str:
    r"""Return the text with code and HTML comments blotted out by backticks.

    The length and every line end stay, so a place in the result is a place in the text.
    """
    scanner = FenceScanner()
    masked: list[str] = []
    block: list[str] = []
    for line in text.split("\n"):
        fenced = scanner.feed(line)
        if fenced or _BLOCK_START.match(line):
            masked += _mask_spans(block)
            block = []
        if fenced:
            masked.append("`" * len(line))
        else:
            block.append(line)
    return _mask_comments("\n".join([*masked, *_mask_spans(block)]))


def _mask_spans(lines: Iterable[str]) -> list[str]:
    """Return the lines of one paragraph with its code spans blotted out."""
    lines = list(lines)
    if not lines:
        return []
    text = "\n".join(lines)
    pieces: list[str] = []
    end = 0
    while opening := _BACKTICKS.search(text, end):
        start, after = opening.span()
        if _is_escaped(text, start):
            after = start + 1
        elif (closing := _closing_run(text, opening)) is not None:
            pieces += (text[end:start], _blot(text[start:closing]))
            end = closing
            continue
        pieces.append(text[end:after])
        end = after
    return "".join([*pieces, text[end:]]).split("\n")


def _closing_run(text: str, opening: re.Match[str]) -> int | None:
    for run in _BACKTICKS.finditer(text, opening.end()):
        if len(run[0]) == len(opening[0]):
            return run.end()
    return None


def _is_escaped(text: str, start: int) -> bool:
    first = start
    while first and text[first - 1] == "\\":
        first -= 1
    return (start - first) % 2 == 1


def _mask_comments(text: str) -> str:
    pieces: list[str] = []
    end = 0
    while (start := text.find("<!--", end)) >= 0 and (close := text.find("-->", start + 4)) >= 0:
        pieces += (text[end:start], _blot(text[start : close + 3]))
        end = close + 3
    return "".join([*pieces, text[end:]])


def _blot(text: str) -> str:
    return re.sub(r"[^\n]", "`", text)


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def _prefix(pattern: re.Pattern[str], line: str) -> str:
    match = pattern.match(line)
    return match[0] if match else ""
