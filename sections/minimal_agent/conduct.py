"""The stable policies: they hold whatever tools there are."""

from ..declare import gate, section


@gate
def talks_with_user(profile: str) -> bool:
    """Open when the profile is main: a subagent gets one task, and no messages on the way."""
    return profile == "main"


@section
def policy_stable() -> None:
    """The heading of the stable policies."""


@section
def engineer() -> None:
    """Think as an engineer: question premises, find root causes, name trade-offs."""


@section
def evidence() -> None:
    """Say what is known and how, where it ends, and do not check twice."""


@section
def answers() -> None:
    """Answer in the user's language, briefly, causes first."""


@section
def consent() -> None:
    """Destroy nothing without leave, and when to ask."""


@section
def scope() -> None:
    """Discuss when asked to discuss, change when asked to change; a new task starts anew."""


@section(gate=talks_with_user)
def midway_messages() -> None:
    """Messages that arrive while work is under way."""
