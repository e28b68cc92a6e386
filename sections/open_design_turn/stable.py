"""The stable instructions: what a CLI that still has them is not sent again."""

from collections.abc import Iterable
from hashlib import sha256

from ...inputs.javascript_text import trimmed
from ..declare import fact, gate, section

SEPARATOR = "\n\n---\n\n"


def original_hash(parts: Iterable[str | None]) -> str:
    """Return the original's hash of the stable parts: 64 hex digits.

    Each part is trimmed, none is left out, and lone surrogates count as U+FFFD; so two lists of
    parts can have one hash.

    Source: open_design's fingerprint of daemon prompt, tool prompt and client prompt.
    """
    joined = SEPARATOR.join(trimmed(part) if isinstance(part, str) else "" for part in parts)
    units = joined.encode("utf-16-le", "surrogatepass")
    return sha256(units.decode("utf-16-le", "replace").encode()).hexdigest()


def injective_hash(parts: Iterable[str | None]) -> str:
    """Return a hash that differs wherever a trimmed part differs: 64 hex digits."""
    digest = sha256()
    for part in parts:
        data = trimmed(part or "").encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()


def includes_stable(is_resuming: bool, stored: str | None, current: str) -> bool:
    """Tell whether the stable parts are sent: always, but to a CLI that has just these."""
    return not is_resuming or stored != current


@fact
def stable_prompt_hash(
    daemon_system_prompt: str, runtime_tool_prompt: str, system_prompt: str
) -> str:
    """The original's hash of the three stable parts."""
    return original_hash((daemon_system_prompt, runtime_tool_prompt, system_prompt))


@fact
def injective_prompt_hash(
    daemon_system_prompt: str, runtime_tool_prompt: str, system_prompt: str
) -> str:
    """Our hash of the three stable parts, which no two lists of parts share."""
    return injective_hash((daemon_system_prompt, runtime_tool_prompt, system_prompt))


@gate
def include_stable(
    is_resuming: bool,
    stored_stable_prompt_hash: str | None,
    stable_prompt_hash: str,
    injective_prompt_hash: str,
) -> bool:
    """Open when the CLI starts anew, or has other stable instructions, by either hash."""
    return includes_stable(
        is_resuming, stored_stable_prompt_hash, stable_prompt_hash
    ) and includes_stable(is_resuming, stored_stable_prompt_hash, injective_prompt_hash)


def without_override(text: str, override: str) -> str:
    """Return a trimmed text in which the override, which stands last, does not stand as well."""
    last = trimmed(override)
    return trimmed(trimmed(text).replace(last, "")) if last else trimmed(text)


@fact
def live_daemon(daemon_system_prompt: str, final_override: str) -> str:
    """The daemon's instructions as they are sent."""
    return without_override(daemon_system_prompt, final_override)


@fact
def live_runtime(runtime_tool_prompt: str, final_override: str) -> str:
    """The contract of the runtime's tools as it is sent."""
    return without_override(runtime_tool_prompt, final_override)


@fact
def live_client(system_prompt: str, final_override: str) -> str:
    """The client's instructions as they are sent."""
    return without_override(system_prompt, final_override)


@fact
def live_override(final_override: str) -> str:
    """The instructions that stand last."""
    return trimmed(final_override)


@section(gate=include_stable, text="{{ live_daemon }}")
def daemon_instructions(live_daemon: str) -> None:
    """The system prompt that the daemon composed."""


@section(gate=include_stable, text="{{ live_runtime }}")
def runtime_instructions(live_runtime: str) -> None:
    """Where the runtime's tools are."""


@section(gate=include_stable, text="{{ live_client }}")
def client_instructions(live_client: str) -> None:
    """What the client adds for every turn."""


@section(text="{{ live_override }}")
def override_instructions(live_override: str) -> None:
    """What overrides all instructions in front of it."""
