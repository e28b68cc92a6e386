"""Outside text inside wrappers that a specification fixes."""

import re
from collections.abc import Iterable
from typing import Any

# What a reader does not see, so that it may stand inside a tag and hide it. Source: Unicode's
# property Default_Ignorable_Code_Point; those that `clean` takes out are listed all the same.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Possessive, or a long run of blanks behind a `<` takes a time that grows with its square.
_UNSEEN = rf"[{_INVISIBLE}]*+"
_GAP = rf"[\s{_INVISIBLE}]*+"


class Escape:
    """Turns interpolated values into text in which no tag of the flow opens or closes.

    The `<` of such a tag becomes `&lt;`, whatever its case, spacing and invisible characters.
    Everything else stays verbatim.

    Args:
        tags: The names of the flow's own tags.
        touching: Whether values may stand side by side; then a `<` that ends a value like the
            beginning of such a tag is escaped too, since the value behind it could be the rest.
    """

    def __init__(self, tags: Iterable[str], *, touching: bool = False) -> None:
        names = sorted(set(tags))
        whole = "|".join(_UNSEEN.join(map(re.escape, name)) for name in names)
        tag = rf"(?:{whole})(?!{_UNSEEN}[\w-])" if names else "(?!)"
        if names and touching:
            tag += rf"|(?:{'|'.join(map(_beginning, names))})?{_UNSEEN}\Z"
        self._tag = re.compile(rf"<(?={_GAP}/?+{_GAP}(?:{tag}))", re.IGNORECASE)

    def __call__(self, value: Any) -> str:
        """Return the text of a value; only text and whole numbers may stand in a prompt."""
        if type(value) is str:
            return self._tag.sub("&lt;", value) if "<" in value else value
        if isinstance(value, str):
            return self(str.__str__(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise TypeError(
            f"a template shows text and whole numbers, not {type(value).__name__}; "
            "gate the section, or compute the text in a fact"
        )


def _beginning(name: str) -> str:
    """Return a pattern of the first characters of a name, at least one."""
    pattern = ""
    for character in reversed(name[1:]):
        pattern = f"(?:{_UNSEEN}{re.escape(character)}{pattern})?"
    return re.escape(name[0]) + pattern
