"""A prompt as one message, for a model or CLI that has no system channel."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..inputs.role_lines import written_turns
from ..inputs.signals import canonical_json
from .prompt import Prompt

_HEADING = "# Instructions (read first)\n\n"
_REQUEST = "# User request\n\n"
_FOLDED = (_HEADING, "# Instructions\n\n", _REQUEST)
_KEPT = frozenset({"image", "document"})


def folded(instructions: str, request: str) -> str:
    """Return instructions and a request as one text; folding it again adds nothing.

    A request that only looks as if it were folded, with other instructions, is folded: nobody can
    make the instructions go away by writing their heading.
    """
    front = f"{_HEADING}{instructions}\n\n---\n" if instructions else ""
    if request.startswith(front + _REQUEST if front else _FOLDED):
        return request
    return f"{front}{_REQUEST}{request}"


def to_user_message(prompt: Prompt) -> dict[str, Any]:
    """Return a prompt as one message of the user.

    The system blocks become the instructions, the messages the request; several messages become a
    transcript under `## user` and `## assistant`. Where there are images or documents, the content
    is a list with the text first. Blocks of a flow that composes no messages are all instructions.
    """
    alone = not prompt.messages
    instructions = "".join(
        block.text for block in prompt.blocks if alone or block.target == "system"
    )
    request, kept = _request(prompt.messages)
    text = folded(instructions, request)
    return {"role": "user", "content": [{"type": "text", "text": text}, *kept] if kept else text}


def _request(messages: Iterable[Mapping[str, Any]]) -> tuple[str, list[Any]]:
    """Return the text of all messages, and what cannot be text."""
    turns: list[tuple[str, str]] = []
    kept: list[Any] = []
    for message in messages:
        texts: list[str] = []
        for part in _parts(message["content"]):
            if part.get("type") in _KEPT:
                kept.append(part)
            else:
                texts.append(part["text"] if part.get("type") == "text" else canonical_json(part))
        turns.append((str(message["role"]), "\n\n".join(texts)))
    if all(role == "user" for role, _ in turns):
        return "\n\n".join(text for _, text in turns if text), kept
    return written_turns(turns), kept


def _parts(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
