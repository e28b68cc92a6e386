"""What rewriting a part of a cached prefix costs."""

from dataclasses import dataclass

from .cache_arithmetic import change_usd
from .providers import Override, load_providers

DEFAULT_MODEL = "claude-opus-5"
"""Whose price holds where no model is named."""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of input tokens, and the factors of a prefix cache.

    Attributes:
        usd_per_token: An input token's price without a cache.
        write_factor: What writing a token to the cache costs, as a part of its price.
        read_factor: What reading a token from the cache costs, as a part of its price.
    """

    usd_per_token: float
    write_factor: float
    read_factor: float

    def extra_usd(self, rewritten_tokens: int) -> float:
        """Return what it costs more to write tokens again than to read them."""
        return change_usd(rewritten_tokens, self.usd_per_token, self.write_factor, self.read_factor)


def price_of(model: str | None = None, table: Override = None) -> Price:
    """Return the price of a model with the factors of its default cache lifetime.

    Args:
        model: A model of the table; `None` for `DEFAULT_MODEL`.
        table: Prices and rules, or what replaces a part of ours.

    Raises:
        UnknownNameError: There is no such model.
        UnknownPriceError: The table has no price of it.
    """
    known = load_providers(table)
    found = known.model(model or DEFAULT_MODEL)
    return Price(found.usd_per_token, found.lifetime().write_factor, found.read_factor)
