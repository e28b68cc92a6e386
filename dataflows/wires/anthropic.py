"""Anthropic's Messages API."""

from typing import TYPE_CHECKING, Any

from ...inputs.findings import Finding
from ...inputs.signals import canonical_tools
from ..providers import Override
from .marks import MarkPolicy, plan_marks, policy_for
from .wire import Wire, content_blocks, copied, system_blocks, unsent

if TYPE_CHECKING:
    from ..prompt import Prompt


def to_anthropic(
    prompt: "Prompt",
    *,
    model: str | None = None,
    policy: MarkPolicy | None = None,
    table: Override = None,
) -> Wire:
    """Return `system` and `messages` as Anthropic's Messages API takes them, `tools` when given.

    Blocks without text are left out, since the API refuses them; their marks move to the block in
    front. `findings` lists what was moved or left out.

    Args:
        prompt: The prompt.
        model: The model; no mark is spent on a prefix that is shorter than its minimum.
        policy: The rules of marks, in place of those of the model.
        table: Prices and rules; `None` for ours.

    Raises:
        MarkRuleError: The API would refuse the marks of the messages.
        UnknownNameError: The table has no such model.

    Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    """
    tools = canonical_tools(prompt.session.signals.tools)
    messages: list[dict[str, Any]] = copied(prompt.messages)
    rules = policy or policy_for("anthropic", model, table)
    plan = plan_marks(prompt, rules, tools, messages)
    system: list[dict[str, Any]] = []
    for block in system_blocks(prompt):
        mark = {"cache_control": plan.controls[block.name]} if block.name in plan.controls else {}
        system.append({"type": "text", "text": block.text} | mark)
    body = ({"tools": tools} if tools else {}) | {"system": system, "messages": messages}
    findings = (*unsent(prompt, "anthropic"), *plan.findings, *_refused(messages))
    return Wire(body, "anthropic", findings, plan.controls)


def _refused(messages: list[dict[str, Any]]) -> list[Finding]:
    """Return what the API refuses in the messages, which are sent as the flow made them."""
    found: list[Finding] = []
    for number, message in enumerate(messages):
        for block in content_blocks(message):
            if block.get("type") == "text" and not str(block.get("text", "")).strip():
                found.append(_error("blank-text", number, "a text block is blank"))
            elif block.get("type") in _UNMARKABLE and block.get("cache_control"):
                found.append(_error("mark-on-thinking", number, "thinking carries a cache mark"))
    return found


_UNMARKABLE = frozenset({"thinking", "redacted_thinking"})


def _error(code: str, number: int, what: str) -> Finding:
    message = f"messages[{number}]: {what}, which the API refuses; take it out of the messages"
    return Finding(f"{code}:messages[{number}]", message, path="anthropic", severity="error")
