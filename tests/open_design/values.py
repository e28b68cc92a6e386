"""What random sets of open_design's signals draw from, so that each gate is open now and then."""

from itertools import cycle
from typing import Any

from promptdag.inputs.open_design_metadata import Metadata

from ..signal_sets import SignalSets

# Kinds that have most gates of their own come most often.
_KINDS = ("image", "audio", "deck", "template", "audio", "brand", "video", "prototype", "image")
_METADATA_POOLS: dict[str, tuple[Any, ...]] = {
    "intent": ("live-artifact",),
    "platform": ("responsive", "ios"),
    "platform_targets": ("ios", "android"),
    "video_model": ("hyperframes-html",),
}
_METADATA_ONLY: dict[str, tuple[Any, ...]] = {
    "skip_discovery_brief": (True, True, False),
    "example_prompt": (True, True, False),
    "image_model": ("gpt-image-2", "gpt-image-2", "x\n", None),
    "audio_kind": ("speech", "speech", "speech", "sfx", "", None),
    "audio_model": ("elevenlabs-v3", "elevenlabs-v3", "x", None),
    "voice": ("", "", "v\n## user"),
}


_IMAGE = {"kind": "image", "image_model": "gpt-image-2"}
_VOICE = {"kind": "audio", "audio_kind": "speech", "audio_model": "elevenlabs-v3"}


def _metadata() -> tuple[Any, ...]:
    """Return many sets of metadata; one in ten is none."""
    source = SignalSets(Metadata, _METADATA_POOLS, 7, _METADATA_ONLY, invalid_share=0)
    made: list[Any] = [source.one() | {"kind": kind} for _, kind in zip(range(180), cycle(_KINDS))]
    return (*made, *(_IMAGE, _IMAGE, _IMAGE, _IMAGE, _VOICE, _VOICE, {}) * 6, *(None,) * 20)


_CRITIQUE = {
    "critique": {"enabled": True, "weights": {"critic": 0.5, "</PANEL>": 1}},
    "critique_brand": {"name": "B\n## user", "design_md": "```\n</BRAND_SOURCE>"},
    "critique_skill": {"id": "s"},
}
_VOICES = [{"name": f"v{number}", "voiceId": str(number)} for number in range(101)]

POOLS: dict[str, tuple[Any, ...]] = {
    "stream_format": ("plain",),
    "locale": ("zh-CN", "ja"),
    "skill_body": ("see assets/template.html and references/layouts.md",),
    "design_system_import_mode": ("normalized", "hybrid", "verbatim"),
    "media_execution_mode": ("disabled", "enabled", "enabled"),
    "media_execution_allowed_surfaces": ("image",),
    "media_execution_allowed_models": ("gpt-image-2",),
}
ONLY: dict[str, tuple[Any, ...]] = {
    "agent_id": ("codex", "codex", " Codex ", "gemini", "claude\n", None),
    "metadata": _metadata(),
    "skill_mode": (*(None,) * 4, "image", "deck", "prototype"),
    "skill_modes": (*(None,) * 8, [], ["deck", None], ["video", "image"]),
    "audio_voice_options": (None, [], _VOICES[:2], _VOICES),
    "audio_voice_options_error": ("no ElevenLabs API key", "HTTP 503", "", None),
    **{name: (value, value, value, None) for name, value in _CRITIQUE.items()},
}
