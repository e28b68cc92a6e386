"""A log of turns: one JSON object a line, read a line at a time."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..inputs.errors import ReadError

_KEYS = frozenset({"time", "session", "signals"})


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """One request of the past.

    Attributes:
        line: Where it stands in the log, counted from 1.
        seconds: When it was sent, in seconds; never less than in the line before.
        session: Which conversation it belongs to; one log can hold many at once.
        signals: Session and turn signals together, as `PromptFlow.compose` takes them.
    """

    line: int
    seconds: float
    session: str
    signals: Mapping[str, Any]


def read_log(lines: Iterable[str], place: str = "log") -> Iterator[LoggedTurn]:
    """Yield the turns of a log, without keeping any.

    Each line is `{"time": …, "signals": {…}}`, with `"session": "…"` where conversations are
    mixed. A time is a number of seconds or ISO 8601, taken as UTC where it names no zone. Empty
    lines are passed over.

    Args:
        lines: An open file, or any other source of lines.
        place: Where they come from, for messages.

    Raises:
        ReadError: A line is not such an object, or earlier than the line before.
    """
    before = float("-inf")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        turn = _turn(line, number, f"{place}:{number}")
        if turn.seconds < before:
            raise ReadError(
                f"{place}:{number}: it is {before - turn.seconds:g} seconds earlier than the line "
                f"before; sort the log by time"
            )
        before = turn.seconds
        yield turn


def _turn(line: str, number: int, place: str) -> LoggedTurn:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise ReadError(f"{place}:{error.colno}: not JSON: {error.msg}") from None
    if not isinstance(found, dict) or not isinstance(found.get("signals"), dict):
        raise ReadError(f'{place}: a turn is {{"time": ..., "signals": {{...}}}}')
    if unknown := sorted(found.keys() - _KEYS):
        raise ReadError(
            f"{place}: unknown key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}"
        )
    seconds = _seconds(found.get("time"), place)
    return LoggedTurn(number, seconds, str(found.get("session", "")), found["signals"])


def _seconds(time: Any, place: str) -> float:
    if isinstance(time, int | float) and not isinstance(time, bool) and abs(time) < 1e15:
        return float(time)
    if isinstance(time, str):
        try:
            moment = datetime.fromisoformat(time)
        except ValueError:
            pass
        else:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    raise ReadError(f"{place}: time is {time!r}; give seconds, or ISO 8601 as 2026-01-31T12:00:00Z")
