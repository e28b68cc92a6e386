"""What is sent again, and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.dataflows import open_design, open_design_turn
from promptdag.dataflows.resume import (
    ConversationPoint,
    describe_stable,
    include_stable,
    injective_hash,
    invalidation,
    original_hash,
    stable_record,
)

PARTS = ("daemon_system_prompt", "runtime_tool_prompt", "system_prompt")
TURN = open_design_turn.flow()
CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["hash"], ids=lambda case: str(case["parts"]))
def test_the_original_hash_is_as_recorded(case: dict[str, Any]) -> None:
    """Parts are trimmed and none is left out."""
    assert original_hash(case["parts"]) == case["sha256"]
    assert original_hash([f"\ufeff{part}\n" for part in case["parts"]]) == case["sha256"]


def test_the_original_hash_can_be_told_in_the_specification() -> None:
    """Three parts with text, and what is no text at all."""
    known = "7ca3dfa4e84b32b7fd43bb80766aaacfc0ac583054e5561b5feaf429bd89d0be"
    assert original_hash(("A", "B", "C")) == known
    assert original_hash((None, None, None)) == original_hash(("", "", ""))


def test_the_original_hash_confuses_what_ours_does_not() -> None:
    """A separator moved between two parts, and lone surrogates."""
    one, two = ("a\n\n---\n\nb", "c", ""), ("a", "b\n\n---\n\nc", "")
    assert original_hash(one) == original_hash(two)
    assert injective_hash(one) != injective_hash(two)
    assert original_hash(("\ud800", "", "")) == original_hash(("\ud801", "", ""))
    assert injective_hash(("\ud800", "", "")) != injective_hash(("\ud801", "", ""))


@given(st.lists(st.text("a-\n1", max_size=4), max_size=4), st.lists(st.text("a-\n1"), max_size=4))
def test_our_hash_is_injective(one: list[str], two: list[str]) -> None:
    """Two lists of parts share it only when their trimmed parts are the same."""
    same = [part.strip() for part in one] == [part.strip() for part in two]
    assert (injective_hash(one) == injective_hash(two)) is same


@pytest.mark.parametrize("case", CASES["computeIncludeStable"], ids=lambda case: str(case["args"]))
def test_the_stable_part_is_sent_or_not(case: dict[str, Any]) -> None:
    """Only a resumed CLI with the same hash is not sent it."""
    assert include_stable(*case["args"]) is case["result"]


@pytest.mark.parametrize(
    "case", CASES["describeStablePromptCache"], ids=lambda case: str(case["result"])
)
def test_a_hit_or_miss_has_its_reason(case: dict[str, Any]) -> None:
    """The reasons in their order."""
    args, result = case["args"], case["result"]
    cache = describe_stable(
        args["isResuming"], args["storedStablePromptHash"], args["currentStableHash"]
    )
    assert (cache.stable_prompt_hash, cache.hit) == (result["stablePromptHash"], result["hit"])
    assert cache.miss_reason == result["missReason"]


@pytest.mark.parametrize("case", CASES["hash"], ids=lambda case: str(case["parts"]))
def test_the_hash_of_the_stable_parts_is_a_node(case: dict[str, Any]) -> None:
    """Beside ours, with the recorded values, and moved by nothing but the three parts."""
    parts = dict(zip(PARTS, case["parts"], strict=True))
    prompt = TURN.compose({"message": "hello", "finalOverride": "x", **parts})
    assert prompt.value("stable_prompt_hash") == case["sha256"]
    assert prompt.value("injective_prompt_hash") == injective_hash(case["parts"])
    upstream = TURN.graph.signals_of("stable_prompt_hash")
    assert sorted(upstream) == sorted(PARTS)


@pytest.mark.parametrize("hashed", [original_hash, injective_hash])
@pytest.mark.parametrize("resumes", [True, False])
@pytest.mark.parametrize("kept", ["same", "other", None])
def test_the_decision_is_a_node_with_its_reason(hashed: Any, resumes: bool, kept: Any) -> None:
    """By either hash; the parts are sent exactly where the node says that the CLI lacks them."""
    now = hashed(("A", "B", "C"))
    stored = {"same": now, "other": hashed(("A", "", "C")), None: None}[kept]
    prompt = TURN.compose(
        dict(zip(PARTS, "ABC", strict=True))
        | {"message": "hello", "isResuming": resumes, "storedStablePromptHash": stored}
    )
    cache = prompt.value("stable_cache")
    reasons = {"same": None, "other": "stable-prompt-changed", None: "missing-stored-hash"}
    assert cache.miss_reason == (reasons[kept] if resumes else "new-session")
    assert cache.hit is (cache.miss_reason is None) is not prompt.value("include_stable")
    assert ("\nA\n" in prompt.text) is prompt.value("include_stable")


def test_the_composed_system_prompt_is_the_first_stable_part() -> None:
    """From one flow into the other: what moves the one prompt moves the hash."""
    texts = [open_design.flow().compose(one).text for one in ({}, {"locale": "ja"})]
    hashes = [
        TURN.compose({"daemonSystemPrompt": one}).value("stable_prompt_hash") for one in texts
    ]
    assert hashes == [original_hash((one, "", "")) for one in texts]
    assert hashes[0] != hashes[1]


def test_a_miss_names_the_parts_that_moved() -> None:
    """Records are compared without the original's collisions."""
    stored = stable_record("a\n\n---\n\nb", "c", "s")
    now = stable_record("a", "b\n\n---\n\nc", "s")
    assert stored.original == now.original
    cache = describe_stable(True, stored, now)
    assert cache.miss_reason == "stable-prompt-changed"
    assert cache.changed == ("daemon_system_prompt", "runtime_tool_prompt")
    assert describe_stable(True, now, now).hit
    assert describe_stable(True, now.original, now).hit
    assert describe_stable(False, now, now).miss_reason == "new-session"


@pytest.mark.parametrize(
    "case", CASES["evaluateResumeInvalidation"], ids=lambda case: str(case["result"])
)
def test_a_resume_is_guarded_as_recorded(case: dict[str, Any]) -> None:
    """The first reason that applies is given."""
    args = case["args"]
    stored = ConversationPoint(args["storedModel"], args["storedCwd"], args["storedLastMessageId"])
    now = ConversationPoint(
        args["currentModel"], args["currentCwd"], args["latestCompletedAssistantId"]
    )
    assert invalidation(stored, now) == case["result"]


def test_the_guard_has_an_order() -> None:
    """Model, folder, cursor, conversation."""
    now = ConversationPoint("m", "/a", "2")
    reasons = [
        invalidation(ConversationPoint(*stored), now)
        for stored in (("x", "/b", None), ("m", "/b", None), ("m", "/a", None), ("m", "/a", "1"))
    ]
    assert reasons == ["model_changed", "cwd_changed", "missing_cursor", "conversation_advanced"]


def test_a_session_says_what_moved_since_it_was_saved() -> None:
    """Skipped when nothing did; else the fields, the sections, and the first byte."""
    flow = open_design_turn.flow()
    before = flow.session(message="M", daemon_system_prompt="D")
    saved = before.save()
    assert not flow.session(message="M", daemon_system_prompt="D").resume(saved).send
    assert str(before.resume(saved)) == "skip: the prefix is the same"
    now = flow.session(message="M", daemon_system_prompt="D2", research={"maxSources": 3})
    answer = now.resume(saved)
    assert (answer.send, answer.reason) == (True, "stable-prompt-changed")
    assert answer.change is not None
    assert answer.change.fields == ("daemon_system_prompt", "research.max_sources")
    assert answer.change.sections == ("daemon_instructions",)
    first = answer.change.first_byte
    assert first is not None
    text = now.turnless().text.encode()
    assert text[:first] == before.turnless().text.encode()[:first]
    assert answer.change.rewritten_bytes == len(text) - first
    assert "daemon_system_prompt" in str(answer)


def test_a_session_is_sent_without_a_stored_one_or_behind_a_guard() -> None:
    """The reason of the guard comes first."""
    session = open_design_turn.flow().session(message="M")
    assert session.resume(None).reason == "missing-stored-hash"
    assert session.resume(session.save(), "cwd_changed").reason == "cwd_changed"
    with pytest.raises(ValueError, match=r"Session\.save"):
        session.resume("{}")


def test_changed_tools_move_the_first_byte() -> None:
    """Tools stand before everything, whatever else moved."""
    flow = open_design_turn.flow()
    saved = flow.session(message="M").save()
    answer = flow.session(message="N", tools=[{"name": "t"}]).resume(saved)
    assert answer.change is not None
    assert (answer.change.fields, answer.change.sections) == (
        ("tools", "message"),
        ("request_body",),
    )
    assert answer.change.first_byte == 0
