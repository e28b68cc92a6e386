"""What each wire says, and what it says that it cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.providers import load_providers

from ..flows import FLOWS, built
from ..small_flows import Letters, sa, sb
from .small import EVERYTHING, TOOLS, Said, attached, codes, composed, marked

MARK = {"type": "ephemeral"}
GOLDEN = Path(__file__).parents[1] / "golden"
FORMS = ("to_anthropic", "to_openai", "to_responses", "to_gemini", "to_plain")


def full() -> Any:
    """Return a prompt with tools, two blocks and one message of each kind."""
    return composed(marked(MARK, MARK), *EVERYTHING, a="A", b="B", tools=TOOLS)


@pytest.mark.parametrize("form", FORMS)
def test_both_system_parts_are_on_every_wire(form: str) -> None:
    """No block is lost, and CRLF is no third kind of line."""
    wire = getattr(composed(marked(MARK, MARK), a="A\r\n\r\n", b="B"), form)()
    text = json.dumps(wire)
    assert "\\r" not in text
    assert text.count('A\\n\\n"') == (0 if form == "to_plain" else 1)
    assert text.count('"B"') == (0 if form == "to_plain" else 1)


@pytest.mark.parametrize(
    ("a", "b", "added"),
    [("A\r\n\r\n", "B", 0), ("A\n", "B", 1), ("A", "B", 1), ("A", "\nB", 1), ("A", "\n\nB", 0)],
)
def test_plain_text_has_one_blank_line_between_blocks(a: str, b: str, added: int) -> None:
    """What lacks is added, and told."""
    wire = composed(marked(None, None), a=a, b=b).to_plain()
    assert wire["text"] == "A\n\nB"
    assert codes(wire) == ["seam-added:b"] * added


def test_every_mark_is_sent_or_told() -> None:
    """Marks of blocks and messages: as many as there are, in sum, on every wire."""
    prompt = composed(marked(MARK, MARK), EVERYTHING[2], a="A", b="B")
    for form in FORMS:
        wire = getattr(prompt, form)()
        sent = json.dumps(wire, default=str).count("cache_control")
        told = [one for one in codes(wire) if one.startswith("mark-") or "cache_control" in one]
        assert sent + len(told) == 3, form


def test_marks_become_breakpoints_where_the_model_has_them() -> None:
    """No mark is lost in the conversion; their number is the same."""
    prompt = composed(marked(MARK, MARK), *EVERYTHING, a="A", b="B")
    table = load_providers({"models": {"gpt-6-sol": {"min_cache_tokens": 0}}})
    for form in ("to_openai", "to_responses"):
        wire = getattr(prompt, form)(model="gpt-6-sol", table=table)
        assert json.dumps(wire).count('"prompt_cache_breakpoint": {"mode": "explicit"}') == 3
        assert wire.marks == ("a", "b")
        assert not [code for code in codes(wire) if "cache_control" in code or "mark" in code]


def test_a_lifetime_that_cannot_be_asked_for_is_told() -> None:
    """The breakpoint stands; how long it lives is the provider's."""
    prompt = composed(marked({"type": "ephemeral", "ttl": "1h"}), a="word " * 1100)
    wire = prompt.to_openai(model="gpt-6-sol")
    assert (wire.marks, codes(wire)) == (("a",), ["not-expressed:ttl"])


def test_the_cache_key_is_the_fingerprint() -> None:
    """Equal prefixes meet on one machine, whatever the turn says; others do not."""
    flow = marked(MARK, MARK)
    prompts = [composed(flow, a="A"), composed(flow, EVERYTHING[0], a="A"), composed(flow, a="B")]
    keys = [one.to_openai()["prompt_cache_key"] for one in prompts]
    assert keys == [one.to_responses()["prompt_cache_key"] for one in prompts]
    assert keys == [one.fingerprint for one in prompts]
    assert keys[0] == keys[1] != keys[2]
    assert keys[0] == "81b38ca5939af36986c6ca52dd2013c446255cc206d792c727af8913fcd4a122"
    assert len(keys[0]) <= 64  # the API takes no longer one


def test_chat_says_every_kind_of_message() -> None:
    """The developer message holds the blocks; results of tools are messages of their own."""
    wire = full().to_openai()
    assert wire["messages"] == [
        {
            "role": "developer",
            "content": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}],
        },
        {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "look", "arguments": '{"a":"ä","b":1}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "t1", "content": "seen"},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,/wA="}},
                {"type": "text", "text": "And?"},
            ],
        },
    ]
    assert [tool["function"]["name"] for tool in wire["tools"]] == ["look"]
    assert codes(wire) == [
        *("mark-not-sent:a", "mark-not-sent:b", "not-expressed:thinking"),
        *("not-expressed:is_error", "not-expressed:cache_control"),
    ]


def test_responses_say_every_kind_of_message() -> None:
    """Calls and results are items beside the messages."""
    wire = full().to_responses()
    assert [(one.get("role"), one.get("type")) for one in wire["input"]] == [
        ("developer", None),
        ("user", None),
        ("assistant", None),
        (None, "function_call"),
        (None, "function_call_output"),
        ("user", None),
    ]
    assert wire["input"][3]["arguments"] == '{"a":"ä","b":1}'
    assert wire["input"][0]["content"][0] == {"type": "input_text", "text": "A"}
    assert codes(wire) == codes(full().to_openai())


def test_gemini_says_every_kind_of_message() -> None:
    """A result names its tool; a failure is under `error`; binary data is bytes."""
    wire = full().to_gemini()
    assert wire["config"]["system_instruction"] == {"parts": [{"text": "A"}, {"text": "B"}]}
    assert [one["role"] for one in wire["contents"]] == ["user", "model", "user"]
    assert wire["contents"][1]["parts"][1] == {
        "function_call": {"id": "t1", "name": "look", "args": {"b": 1, "a": "ä"}}
    }
    result, image, text = wire["contents"][2]["parts"]
    answer = {"id": "t1", "name": "look", "response": {"error": "seen"}}
    assert result == {"function_response": answer}
    assert image == {"inline_data": {"mime_type": "image/png", "data": b"\xff\x00"}}
    assert text == {"text": "And?"}
    assert codes(wire) == [
        *("mark-not-sent:a", "mark-not-sent:b", "not-expressed:thinking"),
        "not-expressed:cache_control",
    ]


def test_plain_text_tells_of_tools_and_marks() -> None:
    """What is no text stands as JSON under the role of its message."""
    wire = full().to_plain()
    assert wire["text"].startswith("A\n\nB\n\n## user\n\nHello\n\n## assistant\n\n")
    assert '"name":"look"' in wire["text"]
    assert "not-expressed:tools" in codes(wire)
    assert codes(wire).count("not-expressed:cache_control") == 3


@pytest.mark.parametrize("form", FORMS)
def test_what_no_message_takes_up_is_told(form: str) -> None:
    """A block in the user's role that the messages do not read would vanish."""
    blocks = (block("base", sa), block("context", sb, target="meta_user"))
    signals = {"a": "A", "b": "B"}
    alone = PromptFlow("alone", blocks, session=Letters, turn=Said)
    found = getattr(alone.compose(signals), form)()
    assert ("unsent-block:context", "error") in {(one.code, one.severity) for one in found.findings}
    taken = PromptFlow("taken", blocks, session=Letters, turn=Said, messages=attached)
    wire = getattr(taken.compose(signals), form)()
    assert "unsent-block:context" not in codes(wire)
    assert "B" in json.dumps(wire)


def test_what_a_wire_cannot_say_in_messages_is_told() -> None:
    """Blocks of kinds that a provider has no part for."""
    odd = {"role": "user", "content": [{"type": "container_upload", "file_id": "f"}]}
    prompt = composed(marked(None), odd, a="A")
    for form in ("to_openai", "to_responses", "to_gemini"):
        wire = getattr(prompt, form)()
        assert codes(wire) == ["not-expressed:container_upload"]
        assert wire.findings[0].severity == "error"
    assert codes(prompt.to_plain()) == ["not-expressed:container_upload"]


def test_what_anthropic_refuses_in_messages_is_told() -> None:
    """The messages are the host's: they are sent as they are."""
    thought = {"type": "thinking", "thinking": "x", "signature": "", "cache_control": MARK}
    said = {"role": "assistant", "content": [thought, {"type": "text", "text": " "}]}
    wire = composed(marked(None), said, a="A").to_anthropic()
    assert codes(wire) == ["mark-on-thinking:messages[0]", "blank-text:messages[0]"]


def test_a_system_message_amid_the_others_keeps_its_rank_where_it_can() -> None:
    """A developer message on OpenAI; Gemini has no such role, and tells."""
    said = {"role": "system", "content": "Careful."}
    prompt = composed(marked(None), said, a="A")
    assert prompt.to_openai()["messages"][1]["role"] == "developer"
    assert prompt.to_responses()["input"][1]["role"] == "developer"
    wire = prompt.to_gemini()
    assert (wire["contents"][0]["role"], codes(wire)) == ("user", ["not-expressed:role"])


def test_writing_into_a_wire_changes_no_prompt() -> None:
    """A host adds its own to a request."""
    prompt = full()
    for form in FORMS:
        before = repr(getattr(prompt, form)())
        wire = getattr(prompt, form)()
        for value in wire.values():
            if isinstance(value, list):
                value[-1].clear()
        assert repr(getattr(prompt, form)()) == before


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_flow_has_every_wire(case: Any) -> None:
    """Nothing knows a flow by name: the golden cases of each compose on each wire."""
    path = GOLDEN / case.name / "full" / "signals.json"
    prompt = built(case.name).compose(json.loads(path.read_text(encoding="utf-8")))
    for form in FORMS:
        wire = getattr(prompt, form)()
        errors = {one.code for one in wire.findings if one.severity == "error"}
        assert errors <= {"not-expressed:tools"}, form  # plain text has no tool table
        for one in prompt.blocks:
            assert json.dumps(one.text)[1:-1] in json.dumps(wire, default=str), (form, one.name)
