"""Outside text inside wrappers that a specification fixes."""

import re
from collections.abc import Iterable
from typing import Any


class Escape:
    """Turns interpolated values into text in which no tag of the flow opens or closes.

    The `<` of such a tag becomes `&lt;`, whatever its case and spacing; the rest stays verbatim.
    """

    def __init__(self, tags: Iterable[str]) -> None:
        names = sorted(set(tags))
        one = "|".join(re.escape(name) for name in names) or "(?!)"
        self._tag = re.compile(rf"<(?=\s*/?\s*(?:{one})(?![\w-]))", re.IGNORECASE)

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
