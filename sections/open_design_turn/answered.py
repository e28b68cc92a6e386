"""What a turn with form answers is told: that the form is answered, and what follows from it."""

from typing import Literal, NamedTuple

from ...inputs.answer_header import AnswerHeader, OverrideKind, read_header
from ...inputs.javascript_text import trimmed
from ...inputs.role_lines import without_role_lines
from ..declare import fact, gate, section


@fact
def latest_prompt(current_prompt: str | None, message: str, is_resuming: bool) -> str:
    """What the user sent this turn; on a resume without it the message, so that nothing is lost."""
    if current_prompt is not None and trimmed(current_prompt):
        return current_prompt
    return message if is_resuming else ""


@fact
def answer_header(latest_prompt: str) -> AnswerHeader | None:
    """The header of the answers that the user sent, if it is answers."""
    return read_header(latest_prompt)


@fact
def form_override_kind(answer_header: AnswerHeader | None) -> OverrideKind:
    """Which override the answers call for."""
    return "none" if answer_header is None else answer_header.override


@gate
def answers_form(form_override_kind: OverrideKind) -> bool:
    """Open when the user answered a form this turn."""
    return form_override_kind != "none"


@gate
def begins_building(form_override_kind: OverrideKind) -> bool:
    """Open when the answers are those of the discovery or task-type form."""
    return form_override_kind == "build"


@gate
def answers_another_form(form_override_kind: OverrideKind) -> bool:
    """Open when the answers are those of any other form."""
    return form_override_kind == "generic"


@gate
def writes_files(run_profile: Literal["filesystem", "text_artifact"] | None) -> bool:
    """Open when the profile of the run is said to be the file system."""
    return run_profile == "filesystem"


@section(gate=begins_building)
def build_override(writes_files: bool) -> None:
    """The form is answered: build, and ask no more."""


@section(gate=answers_another_form)
def generic_override() -> None:
    """The form is answered: go on, and ask no more."""


class Answered(NamedTuple):
    """Answers as the request shows them.

    Attributes:
        form_id: The form's id, in the case in which it was written.
        text: The answers, trimmed.
    """

    form_id: str
    text: str


@fact
def answered(answer_header: AnswerHeader | None, latest_prompt: str) -> Answered:
    """The answers of this turn."""
    form_id = "" if answer_header is None else answer_header.form_id
    return Answered(form_id, without_role_lines(trimmed(latest_prompt)))


@section(gate=answers_form)
def transition(answered: Answered, begins_building: bool) -> None:
    """The answers in front of the transcript that they belong to."""
