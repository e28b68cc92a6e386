r"""Cutting one text to what fits, on line and grapheme boundaries, code fences closed again.

The search is lawful for any measure, also for one that is not monotone (a byte-pair encoding is
not): its probes form a fixed tree, in which a probe that fits leads to a longer cut and one that
does not to a shorter. More room turns misfits into fits and never the reverse, so the search can
only end at the same leaf or at a longer one. What it returns was itself measured to fit.

Graphemes are those of `regex`'s `\X` (extended grapheme clusters, UAX 29); the standard library
has none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import regex

from ..sections.fragment import CutRule

# Any indent, and one list marker at the opening line: fences stand in lists too. In a quote every
# line has its mark, and the fence ends with the quote.
_FENCE = regex.compile(
    r"^(?P<indent>[ \t]*+)(?P<marker>(?:[-*+]|\d{1,9}[.)])[ \t]++)?"
    r"(?P<run>`{3,}+|~{3,}+)(?P<info>[^\n]*+)$",
    regex.MULTILINE,
)
_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a text.

    Attributes:
        text: What to show: the kept characters, and the fence lines that close what was cut open.
        chars: How many characters of the original it holds.
        rule: From which side it was cut; `no` for the whole text.
    """

    text: str
    chars: int
    rule: CutRule = "no"


def longest_cut(content: str, rule: CutRule, fits: Callable[[Kept], bool]) -> Kept | None:
    """Return the longest cut that the search finds to fit, or `None`.

    Candidates shorter than the text only; the caller has tried the whole.

    Args:
        content: The text, not blank.
        rule: How it may be cut.
        fits: Called with O(log of the kept length) cuts.
    """
    for lengths in _ladders(content, rule):
        found = _search(lengths, lambda chars: fits(cut(content, rule, chars)))
        if found is not None:
            return cut(content, rule, found)
    return None


def cut(content: str, rule: CutRule, chars: int) -> Kept:
    """Return so many characters of the text, from the side that the rule keeps."""
    if rule == "tail":
        start = len(content) - chars
        opened = _open_fence(content[:start])
        text = content[start:]
        return Kept(_closed(f"{opened[0]}\n{text}" if opened else text), chars, rule)
    return Kept(_closed(content[:chars]), chars, rule)


def _search(lengths: Sequence[int], fits: Callable[[int], bool]) -> int | None:
    """Return the last length found to fit: doubling strides, then halves."""
    low, stride = -1, 1
    while low + stride < len(lengths) and fits(lengths[low + stride]):
        low += stride
        stride *= 2
    high = min(low + stride, len(lengths))
    while high - low > 1:
        middle = (low + high) // 2
        if fits(lengths[middle]):
            low = middle
        else:
            high = middle
    return lengths[low] if low >= 0 else None


def _ladders(content: str, rule: CutRule) -> Iterator[Sequence[int]]:
    """Yield the lengths to try, ascending: on lines, then within the line at the kept end."""
    if rule == "no":
        return
    lines = content.split("\n")
    line_lengths = [len(line) + 1 for line in lines]
    line_lengths[-1] -= 1
    visible = [bool(line.strip()) for line in lines]
    if rule == "tail":
        line_lengths.reverse()
        visible.reverse()
    first = visible.index(True)
    lengths = list(accumulate(line_lengths))
    # The whole is no cut, nor is the whole but for blank lines at its end.
    last = len(visible) - 1 - visible[::-1].index(True)
    yield lengths[first:last]
    if rule != "lines":
        yield _grapheme_lengths(content, rule, lengths[first - 1] if first else 0, lengths[first])


def _grapheme_lengths(content: str, rule: CutRule, start: int, end: int) -> Sequence[int]:
    """Return the lengths strictly between the two that end on a grapheme and show something."""
    size = len(content)
    part = content[start:end] if rule == "head" else content[size - end : size - start]
    blank = len(part) - len(part.lstrip() if rule == "head" else part.rstrip())
    if part.isascii() and "\r" not in part:  # every character is a grapheme: nothing to list
        return range(start + blank + 1, end)
    boundaries = [match.end() for match in _GRAPHEME.finditer(part)][:-1]
    if rule == "tail":
        boundaries = [len(part) - boundary for boundary in reversed(boundaries)]
    return [start + boundary for boundary in boundaries if boundary > blank]


def _open_fence(text: str) -> regex.Match[str] | None:
    """Return the opening line of the fence that is open where the text ends."""
    if "```" not in text and "~~~" not in text:
        return None
    opened: regex.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opened is None:
            # A backtick fence's info holds no backtick: such a line is inline code.
            if line["run"][0] == "~" or "`" not in line["info"]:
                opened = line
        elif _closes(opened, line):
            opened = None
    return opened


def _closes(opened: regex.Match[str], line: regex.Match[str]) -> bool:
    bare = not line["marker"] and not line["info"].strip()
    return bare and line["run"].startswith(opened["run"])


def _closed(text: str) -> str:
    opened = _open_fence(text)
    if opened is None:
        return text
    indent = opened["indent"] + " " * len(opened["marker"] or "")
    return text + ("" if text.endswith("\n") else "\n") + indent + opened["run"]
