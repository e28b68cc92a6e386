"""A composed prompt: its blocks, messages, fingerprint and manifest."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .manifest import Manifest, section_rows
from .node_functions import block_node, fingerprint_node
from .node_values import node_value
from .order import Target
from .transient import BUNDLE

if TYPE_CHECKING:
    from ..inputs.signals import TurnSignals
    from .fit import Bundle
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
        rows = tuple(section_rows(flow, self.value))
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
