"""What stands between the tags of a question form: JSON, perhaps in a fence."""

import json
import re
from typing import Any, NamedTuple, NoReturn

from ...inputs.javascript_text import SPACE, trimmed

_OPENING_FENCE = re.compile(rf"^```(?:json)?[{SPACE}]*", re.IGNORECASE)
_CLOSING_FENCE = re.compile(rf"```[{SPACE}]*\Z")


class Body(NamedTuple):
    """A form's body.

    Attributes:
        content: The JSON object; `None` when a card cannot be shown of it.
        fault: Why not, as half a sentence; empty when it can.
    """

    content: dict[str, Any] | None
    fault: str = ""


def read_body(text: str) -> Body:
    """Read a form's body: a JSON object whose `questions` hold at least one object.

    Source: open_design's check of a renderable form; an array among the questions counts there.
    """
    unfenced = _CLOSING_FENCE.sub("", _OPENING_FENCE.sub("", trimmed(text)))
    try:
        content = json.loads(unfenced, parse_constant=_refuse, parse_int=_number)
    except RecursionError:
        return Body(None, "its JSON is nested too deeply")
    except ValueError as error:
        return Body(None, f"its body is not JSON: {error}")
    if not isinstance(content, dict):
        return Body(None, "its body is not a JSON object")
    questions = content.get("questions")
    if not isinstance(questions, list):
        return Body(None, "it has no list of questions")
    if not any(isinstance(one, dict | list) for one in questions):
        return Body(None, "no question in it is an object")
    return Body(content)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _number(digits: str) -> int | float:
    """Read a whole number; Python refuses the digits of a very long one."""
    return int(digits) if len(digits) < 400 else float(digits)
