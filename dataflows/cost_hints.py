"""What an estimate teaches: break-even points, what would be cheaper, what is not cached."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..inputs.findings import Finding, Severity
from .cache_arithmetic import break_even_hit_rate, break_even_requests

if TYPE_CHECKING:
    from .cost import CostEstimate
    from .prefix import Prefix


def hints(
    found: "CostEstimate", prefix: "Prefix", mixed_by_lifetime: Mapping[str, float]
) -> Iterator[Finding]:
    """Yield what to know of an estimate, the marks that are not spent first.

    Args:
        found: The estimate.
        prefix: What was priced.
        mixed_by_lifetime: What the mixed case costs with each lifetime, in USD.
    """
    yield from prefix.findings
    if prefix.cacheable_tokens == 0:
        yield _not_cached(prefix)
        return
    if not found.counter_exact:
        yield _hint("estimated-tokens", f"{found.counter_id} estimates, it does not tokenize")
    yield from _break_even(prefix)
    mixed, plain = found.usd("mixed"), found.usd("plain")
    if mixed > plain:
        yield _hint(
            "dearer-than-none",
            f"with a hit rate of {found.hit_rate:.0%} the cache costs USD {mixed - plain:.4f} more "
            f"than none over {found.turns} turns",
            "warning",
        )
    name = min(mixed_by_lifetime, key=mixed_by_lifetime.__getitem__)
    if mixed - mixed_by_lifetime[name] > 1e-9:
        yield _hint(
            f"cheaper-lifetime:{name}",
            f"marks of {name} would cost USD {mixed_by_lifetime[name]:.4f} in place of "
            f"{mixed:.4f} with a gap of {found.gap_seconds:g} seconds",
        )


def _break_even(prefix: "Prefix") -> Iterator[Finding]:
    for name, lifetime in prefix.model.rules.lifetimes.items():
        factors = lifetime.write_factor, prefix.model.read_factor
        requests, rate = break_even_requests(*factors), break_even_hit_rate(*factors)
        if requests is not None and rate is not None:
            yield _hint(
                f"break-even:{name}",
                f"a cache of {name} pays from {requests} requests within {lifetime.seconds} "
                f"seconds of each other, or above a hit rate of {rate:.1%}",
            )


def _not_cached(prefix: "Prefix") -> Finding:
    if prefix.tokens < prefix.model.min_cache_tokens:
        why = (
            f"the prefix has about {prefix.tokens} tokens and may not be cached: the minimum of "
            f"{prefix.model.name} is {prefix.model.min_cache_tokens}"
        )
    else:
        why = "no block carries a cache mark that is spent; give the last stable one a mark"
    return _hint("not-cached", why, "warning")


def _hint(code: str, message: str, severity: Severity = "info") -> Finding:
    return Finding(code, message, severity=severity)
