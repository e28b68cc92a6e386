"""Reminders of the harness in the user's role, and how adjacent user messages become one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .escape import Escape
from .order import Wrap

REMINDER_TAG = "system-reminder"
REMINDER = Wrap(f"<{REMINDER_TAG}>\n", f"\n</{REMINDER_TAG}>", REMINDER_TAG)
"""Frames what the harness says in the user's role."""

EMPTY_CONTENT = "(no content)"
"""Stands in a user message that would be empty, which providers refuse."""

_escape = Escape((REMINDER_TAG,))


def reminder(body: str) -> str:
    """Return a text of the harness in its wrapper, which nothing in the text can close.

    Raises:
        ValueError: The text is blank.
    """
    if not body.strip():
        raise ValueError("a reminder is not blank; leave it out")
    return REMINDER.opening + _escape(body) + REMINDER.closing


def user_message(*content: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return a message in the user's role; a text becomes a text block."""
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    return {"role": "user", "content": blocks}


def merge_user_messages(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with adjacent ones of the user as one, their blocks one after another.

    Where a text block meets a text block of the next message, the earlier one gets a newline,
    whether or not it ends in one. Messages with tool results stay apart. A user message without
    content holds `EMPTY_CONTENT`. No message that is passed in is changed.
    """
    merged: list[dict[str, Any]] = []
    for message in messages:
        one = dict(message)
        if not _is_plain_user(one):
            merged.append(one)
            continue
        if not _has_content(one["content"]):
            one["content"] = [{"type": "text", "text": EMPTY_CONTENT}]
        if merged and _is_plain_user(merged[-1]):
            blocks = _seamed(_blocks(merged[-1]["content"]), _blocks(one["content"]))
            merged[-1] = merged[-1] | one | {"content": blocks}
        else:
            merged.append(one)
    return merged


def _is_plain_user(message: Mapping[str, Any]) -> bool:
    content = message["content"]
    return message["role"] == "user" and (
        isinstance(content, str) or not any(block.get("type") == "tool_result" for block in content)
    )


def _has_content(content: str | Sequence[Mapping[str, Any]]) -> bool:
    if isinstance(content, str):
        return content.strip() != ""
    return any(block.get("type") != "text" or block["text"].strip() for block in content)


def _blocks(content: str | Sequence[Any]) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _seamed(earlier: list[Any], later: list[Any]) -> list[Any]:
    if earlier[-1].get("type") == "text" == later[0].get("type"):
        earlier[-1] = earlier[-1] | {"text": earlier[-1]["text"] + "\n"}
    return earlier + later


def with_mark(messages: Sequence[Mapping[str, Any]], index: int = -1) -> list[dict[str, Any]]:
    """Return the messages with an ephemeral cache mark on one of them, and on no other.

    Marks of earlier turns go: a provider takes four in a request, and a history would collect
    them. Without a message at the index, none is marked.

    Args:
        messages: In the order of the wire.
        index: Which one of those that are not of the system is marked.
    """
    marked = [_without_marks(message) for message in messages]
    spoken = [number for number, one in enumerate(marked) if one["role"] != "system"]
    if -len(spoken) <= index < len(spoken):
        number = spoken[index]
        blocks = _blocks(marked[number]["content"])
        blocks[-1] = blocks[-1] | {"cache_control": {"type": "ephemeral"}}
        marked[number] = marked[number] | {"content": blocks}
    return marked


def _without_marks(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, str) or not any("cache_control" in block for block in content):
        return dict(message)
    bare = [
        {name: value for name, value in block.items() if name != "cache_control"}
        for block in content
    ]
    return dict(message) | {"content": bare}
