"""What rewriting a part of a cached prefix costs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """The price of input tokens, and the factors of a prefix cache.

    The defaults are a round price and the factors of a cache that lives five minutes; they are no
    model's price of today.

    Attributes:
        usd_per_million_tokens: An input token's price, times a million.
        write_factor: What writing a token to the cache costs, as a part of its price.
        read_factor: What reading a token from the cache costs, as a part of its price.

    Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    """

    usd_per_million_tokens: float = 5.0
    write_factor: float = 1.25
    read_factor: float = 0.1

    def extra_usd(self, rewritten_tokens: int) -> float:
        """Return what it costs more to write tokens again than to read them."""
        per_token = self.usd_per_million_tokens / 1_000_000
        return rewritten_tokens * per_token * (self.write_factor - self.read_factor)
