"""Every section of every flow, and what sections are declared with."""

from .declare import (
    Fact,
    FragmentSection,
    Frame,
    Gate,
    Named,
    Section,
    fact,
    fragment,
    fragment_list,
    frame,
    gate,
    section,
    section_list,
)
from .fragment import Fragment
from .packs import DefaultPack, FolderPack, SkeletonPack, TextPack

__all__ = [
    "DefaultPack",
    "Fact",
    "FolderPack",
    "Fragment",
    "FragmentSection",
    "Frame",
    "Gate",
    "Named",
    "Section",
    "SkeletonPack",
    "TextPack",
    "fact",
    "fragment",
    "fragment_list",
    "frame",
    "gate",
    "section",
    "section_list",
]
