"""Code fences, followed line by line."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t]{0,3}(?P<mark>`{3,}|~{3,})(?P<rest>[^\n]*)\n?")


@dataclass
class Fence:
    """Whether a code fence is open, and by which mark.

    Attributes:
        mark: The mark that opened it; empty when none is open.
    """

    mark: str = ""

    def takes(self, line: str) -> bool:
        """Go on by one line; return whether it belongs to a fence, its marks included."""
        match = _FENCE.match(line)
        if not self.mark:
            self.mark = match["mark"] if match else ""
            return bool(self.mark)
        if match and match["mark"].startswith(self.mark) and not match["rest"].strip():
            self.mark = ""
        return True


def open_fence(text: str) -> str:
    """Return the mark of the fence that is open at the end of a text; empty when none is."""
    fence = Fence()
    for line in text.splitlines(keepends=True):
        fence.takes(line)
    return fence.mark


def outside_fences(text: str) -> str:
    """Return a text without the fences that are closed in it."""
    fence, kept, waiting = Fence(), [], []
    for line in text.splitlines(keepends=True):
        if fence.takes(line):
            waiting.append(line)
            if not fence.mark:
                waiting.clear()
        else:
            kept.append(line)
    return "".join((*kept, *waiting))
