"""Where the session runs, and what a reminder is: the same for all its turns."""

from ..declare import fact, section


@fact
def shown_surface(surface: str | None, profile: str) -> str:
    """Where the agent is shown: what the host says, else what goes with the profile."""
    if surface is not None:
        return surface
    return "cli" if profile == "main" else "subagent"


@section
def env(shown_surface: str, cwd: str, platform: str) -> None:
    """Host, working directory and platform."""


@section
def reminder_note() -> None:
    """What a reminder is. Never gated: a gate would double the prefixes that are cached."""
