"""The memory folder, and how to keep it."""

from ...inputs.zcode import MemoryBranch
from ..declare import fact, gate, section
from .identity import not_custom


@gate
def has_memory_root(memory_root: str | None) -> bool:
    """Open when a memory folder is given."""
    return memory_root is not None and memory_root != ""


@gate
def memory_has_index(memory_branch: MemoryBranch) -> bool:
    """Open when memory is found by its index, not by search."""
    return memory_branch == "default-index"


@fact
def memory_folder(memory_root: str | None) -> str:
    """The memory folder without a separator at its end."""
    return (memory_root or "").rstrip("/\\")


@fact
def memory_index_path(memory_folder: str) -> str:
    """The path of the memory index, with the folder's own separator."""
    separator = "\\" if "\\" in memory_folder and "/" not in memory_folder else "/"
    return f"{memory_folder}{separator}MEMORY.md"


@section(gate=(not_custom, has_memory_root))
def memory(memory_folder: str, memory_has_index: bool) -> None:
    """Where memory is, the form of an entry, what to keep and what not."""
