"""open_design, the turn side: one user turn as one message, for a CLI without a system channel.

Everything in a user turn is text of one message, so all its signals are session signals of this
flow: compose it once a turn.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, Literal, NamedTuple

from ..inputs.findings import Finding
from ..inputs.open_design_turn import OpenDesignTurn
from ..inputs.stable_instructions import SEPARATOR
from ..sections import open_design_turn as sections
from ..sections.declare import fact
from ..sections.open_design_turn.stable import (
    injective_prompt_hash,
    stable_cache,
    stable_prompt_hash,
)
from ..sections.packs import Texts
from .assembly import BlockText
from .flow import PromptFlow
from .open_design_turn_rules import RULES
from .order import Block, Group, block, group, place, tag
from .prompt import Prompt

TurnOrder = Literal["original", "stable_first"]

STABLE_SECTIONS = (
    sections.daemon_instructions,
    sections.runtime_instructions,
    sections.client_instructions,
)
_FINDING_NODES = ("found_contexts", "found_files", "found_folders", "found_comments")

_FOR_THIS_TURN = (
    sections.research_contract,
    sections.selected_context,
    sections.browser_rules,
    sections.title_task,
)
_OVERRIDES = (sections.build_override, sections.generic_override)

# The original's order: what changes every turn stands in front of the client's stable part.
_ORIGINAL_FRONT = (
    *(place(one, after="\n\n") for one in _OVERRIDES),
    group(
        sections.daemon_instructions,
        sections.runtime_instructions,
        *_FOR_THIS_TURN,
        sections.client_instructions,
        sections.override_instructions,
        join=SEPARATOR,
    ),
)
_STABLE_FIRST_FRONT = (
    group(
        *STABLE_SECTIONS,
        *_OVERRIDES,
        *_FOR_THIS_TURN,
        sections.override_instructions,
        join=SEPARATOR,
    ),
)


def _front(*instructions: Any) -> Group:
    return group(
        place(sections.instructions_heading, after="\n\n"),
        *instructions,
        place(sections.design_files, before="\n\n"),
        place(sections.linked_folders, before="\n\n"),
        place(sections.echo_guard, before="\n\n", after="\n\n---\n"),
    )


def _request() -> Group:
    comments = place(
        sections.preview_comments, before="\n\n", wrap=tag("attached-preview-comments")
    )
    return group(
        place(sections.request_heading, after="\n\n"),
        group(
            sections.transition,
            sections.transcript_heading,
            sections.request_body,
            join="\n\n",
        ),
        place(sections.attached_files, before="\n\n"),
        comments,
        place(sections.image_paths, before="\n\n"),
    )


def user_turn_blocks(order: TurnOrder = "original") -> tuple[Block, ...]:
    """Return the order of a user turn.

    Args:
        order: `original`, or `stable_first`, which puts what changes every turn behind the stable
            instructions, so that a provider's prefix cache holds them.
    """
    front = _ORIGINAL_FRONT if order == "original" else _STABLE_FIRST_FRONT
    return (block("user_turn", _front(*front), _request(), target="meta_user", cache="turn"),)


@fact
def messages(user_turn_block: BlockText) -> list[dict[str, Any]]:
    """The one message that a user turn is."""
    return [{"role": "user", "content": user_turn_block.text}]


def flow(texts: Texts = "default", order: TurnOrder = "original") -> PromptFlow:
    """One user turn of open_design: instructions, workspace and request as one message.

    Build it once in a process.

    Args:
        texts: The text pack: `default`, `skeleton`, or a folder of templates.
        order: See `user_turn_blocks`.
    """
    return PromptFlow(
        "open_design_turn" if order == "original" else "open_design_turn_stable_first",
        user_turn_blocks(order),
        session=OpenDesignTurn,
        messages=messages,
        also=(stable_prompt_hash, injective_prompt_hash, stable_cache),
        texts=texts,
        lint_rules=RULES if order == "original" else (),
        doc="one user turn of open_design, for a CLI without a system channel",
    )


def stable_first_flow(texts: Texts = "default") -> PromptFlow:
    """The same user turn, with what changes every turn behind the rest."""
    return flow(texts, "stable_first")


def turn_findings(prompt: Prompt) -> tuple[Finding, ...]:
    """Return what the signals of a user turn held that its message does not show."""
    found = (prompt.value(node) for node in (*_FINDING_NODES, "found_images"))
    return tuple(finding for one in found for finding in one.findings)


class PrefixSaving(NamedTuple):
    """How much of each turn is the same as in the turn before, summed over a conversation.

    Attributes:
        original_bytes: UTF-8 bytes of the common prefixes in the original's order.
        stable_first_bytes: The same with the stable parts first.
    """

    original_bytes: int
    stable_first_bytes: int

    @property
    def saved_bytes(self) -> int:
        """How many bytes more a prefix cache can hold with the stable parts first."""
        return self.stable_first_bytes - self.original_bytes


def prefix_saving(turns: Iterable[Mapping[str, Any]]) -> PrefixSaving:
    """Return what the order of the stable parts saves over the turns of a conversation.

    Args:
        turns: The signals of each turn, in their order.
    """
    listed = list(turns)
    return PrefixSaving(*(_shared(order, listed) for order in ("original", "stable_first")))


def _shared(order: TurnOrder, turns: Sequence[Mapping[str, Any]]) -> int:
    ordered = flow(order=order)
    texts = [ordered.compose(signals).text.encode() for signals in turns]
    return sum(_shared_bytes(before, after) for before, after in pairwise(texts))


def _shared_bytes(before: bytes, after: bytes) -> int:
    same = (one == two for one, two in zip(before, after, strict=False))
    return sum(1 for _ in takewhile(bool, same))
