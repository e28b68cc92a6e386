"""Order and serialisation drift: what arrives in another order is the same prompt."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow

from ..answers.cases import full_case
from ..flows import FLOWS, built
from .host import HOST

OWN: dict[str, Any] = {
    "skills": [["deploy", "Deploys."], ["read", "Reads."]],
    "servers": ["files", "mail"],
    "cwd": "/w",
    "memory": "Be brief.",
    "tools": [{"name": "a"}, {"name": "b", "input_schema": {"x": 1, "y": 2}}],
    "status": " M a.py",
    "said": "Hello",
}
CASES = [(HOST, OWN), *((built(one.name), full_case(one.name)) for one in FLOWS)]


async def _loaded(signals: Mapping[str, Any], delays: list[int]) -> dict[str, Any]:
    """Return signals as loaders finish that take these delays, in steps of the event loop."""
    found: dict[str, Any] = {}

    async def load(name: str, delay: int) -> None:
        for _ in range(delay):
            await asyncio.sleep(0)
        value = signals[name]
        found[name] = dict(reversed(value.items())) if isinstance(value, dict) else value

    pairs = zip(signals, delays, strict=True)
    await asyncio.gather(*(load(name, delay) for name, delay in pairs))
    return found


@pytest.mark.parametrize(("flow", "signals"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_loaders_that_finish_in_another_order_give_the_same_bytes(
    flow: PromptFlow, signals: dict[str, Any]
) -> None:
    """Delays are swapped, and the fields of nested models come backwards."""
    delays = list(range(len(signals)))
    first = asyncio.run(_loaded(signals, delays))
    second = asyncio.run(_loaded(signals, delays[::-1]))
    assert [*first] == [*reversed(second)]
    one, other = flow.compose(first), flow.compose(second)
    assert one.fingerprint == other.fingerprint
    assert one.to_anthropic() == other.to_anthropic()
    assert one.manifest == other.manifest
    assert one.session.save() == other.session.save()
