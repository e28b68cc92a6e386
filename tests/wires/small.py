"""Small flows with marks, messages and tools."""

from typing import Any

from promptdag.dataflows import Prompt, PromptFlow, block
from promptdag.dataflows.assembly import BlockText
from promptdag.inputs.signals import TurnSignals
from promptdag.sections import fact

from ..small_flows import Letters, sa, sb, sc, sd

TOOLS = [{"name": "look", "description": "Look.", "input_schema": {"type": "object"}}]


class Said(TurnSignals):
    """The messages of a turn, in Anthropic's form."""

    said: tuple[dict[str, Any], ...] = ()


@fact
def messages(said: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """What was said."""
    return list(said)


@fact
def attached(context_block: BlockText, said: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """An attachment in front of what was said."""
    return [{"role": "user", "content": context_block.text}, *said]


def marked(*controls: Any, **options: Any) -> PromptFlow:
    """Return a flow of up to four blocks a, b, c, d with these marks (`None` for none)."""
    blocks = tuple(
        block(section.name[1:], section, cache_control=control)
        for section, control in zip((sa, sb, sc, sd), controls, strict=False)
    )
    return PromptFlow("marked", blocks, session=Letters, turn=Said, messages=messages, **options)


def composed(flow: PromptFlow, *said: dict[str, Any], **signals: Any) -> Prompt:
    """Return a prompt of a flow with these messages."""
    return flow.compose({"said": said, **signals})


def codes(found: Any) -> list[str]:
    """Return the codes of the findings of a wire or plan."""
    return [finding.code for finding in found.findings]


EVERYTHING: tuple[dict[str, Any], ...] = (
    {"role": "user", "content": "Hello"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"b": 1, "a": "ä"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "seen", "is_error": True},
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "/wA="},
            },
            {"type": "text", "text": "And?", "cache_control": {"type": "ephemeral"}},
        ],
    },
)
"""One message of each kind, with all that some wire cannot say."""
