"""Every section of every flow, and what sections are declared with."""

from .declare import Fact, Frame, Gate, Named, Section, fact, frame, gate, section, section_list
from .packs import DefaultPack, FolderPack, SkeletonPack, TextPack

__all__ = [
    "DefaultPack",
    "Fact",
    "FolderPack",
    "Frame",
    "Gate",
    "Named",
    "Section",
    "SkeletonPack",
    "TextPack",
    "fact",
    "frame",
    "gate",
    "section",
    "section_list",
]
