"""The difference of two prompts: field, section, block, first byte, tokens, money.

Sections are compared by identity, never by position.
"""

from collections.abc import Container
from dataclasses import asdict, dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from ..inputs.errors import UnknownNameError
from ..inputs.tokens import TokenCounter, default_counter
from .causes import Cause, causes_of
from .changed_blocks import BlockChange, block_changes
from .changed_sections import SectionChange, section_changes
from .placed import tools_text
from .price import Price, price_of
from .prompt import Prompt
from .update import first_difference

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PromptDiff:
    """What differs between two prompts of one flow.

    Attributes:
        flow: The flow's name.
        fingerprint_before: The fingerprint of the first.
        fingerprint: The fingerprint of the second.
        causes: What differs; never empty while the fingerprints differ.
        sections: The sections that were added, removed, moved or changed.
        blocks: The blocks whose wire bytes differ.
        first_byte: The first byte that differs, in UTF-8 bytes of the block texts one after
            another; 0 when the tools differ, `None` when the prefix is the same.
        prefix_tokens: The tokens of tools and blocks now.
        rewritten_tokens: Those from the first byte that differs to the end.
        rewritten_block_tokens: Those behind the last cache mark that stands in front of it: what a
            provider rewrites that caches up to marks.
        extra_usd: What the rewritten tokens cost more than reading them.
        extra_block_usd: The same of `rewritten_block_tokens`.
        messages_changed: Whether the messages of the turn differ.
    """

    flow: str
    fingerprint_before: str
    fingerprint: str
    causes: tuple[Cause, ...]
    sections: tuple[SectionChange, ...]
    blocks: tuple[BlockChange, ...]
    first_byte: int | None
    prefix_tokens: int
    rewritten_tokens: int
    rewritten_block_tokens: int
    extra_usd: float
    extra_block_usd: float
    messages_changed: bool

    @property
    def stable_changed(self) -> bool:
        """Whether the cached prefix differs."""
        return self.fingerprint != self.fingerprint_before

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain data for JSON."""
        return asdict(self) | {"stable_changed": self.stable_changed}

    def to_frame(self) -> "pd.DataFrame":
        """Return the changed sections as a table; the columns are `SectionChange`'s fields."""
        import pandas as pd

        columns = list(SectionChange.__dataclass_fields__)
        return pd.DataFrame([asdict(one) for one in self.sections], columns=columns)

    def text_diff(self, names: Container[str] | None = None) -> str:
        """Return the unified diff of each changed section, or of those of these names."""
        found = []
        for one in self.sections:
            if names is not None and one.name not in names:
                continue
            lines = unified_diff(
                one.text_before.splitlines(),
                one.text.splitlines(),
                f"before/{one.name}",
                f"after/{one.name}",
                lineterm="",
            )
            found += list(lines)
        return "\n".join(found)

    def _repr_html_(self) -> str:
        from .answer_displays import diff_html  # only in notebooks

        return diff_html(self)


def diff_prompts(
    before: Prompt,
    after: Prompt,
    *,
    price: Price | None = None,
    counter: TokenCounter | None = None,
) -> PromptDiff:
    """Return what differs between two prompts of one flow, and what rewriting it costs.

    Args:
        before: One prompt.
        after: The other; the flows may differ in overrides, text pack and order.
        price: The price of tokens; `None` for `price_of()`.
        counter: Counts tokens; `None` for the exact offline counter.

    Raises:
        UnknownNameError: They are prompts of different flows.
    """
    names = (before.session.flow.name, after.session.flow.name)
    if names[0] != names[1]:
        raise UnknownNameError(
            f"a prompt of flow {names[0]!r} and one of {names[1]!r} have no sections in common; "
            "compare prompts of one flow"
        )
    price, count = price or price_of(), (counter or default_counter()).count
    sections = tuple(section_changes(before, after))
    blocks = tuple(block_changes(before, after, count))
    first = _first_byte(before, after, blocks)
    rewritten, whole = _rewritten(after, first, blocks, count)
    return PromptDiff(
        names[0],
        before.fingerprint,
        after.fingerprint,
        tuple(causes_of(before, after, sections, blocks)),
        sections,
        blocks,
        first,
        count(tools_text(after)) + count(after.text),
        rewritten,
        whole,
        price.extra_usd(rewritten),
        price.extra_usd(whole),
        before.messages != after.messages
        if before.turn is not None and after.turn is not None
        else False,
    )


def _first_byte(before: Prompt, after: Prompt, blocks: tuple[BlockChange, ...]) -> int | None:
    if before.fingerprint == after.fingerprint:
        return None
    if any(one.name == "tools" for one in blocks):
        return 0  # tools stand before the system text
    first = first_difference(before.text.encode(), after.text.encode())
    shaped = {one.name for one in blocks if one.shape}
    start = 0
    for block in after.blocks:
        if block.name in shaped and (first is None or start < first):
            return start
        start += len(block.text.encode())
    return start if first is None else first


def _rewritten(
    after: Prompt, first: int | None, blocks: tuple[BlockChange, ...], count: Any
) -> tuple[int, int]:
    """Return the tokens from a byte on, and those behind the last cache mark in front of it."""
    if first is None:
        return 0, 0
    tools = count(tools_text(after)) if any(one.name == "tools" for one in blocks) else 0
    rest = after.text.encode()[first:].decode("utf-8", "ignore")
    start = end = marked = 0
    for block in after.blocks:
        end = start + len(block.text.encode())
        if end <= first and block.cache_control:
            marked = end
        start = end
    whole = after.text.encode()[marked:].decode()
    before_marks = count(tools_text(after)) if marked == 0 else 0
    return tools + count(rest), before_marks + count(whole)
