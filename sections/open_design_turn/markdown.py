"""Outside text inside Markdown that we write around it."""

import re

from ...inputs.javascript_text import one_line

_TICKS = re.compile("`+")


def fence_ticks(text: str) -> str:
    """Return the backticks of a fence that the text cannot close: three, or more than it holds."""
    return "`" * max(3, _longest(text) + 1)


def code(text: str) -> str:
    """Return the text as a code span on one line; backticks inside make longer ones around."""
    line = one_line(text)
    if "`" not in line:
        return f"`{line}`"
    ticks = "`" * (_longest(line) + 1)
    return f"{ticks} {line} {ticks}"


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
