r"""Cutting text between graphemes, the extended grapheme clusters of UAX 29 (`regex`'s `\X`)."""

from collections.abc import Callable

import regex

_GRAPHEME = regex.compile(r"\X")


def whole_graphemes(text: str, room: int, size: Callable[[str], int] = len) -> str:
    """Return the longest beginning of whole graphemes that a room holds.

    Args:
        text: The text.
        room: How much there is room for; a negative room holds nothing.
        size: Measures a grapheme; its length in characters by default.
    """
    end = 0
    for grapheme in _GRAPHEME.finditer(text):
        room -= size(grapheme[0])
        if room < 0:
            break
        end = grapheme.end()
    return text[:end]
