"""zcode against the structure of the original."""

from typing import Any

import pytest
from promptdag.dataflows import Prompt
from promptdag.dataflows.reminders import merge_user_messages, reminder
from promptdag.dataflows.zcode_records import estimated_tokens, section_records
from promptdag.inputs.zcode import BUILT_IN_SOURCES

from .flows import CASES, ENVIRONMENT, built, case

OPENING, CLOSING = "<system-reminder>\n", "\n</system-reminder>"


def composed(signals: dict[str, Any]) -> Prompt:
    """Compose a prompt that shows its structure alone."""
    return built("zcode", "skeleton").compose(signals)


def listed(prompt: Prompt) -> list[dict[str, str]]:
    """Return the open sections as the cases list them."""
    return [
        {"source": one.source, "target": one.injection_target, "cache": one.cache_hint}
        for one in section_records(prompt)
    ]


def attachments(prompt: Prompt) -> dict[str, str]:
    """Return the attachments' contents, without their wrapper."""
    return {
        block.name: block.text.removeprefix(OPENING).rstrip("\n").removesuffix(CLOSING)
        for block in prompt.blocks
        if block.target == "meta_user"
    }


def test_every_case_is_there() -> None:
    """A case that is lost is noticed."""
    found = [path.stem[:3] for path in sorted(CASES.glob("*.json"))]
    assert found == ["z01", "z02", "z03", "z05", "z08", "z10"]


@pytest.mark.parametrize("name", ["z01", "z02", "z03"])
def test_sections_blocks_and_attachments_stand_as_in_the_original(name: str) -> None:
    """Each section has its target and hint, each block its beginning and cache mark."""
    expect = case(name)["expect"]
    prompt = composed(case(name)["input"])
    system = prompt.to_anthropic()["system"]
    assert listed(prompt) == expect["sections"]
    assert [
        block["text"].startswith(one["starts"])
        for block, one in zip(system, expect["blocks"], strict=True)
    ] == [True] * len(system)
    assert ["cache_control" in block for block in system] == [
        one["cached"] for one in expect["blocks"]
    ]
    assert list(attachments(prompt)) == expect["attachments"]


def test_a_plain_session_is_the_originals_request_byte_for_byte() -> None:
    """Case z01: the whole wire, system and messages."""
    one = case("z01")
    assert composed(one["input"]).to_anthropic() == one["expect"]["wire"]


def test_a_session_with_everything_is_the_originals_byte_for_byte() -> None:
    """Case z02: system blocks, attachments, and the ends of the user's blocks."""
    one = case("z02")
    prompt = composed(one["input"])
    wire = prompt.to_anthropic()
    assert [{k: v for k, v in block.items() if k != "type"} for block in wire["system"]] == one[
        "expect"
    ]["system"]
    assert attachments(prompt) == {
        found["source"]: found["content"] for found in one["expect"]["attachments_full"]
    }
    (message,) = wire["messages"]
    for block, end in zip(message["content"], one["expect"]["wire_user_blocks"], strict=True):
        assert block["text"].endswith(end)


def test_the_manifest_lists_sections_under_the_originals_sources() -> None:
    """Built-in sections by their source, custom ones by their own, parts under their section."""
    rows = composed(case("z02")["input"]).manifest.sections
    assert {row.name for row in rows if row.open and row.parent is None} == {
        *(one["source"] for one in case("z02")["expect"]["sections"])
    }
    assert [row.name for row in rows if row.parent == "request_user_context"] == [
        "/workspace/AGENTS.md",
        "memory_index",
    ]


def test_every_built_in_section_has_a_source_that_custom_ones_may_not_take() -> None:
    """The list beside the signals is the list of the order."""
    top = [one for one in built("zcode").positions if one.parent is None]
    names = [one.place.section.name for one in top if not one.place.section.many]
    assert sorted(names) == sorted(BUILT_IN_SOURCES)


def test_tokens_are_estimated_as_the_original_does() -> None:
    """Ideographs count twice, in UTF-16 units, a third of the sum rounded up."""
    assert [estimated_tokens(text) for text in ("", "a", "abcd", "漢字", "😀😀", "漢a")] == [
        *(0, 1, 2, 2, 2, 1)
    ]


def test_a_record_holds_a_sections_text_without_the_glue_in_front() -> None:
    """Lengths are the section's own, in UTF-16 units; parts count with their section."""
    records = {one.source: one for one in section_records(composed(case("z02")["input"]))}
    assert records["x"] == ("x", "system", "dynamic", "X!", 2, 1, "X!")
    context = records["request_user_context"]
    assert context.content.startswith("# agentsMd\n")
    assert context.content.endswith("— a")
    assert context.chars == len(context.content)
    assert context.preview == context.content[:100]
    assert sum(one.chars for one in records.values()) == 1787


def test_a_custom_prompt_replaces_the_default_system_sections() -> None:
    """Case z03: trimmed, behind one newline; custom sections still follow; blank is no prompt."""
    one = case("z03")
    assert composed(one["input"]).blocks[1].text == one["expect"]["block2"]
    with_section = composed(one["calls"]["with_custom_section"]).to_anthropic()["system"]
    assert [block["text"] for block in with_section] == one["expect"]["with_custom_section"]
    blank = composed(one["calls"]["blank_is_default"])
    assert [found["source"] for found in listed(blank)] == one["expect"]["blank_is_default"]


def test_skill_lines_are_the_originals_but_for_the_cut() -> None:
    """Case z05, with its right lengths: 250 characters with the mark, 277 with the rest."""
    one = case("z05")
    prompt = composed({"envInfo": ENVIRONMENT} | one["input"])
    lines = prompt.value("skills_text").split("\n")
    right = {"- a: ": one["right"]["a_len"], "- c: ": one["right"]["c_len"]}
    for line, expected in zip(lines, one["expect"]["lines"], strict=True):
        if isinstance(expected, str):
            assert line == expected
        else:
            assert len(line) == right.get(line[:5], expected["len"])
            assert line.startswith(expected["head"])
            assert line.endswith(expected["tail"][-len("... (file: /s/a/SKILL.md)") :])


@pytest.mark.parametrize("name", sorted(case("z08")["expect"]))
def test_environment_and_git_are_the_originals(name: str) -> None:
    """Case z08: optional lines by presence, and what makes a git repository."""
    one = case("z08")
    prompt, expected = composed(one["calls"][name]), one["expect"][name]
    environment, git = prompt.value("env_info_text"), prompt.value("system_context_text")
    if name.startswith("model_"):
        assert environment.split("\n")[-1] == expected
    elif isinstance(expected, dict):
        assert (environment, git or None) == (expected["env"], expected["git"])
    else:
        assert (git or None) == expected


@pytest.mark.parametrize("name", ["two_attachments", "no_user_input"])
def test_user_blocks_of_the_wire_are_the_originals(name: str) -> None:
    """Case z10: wrappers, the prefix's newline, and the newline of each seam."""
    one = case("z10")
    (message,) = composed(one["calls"][name]).messages
    for block, expected in zip(message["content"], one["expect"][name], strict=True):
        if isinstance(expected, str):
            assert block["text"].endswith(expected)
            continue
        head = expected["head"].replace("Th", "⟦s")  # the head quotes two letters of prose
        assert block["text"].startswith(head)
        assert block["text"].endswith(expected["tail"])


def test_a_reminder_cannot_be_closed_from_inside() -> None:
    """Case z10: tags of the wrapper lose their `<`, whatever their case and spacing."""
    assert reminder(case("z10")["calls"]["escaped"]["body"]) == case("z10")["expect"]["escaped"]


def test_an_image_breaks_the_seam() -> None:
    """Case z10: a newline only where text meets text, even where one is there."""
    messages = [
        {"role": "user", "content": content}
        for content in case("z10")["calls"]["image_seam"]["user_messages"]
    ]
    assert merge_user_messages(messages) == [
        {"role": "user", "content": case("z10")["expect"]["image_seam"]}
    ]
