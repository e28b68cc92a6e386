"""Order and serialisation drift: what arrives in another order is the same prompt."""

import asyncio
import json
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
    "status": " M a.py",
    "said": "Hello",
}
TOOLS: list[dict[str, Any]] = [
    {"name": "b", "input_schema": {"x": {"n": 1, "m": 2}, "y": 2}},
    {"name": "a", "description": "A."},
    {"name": "é"},
]
CASES = [(HOST, OWN), *((built(one.name), full_case(one.name)) for one in FLOWS)]


def _backwards(value: Any) -> Any:
    """Return JSON data with the keys of every object the other way round."""
    match value:
        case dict():
            return {key: _backwards(one) for key, one in reversed(value.items())}
        case list():
            return [_backwards(one) for one in value]
    return value


async def _loaded(signals: Mapping[str, Any], *, slow_first: bool) -> dict[str, Any]:
    """Return signals as their loaders finish; each tool has a loader of its own."""
    found: dict[str, Any] = {}
    loaders = [*signals.items(), *(("tools", tool) for tool in TOOLS)]

    async def load(name: str, value: Any, steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)
        given = _backwards(value) if slow_first else value
        if name == "tools":
            found.setdefault(name, []).append(given)
        else:
            found[name] = given

    delays = range(len(loaders), 0, -1) if slow_first else range(len(loaders))
    pairs = zip(loaders, delays, strict=True)
    await asyncio.gather(*(load(name, value, steps) for (name, value), steps in pairs))
    return found


@pytest.mark.parametrize(("flow", "signals"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_loaders_that_finish_in_another_order_give_the_same_bytes(
    flow: PromptFlow, signals: dict[str, Any]
) -> None:
    """Delays are swapped, keys come backwards, and tools are listed as they arrive."""
    given = {name: value for name, value in signals.items() if name != "tools"}
    first = asyncio.run(_loaded(given, slow_first=False))
    second = asyncio.run(_loaded(given, slow_first=True))
    assert [*first] == [*reversed(second)]
    assert [one["name"] for one in first["tools"]] == [
        one["name"] for one in reversed(second["tools"])
    ]
    one, other = flow.compose(first), flow.compose(second)
    assert one.fingerprint == other.fingerprint
    wires = [prompt.to_anthropic() for prompt in (one, other)]
    assert wires[0] == wires[1]
    # Messages are the host's and stand as it writes them; what is cached has one spelling.
    assert len({json.dumps([wire["tools"], wire["system"]]) for wire in wires}) == 1
    assert one.manifest == other.manifest
    assert flow.load(other.session.save()).fingerprint == one.fingerprint
