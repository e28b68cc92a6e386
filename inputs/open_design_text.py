"""Text from outside as open_design shows it: made safe once, when a signal is validated."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator

from . import javascript_text
from .role_lines import without_role_lines
from .text import clean

# Memory writes `### User` itself.
_DEEPEST_ROLE_HEADING = 2


def one_line(text: str) -> str:
    """Return text for a heading, label or bullet: cleaned, trimmed, white space runs as a space."""
    return javascript_text.one_line(clean(text))


def neutral(text: str) -> str:
    r"""Return material in which no line reads as the turn of a role: `## user` is `\## user`.

    Hosts cut a transcript at such lines, so material must not be able to write one.
    """
    return without_role_lines(clean(text), _DEEPEST_ROLE_HEADING)


def trimmed(text: str) -> str:
    """Return material without the blanks around it."""
    return javascript_text.trimmed(neutral(text))


Line = Annotated[str, AfterValidator(one_line)]
"""A signal that stands inside a line: it cannot start another."""

Material = Annotated[str, AfterValidator(neutral)]
"""A signal that is shown as it is, but for lines that read as a role's turn."""

Body = Annotated[str, AfterValidator(trimmed)]
"""Material that is shown without the blanks around it."""


def separated(text: str) -> str:
    """Return a raw block so that a blank line stands before it, whatever it begins with."""
    lead = text[: len(text) - len(text.lstrip())]
    return "\n" * max(0, 2 - lead.count("\n")) + text


def names(values: Iterable[str]) -> str:
    """Return names as a list within a sentence: `` `a`, `b` ``."""
    return ", ".join(f"`{value}`" for value in values)
