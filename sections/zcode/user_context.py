"""What the user's own files say, and the date: the harness's message in the user's role."""

from ...inputs.zcode import InstructionSource
from ..declare import Named, fact, frame, gate, section, section_list

_SCOPES = {"user": "user default instructions", "workspace": "workspace instructions"}


@fact
def instruction_files(
    user_instructions_sources: tuple[InstructionSource, ...] | None,
) -> tuple[InstructionSource, ...]:
    """The instruction files that are not blank."""
    return tuple(one for one in user_instructions_sources or () if one.content.strip())


@gate
def has_instructions(instruction_files: tuple[InstructionSource, ...]) -> bool:
    """Open when an instruction file is given that is not blank."""
    return instruction_files != ()


@fact
def index_lines(memory_index_content: str | None) -> str:
    """The text of the memory index without blank ends."""
    return (memory_index_content or "").strip()


@gate
def has_memory_index(has_memory_root: bool, memory_has_index: bool, index_lines: str) -> bool:
    """Open when a memory folder is found by its index, and the index is not blank."""
    return has_memory_root and memory_has_index and index_lines != ""


@gate
def has_user_context(has_instructions: bool, has_memory_index: bool) -> bool:
    """Open when an instruction file or a memory index is given that is not blank."""
    return has_instructions or has_memory_index


@section(gate=has_user_context)
def request_user_context() -> None:
    """The rule for instruction files; these and the memory index stand in it."""


@section_list(gate=has_instructions)
def instructions(instruction_files: tuple[InstructionSource, ...]) -> tuple[Named, ...]:
    """The instruction files, each under its path."""
    return tuple(Named(one.file_path, _shown(one)) for one in instruction_files)


def _shown(file: InstructionSource) -> str:
    text = f"Contents of {file.file_path} ({_SCOPES[file.scope]}):\n\n{file.content.strip()}"
    return f"{text}\n\n[File truncated: {file.file_name}]" if file.truncated else text


@section(gate=has_memory_index)
def memory_index(memory_index_path: str, index_lines: str) -> None:
    """The index of the memory folder."""


@gate
def has_current_date(current_date: str | None) -> bool:
    """Open when a date is given."""
    return current_date is not None


@section(gate=has_current_date)
def current_date(current_date: str | None) -> None:
    """The day when the session began."""


@frame
def context_prefix() -> None:
    """Says around the user's context that it is context, not a request."""
