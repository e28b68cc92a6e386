"""Cache marks by the rules of each provider."""

from typing import Any

import pytest
from promptdag.dataflows import block
from promptdag.dataflows.mark_order import MarkOrderError
from promptdag.dataflows.providers import load_providers
from promptdag.dataflows.wires import MarkPolicy, MarkRuleError, policy_for

from ..flows import built
from .small import TOOLS, codes, composed, marked

SHORT = {"type": "ephemeral"}
LONG = {"type": "ephemeral", "ttl": "1h"}


def marks(wire: Any) -> list[str]:
    """Return the texts of the system blocks that carry a mark."""
    return [one["text"] for one in wire["system"] if "cache_control" in one]


def said(marks: int, control: Any = SHORT) -> dict[str, Any]:
    """Return a message of the user with so many marks."""
    parts = [{"type": "text", "text": "x", "cache_control": control} for _ in range(marks)]
    return {"role": "user", "content": parts or "x"}


def test_the_mark_of_an_empty_block_moves_to_the_last_block_with_text() -> None:
    """No empty block is sent, and no mark is lost."""
    wire = composed(marked(None, None, SHORT), a="A", b="B", c="").to_anthropic()
    assert [one["text"] for one in wire["system"]] == ["A", "B"]
    assert marks(wire) == ["B"]
    assert (codes(wire), wire.marks) == (["mark-moved:c"], ("b",))


def test_a_moved_mark_passes_over_every_empty_block() -> None:
    """The last block with text may stand far in front; its own mark stays as it is."""
    wire = composed(marked(LONG, None, SHORT), a="A").to_anthropic()
    assert wire["system"] == [{"type": "text", "text": "A", "cache_control": LONG}]
    assert codes(wire) == ["mark-moved:c"]


def test_a_mark_with_nothing_in_front_is_told() -> None:
    """There is nothing to cache, and the finding says so."""
    wire = composed(marked(SHORT, None), b="B").to_anthropic()
    assert marks(wire) == []
    assert codes(wire) == ["mark-without-text:a"]


def test_a_block_of_white_space_is_not_sent_and_told() -> None:
    """Providers refuse blank text; the mark moves on."""
    wire = composed(marked(None, None, None, SHORT), a="A", d=" \n").to_anthropic()
    assert [one["text"] for one in wire["system"]] == ["A"]
    assert codes(wire) == ["blank-block:d", "mark-moved:d"]


@pytest.mark.parametrize(("theirs", "ours"), [(0, "ABC"), (1, "ABC"), (2, "BC"), (3, "C"), (4, "")])
def test_the_caller_marks_are_counted_and_ours_give_way(theirs: int, ours: str) -> None:
    """Four in all: the one that covers least goes first, the last stays longest."""
    flow = marked(SHORT, SHORT, SHORT)
    texts = {"a": "A", "b": "B " * 20, "c": "C"}
    wire = composed(flow, said(theirs), **texts).to_anthropic()
    assert "".join(text[0] for text in marks(wire)) == ours
    assert len(codes(wire)) == 3 - len(ours)
    assert all(code.startswith("too-many-marks:") for code in codes(wire))


def test_marks_on_tools_and_in_results_count_too() -> None:
    """Three of ours, one on tools, two in messages: one is in the content of a result."""
    result = {"type": "tool_result", "tool_use_id": "t", "content": said(1)["content"]}
    message = {"role": "user", "content": [result, *said(1)["content"]]}
    prompt = composed(marked(SHORT, SHORT, SHORT), message, a="A", b="B", c="C", tools=TOOLS)
    wire = prompt.to_anthropic(policy=MarkPolicy("anthropic", caller_marks=1))
    assert marks(wire) == ["C"]


def test_too_many_marks_of_the_caller_are_refused_by_rule() -> None:
    """Ours cannot make room for them."""
    prompt = composed(marked(SHORT), said(5), a="A")
    with pytest.raises(
        MarkRuleError, match=r"^too-many-marks: anthropic takes 4 .* has 5"
    ) as found:
        prompt.to_anthropic()
    assert found.value.rule == "too-many-marks"


def test_a_longer_lifetime_behind_a_shorter_one_is_refused_when_the_flow_is_built() -> None:
    """The order of tiers is known before any prompt is."""
    with pytest.raises(MarkOrderError, match="block 'b' is cached for 3600 seconds behind block"):
        marked(SHORT, LONG)
    assert marked(LONG, LONG, SHORT).blocks[1].cache_control == LONG


def test_only_blocks_of_the_system_channel_are_compared() -> None:
    """A block in the user's role carries no mark of its own."""
    assert block("x", target="meta_user", cache_control=LONG).cache_control == LONG
    marked(None, SHORT)


def test_a_longer_lifetime_in_the_messages_is_refused() -> None:
    """The messages stand behind the system blocks."""
    prompt = composed(marked(SHORT), said(1, LONG), a="A")
    with pytest.raises(MarkRuleError, match=r"^ttl-order: a mark of 3600 seconds"):
        prompt.to_anthropic()
    composed(marked(LONG), said(1, SHORT), a="A").to_anthropic()


def test_no_mark_is_spent_below_the_minimum_of_the_policy() -> None:
    """The prefix counts from the start of the request, tools included."""
    prompt = composed(marked(SHORT, SHORT), a="word " * 200, b="word " * 900)
    wire = prompt.to_anthropic(policy=MarkPolicy("anthropic", min_tokens=1024))
    assert (len(marks(wire)), codes(wire)) == (1, ["below-minimum:a"])
    assert len(marks(wire)[0]) == 4500


def test_the_minimum_is_that_of_the_model_and_can_be_overridden() -> None:
    """900 tokens may not be cached where the minimum is 1,024; the message says may."""
    prompt = composed(marked(SHORT), a="word" + " word" * 899)
    wire = prompt.to_anthropic(model="claude-sonnet-5-20260801")
    assert codes(wire) == ["below-minimum:a"]
    assert "900 tokens up to here may not be cached: the minimum is 1024" in str(wire.findings[0])
    assert codes(prompt.to_anthropic(model="claude-opus-5")) == []
    table = load_providers({"models": {"claude-sonnet-5": {"min_cache_tokens": 800}}})
    assert codes(prompt.to_anthropic(model="claude-sonnet-5", table=table)) == []


def test_tools_count_towards_the_minimum() -> None:
    """They stand in front of the system text."""
    tools = [TOOLS[0] | {"description": "word " * 500}]
    prompt = composed(marked(SHORT), a="word " * 100, tools=tools)
    assert marks(prompt.to_anthropic(model="claude-opus-5"))
    assert not marks(composed(marked(SHORT), a="word " * 100).to_anthropic(model="claude-opus-5"))


def test_the_policy_is_one_per_provider() -> None:
    """One prompt, three wires: marks, breakpoints, none; each says what it left out."""
    prompt = composed(marked(SHORT), a="A")
    anthropic, openai, gemini = prompt.to_anthropic(), prompt.to_openai(), prompt.to_gemini()
    assert (anthropic.marks, codes(anthropic)) == (("a",), [])
    assert (openai.marks, codes(openai)) == ((), ["mark-not-sent:a"])
    assert (gemini.marks, codes(gemini)) == ((), ["mark-not-sent:a"])
    none = prompt.to_anthropic(policy=MarkPolicy.none("anthropic"))
    assert (marks(none), codes(none)) == ([], ["mark-not-sent:a"])


def test_policies_come_from_the_table() -> None:
    """Where the provider sets a mark of its own, ours are one fewer."""
    assert policy_for("anthropic", "claude-opus-4-7").min_tokens == 2048
    assert policy_for("openai").max_marks == policy_for("gemini").max_marks == 0
    assert policy_for("openai", "gpt-6-sol").max_marks == 3


def test_theway_keeps_its_mark() -> None:
    """A real flow: its prompt is longer than the minimum of one model and not of another."""
    prompt = built("theway").compose({"cwd": "/"})
    assert prompt.to_anthropic(model="claude-opus-5").marks == ("system",)
    assert codes(prompt.to_anthropic(model="claude-opus-4-6")) == ["below-minimum:system"]
