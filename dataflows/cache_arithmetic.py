"""The arithmetic of prefix caches.

A token costs `p`; writing it to the cache costs `w p`, reading it `r p`.

Source: the factors of https://platform.claude.com/docs/en/build-with-claude/prompt-caching; the
break-even points follow from them.
"""

from math import floor


def break_even_requests(write_factor: float, read_factor: float) -> int | None:
    """Return from how many requests within its lifetime a cache is cheaper than none.

    `n` requests cost `w + (n - 1) r` with it and `n` without; `None` where reading is no cheaper.
    """
    if read_factor >= 1:
        return None
    return floor(round((write_factor - read_factor) / (1 - read_factor), 9)) + 1


def break_even_hit_rate(write_factor: float, read_factor: float) -> float | None:
    """Return the hit rate above which a cache is cheaper than none: `(w - 1) / (w - r)`.

    `None` where reading is no cheaper than writing.
    """
    if read_factor >= write_factor:
        return None
    return max(write_factor - 1, 0.0) / (write_factor - read_factor)


def change_usd(
    tokens_behind: float, usd_per_token: float, write_factor: float, read_factor: float
) -> float:
    """Return what one change costs more than none: what stands behind it is written, not read."""
    return tokens_behind * usd_per_token * (write_factor - read_factor)
