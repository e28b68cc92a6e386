"""Craft, the active skill, and the raw blocks of a plugin."""

import re

from ...inputs.open_design_text import names, separated
from ..declare import Named, fact, gate, section, section_list


@gate
def has_craft(craft_body: str | None) -> bool:
    """Open when the craft references are not blank."""
    return bool(craft_body)


@fact
def craft_suffix(craft_sections: tuple[str, ...]) -> str:
    """What the names of the craft references add to the heading."""
    return f" — {', '.join(craft_sections)}" if craft_sections else ""


@section(gate=has_craft)
def craft(craft_suffix: str, craft_body: str | None) -> None:
    """Craft references; the brand wins where it has decided."""


# The original's own patterns: case matters, and so does the spelling of a path. What they miss is
# for the lint to say, not for the prompt to guess.
_SEED = re.compile(r"assets/template\.html")
_REFERENCES = (
    ("assets/template.html", _SEED),
    ("references/layouts.md", re.compile(r"references/layouts\.md")),
    ("references/themes.md", re.compile(r"references/themes\.md")),
    ("references/components.md", re.compile(r"references/components\.md")),
    ("references/checklist.md", re.compile(r"references/checklist\.md")),
    (
        "references/html-in-canvas.md",
        re.compile(r"references/html-in-canvas\.md|html-in-canvas\.md"),
    ),
)


@fact
def has_skill_seed(skill_body: str | None) -> bool:
    """Whether the skill names a seed to begin from, `assets/template.html`."""
    return _SEED.search(skill_body or "") is not None


@fact
def preflight_refs(skill_body: str | None) -> tuple[str, ...]:
    """The files that the skill names and that are read before anything else."""
    return tuple(path for path, pattern in _REFERENCES if pattern.search(skill_body or ""))


@fact
def preflight_list(preflight_refs: tuple[str, ...]) -> str:
    """The files to read first, as a list within a sentence."""
    return names(preflight_refs)


@gate
def needs_preflight(preflight_refs: tuple[str, ...]) -> bool:
    """Open when the skill names a seed or a reference file."""
    return bool(preflight_refs)


@gate
def has_skill(skill_body: str | None) -> bool:
    """Open when the skill's body is not blank."""
    return bool(skill_body)


@fact
def skill_suffix(skill_name: str | None) -> str:
    """What the skill's name adds to the heading."""
    return f" — {skill_name}" if skill_name else ""


@section(gate=has_skill)
def active_skill(
    skill_suffix: str, needs_preflight: bool, preflight_list: str, skill_body: str | None
) -> None:
    """The skill to follow, and what to read before it."""


@gate
def has_plugin(plugin_block: str | None) -> bool:
    """Open when the plugin's block is not blank."""
    return bool((plugin_block or "").strip())


@fact
def separated_plugin(plugin_block: str | None) -> str:
    """The plugin's block, with a blank line before it."""
    return separated(plugin_block or "")


@section(gate=has_plugin, text="{{ separated_plugin }}")
def plugin_block(separated_plugin: str) -> None:
    """The bound plugin, as its host renders it."""


@gate
def has_stages(active_stage_blocks: tuple[str, ...] | None) -> bool:
    """Open when a stage block is not blank; each of those that are not stands for itself."""
    return any(one.strip() for one in active_stage_blocks or ())


@section_list(gate=has_stages)
def stage_block(active_stage_blocks: tuple[str, ...] | None) -> tuple[Named, ...]:
    """The active stages of the plugin's pipeline, as its host renders them."""
    shown = [one for one in active_stage_blocks or () if one.strip()]
    return tuple(Named("stage_block", separated(one)) for one in shown)
