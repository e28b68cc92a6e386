"""A session: its signals are fixed, its stable part is composed once."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..inputs.signals import SessionSignals
from .prompt import Prompt
from .validation import validated

if TYPE_CHECKING:
    from .change import Change
    from .flow import PromptFlow
    from .resume import Invalidation, Resumption


class Session:
    """The fixed part of a conversation; immutable.

    Attributes:
        flow: The flow.
        signals: The validated session signals.
        values: The value of every session node, in the plan's order.
        change: What made it differ from the session before, or `None` for a first one.
    """

    __slots__ = ("change", "flow", "signals", "values")

    def __init__(
        self,
        flow: "PromptFlow",
        signals: SessionSignals,
        values: tuple[Any, ...],
        change: "Change | None" = None,
    ) -> None:
        self.flow = flow
        self.signals = signals
        self.values = values
        self.change = change

    @property
    def fingerprint(self) -> str:
        """The hash of the wire from its first byte to the end of the last block."""
        found: str = self.values[self.flow.session_index[self.flow.last_fingerprint]]
        return found

    def turn(self, **signals: Any) -> Prompt:
        """Compose the prompt of one turn; only what turn signals reach is computed.

        Raises:
            pydantic.ValidationError: Turn signals are unknown, of a wrong type or missing.
            NodeError: A node failed.
        """
        flow = self.flow
        given = validated(flow.turn_model, signals)
        return Prompt(self, flow.turn_plan(self.signals, self.values, given), given)

    def update(self, **changes: Any) -> "Session":
        """Return a session with signals read again; `change` says what moved.

        Only what the changed signals reach is computed, and no further than values differ.

        Args:
            changes: Signals in our names or the original's; a nested one by its field
                (`env_info`) or by its leaf (`env_info_git_branch`).

        Raises:
            pydantic.ValidationError: Signals are unknown or of a wrong type.
        """
        from .update import updated  # which makes sessions itself

        return updated(self, changes)

    def save(self) -> str:
        """Return the session as JSON: signals, fingerprint, overrides, the hash of each section.

        Of an override it keeps what a manifest keeps; whoever loads the session brings its text.
        """
        prompt = self.turnless()
        sections = {row.name: row.sha256 for row in prompt.manifest.sections}
        return json.dumps(
            {
                "flow": self.flow.name,
                "texts": self.flow.texts,
                "fingerprint": self.fingerprint,
                "bytes": len(prompt.text.encode()),
                "sections": sections,
                "overrides": [asdict(one.record()) for one in self.flow.overrides],
                "signals": self.signals.model_dump(mode="json"),
            },
            ensure_ascii=False,
        )

    def resume(self, stored: str | None, guard: "Invalidation | None" = None) -> "Resumption":
        """Return whether the stable part must be sent to whoever has a stored session, and why.

        Args:
            stored: What `save` gave when it was last sent; `None` where nothing was kept.
            guard: Why the conversation cannot be resumed; see `promptdag.dataflows.resume`.

        Raises:
            ValueError: What is stored is not what `save` gives.
        """
        from .resume import resume

        return resume(self, stored, guard)

    def turnless(self) -> Prompt:
        """Return the prompt without a turn: its blocks and manifest, no messages."""
        return Prompt(self)

    def _repr_html_(self) -> str:
        from .displays import session_html  # only in notebooks

        return session_html(self)

    def __repr__(self) -> str:
        return f"<session of {self.flow.name}: {self.fingerprint[:12]}>"
