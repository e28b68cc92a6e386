"""What the agent may load: skills and plugins."""

from ...inputs.minimal_agent_sources import FailedSource, NamedEntry
from ..declare import fact, fragment, gate


@fact
def listed_skills(skills: tuple[NamedEntry, ...] | FailedSource) -> tuple[str, ...]:
    """A line a skill."""
    return () if isinstance(skills, FailedSource) else tuple(map(_line, skills))


@fact
def listed_plugins(plugins: tuple[NamedEntry, ...] | FailedSource) -> tuple[str, ...]:
    """A line a plugin."""
    return () if isinstance(plugins, FailedSource) else tuple(map(_line, plugins))


def _line(entry: NamedEntry) -> str:
    return f"{entry.name}: {entry.description}" if entry.description else entry.name


@gate
def has_skills(listed_skills: tuple[str, ...]) -> bool:
    """Open when there are skills."""
    return len(listed_skills) > 0


@gate
def shows_plugins(
    include_plugins: bool | None, profile: str, listed_plugins: tuple[str, ...]
) -> bool:
    """Open when there are plugins and they are asked for; by default in the profile main."""
    asked = profile == "main" if include_plugins is None else include_plugins
    return asked and listed_plugins != ()


@fragment(
    "skills.catalog",
    kind="skill",
    authority="constraint",
    priority=45,
    cut="lines",
    gate=has_skills,
)
def skills_catalog(listed_skills: tuple[str, ...]) -> None:
    """The skills by name."""


@fragment(
    "plugins.catalog",
    kind="plugin",
    authority="untrusted-data",
    priority=50,
    gate=shows_plugins,
)
def plugins_catalog(listed_plugins: tuple[str, ...]) -> None:
    """The plugins by name."""
