"""Small flows and logs whose costs are known by heart."""

import json
from collections.abc import Iterator
from typing import Any

from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.tokens import CallableCounter

from ..small_flows import Letters, sa, sb, sc

CHARACTERS = CallableCounter("characters", len, exact=True)
"""Counts a token a character, so that a test can count."""

MARK = {"type": "ephemeral"}
LONG = {"type": "ephemeral", "ttl": "1h"}

TABLE = {
    "models": {
        "claude-opus-5": {"min_cache_tokens": 0},
        "claude-opus-4-1": {"min_cache_tokens": 0},
        "gemini-2.5-pro": {"min_cache_tokens": 10},
        "gpt-5": {"min_cache_tokens": 0},
        "gpt-6-sol": {"min_cache_tokens": 0},
    }
}
"""Small prompts are cached too."""


def flow(*marks: Any) -> PromptFlow:
    """Return a flow of blocks a, b, c with these marks; by default each has one."""
    marks = marks or (MARK, MARK, MARK)
    blocks = tuple(
        block(section.name[1:], section, cache_control=mark)
        for section, mark in zip((sa, sb, sc), marks, strict=False)
    )
    return PromptFlow("abc", blocks, session=Letters)


def lines(*turns: tuple[float, dict[str, str]], session: str = "") -> Iterator[str]:
    """Yield the lines of a log: seconds and signals."""
    for seconds, signals in turns:
        yield json.dumps({"time": seconds, "session": session, "signals": signals}) + "\n"


def endless(count: int) -> Iterator[str]:
    """Yield a log of so many lines, a minute apart, each of a new session with a new text."""
    for number in range(count):
        signals = {"a": "A" * 10, "c": str(number)}
        yield from lines((number * 60.0, signals), session=str(number))
