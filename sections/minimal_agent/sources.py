"""What went wrong in the sources of a turn: nothing is left out in silence."""

from ...inputs.findings import Finding
from ...inputs.minimal_agent_sources import (
    AdvisorConfig,
    FailedSource,
    MemoryContext,
    NamedEntry,
    Task,
)
from ..declare import fact


@fact
def source_findings(
    memory: MemoryContext | FailedSource | None,
    advisor: AdvisorConfig | FailedSource | None,
    skills: tuple[NamedEntry, ...] | FailedSource,
    plugins: tuple[NamedEntry, ...] | FailedSource,
    project_instructions: str | FailedSource,
    tasks: tuple[Task, ...] | FailedSource,
    renamed_memory: tuple[Finding, ...],
) -> tuple[Finding, ...]:
    """The sources that failed, and what became of what depends on them."""
    sources = {
        "memory": memory,
        "advisor": advisor,
        "skills": skills,
        "plugins": plugins,
        "project_instructions": project_instructions,
        "tasks": tasks,
    }
    failed = [
        Finding(f"source-failed:{name}", _message(name, source), severity="error")
        for name, source in sources.items()
        if isinstance(source, FailedSource)
    ]
    return (*failed, *renamed_memory)


def _message(name: str, source: FailedSource) -> str:
    done = "its line says so" if name == "advisor" else "what depends on it is left out"
    return f"{name} could not be read: {source.failed}; {done}"
