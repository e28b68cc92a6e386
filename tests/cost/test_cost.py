"""Estimates against sums that were made by hand."""

from typing import Any

import pytest
from promptdag.dataflows.cache_arithmetic import (
    break_even_hit_rate,
    break_even_requests,
    change_usd,
)
from promptdag.dataflows.cost import SCENARIOS, CostEstimate, estimate
from promptdag.dataflows.prefix import measure
from promptdag.dataflows.providers import load_providers
from promptdag.inputs.errors import UnknownNameError

from ..flows import built
from ..wires.small import TOOLS, composed, marked
from .logs import CHARACTERS, LONG, MARK, TABLE, flow

MILLIONTH = 1e-6


def estimated(*marks: Any, model: str = "claude-opus-5", **options: Any) -> CostEstimate:
    """Estimate a prompt of 100, 30 and 10 tokens in three blocks."""
    prompt = flow(*marks).compose({"a": "A" * 100, "b": "B" * 30, "c": "C" * 10})
    return estimate(prompt, model, table=TABLE, counter=CHARACTERS, **options)


@pytest.mark.parametrize(
    ("write", "read", "requests", "rate"),
    [(1.25, 0.1, 2, 0.217), (2.0, 0.1, 3, 0.526), (1.25, 0.05, 2, 0.208), (1.0, 0.1, 2, 0.0)],
)
def test_break_even_points_are_those_of_the_formulas(
    write: float, read: float, requests: int, rate: float
) -> None:
    """Checked against the sums of n requests, one fewer and at the rate."""
    assert break_even_requests(write, read) == requests
    assert break_even_hit_rate(write, read) == pytest.approx(rate, abs=5e-4)
    assert write + (requests - 1) * read < requests
    assert write + (requests - 2) * read >= requests - 1
    exact = break_even_hit_rate(write, read) or 0
    assert exact * read + (1 - exact) * write == pytest.approx(1.0)


def test_a_cache_that_reads_no_cheaper_never_pays() -> None:
    """There is no break-even point."""
    assert break_even_requests(1.25, 1.0) is None
    assert break_even_hit_rate(1.0, 1.0) is None


def test_a_change_costs_what_stands_behind_it() -> None:
    """Twenty thousand tokens at USD 5 a million: early is dear, late is cheap."""
    assert change_usd(19_700, 5e-6, 1.25, 0.1) == pytest.approx(0.113275)
    assert change_usd(1_000, 5e-6, 1.25, 0.1) == pytest.approx(0.00575)


def test_cold_warm_mixed_and_plain_are_told_apart() -> None:
    """140 tokens at USD 5 a million, 10 turns: the worst case, the steady one, nine hits of ten."""
    found = estimated(turns=10, gap_seconds=180)
    unit = 140 * 5 * MILLIONTH
    assert found.usd("plain") == pytest.approx(unit * 10)
    assert found.usd("cold") == pytest.approx(unit * 10 * 1.25)
    assert found.usd("warm") == pytest.approx(unit * 10 * 0.1)
    assert found.usd("mixed") == pytest.approx(unit * (1.25 + 9 * 0.1))
    assert found.hit_rate == pytest.approx(0.9)


def test_written_read_and_uncached_tokens_are_told_apart() -> None:
    """Cached tokens have a price of their own, so they are counted by themselves."""
    found = estimated(None, MARK, None, turns=4)
    splits = {name: (one.written, one.read, one.uncached) for name, one in found.splits.items()}
    assert splits == {
        "cold": (520, 0, 40),
        "warm": (0, 520, 40),
        "mixed": (130, 390, 40),
        "plain": (0, 0, 560),
    }


def test_a_hit_rate_can_be_given() -> None:
    """The mixed case lies between the cold and the warm one."""
    half = estimated(turns=10, hit_rate=0.5)
    assert half.usd("mixed") == pytest.approx((half.usd("cold") + half.usd("warm")) / 2)
    for rate, same in ((0.0, "cold"), (1.0, "warm")):
        found = estimated(turns=10, hit_rate=rate)
        assert found.usd("mixed") == pytest.approx(found.usd(same))  # type: ignore[arg-type]


def test_a_gap_beyond_the_lifetime_writes_every_turn() -> None:
    """And a hint says what a longer lifetime would cost."""
    found = estimated(turns=10, gap_seconds=1200)
    assert found.usd("mixed") == pytest.approx(found.usd("cold"))
    assert {"dearer-than-none", "cheaper-lifetime:1h"} <= {one.code for one in found.hints}
    longer = estimated(turns=10, gap_seconds=1200, lifetime="1h")
    assert longer.usd("mixed") == pytest.approx(140 * 5 * MILLIONTH * (2 + 9 * 0.1))
    assert "cheaper-lifetime:1h" not in {one.code for one in longer.hints}
    assert f"{longer.usd('mixed'):.4f}" in str(found.hints)


def test_lifetimes_are_billed_by_position() -> None:
    """What stands up to a mark of an hour is written at its factor, the rest at the other."""
    found = estimated(LONG, MARK, None, turns=1)
    assert found.usd("cold") == pytest.approx(5 * MILLIONTH * (100 * 2 + 30 * 1.25 + 10))


def test_a_section_that_changes_rewrites_what_stands_behind_it() -> None:
    """From its start to the last mark."""
    rows = {row.name: row for row in estimated(MARK, MARK, None).sections}
    for name, behind in (("sa", 130), ("sb", 30), ("sc", 0)):
        assert rows[name].change_usd == pytest.approx(behind * 5 * MILLIONTH * 1.15)
    assert [row.cached_tokens for row in rows.values()] == [100, 30, 0]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_blocks_and_sections_add_up_to_the_same(scenario: Any) -> None:
    """On a real flow, with tools, and messages that are not cached."""
    prompts = [
        built("theway").compose({"cwd": "/", "tools": TOOLS, "memory": "Be brief.\n" * 40}),
        composed(marked(MARK), {"role": "user", "content": "Hello there"}, a="A" * 4000),
    ]
    for prompt in prompts:
        found = estimate(prompt, "claude-opus-5", turns=7)
        assert sum(getattr(row, f"{scenario}_usd") for row in found.blocks) == pytest.approx(
            found.usd(scenario)
        )
        split = found.splits[scenario]
        total = split.written + split.read + split.uncached
        assert total == pytest.approx(7 * found.tokens)
        assert sum(row.tokens for row in found.blocks) == found.tokens


def test_a_prompt_below_the_minimum_is_not_cached() -> None:
    """All cases cost the same, and the hint says why."""
    prompt = flow().compose({"a": "A" * 100})
    found = estimate(prompt, "claude-opus-5", counter=CHARACTERS)
    assert len({round(found.usd(one), 12) for one in SCENARIOS}) == 1
    (hint,) = [one for one in found.hints if one.code == "not-cached"]
    assert "may not be cached: the minimum of claude-opus-5 is 512" in hint.message


def test_a_flow_without_marks_is_told() -> None:
    """Anthropic caches nothing by itself."""
    found = estimated(None, None, None)
    assert found.usd("warm") == found.usd("plain")
    assert [one.code for one in found.hints] == ["not-cached"]


def test_providers_that_cache_by_themselves_need_no_marks() -> None:
    """Writing is free, lengths are rounded down where the provider does."""
    found = estimated(None, None, None, model="gpt-5")
    assert [row.cached_tokens for row in found.sections] == [100, 28, 0]
    assert found.usd("cold") == pytest.approx(found.usd("plain"))
    gemini = estimated(None, None, None, model="gemini-2.5-pro")
    assert gemini.usd("warm") == pytest.approx(140 * 1.25 * MILLIONTH * 0.1)


def test_models_with_breakpoints_cache_to_the_end() -> None:
    """The provider's own breakpoint stands behind the last block; writing costs a quarter more."""
    found = estimated(MARK, None, None, model="gpt-6-sol", turns=1)
    assert found.usd("cold") == pytest.approx(140 * 2 * MILLIONTH * 1.25)


def test_parts_tile_the_prefix() -> None:
    """Each token belongs to one part, and equal beginnings have equal digests."""
    model = load_providers(TABLE).model("claude-opus-5")
    one, two = (
        measure(flow().compose({"a": "A" * 5, "b": text, "c": "C"}), model, counter=CHARACTERS)
        for text in ("B", "D")
    )
    assert [part.start_tokens for part in one.parts] == [0, 5, 6]
    assert one.tokens == 7
    same = [a.digest == b.digest for a, b in zip(one.parts, two.parts, strict=True)]
    assert same == [True, False, False]


def test_wrong_numbers_and_names_are_errors() -> None:
    """They say what to give."""
    with pytest.raises(ValueError, match="give 1 or more turns"):
        estimated(turns=0)
    with pytest.raises(ValueError, match="a rate from 0 to 1"):
        estimated(hit_rate=1.5)
    with pytest.raises(UnknownNameError, match="no cache lifetime '2h'; there are 5m, 1h"):
        estimated(lifetime="2h")


def test_the_tables_are_typed() -> None:
    """A row a section, or a row a block."""
    found = estimated()
    frame = found.to_frame()
    assert list(frame.index) == ["sa", "sb", "sc"]
    assert frame["cold_usd"].sum() == pytest.approx(found.usd("cold"))
    assert str(frame["tokens"].dtype) == "int64"
    assert list(found.to_frame("block").index) == ["a", "b", "c"]
