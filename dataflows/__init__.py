"""The engine and the flows: order, blocks, sessions, prompts, wires and the command line."""

from .change import Change
from .flow import PromptFlow
from .manifest import Manifest, SectionRow
from .order import block, group, one_of, place, tag
from .prompt import Prompt, PromptBlock
from .session import Session
from .transient import transient

__all__ = [
    "Change",
    "Manifest",
    "Prompt",
    "PromptBlock",
    "PromptFlow",
    "SectionRow",
    "Session",
    "block",
    "group",
    "one_of",
    "place",
    "tag",
    "transient",
]
