"""The metadata block: one gated part for each of its bullets and sub-sections."""

from .general import project_metadata
from .listing import BULLETS, metadata_bullets, metadata_headings

__all__ = ["BULLETS", "metadata_bullets", "metadata_headings", "project_metadata"]
