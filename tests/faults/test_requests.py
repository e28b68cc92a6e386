"""What users ask to see of a prompt: sizes, sources, sums that hold."""

import json
from typing import Any

import pytest
from promptdag.dataflows import Prompt
from promptdag.dataflows.cost import SCENARIOS, estimate
from promptdag.inputs.tokens import default_counter

from ..answers.cases import full_case, valid_cases
from ..flows import FLOWS, built
from .host import HOST

NAMES = ["host", *(case.name for case in FLOWS)]
OWN: dict[str, Any] = {
    "skills": [["deploy", "Deploys."]],
    "home": "/home/alice",
    "tools": [{"name": "look", "input_schema": {"b": 1, "a": 2}}],
}


def _prompts(name: str) -> list[Prompt]:
    if name == "host":
        return [HOST.compose({}), HOST.compose(OWN)]
    return [built(name).compose(signals) for signals in valid_cases(name)]


@pytest.mark.parametrize("name", NAMES)
def test_sections_have_name_tier_block_bytes_and_tokens_and_join_to_the_wire(name: str) -> None:
    """The texts of the rows are the texts that are sent; bytes and tokens are theirs."""
    for prompt in _prompts(name):
        rows = prompt.manifest.sections
        sent = [one["text"] for one in prompt.to_anthropic()["system"]]
        system = [row for row in rows if row.target == "system"]
        assert "".join(row.text for row in system) == "".join(sent)
        assert "".join(row.text for row in rows) == prompt.text
        assert sum(row.end - row.start for row in rows) == len(prompt.text.encode())
        for row in rows:
            assert row.tokens == default_counter().count(row.text)
            assert row.end - row.start == len(row.text.encode())
        assert prompt.manifest.tokens == sum(row.tokens for row in rows)
        assert {row.tier for row in rows} <= {"constant", "session"}


@pytest.mark.parametrize("name", NAMES)
def test_an_estimate_tells_the_worst_case_from_the_steady_one(name: str) -> None:
    """Cold writes every turn, warm reads, mixed lies between by its hit rate, plain has none."""
    prompt = HOST.compose(OWN | {"memory": "word " * 4000}) if name == "host" else None
    prompt = prompt or built(name).compose(full_case(name))
    marks = prompt.to_anthropic(model="claude-opus-5").marks
    found = estimate(prompt, "claude-opus-5", turns=10, hit_rate=0.5)
    cold, warm, mixed, plain = (found.usd(one) for one in ("cold", "warm", "mixed", "plain"))
    if marks:
        assert warm < mixed < cold
        assert warm < plain < cold
        assert mixed == pytest.approx((cold + warm) / 2)
    else:
        assert warm == mixed == cold == plain
    for one in SCENARIOS:
        split = found.splits[one]
        assert split.written + split.read + split.uncached == pytest.approx(10 * found.tokens)
    assert found.splits["plain"].read == found.splits["cold"].read == 0
    assert (found.splits["warm"].read > 0) is bool(marks)


FIXED = {
    "tools": "ea7ffe2be4cd583f",
    "rules": "ead4244c2b36bb7d",
    "deploy": "84897f672346d38c",
    "connected": "24338dfd74a1ab64",
    "environment": "49ae5318c9e9ea21",
    "remembered": "7972e9170f652227",
    "shared": "7988ebeb07f7c653",
    "own": "5d505ff8937b9289",
}


def _components(prompt: Prompt) -> dict[str, str]:
    """Return the first digits of the hash of each component of the request."""
    rows = {row.name: row.sha256 for row in prompt.manifest.sections if row.open}
    blocks = {one.name: one.fingerprint for one in prompt.blocks}
    found = {"tools": prompt.value("tools_fingerprint")} | rows | blocks
    return {name: digest[:16] for name, digest in found.items()}


def test_the_hashes_of_a_request_are_fixed_by_component_and_hold_no_text() -> None:
    """A committed vector: tools, sections, and blocks from the first byte of the request on."""
    prompt = HOST.compose(OWN)
    assert _components(prompt) == FIXED
    assert prompt.fingerprint == prompt.blocks[-1].fingerprint
    saved = json.loads(prompt.session.save())
    assert "Read a file" not in json.dumps(saved)
    assert {name: saved["sections"][name][:16] for name in ("rules", "deploy")} == {
        name: FIXED[name] for name in ("rules", "deploy")
    }
    other = _components(HOST.compose(OWN | {"memory": "Be slow."}))
    assert {name for name in FIXED if FIXED[name] != other[name]} == {"remembered", "own"}
