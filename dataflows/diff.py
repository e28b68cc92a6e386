"""The difference of two prompts: field, section, block, first byte, tokens, money.

Sections are compared by identity, never by position. There is always a cause while fingerprints
differ: where no signal explains a change, the overrides, the text pack, the blocks' own shape or,
last, the code do.
"""

from collections.abc import Container
from dataclasses import asdict, dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Any, Literal

from ..inputs.errors import UnknownNameError
from ..inputs.tokens import TokenCounter, default_counter
from .candidates import signal_values
from .changed_sections import SectionChange, section_changes
from .node_functions import block_node
from .placed import tools_text
from .price import Price, price_of
from .prompt import Prompt
from .update import first_difference

if TYPE_CHECKING:
    import pandas as pd

CauseKind = Literal["field", "overrides", "texts", "blocks", "code"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that differs between two prompts.

    Attributes:
        kind: `field` is a signal; `overrides`, the text pack `texts`, the order and marks of
            `blocks`, or the `code` of facts and templates.
        name: The signal by its dotted name, or what of the other kinds.
        tier: The signal's tier; of the others `session`.
        before: What it was, in short.
        after: What it is, in short.
        sections: The changed sections that it reaches.
        blocks: The blocks whose bytes it changed; `tools` for the tool table.
    """

    kind: CauseKind
    name: str
    tier: str
    before: str
    after: str
    sections: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlockChange:
    """A block, or the tool table in front of all, whose wire bytes differ.

    Attributes:
        name: The block's name, or `tools`.
        first_byte: The first byte that differs, in the block; `None` when only its shape does.
        shape: Whether its target, cache mark or place differ.
        tokens_before: Its tokens before.
        tokens: Its tokens now.
    """

    name: str
    first_byte: int | None
    shape: bool
    tokens_before: int
    tokens: int


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
    blocks = tuple(_block_changes(before, after, count))
    first = _first_byte(before, after, blocks)
    rewritten, whole = _rewritten(after, first, blocks, count)
    return PromptDiff(
        names[0],
        before.fingerprint,
        after.fingerprint,
        tuple(_causes(before, after, sections, blocks)),
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


def _block_changes(before: Prompt, after: Prompt, count: Any) -> list[BlockChange]:
    changes = []
    old_tools, new_tools = tools_text(before), tools_text(after)
    if old_tools != new_tools:
        first = first_difference(old_tools.encode(), new_tools.encode())
        changes.append(BlockChange("tools", first, False, count(old_tools), count(new_tools)))
    old = {block.name: block for block in before.blocks}
    new = {block.name: block for block in after.blocks}
    for name in dict.fromkeys((*new, *old)):
        texts = [side[name].text if name in side else "" for side in (old, new)]
        shapes = [_shape(name, side) for side in (old, new)]
        first = first_difference(*(text.encode() for text in texts))
        moved = name in old and name in new and shapes[0] != shapes[1]
        if first is not None or moved:
            changes.append(BlockChange(name, first, moved, count(texts[0]), count(texts[1])))
    if _common_order(old, new) != _common_order(new, old):
        known = {one.name for one in changes}
        for name in _common_order(new, old):
            if name not in known:
                tokens = count(new[name].text)
                changes.append(BlockChange(name, None, True, tokens, tokens))
    return changes


def _shape(name: str, side: dict[str, Any]) -> Any:
    block = side.get(name)
    return None if block is None else (block.target, block.cache_control)


def _common_order(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in one if name in other]


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


def _causes(
    before: Prompt,
    after: Prompt,
    sections: tuple[SectionChange, ...],
    blocks: tuple[BlockChange, ...],
) -> list[Cause]:
    causes = [*_field_causes(before, after, sections, blocks)]
    flows = before.session.flow, after.session.flow
    changed = {one.name for one in blocks}
    reached = {name for one in causes for name in one.sections}
    orphans = [one for one in sections if one.name not in reached and one.change != "glue"]
    over = [[one.record() for one in flow.overrides] for flow in flows]
    if over[0] != over[1]:
        shown = ["; ".join(f"{r.kind} {r.name} ({r.who})" for r in one) or "none" for one in over]
        names = tuple(one.name for one in sections)
        causes.append(_other("overrides", "overrides", shown, names, changed))
        orphans = []
    if flows[0].texts != flows[1].texts:
        names = tuple(one.name for one in sections)
        causes.append(_other("texts", "text pack", [flow.texts for flow in flows], names, changed))
        orphans = []
    shaped = {one.name for one in blocks if one.shape}
    if shaped:
        shown = [
            ", ".join(f"{block.name} {block.target} {block.cache_control}" for block in one.blocks)
            for one in (before, after)
        ]
        causes.append(_other("blocks", "order and marks", shown, (), shaped))
    explained = {name for one in causes for name in one.blocks}
    unexplained = changed - explained
    if orphans or unexplained or (before.fingerprint != after.fingerprint and not explained):
        names = tuple(one.name for one in orphans)
        places = unexplained | {one.block for one in orphans if one.block in changed}
        causes.append(_other("code", "facts, templates or order", ["", ""], names, places))
    return causes


def _other(
    kind: CauseKind, name: str, shown: list[str], sections: tuple[str, ...], blocks: set[str]
) -> Cause:
    return Cause(kind, name, "session", shown[0], shown[1], sections, tuple(sorted(blocks)))


def _field_causes(
    before: Prompt,
    after: Prompt,
    sections: tuple[SectionChange, ...],
    blocks: tuple[BlockChange, ...],
) -> list[Cause]:
    graph = after.session.flow.graph
    old, new = signal_values(before), signal_values(after)
    causes = []
    for name, leaf in graph.signals.items():
        if name not in old or name not in new or old[name] == new[name]:
            continue
        below = set(graph.downstream[name])
        reached = tuple(one.name for one in sections if one.node in below)
        touched = tuple(
            one.name
            for one in blocks
            if block_node(one.name) in below or (one.name == "tools" and name == "tools")
        )
        tier = graph.tier(name)
        causes.append(
            Cause("field", leaf.dotted, tier, *_shown(old[name], new[name]), reached, touched)
        )
    return causes


def _shown(old: Any, new: Any, limit: int = 60) -> tuple[str, str]:
    """Return two values in short, so that what differs can be seen."""
    texts = repr(old), repr(new)
    if max(map(len, texts)) <= limit:
        return texts
    start = first_difference(texts[0].encode("utf-32-le"), texts[1].encode("utf-32-le")) or 0
    begin = max(start // 4 - 15, 0)
    cut = [
        ("…" if begin else "") + text[begin : begin + limit] + "…" * (len(text) > begin + limit)
        for text in texts
    ]
    return cut[0], cut[1]
