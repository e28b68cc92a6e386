"""The turn signals of zcode: the conversation so far, reminders and this turn's input."""

from typing import Annotated

from pydantic import AfterValidator, Field

from .conversation import ContentBlock, Message
from .signals import TurnSignals
from .text import Text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("a reminder is not blank; leave it out")
    return text


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
