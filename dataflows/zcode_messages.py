"""The messages of a zcode turn: attachments first, then the conversation, then the input."""

from collections.abc import Mapping
from typing import Any

from ..sections.declare import fact
from .assembly import BlockText
from .reminders import merge_user_messages, reminder, user_message, with_mark


@fact
def messages(
    skills_listing_block: BlockText,
    context_prefix_block: BlockText,
    history: tuple[dict[str, Any], ...],
    reminders: tuple[str, ...],
    user_input: str | tuple[dict[str, Any], ...] | None,
    mark_last_message: bool,
) -> list[dict[str, Any]]:
    """The attachments, the history, this turn's reminders and input; adjacent user messages merge.

    A history that begins with the attachments, as a prompt's own messages do, is taken as it is.
    """
    attachments = [one.text for one in (skills_listing_block, context_prefix_block) if one.text]
    if _begins_with(history, attachments):
        attachments = []
    listed: list[Mapping[str, Any]] = [user_message(text) for text in attachments]
    listed += history
    listed += [user_message(reminder(text)) for text in reminders]
    if user_input is not None:
        parts = (user_input,) if isinstance(user_input, str) else user_input
        listed.append(user_message(*parts))
    merged = merge_user_messages(listed)
    return with_mark(merged) if mark_last_message else merged


def _begins_with(history: tuple[dict[str, Any], ...], attachments: list[str]) -> bool:
    """Tell whether the history's first message holds the attachments, seam newlines aside."""
    if not history or not attachments or isinstance(history[0]["content"], str):
        return False
    first = history[0]["content"][: len(attachments)]
    texts = [str(block.get("text", "")).rstrip("\n") for block in first]
    return texts == [text.rstrip("\n") for text in attachments]
