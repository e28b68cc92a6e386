"""What a prompt costs over a conversation: cold, warm and in between, by section and block.

Counts are those of our tokenizer and prices those of a dated table, so every sum is an estimate.
Only input is priced: answers are not known before they are given.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching for the factors of
writing and reading; the break-even points follow from them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..inputs.findings import Finding
from ..inputs.tokens import TokenCounter
from .cache_arithmetic import change_usd
from .cost_hints import hints
from .prefix import Part, Prefix, measure
from .providers import Model, Override, load_providers

if TYPE_CHECKING:
    import pandas as pd

    from .prompt import Prompt

Scenario = Literal["cold", "warm", "mixed", "plain"]
SCENARIOS: tuple[Scenario, ...] = ("cold", "warm", "mixed", "plain")

MESSAGES = "messages"
"""The name of the row for what the turn adds."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """What one section, block or the messages cost over all turns, in USD.

    Attributes:
        name: The section or block; `tools` for the tool table, `messages` for the turn.
        block: The block that it stands in.
        tokens: How many it has in one request.
        cached_tokens: How many of these the provider caches.
        cold_usd: When every turn writes the cache: the worst case.
        warm_usd: When every turn reads it: the steady state.
        mixed_usd: With the estimate's hit rate.
        plain_usd: Without a cache.
        change_usd: What one change of it costs: all that is cached from its start is written.
    """

    name: str
    block: str
    tokens: int
    cached_tokens: int
    cold_usd: float
    warm_usd: float
    mixed_usd: float
    plain_usd: float
    change_usd: float


@dataclass(frozen=True, slots=True)
class TokenSplit:
    """How the tokens of all turns are billed.

    Attributes:
        written: Tokens that are written to the cache.
        read: Tokens that are read from it.
        uncached: Tokens at the plain price.
    """

    written: float
    read: float
    uncached: float


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a prompt costs over a conversation.

    Attributes:
        model: The model's name in the table.
        prices_date: The date of the table.
        turns: How many requests.
        gap_seconds: The time between two of them.
        hit_rate: The share of turns that read what `mixed` caches; of the default lifetime.
        lifetime: The cache lifetime that was asked for, or `None` for what the marks say.
        counter_id: What counted the tokens.
        counter_exact: Whether these are a tokenizer's counts.
        sections: A row each, in the order of the request; the messages last.
        blocks: The same by block.
        splits: How the tokens are billed, by scenario.
        hints: Break-even points, what would be cheaper, and what is not cached.
    """

    model: str
    prices_date: str
    turns: int
    gap_seconds: float
    hit_rate: float
    lifetime: str | None
    counter_id: str
    counter_exact: bool
    sections: tuple[CostRow, ...]
    blocks: tuple[CostRow, ...]
    splits: dict[Scenario, TokenSplit]
    hints: tuple[Finding, ...]

    def usd(self, scenario: Scenario) -> float:
        """Return the sum of a scenario over all turns."""
        return float(sum(getattr(row, f"{scenario}_usd") for row in self.sections))

    @property
    def tokens(self) -> int:
        """How many tokens one request has."""
        return sum(row.tokens for row in self.sections)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain data for JSON, the sums of the scenarios under `usd`."""
        sums = {one: self.usd(one) for one in SCENARIOS}
        return asdict(self) | {"tokens": self.tokens, "usd": sums}

    def to_frame(self, by: Literal["section", "block"] = "section") -> "pd.DataFrame":
        """Return a row each, indexed by `name`; the other columns are `CostRow`'s fields.

        `tokens` and `cached_tokens` are int64, `block` is text, the rest float64 in USD.
        """
        import pandas as pd  # only where a table is asked for

        rows = self.sections if by == "section" else self.blocks
        return pd.DataFrame([asdict(row) for row in rows]).set_index("name")

    def _repr_html_(self) -> str:
        from .answer_displays import cost_html  # only in notebooks

        return cost_html(self)


def estimate(
    prompt: "Prompt",
    model: str,
    *,
    turns: int = 1,
    gap_seconds: float = 180.0,
    hit_rate: float | None = None,
    lifetime: str | None = None,
    table: Override = None,
    counter: TokenCounter | None = None,
) -> CostEstimate:
    """Return what a prompt costs over a conversation that sends it in every request.

    Args:
        prompt: The prompt; its messages are priced as they are, without a growing history.
        model: A model of the table.
        turns: How many requests, at least 1.
        gap_seconds: The time between two requests.
        hit_rate: The share of requests that find the cache, from 0 to 1; `None` derives it: all
            but the first where the gap is within the lifetime, else none.
        lifetime: The lifetime of every mark, such as `1h`, in place of what the flow says.
        table: Prices and rules, or what replaces a part of ours.
        counter: Counts tokens; `None` for the process's own.

    Raises:
        UnknownNameError: There is no such model or lifetime.
        UnknownPriceError: The table has no price of the model.
        ValueError: A number is out of its range.
    """
    if turns < 1 or gap_seconds < 0 or not 0 <= (hit_rate or 0) <= 1:
        raise ValueError(
            f"turns={turns}, gap_seconds={gap_seconds}, hit_rate={hit_rate}: give 1 or more turns, "
            f"a gap of 0 or more, and a rate from 0 to 1"
        )
    known = load_providers(table)
    prefix = measure(prompt, known.model(model), lifetime=lifetime, counter=counter)
    work = _Pricing(prefix, turns, gap_seconds, hit_rate)
    sections = tuple(work.rows())
    found = CostEstimate(
        prefix.model.name,
        known.date,
        turns,
        gap_seconds,
        work.rate(prefix.model.lifetime(lifetime).seconds),
        lifetime,
        prefix.counter_id,
        prefix.counter_exact,
        sections,
        tuple(_by_block(sections)),
        {one: work.split(one) for one in SCENARIOS},
        (),
    )
    others = _other_lifetimes(prompt, prefix.model, turns, gap_seconds, hit_rate, counter)
    return replace(found, hints=tuple(hints(found, prefix, others)))


class _Pricing:
    """The sums of one estimate."""

    def __init__(
        self, prefix: Prefix, turns: int, gap_seconds: float, hit_rate: float | None
    ) -> None:
        self.prefix = prefix
        self.turns = turns
        self.gap_seconds = gap_seconds
        self.hit_rate = hit_rate
        self.usd_per_token = prefix.model.usd_per_token

    def rate(self, seconds: int) -> float:
        """Return the share of requests that find what lives so long."""
        if self.hit_rate is not None:
            return self.hit_rate
        return (self.turns - 1) / self.turns if self.gap_seconds <= seconds else 0.0

    def hits(self, part: Part, scenario: Scenario) -> float:
        """Return how many requests read a part in a scenario."""
        match scenario:
            case "cold" | "plain":
                return 0.0
            case "warm":
                return float(self.turns)
        return self.turns * self.rate(self.prefix.lifetime(part).seconds)

    def usd(self, part: Part, scenario: Scenario) -> float:
        """Return what a part costs over all turns."""
        cached = 0 if scenario == "plain" else self.prefix.cached_of(part)
        hits, write = self.hits(part, scenario), self.prefix.write_factor(part)
        read = self.prefix.model.read_factor
        factor = hits * read + (self.turns - hits) * write
        return self.usd_per_token * (cached * factor + (part.tokens - cached) * self.turns)

    def split(self, scenario: Scenario) -> TokenSplit:
        """Return how the tokens of all turns are billed."""
        written = read = 0.0
        total = self.turns * (self.prefix.tokens + self.prefix.turn_tokens)
        for part in () if scenario == "plain" else self.prefix.parts:
            hits, cached = self.hits(part, scenario), self.prefix.cached_of(part)
            written += (self.turns - hits) * cached
            read += hits * cached
        return TokenSplit(written, read, total - written - read)

    def rows(self) -> Iterator[CostRow]:
        """Yield a row for each part, and one for the messages."""
        for part in self.prefix.parts:
            cold, warm, mixed, plain = (self.usd(part, one) for one in SCENARIOS)
            cached, change = self.prefix.cached_of(part), self.change(part)
            yield CostRow(
                part.name, part.block, part.tokens, cached, cold, warm, mixed, plain, change
            )
        if tokens := self.prefix.turn_tokens:
            plain = tokens * self.turns * self.usd_per_token
            yield CostRow(MESSAGES, MESSAGES, tokens, 0, plain, plain, plain, plain, 0.0)

    def change(self, changed: Part) -> float:
        """Return what one change of a part costs."""
        behind = [one for one in self.prefix.parts if one.start_tokens >= changed.start_tokens]
        read = self.prefix.model.read_factor
        return sum(
            change_usd(
                self.prefix.cached_of(one), self.usd_per_token, self.prefix.write_factor(one), read
            )
            for one in behind
        )


def _by_block(rows: Iterable[CostRow]) -> Iterator[CostRow]:
    """Yield the sums of each block; a change of it is one of its first section."""
    listed = list(rows)
    for name in dict.fromkeys(row.block for row in listed):
        inside = [row for row in listed if row.block == name]
        yield CostRow(
            name,
            name,
            sum(row.tokens for row in inside),
            sum(row.cached_tokens for row in inside),
            sum(row.cold_usd for row in inside),
            sum(row.warm_usd for row in inside),
            sum(row.mixed_usd for row in inside),
            sum(row.plain_usd for row in inside),
            inside[0].change_usd,
        )


def _other_lifetimes(
    prompt: "Prompt",
    model: Model,
    turns: int,
    gap_seconds: float,
    hit_rate: float | None,
    counter: TokenCounter | None,
) -> dict[str, float]:
    """Return what the mixed case costs with each lifetime that could be asked for."""
    found: dict[str, float] = {}
    for name in model.rules.lifetimes:
        prefix = measure(prompt, model, lifetime=name, counter=counter)
        work = _Pricing(prefix, turns, gap_seconds, hit_rate)
        found[name] = sum(row.mixed_usd for row in work.rows())
    return found
