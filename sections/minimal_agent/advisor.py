"""The state of the advisor, in one line."""

from typing import NamedTuple

from ...inputs.minimal_agent_sources import AdvisorConfig, FailedSource
from ..declare import fact, fragment, gate


class AdvisorLine(NamedTuple):
    """What the line shows of a configuration; blank where there is none."""

    provider: str = ""
    model: str = ""
    mode: str = ""
    seconds: int = 0


@gate
def has_advisor(profile: str, tool_names: tuple[str, ...]) -> bool:
    """Open when the profile is main and the tool `Advisor` is there."""
    return profile == "main" and "Advisor" in tool_names


@gate
def advisor_is_readable(advisor: AdvisorConfig | FailedSource | None) -> bool:
    """Open when the configuration could be read, one that is absent included."""
    return not isinstance(advisor, FailedSource)


@gate
def advisor_is_configured(advisor: AdvisorConfig | FailedSource | None) -> bool:
    """Open when there is a configuration."""
    return isinstance(advisor, AdvisorConfig)


@gate
def advisor_is_enabled(advisor: AdvisorConfig | FailedSource | None) -> bool:
    """Open when there is a configuration, and it is switched on."""
    return isinstance(advisor, AdvisorConfig) and advisor.enabled


@gate
def advisor_is_automatic(advisor: AdvisorConfig | FailedSource | None) -> bool:
    """Open when there is a configuration, and its mode is `auto`."""
    return isinstance(advisor, AdvisorConfig) and advisor.mode == "auto"


@gate
def advisor_sees_images(advisor: AdvisorConfig | FailedSource | None) -> bool:
    """Open when there is a configuration, and its model takes images."""
    return isinstance(advisor, AdvisorConfig) and advisor.supports_vision


@fact
def advisor_line(advisor: AdvisorConfig | FailedSource | None) -> AdvisorLine:
    """What the line shows; half a second rounds up, as the original does."""
    if not isinstance(advisor, AdvisorConfig):
        return AdvisorLine()
    provider, seconds = advisor.provider, (advisor.timeout_ms + 500) // 1000
    return AdvisorLine(provider.name, provider.model, advisor.mode, seconds)


@fragment("diagnostic.advisor", kind="diagnostic", authority="host", priority=20, gate=has_advisor)
def diagnostic_advisor(
    advisor_is_readable: bool,
    advisor_is_configured: bool,
    advisor_is_enabled: bool,
    advisor_is_automatic: bool,
    advisor_sees_images: bool,
    advisor_line: AdvisorLine,
) -> None:
    """Whether the advisor is there, and how it is set up."""
