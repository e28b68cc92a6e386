"""zcode: a desktop coding agent; three system blocks and two attachments in the user's role."""

from typing import Literal

from ..inputs.zcode import SubagentSignals, ZcodeSignals
from ..inputs.zcode_folder import read_zcode
from ..inputs.zcode_turn import ZcodeTurn
from ..sections import zcode as sections
from ..sections.packs import Texts
from ..sections.zcode import (
    behavior,
    custom,
    desktop,
    environment,
    identity,
    memory,
    skills,
    subagent,
    user_context,
)
from . import zcode_messages
from .flow import PromptFlow
from .order import Wrap, block, one_of, place, tag
from .reminders import REMINDER, REMINDER_TAG
from .zcode_compaction import compaction_flow, continuation_flow

__all__ = [
    "BLOCKS",
    "BUCKETS",
    "CACHE_FIRST_BLOCKS",
    "SUBAGENT_BLOCKS",
    "compaction_flow",
    "continuation_flow",
    "flow",
    "subagent_flow",
]

_IDENTITY = one_of(
    identity.identity, identity.custom_system_prompt, identity.workflow_actor_identity
)

# The prefix keeps a newline behind its tag; the seam of the wire adds another in front of input.
_PREFIX_WRAP = (
    user_context.context_prefix,
    Wrap(REMINDER.opening, REMINDER.closing + "\n", REMINDER_TAG),
)

_ATTACHMENTS = (
    block(
        "skills_listing",
        skills.skills,
        wrap=REMINDER,
        target="meta_user",
        cache="dynamic",
    ),
    block(
        "context_prefix",
        place(custom.custom_user_stable, cache="stable"),
        place(
            user_context.request_user_context,
            place(user_context.instructions, before="\n\n"),
            place(user_context.memory_index, before="\n\n"),
        ),
        user_context.current_date,
        custom.custom_user_dynamic,
        join="\n\n",
        wrap=_PREFIX_WRAP,
        target="meta_user",
        cache="dynamic",
    ),
)

BLOCKS = (
    block("cli_prefix", identity.cli_prefix),
    block(
        "stable",
        _IDENTITY,
        desktop.desktop_context,
        custom.custom_system_stable,
        join="\n\n",
        cache_control="ephemeral",
    ),
    block(
        "dynamic",
        behavior.dynamic_behavior,
        skills.session_guidance,
        memory.memory,
        environment.env_info,
        behavior.output_style,
        behavior.context_management,
        environment.system_context,
        custom.custom_system_dynamic,
        join="\n\n",
        lead="\n\n",
        cache="dynamic",
        cache_control="ephemeral",
    ),
    *_ATTACHMENTS,
)
"""The original's order: constants stand behind the session's path, the model within block 3."""

BUCKETS = (
    ("system", "stable"),
    ("system", "dynamic"),
    ("meta_user", "stable"),
    ("meta_user", "dynamic"),
)
"""The original's own list of sections; on the wire the skills stand before the context prefix."""

CACHE_FIRST_BLOCKS = (
    block("cli_prefix", identity.cli_prefix),
    block(
        "constant",
        _IDENTITY,
        behavior.dynamic_behavior,
        behavior.context_management,
        join="\n\n",
        cache_control="ephemeral",
    ),
    block(
        "user",
        custom.custom_system_stable,
        skills.session_guidance,
        behavior.output_style,
        memory.memory,
        join="\n\n",
        lead="\n\n",
        cache_control="ephemeral",
    ),
    block(
        "session",
        desktop.desktop_context,
        custom.custom_system_dynamic,
        environment.env_info,
        environment.system_context,
        join="\n\n",
        lead="\n\n",
        cache="dynamic",
        cache_control="ephemeral",
    ),
    *_ATTACHMENTS,
)
"""The same sections by how often they change: constants, the user's, the session's, model, git."""

SUBAGENT_BLOCKS = (
    block(
        "stable",
        subagent.cli_prefix,
        place(subagent.agent_prompt, before="\n"),
        place(subagent.agent_notes, before="\n\n"),
        cache_control="ephemeral",
    ),
    block(
        "environment",
        place(
            subagent.environment,
            place(subagent.env, wrap=tag("env")),
            subagent.powering_model,
        ),
        lead="\n\n",
        cache="dynamic",
        cache_control="ephemeral",
    ),
    block(
        "skills_listing",
        subagent.skills,
        wrap=REMINDER,
        target="meta_user",
        cache="dynamic",
    ),
    block(
        "context_prefix",
        place(subagent.request_user_context, place(user_context.instructions, before="\n\n")),
        user_context.current_date,
        join="\n\n",
        wrap=_PREFIX_WRAP,
        target="meta_user",
        cache="dynamic",
    ),
)


def flow(
    texts: Texts = "default", *, order: Literal["original", "cache_first"] = "original"
) -> PromptFlow:
    """A desktop coding agent: three system blocks and two attachments in the user's role.

    Build it once in a process.

    Args:
        texts: The text pack: `default`, `skeleton`, or a folder of templates.
        order: The original's order, or the same sections by how often they change.
    """
    original = order == "original"
    return PromptFlow(
        "zcode" if original else "zcode_cache_first",
        BLOCKS if original else CACHE_FIRST_BLOCKS,
        session=ZcodeSignals,
        turn=ZcodeTurn,
        all_of=sections.MAIN_MODULES,
        messages=zcode_messages.messages,
        texts=texts,
        buckets=BUCKETS if original else (),
        reader=read_zcode,
        doc="a desktop coding agent: three system blocks and two attachments",
    )


def subagent_flow(texts: Texts = "default") -> PromptFlow:
    """A subagent of zcode: its task and notes in one block, where it runs in another.

    Args:
        texts: The text pack; see `flow`.
    """
    return PromptFlow(
        "zcode_subagent",
        SUBAGENT_BLOCKS,
        session=SubagentSignals,
        turn=ZcodeTurn,
        all_of=(subagent,),
        messages=zcode_messages.messages,
        texts=texts,
        doc="a subagent of zcode: its task and notes in one block, where it runs in another",
    )
