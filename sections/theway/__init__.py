"""The sections of theway, a terminal harness with a graph of sessions."""

from .environment import (
    environment,
    has_lineage,
    has_memory,
    lineage,
    memory,
    memory_is_cut,
    shown_memory,
)
from .harness import custom_intro, harness
from .tools import category, inventory, tool_inventory, tools

__all__ = [
    "category",
    "custom_intro",
    "environment",
    "harness",
    "has_lineage",
    "has_memory",
    "inventory",
    "lineage",
    "memory",
    "memory_is_cut",
    "shown_memory",
    "tool_inventory",
    "tools",
]
