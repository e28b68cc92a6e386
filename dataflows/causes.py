"""Why two prompts differ.

There is always a cause while fingerprints differ: where no signal explains a change, the overrides,
the text pack, the blocks' own shape or, last, the code do.
"""

from dataclasses import dataclass
from typing import Any, Literal

from .candidates import signal_values
from .changed_blocks import BlockChange
from .changed_sections import SectionChange
from .node_functions import block_node
from .prompt import Prompt
from .update import first_difference

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


def causes_of(
    before: Prompt,
    after: Prompt,
    sections: tuple[SectionChange, ...],
    blocks: tuple[BlockChange, ...],
) -> list[Cause]:
    """Return what makes two prompts differ, given the sections and blocks that do."""
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
