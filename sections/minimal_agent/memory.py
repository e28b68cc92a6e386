"""What memory found for this turn, and who may see it."""

import re
from typing import NamedTuple

from ...inputs.findings import Finding
from ...inputs.minimal_agent_sources import FailedSource, MemoryContext, MemorySection
from ..declare import fact, fragment_list, gate
from ..fragment import Authority, Fragment


class _Rank(NamedTuple):
    kind: str
    authority: Authority
    priority: int


_RANKS = {
    "persona": _Rank("persona", "user-evidence", 82),
    "preferences": _Rank("memory", "user-evidence", 78),
    "relevant": _Rank("memory", "user-evidence", 70),
    "health": _Rank("memory", "host", 10),
}
_UNKNOWN = _Rank("memory", "user-evidence", 50)
_ID = re.compile(r"[a-z0-9-]+")


@fact
def memory_query(current_user_input: str, workspace_id: str) -> tuple[str, str]:
    """What memory is asked: the input of this turn, and the workspace."""
    return current_user_input, workspace_id


@gate
def memory_is_open(
    memory_access: str | None, owner_local_session: bool, tool_names: tuple[str, ...]
) -> bool:
    """Open when memory may be read and the tool `RecallMemory` is there.

    It may be read when access is given and is not `denied`; where none is given, when the owner
    works in a local session.
    """
    if memory_access is None:
        return owner_local_session and "RecallMemory" in tool_names
    return memory_access != "denied" and "RecallMemory" in tool_names


class NamedMemory(NamedTuple):
    """A section of memory with the name that its fragment has."""

    name: str
    section: MemorySection


@fact
def named_memory(
    memory: MemoryContext | FailedSource | None,
) -> tuple[NamedMemory, ...]:
    """The sections of memory, each with a name of its own."""
    named: dict[str, MemorySection] = {}
    for number, one in enumerate(memory.sections if isinstance(memory, MemoryContext) else ()):
        name = one.id
        # A section named `section-1` must not collide with the stand-in of another one.
        while not _ID.fullmatch(name) or name in named:
            name = f"{name}-{number}" if _ID.fullmatch(name) else f"section-{number}"
        named[name] = one
    return tuple(NamedMemory(name, one) for name, one in named.items())


@fact
def renamed_memory(named_memory: tuple[NamedMemory, ...]) -> tuple[Finding, ...]:
    """What was said of sections whose ids could not be kept."""
    return tuple(
        Finding(
            "memory-id",
            f"memory section {one.section.id!r} is shown as {one.name!r}: ids are words of a-z, "
            "0-9 and hyphens, and each stands once",
        )
        for one in named_memory
        if one.name != one.section.id
    )


@fragment_list(gate=memory_is_open)
def memory_sections(named_memory: tuple[NamedMemory, ...]) -> tuple[Fragment, ...]:
    """The sections of memory, in the order of the memory service."""
    fragments = []
    for name, section in named_memory:
        rank = _RANKS.get(name, _UNKNOWN)
        fragments.append(
            Fragment(
                f"memory.{name}",
                rank.kind,
                rank.authority,
                section.content,
                rank.priority,
                estimated_tokens=section.estimated_tokens,
            )
        )
    return tuple(fragments)
