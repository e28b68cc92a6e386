"""The messages of a turn: attachments, history, reminders and input on the wire."""

from typing import Any

import pytest
from promptdag.dataflows.reminders import merge_user_messages, reminder, user_message, with_mark

from .flows import ENVIRONMENT, built

DATE = {"envInfo": ENVIRONMENT, "currentDate": "2026-05-04"}


def messages(**turn: Any) -> list[dict[str, Any]]:
    """Return the messages of a turn of a session with a date alone."""
    return built("zcode", "skeleton").compose(DATE | turn).messages


def texts(message: dict[str, Any]) -> list[str]:
    """Return the texts of a message's blocks."""
    return [block["text"] for block in message["content"]]


PREFIX = texts(messages()[0])[0]


def test_without_attachments_or_input_there_is_no_message() -> None:
    """A closed gate yields nothing, on the wire too."""
    assert built("zcode").compose({"envInfo": ENVIRONMENT}).messages == []


def test_a_block_is_its_wire_text_but_for_the_seam() -> None:
    """The fingerprint covers the wrapper; the newline of the seam belongs to the turn."""
    prompt = built("zcode", "skeleton").compose(DATE | {"userInput": "hello"})
    (block,) = [one for one in prompt.blocks if one.name == "context_prefix"]
    assert prompt.messages[0]["content"][0]["text"] == block.text + "\n"
    assert block.text.endswith("</system-reminder>\n")


def test_history_stands_behind_the_attachments_and_before_the_input() -> None:
    """The first message of the conversation joins the attachments, as it did on its turn."""
    history = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]
    first, second, third = messages(history=history, userInput="go")
    assert texts(first) == [PREFIX + "\n", "hi"]
    assert second == history[1]
    assert texts(third) == ["go"]


def test_a_prompts_own_messages_are_taken_as_history_as_they_are() -> None:
    """Turn after turn, the wire grows at its end and changes nowhere else."""
    one = messages(userInput="hi")
    history = [*one, {"role": "assistant", "content": "yes?"}]
    two = messages(history=history, userInput="go")
    assert two[:2] == history
    assert texts(two[2]) == ["go"]


def test_reminders_stand_before_the_input_each_in_its_wrapper() -> None:
    """They merge with the input as adjacent user messages do, and cannot be closed from inside."""
    (message,) = messages(reminders=["a </SYSTEM-REMINDER>", "b"], userInput="go")
    assert texts(message) == [
        PREFIX + "\n",
        "<system-reminder>\na &lt;/SYSTEM-REMINDER>\n</system-reminder>\n",
        "<system-reminder>\nb\n</system-reminder>\n",
        "go",
    ]


def test_a_reminder_follows_tool_results_in_a_message_of_its_own() -> None:
    """Tool results are not merged with text."""
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]}
    history = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1"}]},
        result,
    ]
    found = messages(history=history, reminders=["b"])
    assert found[2] == result
    assert texts(found[3]) == ["<system-reminder>\nb\n</system-reminder>"]


def test_input_of_blocks_keeps_them_and_its_text_is_cleaned() -> None:
    """Images stay as they are; text is cleaned like every text from outside."""
    image = {"type": "image", "source": {"type": "base64", "data": "x"}}
    (message,) = messages(userInput=[image, {"type": "text", "text": "a\r\nb\u200b"}])
    assert texts({"content": message["content"][:1]}) == [PREFIX]
    assert message["content"][1:] == [image, {"type": "text", "text": "a\nb"}]


@pytest.mark.parametrize("content", ["", " \n", [], [{"type": "text", "text": " "}]])
def test_an_empty_user_message_says_so(content: Any) -> None:
    """Providers refuse an empty one, and one of blanks alone."""
    assert merge_user_messages([{"role": "user", "content": content}]) == [
        user_message("(no content)")
    ]
    assert texts(messages(userInput=content)[0])[1:] == ["(no content)"]


def test_merging_changes_no_message_that_is_passed_in() -> None:
    """The host keeps its history and passes it again."""
    history = [user_message("a"), user_message("b")]
    merge_user_messages(history)
    assert history == [user_message("a"), user_message("b")]


@pytest.mark.parametrize("role", ["assistant", "system"])
def test_messages_of_other_roles_part_those_of_the_user(role: str) -> None:
    """They pass through untouched, two of them in a row too."""
    between = {"role": role, "content": "x"}
    listed = [user_message("a"), between, between, user_message("b")]
    assert merge_user_messages(listed) == listed


def test_a_blank_reminder_is_an_error() -> None:
    """A wrapper around nothing says nothing."""
    with pytest.raises(ValueError, match="a reminder is not blank; leave it out"):
        reminder(" \n")


def test_the_mark_stands_on_the_last_message_that_is_not_of_the_system_and_nowhere_else() -> None:
    """Marks of earlier turns go, or a long conversation would pass the provider's limit of four."""
    mark = {"cache_control": {"type": "ephemeral"}}
    old = {"role": "user", "content": [{"type": "text", "text": "a"} | mark]}
    listed = [old, {"role": "assistant", "content": "b"}, {"role": "system", "content": "c"}]
    assert with_mark(listed) == [
        user_message("a"),
        {"role": "assistant", "content": [{"type": "text", "text": "b"} | mark]},
        listed[2],
    ]
    assert with_mark(listed, -2)[0] == old
    assert with_mark(listed, -3) == [user_message("a"), *listed[1:]]
    assert with_mark([]) == []


def test_the_mark_is_off_unless_asked_for() -> None:
    """The cases of the original are without it."""
    marked = messages(userInput="hi", markLastMessage=True)
    assert "cache_control" not in str(messages(userInput="hi"))
    assert marked[0]["content"][-1] == {
        "type": "text",
        "text": "hi",
        "cache_control": {"type": "ephemeral"},
    }


def test_no_turn_signal_touches_a_block() -> None:
    """The prefix is the session's, whatever is said in a turn."""
    session = built("zcode").session(**DATE)
    said = session.turn(userInput="a", reminders=["b"], markLastMessage=True)
    assert said.fingerprint == session.fingerprint
    assert said.text == session.turnless().text
