"""Text and numbers as JavaScript counts them, where an original was written in it."""

import math
import re
from typing import Any

SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The inside of a character class for JavaScript's `\s`, which `trim()` strips too."""

_ENDS = re.compile(rf"^[{SPACE}]+|(?<![{SPACE}])[{SPACE}]+\Z")
_RUNS = re.compile(rf"[{SPACE}]+")


def trimmed(text: str) -> str:
    """Return the text without white space at its ends, as `trim()` gives it."""
    return _ENDS.sub("", text)


def one_line(text: str) -> str:
    """Return the text with each run of white space as one space, and none at its ends."""
    return trimmed(_RUNS.sub(" ", text))


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, max_units: int, mark: str = "") -> str:
    """Return the text, cut where it is longer than a number of UTF-16 code units.

    A character is kept whole or left out, so no half of a surrogate pair remains.

    Args:
        text: The text.
        max_units: The most code units that the result has, its mark included.
        mark: What a cut text ends with.
    """
    if len(text) * 2 <= max_units or utf16_length(text) <= max_units:
        return text
    room, end = max_units - utf16_length(mark), 0
    for character in text:
        room -= 2 if character > "\uffff" else 1
        if room < 0:
            break
        end += 1
    return text[:end] + mark


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
