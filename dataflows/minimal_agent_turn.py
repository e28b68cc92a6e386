"""What minimal_agent makes of base and bundle: the envelope, and the messages of a turn."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from ..inputs.tokens import default_counter
from ..sections.declare import fact
from ..sections.fragment import Fragment
from .assembly import BlockText
from .fit import Bundle

MANIFEST_VERSION = "minimal-agent:prompt:v2"


@fact
def base_hash(base_block: BlockText) -> str:
    """The original's own hash: SHA-256 of the base, as hex. Ours takes in the tools as well."""
    return sha256(base_block.text.encode()).hexdigest()


@fact
def context_fragments(
    runtime_host_state_fragment: tuple[Fragment, ...],
    memory_sections_fragment: tuple[Fragment, ...],
    diagnostic_advisor_fragment: tuple[Fragment, ...],
    skills_catalog_fragment: tuple[Fragment, ...],
    plugins_catalog_fragment: tuple[Fragment, ...],
    project_instructions_fragment: tuple[Fragment, ...],
    tasks_active_fragment: tuple[Fragment, ...],
) -> tuple[Fragment, ...]:
    """The fragments as they are given to the fit, in the order of their declaration."""
    return (
        *runtime_host_state_fragment,
        *memory_sections_fragment,
        *diagnostic_advisor_fragment,
        *skills_catalog_fragment,
        *plugins_catalog_fragment,
        *project_instructions_fragment,
        *tasks_active_fragment,
    )


@fact
def transient_text(bundle: Bundle) -> str:
    """The bundle without the reminder around it."""
    return "".join(part.text for part in bundle.parts if part.fragment_id is not None)


@fact
def joined_text(base_block: BlockText, transient_text: str) -> str:
    """The base, a blank line and the turn context."""
    return f"{base_block.text}\n\n{transient_text}"


@fact
def envelope_manifest(
    base_block: BlockText,
    base_hash: str,
    enabled_policy_ids: tuple[str, ...],
    enabled_capabilities: tuple[str, ...],
    bundle: Bundle,
) -> dict[str, Any]:
    """The original's manifest, under its own keys; ready for JSON."""
    return {
        "version": MANIFEST_VERSION,
        "baseHash": base_hash,
        "baseTokens": default_counter().count(base_block.text),
        "enabledPolicyIds": list(enabled_policy_ids),
        "enabledCapabilities": list(enabled_capabilities),
        "transientBudget": bundle.report.to_dict(),
    }


@fact
def envelope(
    base_block: BlockText, envelope_manifest: dict[str, Any], bundle: Bundle, transient_text: str
) -> dict[str, Any]:
    """The original's envelope; `transient` is there, since the host's state never is empty."""
    diagnostics = envelope_manifest["transientBudget"]
    return {
        "base": base_block.text,
        "manifest": envelope_manifest,
        "contextBundle": {"text": transient_text, "diagnostics": diagnostics},
        "transient": transient_text,
    }


@fact
def messages(
    bundle: Bundle,
    history: tuple[dict[str, Any], ...],
    user_input: str | tuple[dict[str, Any], ...] | None,
) -> list[dict[str, Any]]:
    """The history as it was sent, then this turn's message with the reminder in front.

    Without input the reminder goes onto the last message of the user, as while tools are called.
    """
    if user_input is not None:
        blocks = _blocks(user_input if isinstance(user_input, str) else list(user_input))
        return with_reminder([*history, {"role": "user", "content": blocks}], bundle.text)
    return with_reminder(history, bundle.text)


def with_reminder(messages: Sequence[Mapping[str, Any]], reminder: str) -> list[dict[str, Any]]:
    """Return the messages that a model is sent: the reminder on a copy of this turn's message.

    This turn's message is the last one of the user that is more than results of tools. The
    reminder stands before its text, behind results of tools, which providers want first. Where
    there is no such message, the reminder is one of its own at the end. No message that is passed
    in is changed.

    Args:
        messages: In the order of the wire.
        reminder: The text of a bundle, in its wrapper; an empty one adds nothing.
    """
    sent = [dict(message) for message in messages]
    if not reminder:
        return sent
    spoken = [number for number, one in enumerate(sent) if _is_spoken(one)]
    if not spoken:
        return [*sent, {"role": "user", "content": [_text(reminder)]}]
    one = sent[spoken[-1]]
    blocks = _blocks(one["content"])
    place = next((n for n, b in enumerate(blocks) if b.get("type") != "tool_result"), len(blocks))
    one["content"] = [*blocks[:place], _text(reminder), *blocks[place:]]
    return sent


def _is_spoken(message: Mapping[str, Any]) -> bool:
    content = message["content"]
    if message["role"] != "user" or isinstance(content, str):
        return bool(message["role"] == "user")
    results = [block.get("type") == "tool_result" for block in content]
    return not results or not all(results)


def _blocks(content: str | Sequence[Any]) -> list[Any]:
    if isinstance(content, str):
        return [_text(content)] if content.strip() else []
    return list(content)


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
