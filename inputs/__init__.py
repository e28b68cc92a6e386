"""Signals of each flow, and the readers that fill them from the real world."""

from .errors import PromptdagError
from .findings import Finding, Found
from .signals import Drifts, Lives, SessionSignals, Signals, Tool, TurnSignals
from .text import Text, clean

__all__ = [
    "Drifts",
    "Finding",
    "Found",
    "Lives",
    "PromptdagError",
    "SessionSignals",
    "Signals",
    "Text",
    "Tool",
    "TurnSignals",
    "clean",
]
