"""open_design: the system prompt of a design agent, 41 sections in three zones of one block."""

from typing import Literal

from ..inputs.open_design import OpenDesignSignals
from ..sections import open_design as sections
from ..sections.open_design import consistent
from ..sections.packs import Texts
from .flow import PromptFlow
from .open_design_rules import RULES
from .order import Place, block, group, place

RULE = "\n\n---\n\n"
GAP = "\n\n"

# A part without a label is a paragraph: a blank line stands before it, as before the first bullet.
METADATA = tuple(
    Place(part, before=GAP if number == 0 or not label else None)
    for number, (label, part) in enumerate(sections.BULLETS)
)

# Read top to bottom, this is the system prompt: a rule behind each section of the head, a blank
# line before each of the body, a rule before each of the tail. What differs says so.
HEAD = group(
    sections.injection_resistance,
    sections.api_mode_override,
    sections.chat_mode_override,
    sections.example_prompt,
    sections.skip_discovery,
    sections.ui_locale,
    place(sections.discovery, after="\n" + RULE),
    place(sections.direction_library, after="\n" + RULE),
    sections.shared_frames,
    after=RULE,
)
BODY = group(
    place(sections.identity_charter, before="", after="\n"),
    sections.memory_body,
    sections.memory_intent_gateway,
    sections.memory_verify,
    sections.memory_rule_proposal,
    sections.user_instructions,
    sections.project_instructions,
    sections.design_system_usage,
    sections.design_system_body,
    sections.design_system_import_mode,
    sections.design_system_tokens,
    sections.design_system_components_manifest,
    sections.design_system_fixture,
    sections.design_system_pull_index,
    sections.craft,
    sections.active_skill,
    place(sections.plugin_block, before=""),
    place(sections.stage_block, before=""),
    place(sections.project_metadata, *METADATA),
    before=GAP,
)
TAIL = group(
    place(sections.deck_framework, after="\n"),
    place(sections.deck_framework_conditional, after="\n"),
    place(sections.media_contract, before="\n---\n\n", after="\n"),
    place(sections.media_policy_disabled, before="\n---\n\n", after="\n"),
    sections.media_dispatch_hint,
    sections.codex_imagegen,
    place(sections.critique_panel, before=GAP),
    place(sections.active_design_system_direction, after="\n"),
    place(sections.external_mcp, after="\n"),
    sections.gemini_todo,
    sections.filesystem_handoff,
    sections.clarifying_questions,
    sections.no_fabricated_turns,
    before=RULE,
)
BLOCKS = (block("system", HEAD, BODY, TAIL, cache="session", cache_control="ephemeral"),)

Gates = Literal["original", "consistent"]


def flow(texts: Texts = "default", gates: Gates = "original") -> PromptFlow:
    """A design agent over many command line agents: 41 sections in three zones of one block.

    Build it once in a process.

    Args:
        texts: The text pack: `default`, `skeleton`, or a folder of templates.
        gates: `original` decides as the original does, its contradictions included; `consistent`
            decides what the original decides twice from one fact each.
    """
    variant = gates == "consistent"
    return PromptFlow(
        "open_design_consistent" if variant else "open_design",
        BLOCKS,
        session=OpenDesignSignals,
        instead=(consistent,) if variant else (),
        also=(sections.metadata_bullets, sections.metadata_headings),
        texts=texts,
        lint_rules=RULES,
        doc="a design agent over many command line agents: 41 sections in three zones",
    )
