"""The stable instructions: hashes of their three parts, and whether a CLI has them already."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from .javascript_text import trimmed

SEPARATOR = "\n\n---\n\n"
MissReason = Literal["new-session", "missing-stored-hash", "stable-prompt-changed"]
_PARTS = ("daemon_system_prompt", "runtime_tool_prompt", "system_prompt")


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


@dataclass(frozen=True, slots=True)
class StableRecord:
    """What a host keeps of the stable parts that it sent.

    Attributes:
        original: The original's hash, which two lists of parts can share.
        injective: Ours, which they cannot.
        parts: Our hash of each part, by the part's name.
    """

    original: str
    injective: str
    parts: Mapping[str, str]


def stable_record(
    daemon_system_prompt: str | None, runtime_tool_prompt: str | None, system_prompt: str | None
) -> StableRecord:
    """Return the hashes of the three stable parts."""
    parts = (daemon_system_prompt, runtime_tool_prompt, system_prompt)
    each = {name: injective_hash([part]) for name, part in zip(_PARTS, parts, strict=True)}
    return StableRecord(original_hash(parts), injective_hash(parts), each)


@dataclass(frozen=True, slots=True)
class StableCache:
    """Whether the CLI has the stable parts, as a log line tells it.

    Attributes:
        stable_prompt_hash: The current hash.
        hit: Whether they are left out.
        miss_reason: Why they are sent; `None` on a hit.
        changed: The names of the parts that moved; empty where they are not known.
    """

    stable_prompt_hash: str
    hit: bool
    miss_reason: MissReason | None
    changed: tuple[str, ...] = ()


def describe_stable(
    is_resuming: bool,
    stored: str | StableRecord | None,
    current: str | StableRecord,
) -> StableCache:
    """Return whether the stable parts are sent and why.

    Args:
        is_resuming: Whether the CLI still has the conversation; see `invalidation`.
        stored: What was kept when they were last sent: a hash, or a record.
        current: What they are now, of the same kind; two records are compared without collisions.
    """
    now = current if isinstance(current, str) else current.original
    if not is_resuming:
        return StableCache(now, False, "new-session")
    if stored is None:
        return StableCache(now, False, "missing-stored-hash")
    if isinstance(stored, StableRecord) and isinstance(current, StableRecord):
        same = stored.injective == current.injective
        parts = current.parts
        moved = tuple(name for name in parts if parts[name] != stored.parts.get(name))
    else:
        same = now == (stored if isinstance(stored, str) else stored.original)
        moved = ()
    return StableCache(now, same, None if same else "stable-prompt-changed", moved)
