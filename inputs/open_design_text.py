"""Text from outside as open_design shows it: made safe once, when a signal is validated."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator

from .text import clean

Value = TypeVar("Value")

# The line beginnings at which hosts cut, and whole lines that say nothing but a role. A heading
# such as `## System requirements` is neither, nor is `### User`, which memory writes itself.
_ROLE_MARKER = re.compile(
    r"^([ \t]*)"
    r"(##[ \t]+(?:user|assist|system)|#{1,2}[ \t]*(?i:user|assistant|system|human)[ \t]*:?[ \t]*$)",
    re.MULTILINE,
)
_TICKS = re.compile("`+")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_MAX_ARRAY_INDEX = 2**32 - 2
_ZERO_WIDTH_JOINER = "\u200d"


def one_line(text: str) -> str:
    """Return text for a heading, label or bullet: cleaned, trimmed, white space runs as a space."""
    return " ".join(clean(text).split())


def neutral(text: str) -> str:
    r"""Return material in which no line reads as the turn of a role: `## user` is `\## user`.

    Hosts cut a transcript at such lines, so material must not be able to write one.
    """
    return _ROLE_MARKER.sub(r"\1\\\2", clean(text))


def trimmed(text: str) -> str:
    """Return material without the blanks around it."""
    return neutral(text).strip()


Line = Annotated[str, AfterValidator(one_line)]
"""A signal that stands inside a line: it cannot start another."""

Material = Annotated[str, AfterValidator(neutral)]
"""A signal that is shown as it is, but for lines that read as a role's turn."""

Body = Annotated[str, AfterValidator(trimmed)]
"""Material that is shown without the blanks around it."""


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
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    return Fenced("`" * max(3, longest + 1), text)


def separated(text: str) -> str:
    """Return a raw block so that a blank line stands before it, whatever it begins with."""
    lead = text[: len(text) - len(text.lstrip())]
    return "\n" * max(0, 2 - lead.count("\n")) + text


def utf16_units(text: str) -> int:
    """Return the length in UTF-16 code units, in which the original counts."""
    return len(text) + sum(character > "\uffff" for character in text)


class Cut(NamedTuple):
    """Text up to a bound.

    Attributes:
        text: What is kept.
        left_out_units: UTF-16 code units that are not.
    """

    text: str
    left_out_units: int


def cut(text: str, max_units: int) -> Cut:
    """Return the longest beginning within a bound that ends between two graphemes.

    Args:
        text: The text.
        max_units: The bound, in UTF-16 code units.

    Source: a conservative reading of UAX 29: it may keep less than it could, and never splits an
        emoji sequence, a flag, a Hangul syllable in jamo, or a letter from its marks.
    """
    total = utf16_units(text)
    if total <= max_units:
        return Cut(text, 0)
    units = end = 0
    for character in text:
        units += 1 + (character > "\uffff")
        if units > max_units:
            break
        end += 1
    while end > 0 and _joined(text, end):
        end -= 1
    return Cut(text[:end], total - utf16_units(text[:end]))


def _joined(text: str, at: int) -> bool:
    """Say whether the characters around an offset belong to one grapheme."""
    before, after = text[at - 1], text[at]
    return (
        after == _ZERO_WIDTH_JOINER
        or before == _ZERO_WIDTH_JOINER
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
        or _is_flag_half(before, after)
        or ("\u1100" <= before <= "\u11ff" and "\u1160" <= after <= "\u11ff")
    )


def _is_flag_half(before: str, after: str) -> bool:
    return all("\U0001f1e6" <= one <= "\U0001f1ff" for one in (before, after))


def entries(mapping: Mapping[str, Value]) -> list[tuple[str, Value]]:
    """Return the entries in JavaScript's order: array indices ascending, then as written.

    Source: ECMA-262, OrdinaryOwnPropertyKeys.
    """
    indices = [key for key in mapping if _is_index(key)]
    first = sorted(indices, key=int)
    return [(key, mapping[key]) for key in (*first, *(k for k in mapping if k not in indices))]


def _is_index(key: str) -> bool:
    return _ARRAY_INDEX.fullmatch(key) is not None and int(key) <= _MAX_ARRAY_INDEX


def shown(value: Any) -> str:
    """Return a JSON value as JavaScript's `String` shows it, on one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case list() | tuple():
            return ",".join("" if one is None else shown(one) for one in value)
        case Mapping():
            return ", ".join(f"{key}: {shown(one)}" for key, one in entries(value))
    return one_line(str(value))


def names(values: Iterable[str]) -> str:
    """Return names as a list within a sentence: `` `a`, `b` ``."""
    return ", ".join(f"`{value}`" for value in values)
