"""A composed prompt: its blocks, messages, fingerprint and manifest."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..inputs.tokens import default_counter
from .assembly import BlockText
from .node_functions import block_node, fingerprint_node, text_node
from .node_values import node_value
from .order import Target
from .transient import BUNDLE

if TYPE_CHECKING:
    import pandas as pd

    from ..inputs.signals import TurnSignals
    from .fit import Bundle
    from .overrides import OverrideRecord
    from .session import Session
    from .wires import Wire


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """One block as it goes on the wire.

    Attributes:
        name: The block's name.
        target: `system`, or `meta_user` for a message of the harness in the user's role.
        text: Its text; a block without text is not on the wire.
        cache_control: The provider's cache mark, or `None`.
        fingerprint: The hash of the wire from its first byte to the end of this block.
    """

    name: str
    target: Target
    text: str
    cache_control: dict[str, str] | None
    fingerprint: str


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


class Prompt:
    """One prompt, made by `Session.turn`.

    Attributes:
        session: The session that it belongs to.
        messages: The messages of this turn, in the provider's form.
    """

    __slots__ = ("__dict__", "_turn", "_turn_values", "session")

    def __init__(
        self,
        session: "Session",
        turn_values: tuple[Any, ...] = (),
        turn: "TurnSignals | None" = None,
    ) -> None:
        self.session = session
        self._turn_values = turn_values
        self._turn = turn

    @property
    def has_turn(self) -> bool:
        """Whether the nodes of a turn have values: it was made with one, or the flow has none."""
        return self._turn is not None or not self.session.flow.turn_index

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of this turn; empty in a flow that has none."""
        flow = self.session.flow
        if flow.messages_index is not None:
            found: list[dict[str, Any]] = self._turn_values[flow.messages_index]
            return found
        return [] if flow.messages_node is None else list(self.value(flow.messages_node))

    @property
    def bundle(self) -> "Bundle | None":
        """The turn context that fits the budget, and its report; `None` in a flow without one."""
        found: Bundle | None = self.value(BUNDLE) if self.session.flow.transient else None
        return found

    @property
    def fingerprint(self) -> str:
        """The hash of the wire from its first byte to the end of the last block."""
        return self.session.fingerprint

    @property
    def text(self) -> str:
        """The block texts one after another."""
        return "".join(block.text for block in self.blocks)

    @cached_property
    def blocks(self) -> tuple[PromptBlock, ...]:
        """The blocks that have text, in the order of the wire."""
        return tuple(
            PromptBlock(
                block.name,
                block.target,
                text,
                block.cache_control,
                self.value(fingerprint_node(block.name)),
            )
            for block in self.session.flow.blocks
            if (text := self.value(block_node(block.name)).text)
        )

    @cached_property
    def manifest(self) -> Manifest:
        """What the prompt is made of."""
        flow = self.session.flow
        rows = tuple(section_rows(self))
        overrides = tuple(one.record() for one in flow.overrides)
        return Manifest(flow.name, flow.texts, self.fingerprint, rows, overrides)

    @property
    def turn(self) -> "TurnSignals | None":
        """The turn signals that it was made with; `None` for a prompt without a turn."""
        return self._turn

    def value(self, node: str) -> Any:
        """Return the value of any node or signal of this prompt.

        Raises:
            UnknownNameError: There is no such node, or it belongs to a turn and this prompt was
                made without one.
        """
        return node_value(node, self.session, self._turn_values, self._turn)

    def to_anthropic(self, **options: Any) -> "Wire":
        """Return `tools` (when there are any), `system` and `messages` for Anthropic's API.

        Args:
            options: Those of `promptdag.dataflows.wires.to_anthropic`: `model`, `policy`, `table`.
        """
        from .wires import to_anthropic

        return to_anthropic(self, **options)

    def to_openai(self, **options: Any) -> "Wire":
        """Return `messages`, `tools` and `prompt_cache_key` for Chat Completions.

        Args:
            options: Those of `promptdag.dataflows.wires.to_openai`: `model`, `policy`, `table`.
        """
        from .wires import to_openai

        return to_openai(self, **options)

    def to_responses(self, **options: Any) -> "Wire":
        """Return `input`, `tools` and `prompt_cache_key` for OpenAI's Responses.

        Args:
            options: Those of `promptdag.dataflows.wires.to_responses`: `model`, `policy`, `table`.
        """
        from .wires import to_responses

        return to_responses(self, **options)

    def to_gemini(self) -> "Wire":
        """Return `contents` and `config` for Gemini's `generate_content`."""
        from .wires import to_gemini

        return to_gemini(self)

    def to_plain(self) -> "Wire":
        """Return `text`: the system blocks, then each message under its role."""
        from .wires import to_plain

        return to_plain(self)

    def to_user_message(self) -> dict[str, Any]:
        """Return the prompt as one message of the user, for a model without a system channel."""
        from .fold import to_user_message

        return to_user_message(self)

    def _repr_html_(self) -> str:
        from .displays import prompt_html  # only in notebooks

        return prompt_html(self)

    def __repr__(self) -> str:
        size = len(self.text.encode())
        return f"<prompt of {self.session.flow.name}: {size} bytes, {self.fingerprint[:12]}>"


def section_rows(prompt: Prompt) -> Iterator[SectionRow]:
    """Yield the manifest's rows in reading order."""
    flow = prompt.session.flow
    start = order = 0
    for block in flow.blocks:
        written = _runs(prompt.value(block_node(block.name)))
        owners = [p for p in flow.positions if p.block is block]
        for number, position in enumerate(owners):
            section = position.place.section
            gate = " and ".join(one.name for one in flow.gates_of(section.name)) or None
            runs = written.get(number) or [("", "")]
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
