"""The project's own instructions."""

from typing import NamedTuple

from ...inputs.minimal_agent_sources import FailedSource
from ..declare import fact, fragment, gate


class ShownInstructions(NamedTuple):
    """Instructions as they are shown.

    Attributes:
        text: The lines that are shown.
        left_out_chars: How many characters are not.
    """

    text: str
    left_out_chars: int


@fact
def shown_instructions(
    project_instructions: str | FailedSource, max_instruction_chars: int
) -> ShownInstructions:
    """The instructions up to their bound, in whole lines; none when they could not be read."""
    if isinstance(project_instructions, FailedSource):
        return ShownInstructions("", 0)
    if len(project_instructions) <= max_instruction_chars:
        return ShownInstructions(project_instructions, 0)
    end = project_instructions.rfind("\n", 0, max_instruction_chars + 1)
    # One line that is longer than the bound is cut inside: instructions are not dropped whole.
    kept = project_instructions[: end if end > 0 else max_instruction_chars]
    return ShownInstructions(kept, len(project_instructions) - len(kept))


@gate
def shows_instructions(
    include_project_instructions: bool, project_instructions: str | FailedSource
) -> bool:
    """Open when instructions are asked for, could be read, and are not blank."""
    if isinstance(project_instructions, FailedSource):
        return False
    return include_project_instructions and project_instructions.strip() != ""


@gate
def instructions_are_cut(shown_instructions: ShownInstructions) -> bool:
    """Open when the instructions are longer than their bound, so that a notice stands below."""
    return shown_instructions.left_out_chars > 0


@fragment(
    "project.instructions",
    kind="project",
    authority="constraint",
    priority=90,
    required=True,
    gate=shows_instructions,
)
def project_instructions(shown_instructions: ShownInstructions, instructions_are_cut: bool) -> None:
    """The project's instruction file."""
