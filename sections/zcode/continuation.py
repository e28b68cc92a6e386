"""The message that carries a conversation on after a compaction."""

from ..declare import gate, section


@section
def continuation_summary(summary: str) -> None:
    """What the message is, and the summary."""


@gate
def has_transcript(transcript_path: str | None) -> bool:
    """Open when the path of the transcript is given and not empty."""
    return bool(transcript_path)


@section(gate=has_transcript)
def transcript(transcript_path: str | None) -> None:
    """Where to look up what the summary leaves out."""


@gate
def recent_messages_kept(recent_messages_preserved: bool) -> bool:
    """Open when the last messages follow the summary word for word."""
    return recent_messages_preserved


@section(gate=recent_messages_kept)
def recent_messages() -> None:
    """That the last messages follow."""


@gate
def state_cleared(repl_state_cleared: bool) -> bool:
    """Open when the state of the interpreter is lost."""
    return repl_state_cleared


@section(gate=state_cleared)
def cleared_state() -> None:
    """That variables of before are gone."""


@gate
def followup_suppressed(suppress_followup: bool) -> bool:
    """Open when the agent is to go on without a question."""
    return suppress_followup


@section(gate=followup_suppressed)
def no_followup() -> None:
    """That the work goes on without a recap or question."""
