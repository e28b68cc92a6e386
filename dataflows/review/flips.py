"""For whom something changed: the tried inputs in which a gate or section is open on one side only.

What is told of signals was seen in these inputs and is no proof: an input that was not tried may
behave otherwise.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...inputs.signals import canonical_json
from ..signal_factors import value_at
from .views import Outcome, Snapshot
from .wording import value_words

Effect = Literal["opens", "closes", "rewords"]

_MAX_WORDS = 3
"""A signal that has more different values than this where something changed tells nothing."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One tried input, and what it gave on both sides."""

    before: Outcome
    after: Outcome

    @property
    def signals(self) -> dict[str, Any]:
        """The input."""
        return self.after.signals


@dataclass(frozen=True, slots=True)
class Flip:
    """Inputs in which a change has one effect on a gate or section.

    Attributes:
        effect: It `opens` where it was closed, `closes` where it was open; a section that is open
            on both sides `rewords`.
        count: In how many inputs.
        tried: How many inputs both sides accept.
        conditions: What the signals that reach it have in common there and not elsewhere, in
            words: `lineage is blank`.
        example: The plainest of these inputs.
    """

    effect: Effect
    count: int
    tried: int
    conditions: tuple[str, ...]
    example: dict[str, Any]

    @property
    def words(self) -> str:
        """The conditions in one phrase; empty when none was found."""
        return " and ".join(self.conditions)


def pairs_of(before: Snapshot, after: Snapshot) -> tuple[Pair, ...]:
    """Return the inputs that both sides were tried with and accept."""
    old = {canonical_json(one.signals): one for one in before.outcomes if not one.refused}
    return tuple(
        Pair(old[key], one)
        for one in after.outcomes
        if not one.refused and (key := canonical_json(one.signals)) in old
    )


def gate_flips(name: str, pairs: Sequence[Pair], signals: Iterable[str]) -> tuple[Flip, ...]:
    """Return when a gate opens that was closed, and when it is closed that was open."""
    effects: list[Effect | None] = [
        _effect(name in one.before.open_gates, name in one.after.open_gates) for one in pairs
    ]
    return _flips(pairs, effects, tuple(signals))


def section_flips(name: str, pairs: Sequence[Pair], signals: Iterable[str]) -> tuple[Flip, ...]:
    """Return when a section stands in the prompt that did not, is gone, or reads otherwise."""
    effects: list[Effect | None] = [
        _effect(one.before.sections.get(name), one.after.sections.get(name)) for one in pairs
    ]
    return _flips(pairs, effects, tuple(signals))


def _effect(before: object, after: object) -> Effect | None:
    """Return what becomes of something: a hash while it is open, or whether it is."""
    if bool(before) != bool(after):
        return "opens" if after else "closes"
    return "rewords" if before != after else None


def _flips(
    pairs: Sequence[Pair], effects: Sequence[Effect | None], signals: tuple[str, ...]
) -> tuple[Flip, ...]:
    found = []
    wanted: tuple[Effect, ...] = ("opens", "closes", "rewords")
    for effect in wanted:
        inputs = [pair.signals for pair, one in zip(pairs, effects, strict=True) if one == effect]
        others = [pair.signals for pair, one in zip(pairs, effects, strict=True) if one != effect]
        if inputs:
            words = tuple(_conditions(inputs, others, signals))
            plainest = min(inputs, key=lambda one: (len(canonical_json(one)), canonical_json(one)))
            found.append(Flip(effect, len(inputs), len(pairs), words, plainest))
    return tuple(found)


def _conditions(
    inside: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]], signals: Sequence[str]
) -> Iterator[str]:
    """Yield what is said of each signal that tells the inputs inside from some of the others."""
    for signal in signals:
        here = dict.fromkeys(value_words(value_at(one, signal.split("."))) for one in inside)
        there = {value_words(value_at(one, signal.split("."))) for one in others}
        if len(here) <= _MAX_WORDS and not there <= set(here):
            yield f"{signal} is {' or '.join(here)}"
