"""Text from outside as open_design shows it: made safe once, when a signal is validated."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator

from . import javascript_text
from .role_lines import without_role_lines
from .text import clean

Value = TypeVar("Value")

# Memory writes `### User` itself.
_DEEPEST_ROLE_HEADING = 2


def one_line(text: str) -> str:
    """Return text for a heading, label or bullet: cleaned, trimmed, white space runs as a space."""
    return javascript_text.one_line(clean(text))


def neutral(text: str) -> str:
    r"""Return material in which no line reads as the turn of a role: `## user` is `\## user`.

    Hosts cut a transcript at such lines, so material must not be able to write one.
    """
    return without_role_lines(clean(text), _DEEPEST_ROLE_HEADING)


def trimmed(text: str) -> str:
    """Return material without the blanks around it."""
    return javascript_text.trimmed(neutral(text))


Line = Annotated[str, AfterValidator(one_line)]
"""A signal that stands inside a line: it cannot start another."""

Material = Annotated[str, AfterValidator(neutral)]
"""A signal that is shown as it is, but for lines that read as a role's turn."""

Body = Annotated[str, AfterValidator(trimmed)]
"""Material that is shown without the blanks around it."""


def clean_json(value: Any) -> Any:
    """Return a JSON value with every text in it cleaned, keys included."""
    match value:
        case str():
            return clean(value)
        case dict():
            return {clean_json(key): clean_json(one) for key, one in value.items()}
        case list() | tuple():
            return [clean_json(one) for one in value]
    return value


Json = Annotated[Any, AfterValidator(clean_json)]
"""A signal that holds a host's JSON as it came."""

Named = Annotated[dict[str, Value], AfterValidator(clean_json)]
"""Values by names that come from outside."""


def separated(text: str) -> str:
    """Return a raw block so that a blank line stands before it, whatever it begins with."""
    lead = text[: len(text) - len(text.lstrip())]
    return "\n" * max(0, 2 - lead.count("\n")) + text


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
            return ", ".join(f"{key}: {shown(one)}" for key, one in javascript_text.entries(value))
    return one_line(str(value))


def names(values: Iterable[str]) -> str:
    """Return names as a list within a sentence: `` `a`, `b` ``."""
    return ", ".join(f"`{value}`" for value in values)
