"""The stable instructions: what a CLI that still has them is not sent again."""

from ...inputs.javascript_text import trimmed
from ...inputs.stable_instructions import (
    StableCache,
    describe_stable,
    includes_stable,
    injective_hash,
    original_hash,
)
from ..declare import fact, gate, section


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


@fact
def stable_cache(
    is_resuming: bool,
    stored_stable_prompt_hash: str | None,
    stable_prompt_hash: str,
    injective_prompt_hash: str,
) -> StableCache:
    """Whether the CLI has the stable parts, and if not, why; by the kind of hash that is stored."""
    injective = stored_stable_prompt_hash == injective_prompt_hash
    current = injective_prompt_hash if injective else stable_prompt_hash
    return describe_stable(is_resuming, stored_stable_prompt_hash, current)


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
