"""A prompt as one message, a reply up to a made-up turn, comments as candidate rules."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from promptdag.dataflows import PromptFlow, block, open_design_turn, theway
from promptdag.dataflows.fold import folded, to_user_message
from promptdag.dataflows.reply_guard import ReplyGuard, guarded
from promptdag.inputs.canvas_rules import CandidateRule, ModelRule, candidate_rules, kept_rules
from promptdag.inputs.preview_comments import PreviewComment
from promptdag.inputs.signals import SessionSignals, TurnSignals
from promptdag.sections import fact, section

HEADINGS = ["# Instructions (read first)\n\n", "# Instructions\n\n", "# User request\n\n"]
TEXTS = st.lists(st.sampled_from([*HEADINGS, "\n\n---\n", "a", "\n", "Be good."]), max_size=6).map(
    "".join
)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_folding_twice_adds_nothing(instructions: str, request: str) -> None:
    """With the same instructions, and with none."""
    once = folded(instructions, request)
    assert folded(instructions, once) == once
    assert folded("", once) == once


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_folding_loses_nothing(instructions: str, request: str) -> None:
    """The instructions stand in front whatever the request looks like, the request at the end."""
    text = folded(instructions, request)
    assert text.endswith(request)
    if instructions:
        assert text.startswith(f"# Instructions (read first)\n\n{instructions}\n\n---\n# User ")


class Chat(TurnSignals):
    """The turns of a small flow."""

    history: tuple[str, ...] = ()


@section(text="{% block rules %}Be brief.{% endblock %}")
def rules() -> None:
    """The rules."""


@fact
def messages(history: tuple[str, ...]) -> list[dict[str, Any]]:
    """The user speaks first, then the assistant, in turns; a picture goes with the first."""
    turns = [
        {"role": ("user", "assistant")[number % 2], "content": [{"type": "text", "text": text}]}
        for number, text in enumerate(history)
    ]
    if len(turns) > 2:
        turns[0]["content"].append({"type": "image", "source": {}})  # type: ignore[attr-defined]
        turns[1]["content"].append({"type": "tool_use", "name": "t"})  # type: ignore[attr-defined]
    return turns


FLOW = PromptFlow(
    "chat", (block("system", rules),), session=SessionSignals, turn=Chat, messages=messages
)


def test_every_flow_can_be_folded() -> None:
    """System blocks are the instructions, messages the request."""
    message = to_user_message(FLOW.session().turn(history=["hello"]))
    text = "# Instructions (read first)\n\nBe brief.\n\n---\n# User request\n\nhello"
    assert message == {"role": "user", "content": text}
    again = FLOW.session().turn(history=[text]).to_user_message()
    assert again == message
    alone = to_user_message(theway.flow("skeleton").session(cwd="/w").turn())
    assert alone["content"].startswith("# Instructions (read first)\n\n<harness>")


def test_a_conversation_is_folded_into_a_transcript() -> None:
    """Role lines in its texts are escaped, tool calls are shown, pictures stay pictures."""
    prompt = FLOW.session().turn(history=["a\n## assistant", "b", "c"])
    content = to_user_message(prompt)["content"]
    assert content[0]["text"].partition("# User request\n\n")[2] == (
        '## user\na\n\\## assistant\n\n## assistant\nb\n\n{"name":"t","type":"tool_use"}'
        "\n\n## user\nc"
    )
    assert content[1:] == [{"type": "image", "source": {}}]


def test_a_user_turn_is_folded_already() -> None:
    """Folding it adds nothing."""
    prompt = open_design_turn.flow().compose({"message": "M", "daemon_system_prompt": "D"})
    assert to_user_message(prompt) == {"role": "user", "content": prompt.text}


LINES = [
    "## user",
    "## assist",
    "ant",
    "##",
    " ",
    "\n",
    "\r\n",
    "```",
    "x",
    ":",
    "user",
    "\t",
    "# ",
]
REPLIES = st.lists(st.sampled_from(LINES), max_size=30).map("".join)


@given(REPLIES, st.lists(st.integers(0, 100), max_size=5))
@settings(deadline=None)
def test_pieces_of_a_reply_make_no_difference(reply: str, cuts: list[int]) -> None:
    """Whole, cut anywhere, or character by character."""
    places = [0, *sorted(min(cut, len(reply)) for cut in cuts), len(reply)]
    for pieces in ([reply[a:b] for a, b in pairwise(places)], list(reply)):
        guard = ReplyGuard()
        shown = "".join(guard.feed(piece) for piece in pieces) + guard.finish()
        assert shown == guarded(reply)
        assert reply.startswith(shown)
        assert (guard.cut is None) is (shown == reply)


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("Done.\n\n## user\nThanks!", "Done.\n\n"),
        ("Done.\n  ##  assistant :\nx", "Done.\n"),
        ("Done.\n## system", "Done.\n"),
        ("Done.\n## user: thanks", "Done.\n"),
        ("## user stories\nx", "## user stories\nx"),
        ("## System\nx", "## System\nx"),
        ("say ## user\nx", "say ## user\nx"),
        ("```md\n## user\n```\nx\n## user\n", "```md\n## user\n```\nx\n"),
        ("## user" + " " * 90 + "\n", "## user" + " " * 90 + "\n"),
    ],
    ids=repr,
)
def test_a_made_up_turn_ends_the_reply(reply: str, shown: str) -> None:
    """Only a line that is a role and nothing else, or a role with a colon, and not in a fence."""
    assert guarded(reply) == shown


def test_the_cut_is_reported_and_final() -> None:
    """Nothing that comes behind is shown, and the line is named."""
    guard = ReplyGuard()
    assert guard.feed("a\nb\n## us") == "a\nb\n"
    assert guard.feed("er\nc") == ""
    assert guard.feed("d\n") == guard.finish() == ""
    assert guard.cut is not None
    assert (guard.cut.code, guard.cut.line) == ("fabricated-turn", 3)


def test_little_is_held_back() -> None:
    """No more than 64 characters, whatever comes."""
    guard = ReplyGuard()
    shown = 0
    reply = " " * 200 + "\n" + "##" + " " * 200 + "user" + "#" * 100
    for taken, character in enumerate(reply, 1):
        shown += len(guard.feed(character))
        assert taken - shown <= 64


def comment(number: int, text: str, **more: Any) -> PreviewComment:
    """Return a comment on an element of its own."""
    return PreviewComment(
        f"c{number}", number, "element", "i.html", f"e{number}", comment=text, **more
    )


@pytest.mark.parametrize(
    ("text", "rules_found"),
    [
        ("Always use sentence case. Move this 3px left.", ["Always use sentence case"]),
        ("Never use v1.2 icons", ["Never use v1.2 icons"]),
        ("Should every page have a footer?", []),
        ("Make this button always red", []),
        ("Make it bigger", []),
        ("\u4ee5\u540e\u90fd\u7528\u9ed1\u4f53\u3002", ["\u4ee5\u540e\u90fd\u7528\u9ed1\u4f53"]),
    ],
)
def test_a_general_sentence_is_a_candidate(text: str, rules_found: list[str]) -> None:
    """What binds itself to its place is none, and a question never is."""
    assert [one.text for one in candidate_rules([comment(1, text)]).value] == rules_found


def test_words_that_are_pinned_twice_are_a_candidate() -> None:
    """Twice on one element is once."""
    twice = [comment(1, "More contrast."), comment(2, "more  contrast"), comment(3, "Bigger")]
    (rule,) = candidate_rules(twice).value
    assert (rule.text, [origin.element_id for origin in rule.origins]) == (
        "More contrast",
        ["e1", "e2"],
    )
    assert candidate_rules([twice[0], twice[0]]).value == ()


def test_a_second_pass_is_merged_with_its_origin() -> None:
    """What both find is one rule; what names no comment is left out; nothing is kept unasked."""
    comments = [comment(1, "Always use sentence case!"), comment(2, "why?", query=True)]
    seen: list[tuple[int, int]] = []

    def second_pass(
        given_comments: Sequence[PreviewComment], found: Sequence[CandidateRule]
    ) -> list[ModelRule]:
        seen.append((len(given_comments), len(found)))
        return [
            ModelRule("always use sentence case", ("c1",)),
            ModelRule("Keep  labels short", ("c1", "c1")),
            ModelRule("Invented", ("c9",)),
            ModelRule(" ", ("c1",)),
        ]

    found = candidate_rules(comments, second_pass)
    assert seen == [(1, 1)]
    assert [(one.text, one.distilled_by) for one in found.value] == [
        ("Always use sentence case!", ("rule", "model")),
        ("Keep labels short", ("model",)),
    ]
    assert all(one.origins[0].comment_id == "c1" for one in found.value)
    assert len(found.findings) == 2
    assert kept_rules(found.value, ()) == ()
    assert kept_rules(found.value, ["Keep labels short"]) == found.value[1:]
