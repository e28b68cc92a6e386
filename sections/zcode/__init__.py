"""The sections of zcode, a desktop coding agent, of its subagents and of its compaction."""

from . import (
    behavior,
    compaction,
    continuation,
    custom,
    desktop,
    environment,
    identity,
    memory,
    skills,
    subagent,
    user_context,
)
from .compaction import summary_text

MAIN_MODULES = (
    identity,
    desktop,
    behavior,
    memory,
    environment,
    skills,
    user_context,
    custom,
)
"""The modules of the main prompt; each of their sections stands in its order."""

__all__ = [
    "MAIN_MODULES",
    "behavior",
    "compaction",
    "continuation",
    "custom",
    "desktop",
    "environment",
    "identity",
    "memory",
    "skills",
    "subagent",
    "summary_text",
    "user_context",
]
