"""Contradictions that the original's gates allow; the lint names each for the given signals.

`open_design.flow(gates="consistent")` decides each of them from one fact.
"""

from .lint.own_rules import flow_rule

MEDIA = ("image", "video", "audio")


@flow_rule("OD001", severity="warning")
def media_is_decided_once(early_media: bool, exclusive_surface: str | None) -> str | None:
    """The early and the late decision on media agree."""
    if early_media == (exclusive_surface in MEDIA):
        return None
    early = "is" if early_media else "is not"
    return (
        f"the early gates say that this {early} a media run, the late surface is "
        f"{exclusive_surface or 'none'}; give one kind, or build the flow with gates='consistent'"
    )


@flow_rule("OD002", severity="warning")
def a_skill_mode_is_not_hidden(
    skill_mode: str | None, skill_modes: tuple[str, ...] | None
) -> str | None:
    """An empty list of modes does not hide the skill's own mode."""
    if skill_mode is None or skill_modes is None or skill_modes:
        return None
    return f"skillModes is empty and hides skillMode {skill_mode!r}; leave skillModes out"


@flow_rule("OD003", severity="warning")
def a_disabled_policy_gives_no_hint(media_mode: str, media_dispatch_hint_text: str) -> str | None:
    """The media hint does not stand under a policy that disables media."""
    if media_mode != "disabled" or not media_dispatch_hint_text:
        return None
    return "media is disabled and the hint on media stands all the same; use gates='consistent'"


@flow_rule("OD004", severity="warning")
def a_profile_fits_its_stream(execution_profile: str, stream_format: str | None) -> str | None:
    """A run without tools is not told to write files."""
    if stream_format != "plain" or execution_profile == "text_artifact":
        return None
    return "the stream is plain, without tools, and the profile writes files; give text_artifact"


RULES = (
    media_is_decided_once,
    a_skill_mode_is_not_hidden,
    a_disabled_policy_gives_no_hint,
    a_profile_fits_its_stream,
)
