"""When each gate of open_design is open: rows of arguments in the gate's order, and the answer."""

import inspect
from typing import Any

from promptdag.inputs.open_design import TemplateFile, Voice
from promptdag.inputs.open_design_metadata import (
    ContextConnector,
    ContextMcpServer,
    ContextPlugin,
)
from promptdag.sections.open_design.closing import McpLine
from promptdag.sections.open_design.head import BriefLine
from promptdag.sections.open_design.metadata.audio import VoiceError

from .flows import flow

Row = tuple[tuple[Any, ...], bool]

# Each key is a gate, or several that ask the like; a row holds the arguments in the gate's order.
KINDS = ("prototype", "deck", "template", "other", "image", "video", "audio", "brand", None)
FILLED: list[Row] = [((None,), False), (("",), False), (("x",), True)]
WRITTEN: list[Row] = [(("",), False), (("x",), True)]
TRUE: list[Row] = [((None,), False), ((False,), False), ((True,), True)]
KNOWN_FLAG: list[Row] = [((None,), False), ((False,), True), ((True,), True)]
KNOWN_NUMBER: list[Row] = [((None,), False), ((0,), True), ((2.5,), True)]
HOOK: list[Row] = [
    ((None,), True),
    ((True,), True),
    (("yes",), True),
    ((False,), False),
    ((0,), False),
    (("",), False),
]
PLATFORMS: list[Row] = [
    ((None, None), False),
    (("desktop", ("ios",)), False),
    (("responsive", None), True),
    ((None, ("responsive",)), True),
]
VOICE = Voice(name="A", voice_id="v")
FILE = TemplateFile(name="a.html", content="x")


def _exactly(*accepted: Any, other: tuple[Any, ...]) -> list[Row]:
    return [((one,), True) for one in accepted] + [((one,), False) for one in other]


def _kind(*accepted: str) -> list[Row]:
    return _exactly(*accepted, other=tuple(kind for kind in KINDS if kind not in accepted))


def _same(value: bool = True) -> list[Row]:
    return [((True,), value), ((False,), not value)]


ROWS: dict[str, list[Row]] = {
    **dict.fromkeys(
        (
            "has_design_system",
            "has_memory",
            "has_user_instructions",
            "has_project_instructions",
            "has_own_usage",
            "has_tokens",
            "has_manifest",
            "has_pull_index",
            "has_craft",
            "has_skill",
            "example_has_title",
            "platform_is_known",
            "brand_id_is_known",
            "brand_source_is_known",
            "brand_design_system_is_known",
            "fidelity_is_known",
            "template_label_is_known",
            "image_model_is_known",
            "image_aspect_is_known",
            "image_style_is_known",
            "video_model_is_known",
            "video_aspect_is_known",
            "audio_kind_is_known",
            "audio_model_is_known",
            "voice_is_known",
            "has_prompt_summary",
        ),
        FILLED,
    ),
    **dict.fromkeys(
        ("wants_landing_page", "wants_os_widgets", "wants_speaker_notes", "wants_animations"), TRUE
    ),
    **dict.fromkeys(("speaker_notes_are_known", "animations_are_known"), KNOWN_FLAG),
    **dict.fromkeys(("video_length_is_known", "audio_duration_is_known"), KNOWN_NUMBER),
    **dict.fromkeys(("rewrites_asks", "verifies_rules"), HOOK),
    **dict.fromkeys(
        ("shows_html_rules", "offers_voices", "may_dispatch_media", "has_metadata"), _same()
    ),
    **dict.fromkeys(("may_discover", "needs_direction"), _same(False)),
    **dict.fromkeys(
        (
            "limits_surfaces",
            "limits_models",
            "has_inspiration",
            "has_prompt_facts",
            "has_prompt_source",
        ),
        WRITTEN,
    ),
    "has_no_tools": _exactly("plain", other=(None, "", "PLAIN", "plain ", "claude-stream-json")),
    "is_chat": _exactly("chat", other=("design", None)),
    "is_example": _exactly(True, other=(False, None, 1, "true")),
    "skips_discovery": [
        ((None, True), True),
        ((False, True), True),
        ((True, True), False),
        (("true", True), True),
        ((None, 1), False),
        ((None, "true"), False),
        ((None, None), False),
    ],
    "example_has_brief": [(((),), False), (((BriefLine("a", "b"),),), True)],
    "is_localised": _exactly("en-US", "zh-CN", "ja", other=(None, "", "en", "EN")),
    "has_sample_copy": _exactly("zh-CN", other=("zh-TW", "zh-cn", "zh", None)),
    "writes_files": _exactly("filesystem", other=("text_artifact",)),
    "has_many_screens": [*PLATFORMS, ((None, ("ios", "android")), True), ((None, ()), False)],
    "is_responsive": [*PLATFORMS, ((None, ("ios", "android")), False)],
    "has_many_targets": [
        ((None,), False),
        (((),), False),
        ((("ios",),), False),
        ((("ios", "ios"),), True),
    ],
    "has_platform_targets": [((None,), False), (((),), False), ((("ios",),), True)],
    "has_import_mode": _exactly("normalized", "hybrid", "verbatim", other=(None, "", "Hybrid")),
    "is_normalized": _exactly("normalized", other=("hybrid", "verbatim", None)),
    "is_hybrid": _exactly("hybrid", other=("normalized", "verbatim", None)),
    "has_fixture_alone": [
        ((None, "x"), True),
        (("", "x"), True),
        (("m", "x"), False),
        ((None, None), False),
        ((None, ""), False),
        (("m", None), False),
    ],
    "needs_preflight": [(((),), False), ((("assets/template.html",),), True)],
    "has_plugin": [((None,), False), ((" \n\t",), False), (("\n\nx",), True)],
    "has_stages": [
        ((None,), False),
        (((),), False),
        ((("", " \n"),), False),
        (((" ", "x"),), True),
    ],
    "kind_is_known": [((kind,), kind is not None) for kind in KINDS],
    "concerns_platform": [
        *(((kind, None), kind in ("prototype", "template", "other")) for kind in KINDS),
        (("deck", "ios"), True),
        ((None, "ios"), True),
        (("deck", ""), False),
    ],
    "is_live_artifact": _exactly("live-artifact", other=(None, "live", "Live-artifact")),
    "is_brand": _kind("brand"),
    "is_prototype": _kind("prototype"),
    "is_deck": _kind("deck"),
    "is_template": _kind("template"),
    "is_image": _kind("image"),
    "is_video": _kind("video"),
    "is_audio": _kind("audio"),
    "slide_count_is_known": _exactly(0, 8, "8", other=(None, "")),
    "has_titled_prompt_template": [
        (("t", "p"), True),
        (("", "p"), False),
        ((None, "p"), False),
        (("t", ""), False),
        (("t", None), False),
    ],
    "renders_locally": _exactly("hyperframes-html", other=(None, "hyperframes", "veo")),
    "concerns_voice": [
        ((None, "speech"), True),
        (("v", "sfx"), True),
        ((None, "sfx"), False),
        (("", None), False),
    ],
    "leaves_voices_out": [
        ((None,), False),
        (((VOICE,) * 100,), False),
        (((VOICE,) * 101,), True),
    ],
    "tells_voice_error": [
        ((False, VoiceError(True, False, ""), True), True),
        ((True, VoiceError(True, False, ""), True), False),
        ((False, VoiceError(False, False, ""), True), False),
        ((False, VoiceError(True, False, ""), False), False),
    ],
    "voice_key_is_missing": [
        ((VoiceError(True, True, ""),), True),
        ((VoiceError(True, False, ""),), False),
    ],
    "is_sound_effect": _exactly("sfx", other=(None, "speech", "SFX")),
    "mentions_plugins": [((None,), False), (((),), False), (((ContextPlugin(),),), True)],
    "mentions_mcp": [((None,), False), (((),), False), (((ContextMcpServer(),),), True)],
    "mentions_connectors": [((None,), False), (((),), False), (((ContextConnector(),),), True)],
    "has_prompt_template": [
        *(((kind, "p"), kind in ("image", "video")) for kind in KINDS),
        (("image", ""), False),
        (("video", None), False),
    ],
    "has_template_files": [
        *(((kind, (FILE,)), kind == "template") for kind in KINDS),
        (("template", ()), False),
        (("template", None), False),
    ],
    "is_deck_without_seed": [
        (("deck", False), True),
        (("deck", True), False),
        (("image", False), False),
        ((None, False), False),
    ],
    "may_become_deck": [
        ((None, True, False), True),
        (("image", True, False), True),
        (("deck", True, False), False),
        ((None, False, False), False),
        ((None, True, True), False),
    ],
    "is_media": _exactly("image", "video", "audio", other=("deck", None)),
    "media_is_disabled": _exactly("disabled", other=("enabled",)),
    "media_is_enabled": _exactly("enabled", other=("disabled",)),
    "has_media_scope": [
        (("", ""), False),
        (("`image`", ""), True),
        (("", "`m`"), True),
        (("`image`", "`m`"), True),
    ],
    "codex_override_is_included": _exactly(True, other=(False, None)),
    "codex_can_make_images": [
        (("codex", "image", "gpt-image-2"), True),
        ((" CoDeX ", "image", "gpt-image-2"), True),
        (("claude", "image", "gpt-image-2"), False),
        ((None, "image", "gpt-image-2"), False),
        (("codex", "video", "gpt-image-2"), False),
        (("codex", "image", ""), False),
    ],
    "codex_may_make_images": [
        (("enabled", None, None, None, "m"), True),
        (("enabled", "enabled", (), (), "m"), True),
        (("enabled", "whatever", None, None, "m"), False),
        (("disabled", None, None, None, "m"), False),
        (("enabled", None, ("image", "video"), None, "m"), True),
        (("enabled", None, ("video",), None, "m"), False),
        (("enabled", None, None, ("m",), "m"), True),
        (("enabled", None, None, ("x",), "m"), False),
    ],
    "has_panel": [
        ((True, "B", "s", False), True),
        ((False, "B", "s", False), False),
        ((True, None, "s", False), False),
        ((True, "B", None, False), False),
        ((True, "B", "s", True), False),
    ],
    "has_mcp_servers": [(((),), False), (((McpLine("a", ""),),), True)],
    "is_gemini": _exactly("gemini", other=("Gemini", "", "gemini-cli")),
}


def _named(gate: str, rows: list[Row]) -> list[tuple[dict[str, object], bool]]:
    """Return rows with the names of the gate's parameters."""
    parameters = tuple(inspect.signature(flow().graph.nodes[gate].function).parameters)
    return [(dict(zip(parameters, arguments, strict=True)), answer) for arguments, answer in rows]


TABLES = {gate: _named(gate, rows) for gate, rows in ROWS.items()}
