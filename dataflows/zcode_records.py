"""The sections of a zcode prompt as the original lists them, with its own estimate of tokens."""

from collections.abc import Sequence
from typing import NamedTuple

from .assembly import BlockText
from .node_functions import block_node
from .order import Position
from .prompt import Prompt

PREVIEW_CHARS = 100

_BUCKETS = (
    ("system", "stable"),
    ("system", "dynamic"),
    ("meta_user", "stable"),
    ("meta_user", "dynamic"),
)


class SectionRecord(NamedTuple):
    """One open section.

    Attributes:
        source: The section's name; a text that the caller added has its own source.
        injection_target: `system` or `meta_user`.
        cache_hint: `stable` or `dynamic`.
        content: Its text without the glue in front of it.
        chars: Its length in UTF-16 units.
        tokens: The original's estimate; see `estimated_tokens`.
        preview: Its first characters.
    """

    source: str
    injection_target: str
    cache_hint: str
    content: str
    chars: int
    tokens: int
    preview: str


def estimated_tokens(text: str) -> int:
    """Return `ceil((2 * ideographs + others) / 3)`, ideographs being U+4E00 to U+9FFF.

    Source: the estimate of zcode. It counts UTF-16 units, so that its figures can be compared.
    """
    ideographs = sum("\u4e00" <= character <= "\u9fff" for character in text)
    return -(-(utf16_units(text) + ideographs) // 3)


def utf16_units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def section_records(prompt: Prompt) -> tuple[SectionRecord, ...]:
    """Return the open sections of a prompt in the original's order: bucket by bucket."""
    records: list[SectionRecord] = []
    for block in prompt.session.flow.blocks:
        places = [one for one in prompt.session.flow.positions if one.block is block]
        for owner, name, content in _texts(prompt.value(block_node(block.name)), places):
            spot = places[owner].place
            records.append(
                SectionRecord(
                    name or spot.section.name,
                    block.target,
                    spot.cache or block.cache,
                    content,
                    utf16_units(content),
                    estimated_tokens(content),
                    content[:PREVIEW_CHARS],
                )
            )
    return tuple(
        sorted(records, key=lambda one: _BUCKETS.index((one.injection_target, one.cache_hint)))
    )


def _texts(block: BlockText, places: Sequence[Position]) -> list[tuple[int, str, str]]:
    """Return owner, name and text of each section that is no part, its parts in its text."""
    found: list[tuple[int, str, str]] = []
    glue = ""
    for segment in block.segments:
        if segment.kind != "text":
            glue += segment.text
            continue
        part_of = places[segment.owner].parent
        if part_of is not None and found and places[found[-1][0]].place is part_of:
            owner, name, text = found[-1]
            found[-1] = (owner, name, text + glue + segment.text)
        else:
            found.append((segment.owner, segment.name, segment.text))
        glue = ""
    return found
