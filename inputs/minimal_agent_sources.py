"""What the sources of a minimal_agent turn give: each its value, or why it has none."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .signals import Signals
from .text import Line, Text


class FailedSource(Signals):
    """A source that could not be read. What depends on it is left out, and it is reported."""

    failed: Text = Field(description="the reason, for the report; no prompt shows it")


class MemorySection(Signals):
    """One section of what memory found.

    `persona`, `preferences`, `relevant` and `health` are known; others are taken as evidence.
    """

    id: Line
    content: Text
    estimated_tokens: Annotated[int, Field(ge=0)] | None = None


class MemoryContext(Signals):
    """What memory found, in the order of the memory service."""

    sections: tuple[MemorySection, ...] = ()


class AdvisorProvider(Signals):
    """The model that advises."""

    name: Line
    model: Line


class AdvisorConfig(Signals):
    """How the advisor is set up; `share_sensitive` is its own business and not shown."""

    enabled: bool
    mode: Line = Field(description="`auto`, or another word, which is shown as it is")
    supports_vision: bool = False
    share_sensitive: bool = False
    timeout_ms: Annotated[int, Field(ge=0)]
    provider: AdvisorProvider


class NamedEntry(Signals):
    """A skill or plugin as a catalogue lists it."""

    name: Line
    description: Line = ""


def _with_name(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


CatalogEntry = Annotated[NamedEntry, BeforeValidator(_with_name)]
"""An entry, or its name alone."""


class Task(Signals):
    """A task. It is blocked while any task that it names is there and unfinished."""

    id: Line
    status: Line = Field(description="`completed` for a finished one")
    title: Line
    blocked_by: tuple[Line, ...] = ()
