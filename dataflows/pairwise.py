"""Combinations of factors in which every pair of values occurs, few and always the same."""

from collections.abc import Sequence
from itertools import combinations, product
from math import prod


def all_combinations(factors: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
    """Return every combination of choices, or `None` when there are more than `most`."""
    if prod(factors) > most:
        return None
    return list(product(*(range(count) for count in factors)))


def pairwise(factors: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return combinations in which every two choices of two factors stand together.

    Args:
        factors: How many choices each factor has.
        most: How many combinations are made at most; pairs may be left over then.

    Returns:
        One tuple of choices a row, each counted from 0.

    Source: the greedy construction of AETG, with ties decided by position instead of by chance.
    """
    left = {
        (one, a, other, b)
        for one, other in combinations(range(len(factors)), 2)
        for a in range(factors[one])
        for b in range(factors[other])
    }
    rows: list[tuple[int, ...]] = []
    while left and len(rows) < most:
        row = _row(factors, left)
        left -= set(_pairs(row))
        rows.append(row)
    return rows


def _row(factors: Sequence[int], left: set[tuple[int, int, int, int]]) -> tuple[int, ...]:
    """Return a row that begins with the first pair that is left, and takes many more along."""
    one, a, other, b = min(left)
    chosen = {one: a, other: b}
    for factor in range(len(factors)):
        if factor not in chosen:
            chosen[factor] = max(
                range(factors[factor]),
                key=lambda choice: (
                    sum(_pair(factor, choice, known, chosen[known]) in left for known in chosen),
                    -choice,
                ),
            )
    return tuple(chosen[factor] for factor in range(len(factors)))


def _pair(one: int, a: int, other: int, b: int) -> tuple[int, int, int, int]:
    return (one, a, other, b) if one < other else (other, b, one, a)


def _pairs(row: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    return [(one, row[one], other, row[other]) for one, other in combinations(range(len(row)), 2)]
