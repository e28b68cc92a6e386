"""Rules of the providers, over the shipped flows; each rule alone is asked in `tests/wires`."""

import json
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.lint import lint
from promptdag.dataflows.overrides import disable
from promptdag.dataflows.providers import load_providers
from promptdag.dataflows.wires import MarkPolicy

from ..answers.cases import full_case, valid_cases
from ..flows import FLOWS, FlowCase, built
from ..lint.samples import Empty, findings, said
from .host import HOST, host

LARGE = {"models": {"claude-sonnet-5": {"min_cache_tokens": 1_000_000}}}
SMALL = {"models": {"claude-sonnet-5": {"min_cache_tokens": 0}}}


def _prompts(case: FlowCase) -> list[Any]:
    return [built(case.name).compose(signals) for signals in valid_cases(case.name)]


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_no_shipped_prompt_sends_an_empty_block_or_loses_a_mark(case: FlowCase) -> None:
    """Every golden case: each block sent has text, each declared mark is sent or told."""
    declared = [one.name for one in built(case.name).blocks if one.cache_control]
    for prompt in _prompts(case):
        wire = prompt.to_anthropic()
        assert all(one["text"].strip() for one in wire["system"])
        told = {finding.code.partition(":")[2] for finding in wire.findings}
        assert set(declared) <= set(wire.marks) | told


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_shipped_prompt_gives_its_marks_up_to_those_of_the_caller(case: FlowCase) -> None:
    """With four of the caller's, none of ours is sent, and each is told by the rule."""
    for prompt in _prompts(case):
        ours = prompt.to_anthropic().marks
        wire = prompt.to_anthropic(policy=MarkPolicy("anthropic", caller_marks=4 - _theirs(prompt)))
        assert wire.marks == ()
        codes = [finding.code for finding in wire.findings]
        assert {f"too-many-marks:{name}" for name in ours} <= set(codes)


def _theirs(prompt: Any) -> int:
    return json.dumps(prompt.messages).count('"cache_control"')


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_the_minimum_of_a_model_is_a_table_that_users_replace(case: FlowCase) -> None:
    """One table for wire and lint: a minimum that nothing reaches spends no mark, and is told."""
    prompt = built(case.name).compose(full_case(case.name))
    ours = prompt.to_anthropic().marks
    below = prompt.to_anthropic(model="claude-sonnet-5", table=LARGE)
    assert below.marks == ()
    assert {f"below-minimum:{name}" for name in ours} <= {one.code for one in below.findings}
    assert prompt.to_anthropic(model="claude-sonnet-5", table=SMALL).marks == ours


@pytest.mark.parametrize("table", [LARGE, SMALL, None], ids=["large", "small", "ours"])
def test_the_lint_reads_the_table_of_minima_that_it_is_given(table: Any) -> None:
    """900 tokens are too few for 1,024 and for a million, and enough where nothing is asked."""
    flow = PromptFlow(
        "short",
        (block("only", said("long", "abcd" * 900), cache_control="ephemeral"),),
        session=Empty,
    )
    found = findings(flow, "PD020", model="claude-sonnet-5", table=load_providers(table))
    assert bool(found) is (table is not SMALL)
    if found:
        least = load_providers(table).model("claude-sonnet-5").min_cache_tokens
        assert f"{least} of claude-sonnet-5" in found[0].found
        assert "may not be cached" in found[0].found


def test_a_short_section_gets_no_mark_of_its_own() -> None:
    """200 tokens under a minimum of 1,024: the mark is not spent, and the rule is named."""
    prompt = host().compose({"memory": "word " * 200})
    wire = prompt.to_anthropic(policy=MarkPolicy("anthropic", min_tokens=1024))
    assert wire.marks == ()
    assert [one.code for one in wire.findings if one.code.startswith("below")] == [
        "below-minimum:shared"
    ]


def test_a_section_that_an_override_empties_takes_its_mark_to_the_block_in_front() -> None:
    """The last stable section says nothing: no empty block, and the mark is not lost."""
    flow = host(mark=None, own_mark="ephemeral")
    gone = [disable(name, who="ops", why="a test") for name in ("environment", "remembered")]
    wire = flow.with_overrides(*gone).compose({}).to_anthropic()
    assert len(wire["system"]) == 1
    assert wire.marks == ("shared",)
    assert [one.code for one in wire.findings if "mark" in one.code] == ["mark-moved:own"]


@pytest.mark.parametrize("name", ["host", *(case.name for case in FLOWS)])
def test_one_prompt_has_one_policy_for_each_provider(name: str) -> None:
    """Anthropic's marks, none of ours on the others, and none at all where that is asked for."""
    flow = HOST if name == "host" else built(name)
    prompt = flow.compose({} if name == "host" else full_case(name))
    declared = prompt.to_anthropic().marks
    assert declared or not any(block.cache_control for block in flow.blocks)
    for wire in (prompt.to_openai(), prompt.to_gemini()):
        assert wire.marks == ()
        told = {finding.code for finding in wire.findings}
        assert {f"mark-not-sent:{one}" for one in declared} <= told
    none = prompt.to_anthropic(policy=MarkPolicy.none("anthropic"))
    assert none.marks == ()
    assert {f"mark-not-sent:{one}" for one in declared} <= {one.code for one in none.findings}
    assert prompt.to_openai()["prompt_cache_key"] == prompt.fingerprint


def test_the_lint_of_a_shipped_flow_takes_the_table_too() -> None:
    """Theway under a minimum that it does not reach."""
    report = lint(
        built("theway"),
        [full_case("theway")],
        model="claude-sonnet-5",
        table=load_providers(LARGE),
        max_inputs=0,
        allow=(),
    )
    assert [one.subject for one in report.findings if one.code == "PD020"] == ["system"]
