"""A log of turns, replayed through a flow and a simulated provider cache.

Only the prefix is cached here: a history that grows in the messages is priced uncached, so sums
are higher than a bill whose messages carry marks. Memory does not grow with the log.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..inputs.signals import SessionSignals, canonical_json
from ..inputs.tokens import TokenCounter, default_counter
from .best_order import OrderStudy
from .cache_arithmetic import change_usd
from .node_functions import block_node, text_node
from .prefix import TOOLS, Part, Prefix, measure, spoken_tokens
from .providers import Override, load_providers
from .replay_log import LoggedTurn
from .replay_report import Cause, Curve, ReplayReport, TurnOutcome
from .simulated_cache import CacheUse, SimulatedCache
from .wires.marks import marks_in

if TYPE_CHECKING:
    from .flow import PromptFlow
    from .prompt import Prompt

FIRST, EXPIRED, NOT_CACHED = "first turn", "expired", "not cached"
"""Causes of a miss that are no field."""

_MAX_PREFIXES = 256


@dataclass(slots=True)
class _Seen:
    """The last turn of one session."""

    signals: SessionSignals
    prefix: Prefix
    hashes: dict[str, str]


class Replay:
    """Takes in turns one by one; `report` tells what they came to.

    Args:
        flow: The flow.
        model: A model of the table.
        lifetime: The lifetime of every mark, in place of what the flow says.
        table: Prices and rules, or what replaces a part of ours.
        counter: Counts tokens; `None` for the process's own.
        max_sessions: How many conversations are remembered at once; a turn of one that was
            forgotten counts as its first.

    Raises:
        UnknownNameError: There is no such model or lifetime.
        UnknownPriceError: The table has no price of the model.
    """

    def __init__(
        self,
        flow: "PromptFlow",
        model: str,
        *,
        lifetime: str | None = None,
        table: Override = None,
        counter: TokenCounter | None = None,
        max_sessions: int = 1024,
    ) -> None:
        known = load_providers(table)
        self.flow = flow
        self.model = known.model(model)
        self.model.lifetime(lifetime)
        self.usd_per_token = self.model.usd_per_token
        self.lifetime = lifetime
        self.counter = counter
        self.max_sessions = max_sessions
        self._cache = SimulatedCache()
        self._study = OrderStudy()
        self._sessions: OrderedDict[str, _Seen] = OrderedDict()
        self._prefixes: OrderedDict[tuple[str, str], Prefix] = OrderedDict()
        self._sums: Counter[str] = Counter()
        self._usd = self._usd_plain = self._usd_all_read = 0.0
        self._causes: dict[str, Cause] = {}
        self._curve = Curve()

    def turn(self, logged: LoggedTurn) -> TurnOutcome:
        """Compose a turn, send it to the cache and return what came of it.

        Raises:
            pydantic.ValidationError: Its signals do not fit the flow.
            NodeError: A node failed.
        """
        prompt = self.flow.compose(logged.signals)
        prefix = self._prefix(prompt)
        before = self._sessions.get(logged.session)
        alive = 0 if before is None else self._cache.alive_tokens(before.prefix, logged.seconds)
        use = self._cache.request(prefix, logged.seconds)
        causes = self._causes_of(prompt, prefix, before, alive, use)
        hashes = self._study.see(prefix.parts)
        if before is not None:
            self._study.compare(before.hashes, hashes)
        self._remember(logged.session, _Seen(prompt.session.signals, prefix, hashes))
        return self._counted(logged, prefix, use, causes)

    def report(self) -> ReplayReport:
        """Return what the turns so far came to."""
        advice = self._study.advice()
        saved_tokens = advice.rewritten_tokens - advice.best_rewritten_tokens
        write = self.model.lifetime(self.lifetime).write_factor
        return ReplayReport(
            self.flow.name,
            self.model.name,
            self.model.prices_date,
            self._sums["turns"],
            self._sums["hits"],
            self._sums["partial"],
            self._sums["misses"],
            self._sums["read"],
            self._sums["written"],
            self._sums["uncached"],
            self._usd,
            self._usd_plain,
            self._usd_all_read,
            change_usd(saved_tokens, self.usd_per_token, write, self.model.read_factor),
            advice,
            tuple(sorted(self._causes.values(), key=lambda one: (-one.usd, one.name))),
            self._curve.points,
        )

    def _prefix(self, prompt: "Prompt") -> Prefix:
        """Return a prompt's prefix; the parts of equal ones are measured once."""
        marks = canonical_json(marks_in(prompt.messages))
        key = (prompt.fingerprint, marks)
        known = self._prefixes.get(key)
        if known is None:
            known = measure(prompt, self.model, lifetime=self.lifetime, counter=self.counter)
            self._prefixes[key] = known
            if len(self._prefixes) > _MAX_PREFIXES:
                self._prefixes.popitem(last=False)
        self._prefixes.move_to_end(key)
        counter = self.counter or default_counter()
        return replace(known, turn_tokens=spoken_tokens(prompt, known.parts, counter))

    def _remember(self, session: str, seen: _Seen) -> None:
        self._sessions[session] = seen
        self._sessions.move_to_end(session)
        if len(self._sessions) > self.max_sessions:
            self._sessions.popitem(last=False)

    def _causes_of(
        self, prompt: "Prompt", prefix: Prefix, before: _Seen | None, alive: int, use: CacheUse
    ) -> tuple[str, ...]:
        """Return why not all was read: fields, or what else it was; empty for a hit."""
        if prefix.cacheable_tokens == 0:
            return (NOT_CACHED,)
        if use.written_tokens == 0:
            return ()
        if before is None:
            return (FIRST,)
        first = _first_difference(before.prefix.parts, prefix.parts)
        if first is None or alive < _boundary(before.prefix, first):
            return (EXPIRED,)
        return self._fields(prompt, before.signals, first)

    def _fields(self, prompt: "Prompt", before: SessionSignals, first: Part) -> tuple[str, ...]:
        """Return the signals that moved and reach what differs first, by their dotted names."""
        graph = self.flow.graph
        now = prompt.session.signals
        moved = [
            leaf
            for leaf in graph.signals.values()
            if not leaf.turn and leaf.value(before) != leaf.value(now)
        ]
        if first.name == TOOLS:
            return (TOOLS,)
        node = _node_of(self.flow, first)
        reach = graph.upstream.get(node, frozenset())
        close = [leaf.dotted for leaf in moved if leaf.name in reach]
        if close:
            return tuple(close)
        block = graph.upstream[block_node(first.block)]
        return tuple(leaf.dotted for leaf in moved if leaf.name in block) or (
            tuple(leaf.dotted for leaf in moved) or (f"section {first.name}",)
        )

    def _counted(
        self, logged: LoggedTurn, prefix: Prefix, use: CacheUse, causes: tuple[str, ...]
    ) -> TurnOutcome:
        plain = self.usd_per_token * (prefix.tokens + prefix.turn_tokens)
        spoken = self.usd_per_token * prefix.turn_tokens
        outcome = "hit" if use.hit else "partial" if use.read_tokens else "miss"
        extra = use.usd - use.usd_all_read
        self._sums.update({"turns": 1, {"hit": "hits", "miss": "misses"}.get(outcome, outcome): 1})
        self._sums.update(
            read=use.read_tokens,
            written=use.written_tokens,
            uncached=use.uncached_tokens + prefix.turn_tokens,
        )
        self._usd += use.usd + spoken
        self._usd_plain += plain
        self._usd_all_read += use.usd_all_read + spoken
        for name in causes:
            known = self._causes.get(name, Cause(name, 0, 0.0, 0.0))
            self._causes[name] = known.more(use.written_tokens / len(causes), extra / len(causes))
        self._curve.add(logged.seconds, self._usd, self._usd_plain)
        return TurnOutcome(
            logged.line,
            logged.seconds,
            logged.session,
            outcome,
            causes,
            use.read_tokens,
            use.written_tokens,
            use.uncached_tokens + prefix.turn_tokens,
            use.usd + spoken,
            extra,
        )


def replay(
    flow: "PromptFlow",
    turns: Iterable[LoggedTurn],
    model: str,
    *,
    on_turn: Callable[[TurnOutcome], Any] | None = None,
    **options: Any,
) -> ReplayReport:
    """Replay a log and return what it came to.

    Args:
        flow: The flow.
        turns: The log, such as `read_log(file)`; it is read once and not kept.
        model: A model of the table.
        on_turn: Called with each outcome; outcomes are not kept.
        options: Those of `Replay`.

    Raises:
        ReadError: A line of the log is wrong.
        pydantic.ValidationError: Signals do not fit the flow.
        UnknownNameError: There is no such model or lifetime.
    """
    work = Replay(flow, model, **options)
    for logged in turns:
        outcome = work.turn(logged)
        if on_turn is not None:
            on_turn(outcome)
    return work.report()


def _first_difference(before: tuple[Part, ...], now: tuple[Part, ...]) -> Part | None:
    """Return the first part that differs; one that is gone where nothing stands in its place."""
    for old, new in zip(before, now, strict=False):
        if old.digest != new.digest:
            gone = new.name != old.name and old.name not in {one.name for one in now}
            return old if gone else new
    if len(now) == len(before):
        return None
    return now[len(before)] if len(now) > len(before) else before[len(now)]


def _boundary(before: Prefix, first: Part) -> int:
    """Return up to where the last request could be read, had its entries lived."""
    automatic = before.model.rules.caching == "automatic"
    same = [
        one
        for one in before.parts
        if one.end_tokens <= first.start_tokens and (automatic or one.marked)
    ]
    return same[-1].end_tokens if same else 0


def _node_of(flow: "PromptFlow", part: Part) -> str:
    """Return the node of a part's text; a text that the caller added has the one of its block."""
    for position in flow.positions:
        if position.place.section.name == part.name:
            return text_node(position.place.section)
    return block_node(part.block)
