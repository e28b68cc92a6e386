"""The attributes of a form's opening tag."""

import re
from collections.abc import Mapping
from html import unescape

# A name is tried once, from its first letter; from each of its letters would take quadratic time.
_ATTRIBUTE = re.compile(r"(?<![\w-])([\w-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")


def read_attributes(text: str) -> Mapping[str, str]:
    """Return the quoted attributes by their names in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = match[2] if match[2] is not None else match[3]
        found.setdefault(match[1].lower(), unescape(value))
    return found


def write_attribute(name: str, value: str) -> str:
    """Return ` name="value"`, so that the value cannot end the attribute or the tag."""
    safe = value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f' {name}="{safe.replace(">", "&gt;")}"'
