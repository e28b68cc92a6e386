"""What a replayed log came to: as objects, tables, JSON or a figure."""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from .best_order import OrderAdvice

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

_MAX_POINTS = 512


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What came of one request.

    Attributes:
        line: Its line in the log.
        seconds: When it was sent.
        session: Its conversation.
        outcome: `hit` when all that can be cached was read, `partial` when a part was, `miss`.
        causes: Why not all was read: signals by their dotted names, `tools`, `first turn`,
            `expired` or `not cached`.
        read_tokens: Read from the cache.
        written_tokens: Written to it.
        uncached_tokens: At the plain price, the messages included.
        usd: What the request's input cost.
        extra_usd: How much of it is there because not all was read.
    """

    line: int
    seconds: float
    session: str
    outcome: str
    causes: tuple[str, ...]
    read_tokens: int
    written_tokens: int
    uncached_tokens: int
    usd: float
    extra_usd: float

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why turns did not read all that can be cached.

    Where several signals moved at once, tokens and money are shared evenly among them, so that
    all causes add up to the whole.

    Attributes:
        name: A signal by its dotted name, `tools`, `first turn`, `expired` or `not cached`.
        turns: In how many turns it was a cause.
        written_tokens: How many tokens were written for it.
        usd: What that cost more than reading them.
    """

    name: str
    turns: int
    written_tokens: float
    usd: float

    def more(self, written_tokens: float, usd: float) -> "Cause":
        """Return the cause with one turn more."""
        return Cause(
            self.name, self.turns + 1, self.written_tokens + written_tokens, self.usd + usd
        )


@dataclass(slots=True)
class Curve:
    """Sums over time, thinned out as they grow: at most 512 points, the last always there.

    Attributes:
        points: Seconds, USD so far, and USD so far without a cache.
    """

    _kept: list[tuple[float, float, float]] = field(default_factory=list)
    _stride: int = 1
    _count: int = 0
    _last: tuple[float, float, float] | None = None

    def add(self, seconds: float, usd: float, usd_plain: float) -> None:
        """Take in the sums after one more turn."""
        self._last = (seconds, usd, usd_plain)
        if self._count % self._stride == 0:
            self._kept.append(self._last)
        self._count += 1
        if len(self._kept) >= _MAX_POINTS:
            self._kept, self._stride = self._kept[::2], self._stride * 2

    @property
    def points(self) -> tuple[tuple[float, float, float], ...]:
        """Return the points, by time."""
        if self._last is None or (self._kept and self._kept[-1] == self._last):
            return tuple(self._kept)
        return (*self._kept, self._last)


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a log came to.

    Attributes:
        flow: The flow's name.
        model: The model's name in the table.
        prices_date: The date of the table.
        turns: How many requests.
        hits: How many read all that can be cached.
        partial: How many read a part.
        misses: How many read nothing.
        read_tokens: Read from the cache.
        written_tokens: Written to it.
        uncached_tokens: At the plain price.
        usd: What all input cost.
        usd_without_cache: What it would have cost without a cache.
        usd_all_read: What it would have cost if every request had read all that can be cached.
        best_order_saves_usd: What the best order of sections saves, if each section were a cache
            boundary; see `OrderAdvice`.
        order: The present order and the best one.
        causes: Why not all was read, the dearest first.
        curve: Seconds, USD so far and USD so far without a cache, thinned out.
    """

    flow: str
    model: str
    prices_date: str
    turns: int
    hits: int
    partial: int
    misses: int
    read_tokens: int
    written_tokens: int
    uncached_tokens: int
    usd: float
    usd_without_cache: float
    usd_all_read: float
    best_order_saves_usd: float
    order: OrderAdvice
    causes: tuple[Cause, ...]
    curve: tuple[tuple[float, float, float], ...]

    @property
    def hit_rate(self) -> float:
        """The share of turns that read all that can be cached, from 0 to 1."""
        return self.hits / self.turns if self.turns else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON, without the curve."""
        found = asdict(self) | {"hit_rate": self.hit_rate}
        del found["curve"]
        return found

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each cause, the dearest first, indexed by `name`.

        Columns: `turns` int64, `written_tokens` and `usd` float64.
        """
        import pandas as pd  # only where a table is asked for

        columns = {"turns": "int64", "written_tokens": "float64", "usd": "float64"}
        rows = [asdict(cause) for cause in self.causes]
        frame = pd.DataFrame(rows, columns=["name", *columns])
        return frame.astype(columns).set_index("name")

    def curve_frame(self) -> "pd.DataFrame":
        """Return the sums over time: `usd` and `usd_without_cache`, indexed by `seconds`."""
        import pandas as pd

        columns = ["seconds", "usd", "usd_without_cache"]
        return pd.DataFrame(list(self.curve), columns=columns).set_index("seconds")

    def plot(self) -> "Figure":
        """Return a matplotlib figure: money over time, and money by cause.

        Raises:
            MissingLibraryError: matplotlib is not installed.
        """
        from .figures import blank_figure

        otherwise = ".to_frame() and .curve_frame()"
        figure = blank_figure("ReplayReport.plot()", otherwise, 8, 6)
        over_time, by_cause = figure.subplots(2, 1)
        start = self.curve[0][0] if self.curve else 0.0
        hours = [(seconds - start) / 3600 for seconds, _, _ in self.curve]
        over_time.plot(hours, [usd for _, usd, _ in self.curve], label="with the cache")
        over_time.plot(hours, [plain for _, _, plain in self.curve], label="without")
        over_time.set(xlabel="hours", ylabel="USD", title=f"{self.flow} on {self.model}")
        over_time.legend()
        names = [f"{cause.name} ({cause.turns})" for cause in self.causes[:12]]
        by_cause.barh(range(len(names)), [cause.usd for cause in self.causes[:12]])
        by_cause.set_yticks(range(len(names)), names)
        by_cause.invert_yaxis()
        by_cause.set_xlabel("USD more than reading")
        return figure

    def _repr_html_(self) -> str:
        from .answer_displays import replay_html  # only in notebooks

        return replay_html(self)
