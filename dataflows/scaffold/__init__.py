"""Makes a folder for a flow of one's own."""

from .folder import ScaffoldError, make_scaffold

__all__ = ["ScaffoldError", "make_scaffold"]
