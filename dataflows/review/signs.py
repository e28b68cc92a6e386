"""How a matrix tells what became of a section: by a mark that needs no colour, and in words."""

from collections.abc import Mapping

from .change import Sign
from .flips import Effect

SIGN_MARKS: Mapping[Sign, str] = {
    "appears": "+",
    "disappears": "−",
    "reworded": "≠",
    "moved": "↕",
    "same": "●",
    "open": "●",
    "closed": "·",
}

SIGN_WORDS: Mapping[Sign, str] = {
    "appears": "appears",
    "disappears": "disappears",
    "reworded": "reads otherwise",
    "moved": "moved",
    "same": "open, the same",
    "open": "open",
    "closed": "closed",
}

EFFECT_SIGNS: Mapping[Effect, Sign] = {
    "opens": "appears",
    "closes": "disappears",
    "rewords": "reworded",
}
"""What an effect on a section looks like in the matrix."""


def effect_words(effect: Effect) -> str:
    """Return what becomes of a section, as a verb."""
    return SIGN_WORDS[EFFECT_SIGNS[effect]]
