"""Outside text inside Markdown that we write around it: it cannot end its fence or its span."""

import re
from typing import NamedTuple

from .javascript_text import one_line

_TICKS = re.compile("`+")


class Fenced(NamedTuple):
    """Text with a fence that it cannot close.

    Attributes:
        ticks: Backticks, more than any run inside.
        text: The text.
    """

    ticks: str
    text: str


def fenced(text: str) -> Fenced:
    """Return text with its fence: three backticks, or one more than its longest run."""
    return Fenced("`" * max(3, _longest(text) + 1), text)


def code(text: str) -> str:
    """Return the text as a code span on one line; backticks inside make longer ones around."""
    line = one_line(text)
    if "`" not in line:
        return f"`{line}`"
    ticks = "`" * (_longest(line) + 1)
    return f"{ticks} {line} {ticks}"


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
