"""The parts of the metadata block in reading order, and the facts that list what is open."""

import inspect
from collections.abc import Callable
from typing import Any

from ...declare import Section, fact
from . import audio, by_kind, general, media, references
from .references import ShownFile

BULLETS: tuple[tuple[str, Section], ...] = (
    ("kind", general.kind),
    ("platform", general.platform),
    ("platformTargets", general.platform_targets),
    ("responsive web contract", general.responsive_web_contract),
    ("cross-platform deliverable rule", general.cross_platform_deliverable_rule),
    ("screen-file-first rule", general.screen_file_first_rule),
    ("product-realism rule", general.product_realism_rule),
    ("visual-system rule", general.visual_system_rule),
    ("app-specific modules rule", general.app_specific_modules_rule),
    ("CJX-ready UX rule", general.cjx_ready_ux_rule),
    ("interaction-fidelity rule", general.interaction_fidelity_rule),
    ("artifact-output rule", general.artifact_output_rule),
    ("includeLandingPage", general.include_landing_page),
    ("includeOsWidgets", general.include_os_widgets),
    ("intent", general.intent),
    ("connector-source rule", general.connector_source_rule),
    ("brand extraction project", by_kind.brand_extraction_project),
    ("brandId", by_kind.brand_id),
    ("brandSourceUrl", by_kind.brand_source_url),
    ("brandDesignSystemId", by_kind.brand_design_system_id),
    ("fidelity", by_kind.fidelity),
    ("slideCount", by_kind.slide_count),
    ("speakerNotes", by_kind.speaker_notes),
    ("animations", by_kind.animations),
    ("template", by_kind.template_label),
    ("imageModel", media.image_model),
    ("aspectRatio", media.image_aspect_ratio),
    ("styleNotes", media.style_notes),
    ("referenceTemplate", media.image_reference_template),
    ("", media.image_action),
    ("videoModel", media.video_model),
    ("lengthSeconds", media.video_length),
    ("aspectRatio", media.video_aspect_ratio),
    ("referenceTemplate", media.video_reference_template),
    ("", media.video_action),
    ("", media.local_renderer),
    ("audioKind", audio.audio_kind),
    ("audioModel", audio.audio_model),
    ("durationSeconds", audio.audio_duration),
    ("voice", audio.voice),
    ("ElevenLabs voice options", audio.voice_choice),
    ("ElevenLabs voice options", audio.voice_limit),
    ("", audio.voice_form),
    ("ElevenLabs voice options", audio.voice_lookup),
    ("SFX discovery", audio.sfx_discovery),
    ("", audio.audio_action),
    ("inspirationDesignSystemIds", by_kind.inspiration_design_system_ids),
    ("", references.plugin_context),
    ("", references.mcp_context),
    ("", references.connector_context),
    ("", references.reference_prompt_template),
    ("", references.template_reference),
)
"""Each part with the label of its bullet; a paragraph or a sub-section has none."""


def _open_labels() -> Callable[..., tuple[str, ...]]:
    """Return a function of every gate of the block that gives the labels of its open bullets."""
    rows = [(label, tuple(one.name for one in part.gates)) for label, part in BULLETS if label]
    asked = tuple(dict.fromkeys(("has_metadata", *(name for _, names in rows for name in names))))

    def metadata_bullets(**gates: bool) -> tuple[str, ...]:
        if not gates["has_metadata"]:
            return ()
        return tuple(label for label, names in rows if all(gates[name] for name in names))

    # The gates are its edges, so they have to stand in its signature by name.
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, kind, annotation=bool) for name in asked]
    signature = inspect.Signature(parameters, return_annotation=tuple[str, ...])
    annotations: dict[str, Any] = dict.fromkeys(asked, bool) | {"return": tuple[str, ...]}
    metadata_bullets.__signature__ = signature  # type: ignore[attr-defined]
    metadata_bullets.__annotations__ = annotations
    metadata_bullets.__doc__ = "The labels of the open bullets of the metadata block, in order."
    return metadata_bullets


metadata_bullets = fact(_open_labels())


@fact
def metadata_headings(
    has_metadata: bool,
    mentions_plugins: bool,
    mentions_mcp: bool,
    mentions_connectors: bool,
    has_prompt_template: bool,
    prompt_template_title: str,
    has_template_files: bool,
    template_name: str | None,
    template_description_note: str,
    shown_template_files: tuple[ShownFile, ...],
) -> tuple[str, ...]:
    """The headings inside the metadata block, in order."""
    if not has_metadata:
        return ()
    files = shown_template_files if has_template_files else ()
    rows = (
        (mentions_plugins, "### @ plugin context"),
        (mentions_mcp, "### @ MCP context"),
        (mentions_connectors, "### @ connector context"),
        (has_prompt_template, f'### Reference prompt template — "{prompt_template_title}"'),
        (
            has_template_files,
            f'### Template reference — "{template_name}"{template_description_note}',
        ),
        *((True, f"#### `{one.name}`") for one in files),
    )
    return tuple(heading for is_open, heading in rows if is_open)
