"""Which order of sections a log would have liked best."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .prefix import Part

_MAX_PATTERNS = 4096


@dataclass(frozen=True, slots=True)
class OrderAdvice:
    """The order of a log, and one that writes less.

    A section moves with its parts; tools and blocks in the user's role stay where they are. Both
    orders are counted alike: as if each section were a cache boundary and no entry ran out.

    Attributes:
        order: The sections of the system channel as they are.
        best_order: The same sections, those first that change seldom for their length.
        rewritten_tokens: What changes had to write behind them, over the log.
        best_rewritten_tokens: The same in the best order.
        patterns_dropped: Rare sets of changes that were not counted, since there were too many.
    """

    order: tuple[str, ...]
    best_order: tuple[str, ...]
    rewritten_tokens: float
    best_rewritten_tokens: float
    patterns_dropped: int


class OrderStudy:
    """Collects which sections changed together, in memory that does not grow with the log."""

    def __init__(self) -> None:
        self._order: list[str] = []
        self._tokens: Counter[str] = Counter()
        self._seen: Counter[str] = Counter()
        self._changes: Counter[frozenset[str]] = Counter()
        self._dropped = 0

    def see(self, parts: Iterable[Part]) -> dict[str, str]:
        """Take in the sections of a prompt; return the hash of each, its parts included."""
        hashes: dict[str, str] = {}
        tokens: Counter[str] = Counter()
        for part in parts:
            if part.target != "system":
                continue
            hashes[part.top] = hashes.get(part.top, "") + part.sha256
            tokens[part.top] += part.tokens
        place = 0
        for name in hashes:  # a new one stands behind the one in front of it here
            if self._seen[name] == 0:
                self._order.insert(place, name)
            place = self._order.index(name) + 1
        self._tokens.update(tokens)
        self._seen.update(tokens.keys())
        return hashes

    def compare(self, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        """Take in which sections differ between two prompts of one session."""
        names = {*before, *now}
        changed = frozenset(name for name in names if before.get(name) != now.get(name))
        if not changed:
            return
        if changed in self._changes or len(self._changes) < _MAX_PATTERNS:
            self._changes[changed] += 1
        else:
            self._dropped += 1

    def advice(self) -> OrderAdvice:
        """Return the present order and the best one.

        Two neighbours stand better where the one that changes less per token is first: putting
        section a before b costs changes(a) tokens(b), the other way changes(b) tokens(a).

        Source: the exchange argument of W. E. Smith, "Various optimizers for single-stage
        production", Naval Research Logistics Quarterly 3 (1956).
        """
        order = self._order
        changes: Counter[str] = Counter()
        for names, times in self._changes.items():
            changes.update(dict.fromkeys(names, times))
        best = sorted(order, key=lambda name: changes[name] / max(self._mean(name), 1e-9))
        now, then = self._rewritten(order), self._rewritten(best)
        if then >= now:
            best, then = order, now
        return OrderAdvice(tuple(order), tuple(best), now, then, self._dropped)

    def _mean(self, name: str) -> float:
        return self._tokens[name] / self._seen[name]

    def _rewritten(self, order: Sequence[str]) -> float:
        behind: dict[str, float] = {}
        total = 0.0
        for name in reversed(order):
            total += self._mean(name)
            behind[name] = total
        return sum(
            times * max(behind[name] for name in names) for names, times in self._changes.items()
        )
