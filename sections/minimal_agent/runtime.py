"""The state of the host in this turn."""

import datetime

from ..declare import fact, fragment, gate


@fact
def local_date(date: datetime.date) -> str:
    """The date as YYYY-MM-DD."""
    return date.isoformat()


@gate
def browser_is_supervised(supervised_browser: bool) -> bool:
    """Open when a person watches the browser."""
    return supervised_browser


@gate
def nobody_answers(interactive_ask: bool) -> bool:
    """Open when nobody can answer a question in this turn."""
    return not interactive_ask


@fragment("runtime.host-state", kind="runtime", authority="host", priority=100, required=True)
def runtime_host_state(
    local_date: str, time_zone: str, browser_is_supervised: bool, nobody_answers: bool
) -> None:
    """Date and zone, and what is special about this turn."""
