"""Messages and content blocks of a conversation, as providers take them."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from .text import clean


def _clean_block(block: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(block.get("type"), str):
        raise ValueError("a content block has a 'type', such as 'text'")
    if block["type"] != "text":
        return block
    if not isinstance(block.get("text"), str):
        raise ValueError("a text block has a 'text'")
    return block | {"text": clean(block["text"])}


def _known_message(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("role") not in ("user", "assistant", "system"):
        raise ValueError("a message has a 'role': user, assistant or system")
    if not isinstance(message.get("content"), str | list | tuple):
        raise ValueError("a message has a 'content': text, or a list of blocks")
    return message


ContentBlock = Annotated[
    dict[str, Any],
    AfterValidator(_clean_block),
    Field(
        examples=[{"type": "text", "text": "Go on."}, {"type": "text", "text": "Read the file."}]
    ),
]
"""A block of content; the text of a text block is cleaned, the others stay as they are."""

Message = Annotated[
    dict[str, Any],
    AfterValidator(_known_message),
    Field(
        examples=[
            {"role": "assistant", "content": "It is read."},
            {"role": "user", "content": "Read the file."},
        ]
    ),
]
"""A message with a role and content; what was sent already is not touched."""
