"""What a prompt is made of: its sections, where each stands, and what was overridden."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..inputs.tokens import default_counter
from .assembly import BlockText
from .node_functions import block_node, text_node
from .order import Target

if TYPE_CHECKING:
    import pandas as pd

    from .flow import PromptFlow
    from .overrides import OverrideRecord


@dataclass(frozen=True, slots=True)
class SectionRow:
    """One section in a manifest.

    Attributes:
        order: The position, counted from 1.
        name: The section's name; a text that the caller added has its own.
        parent: The section that it is a part of, or `None`.
        block: The block that it stands in.
        target: The block's target.
        cache: The cache hint.
        tier: How often it can change, computed from the signals that reach it.
        gate: The gates that open it, joined by ` and `, or `None`.
        open: Whether it has text in this prompt.
        start: Where it starts, in UTF-8 bytes of the block texts one after another.
        end: Where it ends; glue in front of it is inside, a wrapper closed behind it too.
        sha256: The hash of its bytes.
        text: Its text, glue included.
    """

    order: int
    name: str
    parent: str | None
    block: str
    target: Target
    cache: str
    tier: str
    gate: str | None
    open: bool
    start: int
    end: int
    sha256: str
    text: str

    @property
    def tokens(self) -> int:
        """The tokens of its text, counted when asked for and remembered by content."""
        return default_counter().count(self.text)

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data, its tokens included."""
        return asdict(self) | {"tokens": self.tokens}


_SHOWN = ("name", "block", "target", "cache", "tier", "gate", "open", "start", "end", "text")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a prompt is made of: every byte of its blocks belongs to exactly one section.

    Attributes:
        flow: The flow's name.
        texts: The name of the text pack.
        fingerprint: The hash of the wire from its first byte to the end of the last block.
        sections: The sections in reading order, closed ones included.
        overrides: What was overridden, by whom and why.
    """

    flow: str
    texts: str
    fingerprint: str
    sections: tuple[SectionRow, ...]
    overrides: tuple["OverrideRecord", ...] = ()

    @property
    def tokens(self) -> int:
        """The tokens of all sections; the text in one piece can count a few less."""
        return sum(row.tokens for row in self.sections)

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest as plain data for JSON."""
        return {
            "flow": self.flow,
            "texts": self.texts,
            "fingerprint": self.fingerprint,
            "tokens": self.tokens,
            "sections": [row.to_dict() for row in self.sections],
            "overrides": [asdict(one) for one in self.overrides],
        }

    def nested(self, bucket: Callable[[str, str], int]) -> list[dict[str, Any]]:
        """Return a row for each section, its parts in it under `parts`.

        Args:
            bucket: Where the flow lists sections of a target and cache hint.

        A section's range and text are its own with those of its parts, which stand behind it.
        """
        listed: list[dict[str, Any]] = []
        shown = {row.name: {name: getattr(row, name) for name in _SHOWN} for row in self.sections}
        parents = {row.name: row.parent for row in self.sections}
        for row in self.sections:
            above = row.parent
            siblings = listed if above is None else shown[above].setdefault("parts", [])
            siblings.append(shown[row.name])
            while above is not None:
                around = shown[above]
                around["end"], around["text"] = row.end, around["text"] + row.text
                around["open"] = around["open"] or row.open
                above = parents[above]
        return sorted(listed, key=lambda row: bucket(row["target"], row["cache"]))

    def to_frame(self) -> "pd.DataFrame":
        """Return the sections as a table, one row each: `SectionRow`'s fields and `tokens`."""
        import pandas as pd  # only where a table is asked for

        return pd.DataFrame([row.to_dict() for row in self.sections]).set_index("order")


def section_rows(flow: "PromptFlow", written: Callable[[str], BlockText]) -> Iterator[SectionRow]:
    """Yield the rows of a manifest in reading order.

    Args:
        flow: The flow.
        written: Returns the value of a block's node.
    """
    start = order = 0
    for block in flow.blocks:
        by_owner = _runs(written(block_node(block.name)))
        owners = [p for p in flow.positions if p.block is block]
        for number, position in enumerate(owners):
            section = position.place.section
            gate = " and ".join(one.name for one in flow.gates_of(section.name)) or None
            runs = by_owner.get(number) or [("", "")]
            for name, text in runs:
                order += 1
                data = text.encode()
                yield SectionRow(
                    order,
                    name or section.name,
                    position.parent.section.name if position.parent else None,
                    block.name,
                    block.target,
                    position.place.cache or block.cache,
                    flow.graph.tier(text_node(section)),
                    gate,
                    bool(text),
                    start,
                    start + len(data),
                    sha256(data).hexdigest(),
                    text,
                )
                start += len(data)


def _runs(block: BlockText) -> Mapping[int, list[tuple[str, str]]]:
    """Return the name and text of each run by its owner, glue given to its section."""
    runs: list[list[Any]] = []
    waiting = ""
    for segment in block.segments:
        if segment.kind == "opening":
            waiting += segment.text
        elif segment.kind == "closing":
            runs[-1][2] += segment.text
        else:
            runs.append([segment.owner, segment.name, waiting + segment.text])
            waiting = ""
    by_owner: dict[int, list[tuple[str, str]]] = {}
    for owner, name, text in runs:
        by_owner.setdefault(owner, []).append((name, text))
    return by_owner
