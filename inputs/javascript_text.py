"""Text and numbers as JavaScript counts them, where an original was written in it."""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from .graphemes import whole_graphemes

Value = TypeVar("Value")

SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The inside of a character class for JavaScript's `\s`, which `trim()` strips too."""

_ENDS = re.compile(rf"^[{SPACE}]+|(?<![{SPACE}])[{SPACE}]+\Z")
_RUNS = re.compile(rf"[{SPACE}]+")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_MAX_ARRAY_INDEX = 2**32 - 2


def trimmed(text: str) -> str:
    """Return the text without white space at its ends, as `trim()` gives it."""
    return _ENDS.sub("", text)


def one_line(text: str) -> str:
    """Return the text with each run of white space as one space, and none at its ends."""
    return trimmed(_RUNS.sub(" ", text))


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


class Cut(NamedTuple):
    """Text up to a bound.

    Attributes:
        text: What is kept, with the mark of a cut.
        left_out_units: UTF-16 code units of the text that are not.
    """

    text: str
    left_out_units: int


def cut(text: str, max_units: int, mark: str = "") -> Cut:
    """Return the longest beginning within a bound that ends between two graphemes.

    Args:
        text: The text.
        max_units: The most UTF-16 code units that the result has, its mark included.
        mark: What a cut text ends with.
    """
    if len(text) * 2 <= max_units or utf16_length(text) <= max_units:
        return Cut(text, 0)
    kept = whole_graphemes(text, max_units - utf16_length(mark), utf16_length)
    return Cut(kept + mark, utf16_length(text) - utf16_length(kept))


def finite(value: Any) -> float | None:
    """Return a JSON number, or `None` for what is no finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def rounded(value: Any) -> int:
    """Return a number as `Math.round` gives it, halves upwards; 0 for what is no finite number."""
    number = finite(value)
    return 0 if number is None else math.floor(number + 0.5)


def text_or_empty(value: Any) -> str:
    """Return a JSON value when it is a string, trimmed, else an empty string."""
    return trimmed(value) if isinstance(value, str) else ""


def entries(mapping: Mapping[str, Value]) -> list[tuple[str, Value]]:
    """Return the entries in JavaScript's order: array indices ascending, then as written.

    Source: ECMA-262, OrdinaryOwnPropertyKeys.
    """
    indices = [key for key in mapping if _is_index(key)]
    first = sorted(indices, key=int)
    return [(key, mapping[key]) for key in (*first, *(k for k in mapping if k not in indices))]


def _is_index(key: str) -> bool:
    return _ARRAY_INDEX.fullmatch(key) is not None and int(key) <= _MAX_ARRAY_INDEX
