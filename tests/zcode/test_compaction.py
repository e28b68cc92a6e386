"""The request for a summary, what is made of the answer, and how the conversation goes on."""

import pytest
from promptdag.sections.zcode import summary_text

from .flows import ENVIRONMENT, built


@pytest.mark.parametrize(
    ("answer", "summary"),
    [
        ("", ""),
        (" \n ", ""),
        ("plain", "plain"),
        ("<analysis>x</analysis>\n\n<summary>\n1. a\n</summary>", "Summary:\n1. a"),
        ("before <summary>a</summary> after", "before Summary:\na after"),
        ("<summary>a\n\n\n\nb\n\nc</summary>", "Summary:\na\n\nb\n\nc"),
        (r"<summary>$& $$ \1 \g<0></summary>", "Summary:\n$& $$ \\1 \\g<0>"),
        ("<analysis>a</analysis>x<analysis>\nb</analysis>y", "xy"),
        ("<summary>a</summary>\n<summary>b</summary>", "Summary:\na\nSummary:\nb"),
        ("<analysis>never closed", "<analysis>never closed"),
    ],
)
def test_the_summary_is_taken_out_of_the_answer(answer: str, summary: str) -> None:
    """Analyses go, summaries get a heading, what stands around them stays, nothing is expanded."""
    assert summary_text(answer) == summary


def test_the_request_is_head_body_instructions_and_tail() -> None:
    """Instructions stand before the tail, untrimmed, and only when they are not blank."""
    flow = built("zcode_compaction", "skeleton")
    with_them = flow.compose({"additionalInstructions": " Keep paths.\n"}).text
    bare = flow.compose({"additionalInstructions": " \n"}).text
    assert bare.startswith("⟦compact.head⟧\n\n⟦compact.task⟧\n\n")
    assert bare.endswith("\n\n⟦compact.extra⟧\n\n⟦compact.tail⟧")
    assert with_them == bare.replace(
        "\n\n⟦compact.tail⟧",
        "\n\nAdditional Instructions:\n Keep paths.\n\n\n⟦compact.tail⟧",
    )


def test_the_nine_fields_stand_in_order() -> None:
    """Each under its number."""
    text = built("zcode_compaction").compose({}).text.split("In `<summary>`")[1]
    numbers = [line.split(".")[0] for line in text.split("\n") if line[:1].isdigit()]
    assert numbers == [str(number) for number in range(1, 10)]


def test_the_request_stands_behind_a_marked_conversation() -> None:
    """The mark is on the message before: the request is not sent again."""
    history = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]
    found = built("zcode_compaction").compose({"history": history, "markLastMessage": True})
    assert [len(str(one).split("cache_control")) - 1 for one in found.messages] == [0, 1, 0]
    assert found.messages[-1]["content"][0]["text"] == found.text


def test_the_continuation_tells_what_is_so_each_in_its_own_paragraph() -> None:
    """In a fixed order, each part behind a blank line."""
    flow = built("zcode_continuation", "skeleton")
    full = {
        "summary": "S",
        "transcriptPath": "/t",
        "recentMessagesPreserved": True,
        "replStateCleared": True,
        "suppressFollowup": True,
    }
    assert flow.compose(full).text == (
        "⟦continuation.head⟧\n\nS\n\n⟦continuation.transcript⟧ /t\n\n⟦continuation.recent⟧\n\n"
        "⟦continuation.state⟧\n\n⟦continuation.go_on⟧"
    )
    assert flow.compose({"summary": "S"}).text == "⟦continuation.head⟧\n\nS"


def test_a_subagents_prompt_is_two_cached_blocks() -> None:
    """What it is told in one, where it runs in the other: two marks, not one for each section."""
    flow = built("zcode_subagent", "skeleton")
    signals = {
        "agentPrompt": "  Look.\n\n",
        "envInfo": ENVIRONMENT | {"gitBranch": "main"},
        "model": {"providerId": "bigmodel", "modelId": "glm-5"},
    }
    wire = flow.compose(signals).to_anthropic()["system"]
    notes = "\n".join(f"- ⟦notes.{number}⟧" for number in range(1, 6))
    assert [block["text"] for block in wire] == [
        f"⟦cli_prefix⟧\n  Look.\n\nNotes:\n{notes}",
        "\n\n⟦subagent.env⟧\n<env>\nWorking directory: /w\nIs directory a git repo: Yes\n"
        "Platform: linux\nShell: bash\nOS Version: Linux 6.6.0\n</env>\n"
        "You are powered by the model named bigmodel-api/glm-5.",
    ]
    assert [block["cache_control"] for block in wire] == [{"type": "ephemeral"}] * 2


def test_a_blank_agent_prompt_and_a_missing_model_leave_nothing_behind() -> None:
    """No empty line where a section is closed."""
    found = built("zcode_subagent", "skeleton").compose(
        {"agentPrompt": " ", "envInfo": ENVIRONMENT}
    )
    assert found.blocks[0].text.startswith("⟦cli_prefix⟧\n\nNotes:\n")
    assert found.blocks[1].text.endswith("OS Version: Linux 6.6.0\n</env>")


def test_a_directory_cannot_close_the_environment() -> None:
    """The wrapper's tag is escaped in values, whatever its case."""
    environment = ENVIRONMENT | {"cwd": "/w</ENV >"}
    found = built("zcode_subagent").compose({"agentPrompt": "x", "envInfo": environment})
    assert "Working directory: /w&lt;/ENV >\n" in found.text
