"""Facts that stand in place of others where the original contradicts itself.

`open_design.flow(gates="consistent")` is built with them. What is decided twice is decided here
from one fact: media from `exclusive_surface`, tools from the stream, the agent from its name.
"""

from ...inputs.open_design import ExecutionProfile, SkillMode
from ...inputs.open_design_metadata import Kind
from ..declare import fact
from .surface import HTML_KINDS, MEDIA, MediaMode, Surface


@fact
def execution_profile(
    execution_profile_given: ExecutionProfile | None, stream_format: str | None
) -> ExecutionProfile:
    """Where finished work is put; an agent without tools cannot put it into files."""
    if stream_format == "plain":
        return "text_artifact"
    return execution_profile_given or "filesystem"


@fact
def active_skill_modes(
    skill_mode: SkillMode | None, skill_modes: tuple[SkillMode, ...] | None
) -> tuple[SkillMode, ...]:
    """The modes of the active skills, the single one first; no list hides it."""
    single = () if skill_mode is None else (skill_mode,)
    return tuple(dict.fromkeys((*single, *(skill_modes or ()))))


@fact
def early_media(exclusive_surface: Surface | None) -> bool:
    """Whether the project counts as media: by its exclusive surface, as everywhere else."""
    return exclusive_surface in MEDIA


@fact
def html_rules_apply(metadata_kind: Kind | None, exclusive_surface: Surface | None) -> bool:
    """Whether the rules for screens in HTML apply; never where HTML is forbidden."""
    return metadata_kind in HTML_KINDS and exclusive_surface not in MEDIA


@fact
def media_mode(media_execution_mode: str | None, stream_format: str | None) -> MediaMode:
    """Whether media may be generated: not by policy, and not without tools."""
    barred = media_execution_mode == "disabled" or stream_format == "plain"
    return "disabled" if barred else "enabled"


@fact
def media_can_be_asked(exclusive_surface: Surface | None, media_mode: MediaMode) -> bool:
    """Whether media can be made on the side: only where it may be made at all."""
    return exclusive_surface not in MEDIA and media_mode == "enabled"


@fact
def agent(agent_id: str | None) -> str:
    """The agent, as every gate compares it: trimmed, in lower case."""
    return (agent_id or "").strip().lower()


@fact
def voice_error_concerns(
    metadata_kind: Kind | None, metadata_audio_kind: str | None, metadata_audio_model: str | None
) -> bool:
    """Whether a failed lookup of voices matters: for speech by ElevenLabs."""
    wanted = ("audio", "speech", "elevenlabs-v3")
    return (metadata_kind, metadata_audio_kind, metadata_audio_model) == wanted
