"""What a change of each signal rewrites, by trying."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..inputs.errors import NodeError
from ..inputs.signals import Leaf
from ..inputs.tokens import TokenCounter
from .answer_table import Table
from .candidates import RefusedError, candidate_values, changed_prompt, signal_values
from .diff import PromptDiff, diff_prompts
from .flow import PromptFlow
from .price import Price


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """What changing one session signal rewrites in a given session, by trying.

    Attributes:
        name: The signal's dotted name.
        value: The tried value that rewrites most; `None` also where none does.
        sections: The sections that it changes.
        first_byte: The first byte that differs; `None` where no tried value changes the prefix.
        rewritten_tokens: The tokens from there to the end.
        extra_usd: What they cost more than reading them.
        tried: How many values were tried.
        refused: How many of these the signal models do not allow, a node failed on, or change
            other signals too.
    """

    name: str
    value: Any
    sections: tuple[str, ...]
    first_byte: int | None
    rewritten_tokens: int
    extra_usd: float
    tried: int
    refused: int


def what_if(
    flow: PromptFlow,
    signals: Mapping[str, Any],
    *,
    cases: Iterable[Mapping[str, Any]] = (),
    price: Price | None = None,
    counter: TokenCounter | None = None,
) -> Table[WhatIfRow]:
    """Return what changing each session signal of a session rewrites, by trying values.

    Raises:
        pydantic.ValidationError: The signals are wrong.
    """
    prompt = flow.compose(signals).session.turnless()
    others = [signal_values(flow.compose(case)) for case in cases]
    values = signal_values(prompt)
    rows = []
    for name, leaf in flow.graph.signals.items():
        if leaf.turn:
            continue
        best: tuple[PromptDiff, Any] | None = None
        refused = 0
        candidates = candidate_values(flow, leaf, values[name], others)
        for value in candidates:
            try:
                other = changed_prompt(prompt, {name: value})
            except (RefusedError, NodeError):
                refused += 1
                continue
            change = other.session.change
            if change is not None and set(change.fields) - {leaf.dotted}:
                refused += 1  # an absent model above it brings other fields with it
                continue
            found = diff_prompts(prompt, other, price=price, counter=counter)
            if found.stable_changed and (
                best is None or found.rewritten_tokens > best[0].rewritten_tokens
            ):
                best = (found, value)
        rows.append(_what_if_row(leaf, best, len(candidates), refused))
    return Table(flow.name, tuple(rows))


def _what_if_row(
    leaf: Leaf, best: tuple[PromptDiff, Any] | None, tried: int, refused: int
) -> WhatIfRow:
    if best is None:
        return WhatIfRow(leaf.dotted, None, (), None, 0, 0.0, tried, refused)
    found, value = best
    sections = tuple(one.name for one in found.sections if one.change != "glue")
    return WhatIfRow(
        leaf.dotted,
        value,
        sections,
        found.first_byte,
        found.rewritten_tokens,
        found.extra_usd,
        tried,
        refused,
    )
