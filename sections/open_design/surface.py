"""What is being made, by whom and where it is put: the facts that most gates ask.

The original decides some of this twice, from different inputs; so do these facts. The module
`consistent` holds facts that stand in their place and decide from one.
"""

from typing import Literal

from ...inputs.open_design import ExecutionProfile, SkillMode
from ...inputs.open_design_metadata import Kind
from ..declare import fact, gate

Surface = Literal["deck", "image", "video", "audio"]
MediaMode = Literal["enabled", "disabled"]

EXCLUSIVE: dict[str, Surface] = {
    "deck": "deck",
    "image": "image",
    "video": "video",
    "audio": "audio",
}
MEDIA = ("image", "video", "audio")
HTML_KINDS = ("prototype", "template", "other")


@fact
def execution_profile(
    execution_profile_given: ExecutionProfile | None, stream_format: str | None
) -> ExecutionProfile:
    """Where finished work is put: into files, or into an artifact in the text."""
    if execution_profile_given is not None:
        return execution_profile_given
    return "text_artifact" if stream_format == "plain" else "filesystem"


@gate
def writes_files(execution_profile: ExecutionProfile) -> bool:
    """Open when the execution profile is `filesystem`, given or by a stream that is not `plain`.

    Under consistent gates a `plain` stream outweighs a given profile.
    """
    return execution_profile == "filesystem"


@gate
def has_no_tools(stream_format: str | None) -> bool:
    """Open when the stream's format is exactly `plain`: the agent has no tools."""
    return stream_format == "plain"


@fact
def active_skill_modes(
    skill_mode: SkillMode | None, skill_modes: tuple[SkillMode, ...] | None
) -> tuple[SkillMode, ...]:
    """The modes of the active skills, each once; a list, even an empty one, hides the single."""
    if skill_modes is not None:
        return tuple(dict.fromkeys(skill_modes))
    return () if skill_mode is None else (skill_mode,)


@fact
def exclusive_surface(
    metadata_kind: Kind | None,
    skill_mode: SkillMode | None,
    active_skill_modes: tuple[SkillMode, ...],
) -> Surface | None:
    """The one surface that the project is for: by its kind, its skill, or all its skills."""
    for named in (metadata_kind, skill_mode):
        if named in EXCLUSIVE:
            return EXCLUSIVE[named]
    surfaces: list[Surface] = [EXCLUSIVE[mode] for mode in active_skill_modes if mode in EXCLUSIVE]
    return surfaces[0] if len(surfaces) == 1 else None


@fact
def early_media(metadata_kind: Kind | None, skill_mode: SkillMode | None) -> bool:
    """Whether the project counts as media where discovery is decided."""
    return metadata_kind in MEDIA or skill_mode in MEDIA


@fact
def freeform(
    metadata_given: bool, metadata_kind: Kind | None, active_skill_modes: tuple[SkillMode, ...]
) -> bool:
    """Whether nothing says what is made: no skill's mode, and no kind but `other`."""
    return not active_skill_modes and (not metadata_given or metadata_kind == "other")


@fact
def html_rules_apply(metadata_kind: Kind | None) -> bool:
    """Whether the rules for screens in HTML stand in the metadata block."""
    return metadata_kind in HTML_KINDS


@gate
def is_media(exclusive_surface: Surface | None) -> bool:
    """Open when the exclusive surface is image, video or audio."""
    return exclusive_surface in MEDIA


@fact
def media_mode(media_execution_mode: str | None) -> MediaMode:
    """Whether media may be generated: only the mode `disabled` forbids."""
    return "disabled" if media_execution_mode == "disabled" else "enabled"


@fact
def media_can_be_asked(exclusive_surface: Surface | None) -> bool:
    """Whether media can be made on the side, in a project that is for something else."""
    return exclusive_surface not in MEDIA


@fact
def agent(agent_id: str | None) -> str:
    """The agent, as the to-do mapping compares it: exactly as it is given."""
    return agent_id or ""
