"""How a picture tells tiers and states apart: by colour, and by a sign that greyscale keeps."""

from collections.abc import Mapping

TIER_FILLS: Mapping[str, str] = {
    "constant": "#ececec",
    "session": "#cfe4f7",
    "turn": "#ffd8a8",
}
"""Black text on each has a contrast above 14:1; they also differ for the common colour blindnesses.

Source: tints of the blue and orange of Okabe and Ito, https://jfly.uni-koeln.de/color/
"""

TIER_SIGNS: Mapping[str, str] = {"constant": "C", "session": "S", "turn": "T"}
"""Letters: every font has them, a screen reader says them, and greyscale keeps them."""

TIER_WORDS: Mapping[str, str] = {
    "constant": "never changes",
    "session": "fixed in a session",
    "turn": "may change every turn",
}

DRIFT_SIGN = "~"
"""Behind a session signal whose source can move within the session."""

OFF_STATES = ("closed", "blank", "dropped")
"""States that are drawn grey and dashed, their word beside the name."""

KIND_WORDS = "box: signal · rounded: fact · hexagon: gate · table: block with its sections"
