"""Which instruction files an agent reads, and how much of them: one profile for each agent."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .errors import UnknownNameError, did_you_mean

KIBIBYTE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionProfile:
    """The rules of one agent.

    In a group of names the first that can be read is taken and the others are passed over.

    Attributes:
        user_files: Groups of paths relative to the home folder.
        workspace_files: Groups of paths relative to each folder on the way down to `cwd`.
        climb: `repository` starts at the folder that holds `.git`, or at `cwd` where none does;
            `filesystem` starts at `/`.
        max_import_depth: How many files deep `@path` is followed; 0 leaves it plain text.
        max_file_bytes: Of one file with its imports, as UTF-8; `None` is no limit.
        max_total_bytes: Of all files together, as UTF-8; `None` is no limit.
        spend: Which end of the chain the total is spent on first. User files are farthest.
        exempt_user_files: Whether user files stand outside the total.
    """

    user_files: tuple[tuple[str, ...], ...] = ()
    workspace_files: tuple[tuple[str, ...], ...]
    climb: Literal["repository", "filesystem"] = "repository"
    max_import_depth: int = 0
    max_file_bytes: int | None = None
    max_total_bytes: int | None = None
    spend: Literal["nearest-first", "root-first"] = "nearest-first"
    exempt_user_files: bool = False


INSTRUCTION_PROFILES: Mapping[str, InstructionProfile] = MappingProxyType(
    {
        "promptdag": InstructionProfile(
            user_files=((".agents/AGENTS.md", "AGENTS.md"),),
            workspace_files=(("AGENTS.md", "CLAUDE.md", "GEMINI.md"),),
            max_import_depth=5,
            max_file_bytes=32 * KIBIBYTE,
            max_total_bytes=64 * KIBIBYTE,
        ),
        "codex": InstructionProfile(
            user_files=((".codex/AGENTS.override.md", ".codex/AGENTS.md"),),
            workspace_files=(("AGENTS.override.md", "AGENTS.md"),),
            max_total_bytes=32 * KIBIBYTE,
            spend="root-first",
            exempt_user_files=True,
        ),
        "claude": InstructionProfile(
            user_files=((".claude/CLAUDE.md",),),
            workspace_files=(("CLAUDE.md",), (".claude/CLAUDE.md",), ("CLAUDE.local.md",)),
            climb="filesystem",
            max_import_depth=5,
        ),
        "gemini": InstructionProfile(
            user_files=((".gemini/GEMINI.md",),),
            workspace_files=(("GEMINI.md",),),
            max_import_depth=5,
        ),
    }
)
"""The profiles by name; `dataclasses.replace` makes a variant.

Source: what each agent documents of its own files. `promptdag` takes one file a folder, whatever
agent it was written for, and spends the total where the work is. Ours too, in every profile: cuts
at line ends with a notice, and no import that leaves its folder.
"""


def instruction_profile(name: str) -> InstructionProfile:
    """Return the profile of that name; raises `UnknownNameError`."""
    try:
        return INSTRUCTION_PROFILES[name]
    except KeyError:
        known = ", ".join(INSTRUCTION_PROFILES)
        hint = did_you_mean(name, INSTRUCTION_PROFILES)
        raise UnknownNameError(
            f"no instruction profile is named {name!r}{hint or ';'} known: {known}"
        ) from None
