"""zcode's request for a summary of the conversation, and the message that carries one on."""

from typing import Any

from ..inputs.zcode import CompactionSignals, ContinuationSignals
from ..inputs.zcode_turn import ConversationTurn
from ..sections.declare import fact
from ..sections.packs import Texts
from ..sections.zcode import compaction, continuation
from .assembly import BlockText
from .flow import PromptFlow
from .order import block, place
from .reminders import merge_user_messages, user_message, with_mark

COMPACTION_BLOCKS = (
    block(
        "request",
        compaction.compaction_head,
        compaction.compaction_body,
        compaction.compaction_instructions,
        compaction.compaction_tail,
        join="\n\n",
        target="meta_user",
    ),
)

CONTINUATION_BLOCKS = (
    block(
        "request",
        continuation.continuation_summary,
        place(continuation.transcript, before="\n\n"),
        place(continuation.recent_messages, before="\n\n"),
        place(continuation.cleared_state, before="\n\n"),
        place(continuation.no_followup, before="\n\n"),
        target="meta_user",
        cache="dynamic",
    ),
)


@fact
def messages(
    history: tuple[dict[str, Any], ...], request_block: BlockText, mark_last_message: bool
) -> list[dict[str, Any]]:
    """The conversation, and the request as a message of its own, unmarked, behind it.

    The mark goes on the message before: the conversation is cached, the request is not used again.
    """
    if mark_last_message:
        return [*with_mark(merge_user_messages(history)), user_message(request_block.text)]
    return merge_user_messages([*history, user_message(request_block.text)])


def compaction_flow(texts: Texts = "default") -> PromptFlow:
    """The request of zcode for a summary of the conversation.

    Args:
        texts: The text pack; see `zcode.flow`.
    """
    return PromptFlow(
        "zcode_compaction",
        COMPACTION_BLOCKS,
        session=CompactionSignals,
        turn=ConversationTurn,
        all_of=(compaction,),
        messages=messages,
        texts=texts,
        doc="zcode's request for a summary of the conversation",
    )


def continuation_flow(texts: Texts = "default") -> PromptFlow:
    """The message of zcode that carries a conversation on from its summary.

    Args:
        texts: The text pack; see `zcode.flow`.
    """
    return PromptFlow(
        "zcode_continuation",
        CONTINUATION_BLOCKS,
        session=ContinuationSignals,
        turn=ConversationTurn,
        all_of=(continuation,),
        messages=messages,
        texts=texts,
        doc="zcode's message that carries a conversation on from its summary",
    )
