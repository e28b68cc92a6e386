"""Sessions remembered by what they are made from."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ..inputs.signals import canonical_json
from .flow import PromptFlow
from .session import Session
from .validation import validated


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How a cache was used.

    Attributes:
        hits: How often a session was remembered.
        misses: How often it was composed.
        entries: How many are remembered now.
        max_entries: How many can be.
    """

    hits: int
    misses: int
    entries: int
    max_entries: int

    @property
    def hit_rate(self) -> float:
        """The share of hits, from 0 to 1; 0 before the first request."""
        return self.hits / (self.hits + self.misses) if self.hits else 0.0


class StableCache:
    """Composes the stable part once for equal session signals; safe to share between threads.

    The key is the JSON of the validated signals, so a name that holds a delimiter cannot meet
    another list of names, and a default that is written out meets the default. The session that
    was not asked for the longest goes first. Sessions are immutable, so they can be shared.

    Args:
        flow: The flow; its proofs hold for every session, remembered or not.
        max_entries: How many sessions are remembered, at least 1.
    """

    def __init__(self, flow: PromptFlow, max_entries: int = 64) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries is {max_entries}; give 1 or more")
        self.flow = flow
        self.max_entries = max_entries
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._hits = self._misses = 0
        self._lock = Lock()

    def session(self, **signals: Any) -> Session:
        """Return the session of these signals.

        Raises:
            pydantic.ValidationError: Signals are unknown, missing or of a wrong type.
        """
        given = validated(self.flow.session_model, signals)
        key = canonical_json(given.model_dump(mode="json"))
        with self._lock:
            if (known := self._sessions.get(key)) is not None:
                self._sessions.move_to_end(key)
                self._hits += 1
                return known
        made = self.flow.session(**dict(given))
        with self._lock:
            self._misses += 1
            self._sessions[key] = made
            if len(self._sessions) > self.max_entries:
                self._sessions.popitem(last=False)
        return made

    @property
    def use(self) -> CacheUse:
        """How the cache was used so far."""
        with self._lock:
            return CacheUse(self._hits, self._misses, len(self._sessions), self.max_entries)

    def clear(self) -> None:
        """Forget every session; the counts stay."""
        with self._lock:
            self._sessions.clear()
