"""The turn signals of zcode: the conversation so far, reminders and this turn's input."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from .signals import TurnSignals
from .text import Text, clean


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


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("a reminder is not blank; leave it out")
    return text


ContentBlock = Annotated[dict[str, Any], AfterValidator(_clean_block)]
Message = Annotated[dict[str, Any], AfterValidator(_known_message)]
Reminder = Annotated[Text, AfterValidator(_not_blank)]


class ConversationTurn(TurnSignals):
    """What may differ every turn: the messages so far."""

    history: tuple[Message, ...] = Field(
        (), description="the messages already there, as they were sent; they are not touched"
    )
    mark_last_message: bool = Field(False, description="put a cache mark on the last message")


class ZcodeTurn(ConversationTurn):
    """What may differ every turn: the messages so far, reminders and this turn's input."""

    user_input: Text | tuple[ContentBlock, ...] | None = Field(
        None, description="text or content blocks"
    )
    reminders: tuple[Reminder, ...] = Field(
        (), description="texts of the harness for this turn, each wrapped in a reminder"
    )
