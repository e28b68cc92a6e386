"""The sections of open_design, a design agent over many command line agents."""

from .closing import (
    clarifying_questions,
    external_mcp,
    filesystem_handoff,
    gemini_todo,
    no_fabricated_turns,
)
from .core import (
    direction_library,
    discovery,
    identity_charter,
    shared_frames,
)
from .critique import critique_panel
from .deck import deck_framework, deck_framework_conditional
from .design_system import (
    active_design_system_direction,
    design_system_body,
    design_system_components_manifest,
    design_system_fixture,
    design_system_import_mode,
    design_system_pull_index,
    design_system_tokens,
    design_system_usage,
)
from .head import (
    api_mode_override,
    chat_mode_override,
    example_prompt,
    injection_resistance,
    skip_discovery,
    ui_locale,
)
from .media import codex_imagegen, media_contract, media_dispatch_hint, media_policy_disabled
from .memory import (
    memory_body,
    memory_intent_gateway,
    memory_rule_proposal,
    memory_verify,
    project_instructions,
    user_instructions,
)
from .metadata import BULLETS, metadata_bullets, metadata_headings, project_metadata
from .skill import active_skill, craft, plugin_block, stage_block

__all__ = [
    "BULLETS",
    "active_design_system_direction",
    "active_skill",
    "api_mode_override",
    "chat_mode_override",
    "clarifying_questions",
    "codex_imagegen",
    "craft",
    "critique_panel",
    "deck_framework",
    "deck_framework_conditional",
    "design_system_body",
    "design_system_components_manifest",
    "design_system_fixture",
    "design_system_import_mode",
    "design_system_pull_index",
    "design_system_tokens",
    "design_system_usage",
    "direction_library",
    "discovery",
    "example_prompt",
    "external_mcp",
    "filesystem_handoff",
    "gemini_todo",
    "identity_charter",
    "injection_resistance",
    "media_contract",
    "media_dispatch_hint",
    "media_policy_disabled",
    "memory_body",
    "memory_intent_gateway",
    "memory_rule_proposal",
    "memory_verify",
    "metadata_bullets",
    "metadata_headings",
    "no_fabricated_turns",
    "plugin_block",
    "project_instructions",
    "project_metadata",
    "shared_frames",
    "skip_discovery",
    "stage_block",
    "ui_locale",
    "user_instructions",
]
