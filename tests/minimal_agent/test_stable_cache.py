"""Stable sessions remembered by their real inputs."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from promptdag.dataflows.stable_cache import CacheUse, StableCache
from pydantic import ValidationError

from ..flows import built


def cache(max_entries: int = 64) -> StableCache:
    """Return an empty cache of the flow."""
    return StableCache(built("minimal_agent"), max_entries)


def test_equal_signals_are_composed_once() -> None:
    """In whatever form and order they are given; a default that is written out is the default."""
    kept = cache()
    one = kept.session(cwd="/w", tool_names=["Read"], platform="linux")
    assert kept.session(platform="linux", toolNames=("Read",), cwd="/w", profile="main") is one
    assert kept.use == CacheUse(hits=1, misses=1, entries=1, max_entries=64)
    assert kept.use.hit_rate == 0.5
    assert cache().use.hit_rate == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"tool_names": ["A,B"]}, {"tool_names": ["A", "B"]}),
        ({"tool_names": ["A", "B"]}, {"tool_names": ["B", "A"]}),
        ({"cwd": "/w|main"}, {"cwd": "/w", "profile": "main|main"}),
        ({"profile": "a|b"}, {"profile": "a", "surface": "b"}),
        ({"platform": "linux"}, {"platform": "darwin"}),
        ({}, {"tools": [{"name": "Read"}]}),
        ({"tool_names": ['A","B']}, {"tool_names": ["A", "B"]}),
    ],
)
def test_different_signals_never_meet(one: dict[str, object], other: dict[str, object]) -> None:
    """No delimiter in a name makes two lists look alike, and nothing is left out of the key."""
    kept = cache()
    sessions = [kept.session(**{"cwd": "/w", "platform": "x"} | given) for given in (one, other)]
    assert kept.use.hits == 0
    assert sessions[0].fingerprint != sessions[1].fingerprint


def test_the_session_that_was_not_asked_for_the_longest_goes() -> None:
    """A hit refreshes."""
    kept = cache(2)
    first = kept.session(cwd="/1")
    kept.session(cwd="/2")
    assert kept.session(cwd="/1") is first
    kept.session(cwd="/3")
    assert kept.session(cwd="/1") is first
    assert kept.use == CacheUse(hits=2, misses=3, entries=2, max_entries=2)
    kept.session(cwd="/2")
    assert kept.use.misses == 4
    kept.clear()
    assert kept.use.entries == 0


def test_wrong_signals_are_refused_and_not_remembered() -> None:
    """As the flow refuses them."""
    kept = cache()
    with pytest.raises(ValidationError):
        kept.session(cwd=1)
    assert kept.use == CacheUse(0, 0, 0, 64)
    with pytest.raises(ValueError, match="max_entries is 0; give 1 or more"):
        cache(0)


def test_threads_share_a_cache() -> None:
    """Every request is counted, and all get what the flow gives."""
    kept = cache(3)
    folders = [f"/{number % 5}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        sessions = list(pool.map(lambda folder: kept.session(cwd=folder), folders))
    assert [session.signals.model_dump()["cwd"] for session in sessions] == folders
    assert kept.use.hits + kept.use.misses == 200
    assert kept.use.entries == 3
