"""Where the session runs, what it remembers, and where it comes from."""

from typing import NamedTuple

from ..declare import fact, gate, section


@section
def environment(cwd: str) -> None:
    """The working directory; memory stands in the same tag."""


@gate
def has_memory(memory: str) -> bool:
    """Open when memory is not empty; blanks count, as in the original."""
    return memory != ""


class ShownMemory(NamedTuple):
    """Memory as it is shown.

    Attributes:
        text: The lines that are shown.
        left_out_chars: How many characters are not.
    """

    text: str
    left_out_chars: int


@fact
def shown_memory(memory: str, max_memory_chars: int | None) -> ShownMemory:
    """Memory up to its bound, in whole lines."""
    if max_memory_chars is None or len(memory) <= max_memory_chars:
        return ShownMemory(memory, 0)
    end = memory.rfind("\n", 0, max_memory_chars + 1)
    kept = memory[: max(end, 0)]
    return ShownMemory(kept, len(memory) - len(kept))


@gate
def memory_is_cut(shown_memory: ShownMemory) -> bool:
    """Open when memory is longer than its bound, so that a notice stands in it."""
    return shown_memory.left_out_chars > 0


@section(gate=has_memory, keep_blank=True)
def memory(shown_memory: ShownMemory, memory_is_cut: bool) -> None:
    """What was remembered from earlier sessions."""


@gate
def has_lineage(lineage: str | None) -> bool:
    """Open when the session has a lineage that is not blank."""
    return lineage is not None and lineage.strip() != ""


@section(gate=has_lineage)
def lineage(lineage: str | None) -> None:
    """The collapse that the session began with: ids, never a summary."""
