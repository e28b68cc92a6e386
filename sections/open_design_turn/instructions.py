"""What stands around the instructions: a heading, and a guard against their echo."""

from ..declare import gate, section


@gate
def has_instructions(
    include_stable: bool,
    live_daemon: str,
    live_runtime: str,
    live_client: str,
    live_override: str,
    researches: bool,
    has_selection: bool,
    browser_guard: str,
    asks_for_title: bool,
) -> bool:
    """Open when there is any instruction beside a form override, a workspace and linked folders."""
    stable = include_stable and bool(live_daemon or live_runtime or live_client)
    for_this_turn = researches or has_selection or asks_for_title or browser_guard != ""
    return stable or for_this_turn or live_override != ""


@gate
def has_front(
    has_instructions: bool, answers_form: bool, has_workspace: bool, has_linked_dirs: bool
) -> bool:
    """Open when anything stands in front of the request."""
    return has_instructions or answers_form or has_workspace or has_linked_dirs


@section(gate=has_front)
def instructions_heading(has_instructions: bool) -> None:
    """The heading of what stands in front of the request."""


@section(gate=has_front)
def echo_guard() -> None:
    """Forbids to repeat the instructions."""
