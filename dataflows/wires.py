"""Wire formats: what is sent to a provider."""

from typing import Any

from ..inputs.signals import canonical_tools
from .prompt import Prompt


def to_anthropic(prompt: Prompt) -> dict[str, Any]:
    """Return `system` and `messages` as Anthropic's Messages API takes them, `tools` when given.

    Blocks without text are left out, since the API refuses them.

    Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    """
    system: list[dict[str, Any]] = []
    for block in prompt.blocks:
        if block.target == "system":
            mark = {"cache_control": dict(block.cache_control)} if block.cache_control else {}
            system.append({"type": "text", "text": block.text} | mark)
    tools = canonical_tools(prompt.session.signals.tools)
    return ({"tools": tools} if tools else {}) | {
        "system": system,
        "messages": _copied(prompt.messages),
    }


def _copied(value: Any) -> Any:
    """Copy JSON data: a host writes into its request, and a prompt must not change with it."""
    match value:
        case dict():
            return {key: _copied(one) for key, one in value.items()}
        case list():
            return [_copied(one) for one in value]
    return value
