"""How a matrix tells what became of a section: by a mark that needs no colour, and in words."""

from collections.abc import Mapping

from .change import Sign

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
