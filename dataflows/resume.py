"""What is sent again when a conversation goes on: the guard, the decision, and its reasons."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..inputs.stable_instructions import (
    MissReason,
    StableCache,
    StableRecord,
    describe_stable,
    injective_hash,
    original_hash,
    stable_record,
)
from ..inputs.stable_instructions import includes_stable as include_stable
from .change import Change
from .session import Session
from .update import moved_overrides, saved_overrides

Invalidation = Literal["model_changed", "cwd_changed", "missing_cursor", "conversation_advanced"]

__all__ = [
    "ConversationPoint",
    "Invalidation",
    "MissReason",
    "Resumption",
    "StableCache",
    "StableRecord",
    "describe_stable",
    "include_stable",
    "injective_hash",
    "invalidation",
    "original_hash",
    "resume",
    "stable_record",
]


@dataclass(frozen=True, slots=True)
class ConversationPoint:
    """Where a conversation stands, in what a CLI stores or in what the host sees.

    Attributes:
        model: The model.
        cwd: The working directory.
        last_message_id: The last completed message of the assistant; the cursor, where stored.
    """

    model: str | None
    cwd: str | None
    last_message_id: str | None


def invalidation(stored: ConversationPoint, current: ConversationPoint) -> Invalidation | None:
    """Return the first reason why a conversation cannot be resumed, or `None` where it can.

    Source: open_design's `evaluateResumeInvalidation`, reasons in its order.
    """
    if stored.model != current.model:
        return "model_changed"
    if stored.cwd != current.cwd:
        return "cwd_changed"
    if stored.last_message_id is None:
        return "missing_cursor"
    if stored.last_message_id != current.last_message_id:
        return "conversation_advanced"
    return None


@dataclass(frozen=True, slots=True)
class Resumption:
    """Whether the stable part of a prompt is sent again.

    Attributes:
        send: Whether it is.
        reason: Why; `None` where it is left out.
        change: On a changed prefix, the fields and sections that moved; else `None`.
    """

    send: bool
    reason: MissReason | Invalidation | None
    change: Change | None = None

    def __str__(self) -> str:
        if not self.send:
            return "skip: the prefix is the same"
        return f"send: {self.reason}" + (f": {self.change}" if self.change else "")


def resume(session: Session, stored: str | None, guard: Invalidation | None = None) -> Resumption:
    """Return whether a session's stable part must be sent to whoever has a stored one.

    Args:
        session: The session as it is now.
        stored: What `Session.save` gave when it was last sent; `None` where nothing was kept.
        guard: Why the conversation cannot be resumed, from `invalidation`.

    Raises:
        ValueError: What is stored is not what `Session.save` gives.
    """
    if guard is not None:
        return Resumption(True, guard)
    if stored is None:
        return Resumption(True, "missing-stored-hash")
    saved = json.loads(stored)
    if not isinstance(saved, dict) or "fingerprint" not in saved:
        raise ValueError("the stored session has no fingerprint; pass what Session.save() gave")
    if saved["fingerprint"] == session.fingerprint:
        return Resumption(False, None)
    return Resumption(True, "stable-prompt-changed", _change(session, saved))


def _change(session: Session, saved: Mapping[str, Any]) -> Change:
    """Return what moved since a session was saved; sections that only one has count too."""
    rows = session.turnless().manifest.sections
    hashes = {row.name: row.sha256 for row in rows}
    before = saved.get("sections", {})
    names = dict.fromkeys((*before, *hashes))
    moved = tuple(name for name in names if hashes.get(name) != before.get(name))
    same_tools = saved.get("signals", {}).get("tools", []) == _plain(session)["tools"]
    first = min((row.start for row in rows if row.name in moved), default=0) if same_tools else 0
    size = rows[-1].end if rows else 0
    fields = _moved_fields(session, saved.get("signals", {}))
    prints = saved["fingerprint"], session.fingerprint
    over = moved_overrides(saved_overrides(saved), session)
    return Change(fields, moved, first, size - first, *prints, over)


def _plain(session: Session) -> dict[str, Any]:
    plain: dict[str, Any] = session.signals.model_dump(mode="json")
    return plain


def _moved_fields(session: Session, before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dotted names of the signals whose values differ from the stored ones."""
    now = _plain(session)
    leaves = (leaf for leaf in session.flow.graph.signals.values() if not leaf.turn)
    return tuple(leaf.dotted for leaf in leaves if _at(now, leaf.path) != _at(before, leaf.path))


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
