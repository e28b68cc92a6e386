"""OpenAI's Chat Completions and Responses.

The stable part is a developer message and not `instructions`, since only the parts of a message
carry breakpoints.

Source: https://developers.openai.com/api/docs/guides/prompt-caching
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from ...inputs.signals import canonical_tools
from ..providers import Override
from .marks import MarkPolicy, plan_marks, policy_for
from .openai_parts import Block, Conversion
from .wire import Wire, content_blocks, copied, system_blocks, unsent

if TYPE_CHECKING:
    from ..prompt import Prompt


def to_openai(
    prompt: "Prompt",
    *,
    model: str | None = None,
    policy: MarkPolicy | None = None,
    table: Override = None,
) -> Wire:
    """Return `messages`, `tools` and `prompt_cache_key` for Chat Completions.

    The key is the prompt's fingerprint, so equal prefixes meet on one machine. Cache marks become
    breakpoints where the model has them, and findings where it does not.

    Args:
        prompt: The prompt.
        model: The model; without one, no breakpoints are sent, since earlier models refuse them.
        policy: The rules of marks, in place of those of the model.
        table: Prices and rules; `None` for ours.

    Raises:
        MarkRuleError: The messages carry more marks than a request may hold.
        UnknownNameError: The table has no such model.
    """
    work, body = _start(prompt, "chat", model, policy, table)
    messages = [{"role": "developer", "content": body}] if body else []
    for number, message in enumerate(prompt.messages):
        blocks: list[Block] = copied(content_blocks(message))
        say = _chat_reply if message["role"] == "assistant" else _spoken
        messages += say(work, message["role"], blocks, f"messages[{number}]")
    tools = [{"type": "function", "function": _function(one)} for one in _tools(prompt)]
    return _request(prompt, work, {"messages": messages}, tools)


def to_responses(
    prompt: "Prompt",
    *,
    model: str | None = None,
    policy: MarkPolicy | None = None,
    table: Override = None,
) -> Wire:
    """Return `input`, `tools` and `prompt_cache_key` for Responses.

    Arguments, errors and the rest are those of `to_openai`.
    """
    work, body = _start(prompt, "responses", model, policy, table)
    items = [{"role": "developer", "content": body}] if body else []
    for number, message in enumerate(prompt.messages):
        blocks: list[Block] = copied(content_blocks(message))
        say = _reply_items if message["role"] == "assistant" else _spoken
        items += say(work, message["role"], blocks, f"messages[{number}]")
    tools = [{"type": "function", "strict": False} | _function(one) for one in _tools(prompt)]
    return _request(prompt, work, {"input": items}, tools)


def _start(
    prompt: "Prompt",
    form: Literal["chat", "responses"],
    model: str | None,
    policy: MarkPolicy | None,
    table: Override,
) -> tuple[Conversion, list[Block]]:
    """Return a conversion and the parts of the developer message."""
    work = Conversion(form, policy or policy_for("openai", model, table))
    work.findings += unsent(prompt, "openai")
    plan = plan_marks(prompt, work.policy, _tools(prompt), prompt.messages)
    work.findings += plan.findings
    return work, [
        work.text(block.text, plan.controls.get(block.name), f"block {block.name!r}")
        for block in system_blocks(prompt)
    ]


def _request(
    prompt: "Prompt", work: Conversion, body: dict[str, Any], tools: list[dict[str, Any]]
) -> Wire:
    marked = [
        block.name
        for block, part in zip(system_blocks(prompt), _first_parts(body), strict=False)
        if "prompt_cache_breakpoint" in part
    ]
    key = {"prompt_cache_key": prompt.fingerprint}
    return Wire(body | ({"tools": tools} if tools else {}) | key, "openai", work.findings, marked)


def _first_parts(body: dict[str, Any]) -> list[Block]:
    items = body.get("messages") or body.get("input") or [{}]
    first = items[0]
    return list(first["content"]) if first.get("role") == "developer" else []


def _spoken(
    work: Conversion, role: str, blocks: list[Block], place: str
) -> Iterator[dict[str, Any]]:
    """Yield a message that is not the model's, results of tools apart, as both forms want them."""
    shown = "developer" if role == "system" else role
    waiting: list[Block] = []
    for block in blocks:
        if block.get("type") != "tool_result":
            waiting.append(block)
            continue
        if parts := work.parts(waiting, place):
            yield {"role": shown, "content": parts}
        waiting = []
        call, output = block["tool_use_id"], work.output(block, place)
        if work.form == "chat":
            yield {"role": "tool", "tool_call_id": call, "content": output}
        else:
            yield {"type": "function_call_output", "call_id": call, "output": output}
    if parts := work.parts(waiting, place):
        yield {"role": shown, "content": parts}


def _chat_reply(
    work: Conversion, _role: str, blocks: list[Block], place: str
) -> Iterator[dict[str, Any]]:
    text = work.assistant_text(blocks, place)
    calls = [
        {
            "id": one["id"],
            "type": "function",
            "function": {"name": one["name"], "arguments": work.arguments(one, place)},
        }
        for one in blocks
        if one.get("type") == "tool_use"
    ]
    if text or calls:
        yield (
            {"role": "assistant"}
            | ({"content": text} if text else {})
            | ({"tool_calls": calls} if calls else {})
        )


def _reply_items(
    work: Conversion, _role: str, blocks: list[Block], place: str
) -> Iterator[dict[str, Any]]:
    if text := work.assistant_text(blocks, place):
        yield {"role": "assistant", "content": text}
    for one in blocks:
        if one.get("type") == "tool_use":
            arguments = work.arguments(one, place)
            call = {"call_id": one["id"], "name": one["name"], "arguments": arguments}
            yield {"type": "function_call"} | call


def _tools(prompt: "Prompt") -> list[dict[str, Any]]:
    return canonical_tools(prompt.session.signals.tools)


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": tool["name"],
        "description": tool["description"],
        "parameters": tool["input_schema"],
    }
