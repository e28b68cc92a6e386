"""The listing of skills, and the guidance that belongs to it."""

from typing import NamedTuple

from ...inputs.graphemes import whole_graphemes
from ...inputs.zcode import Skill
from ..declare import fact, gate, section
from .identity import default_identity

MAX_DESCRIPTION_CHARS = 250
"""How long a description and its hint may be together, the mark of a cut included."""

CUT_MARK = "..."


class SkillListing(NamedTuple):
    """The skills as they are listed.

    Attributes:
        lines: One line a skill.
        left_out: How many skills have no line, since the budget holds no more.
    """

    lines: tuple[str, ...]
    left_out: int


def cut_to(text: str, max_chars: int) -> str:
    """Return the text within a limit in characters, cut between graphemes, with a mark when cut.

    The mark counts; a limit below its length cuts the mark.
    """
    if len(text) <= max_chars:
        return text
    return (whole_graphemes(text, max_chars - len(CUT_MARK)) + CUT_MARK)[:max_chars]


def skill_line(skill: Skill, *, described: bool = True) -> str:
    """Return a skill's line: `- plug:name: what it does (also loadable as name) (file: path)`."""
    display = _display(skill)
    alias = f" (also loadable as {skill.name})" if display != skill.name else ""
    return f"- {display}{_description(skill) if described else ''}{alias} (file: {skill.path})"


def _display(skill: Skill) -> str:
    qualified = skill.qualified_name
    return qualified if qualified is not None and qualified.strip() else skill.name


def _description(skill: Skill) -> str:
    parts = (" ".join(text.split()) for text in (skill.description, skill.when_to_use or ""))
    text = cut_to(" - ".join(part for part in parts if part), MAX_DESCRIPTION_CHARS)
    return f": {text}" if text else ""


def listed(skills: tuple[Skill, ...], budget_chars: int) -> SkillListing:
    """Return the lines of skills within a budget in characters, line breaks included.

    When they do not fit with their descriptions, all are listed without, so that none is favoured;
    of these, in order, each that still fits.
    """
    # Case folding and code points sort alike in every locale.
    ordered = sorted(skills, key=lambda one: (_display(one).casefold(), _display(one)))
    lines = tuple(skill_line(one) for one in ordered)
    if sum(len(line) + 1 for line in lines) - 1 <= budget_chars:
        return SkillListing(lines, 0)
    kept: list[str] = []
    left_chars = budget_chars + 1  # the first line has no break in front
    for one in ordered:
        line = skill_line(one, described=False)
        if len(line) + 1 <= left_chars:
            kept.append(line)
            left_chars -= len(line) + 1
    return SkillListing(tuple(kept), len(ordered) - len(kept))


@fact
def skill_listing(skills: tuple[Skill, ...], skills_metadata_budget: int) -> SkillListing:
    """The lines of the skills within the budget."""
    return listed(skills, skills_metadata_budget)


@gate
def has_skills(skills: tuple[Skill, ...]) -> bool:
    """Open when there are skills."""
    return skills != ()


@gate
def skill_tool_not_denied(guidance_tool_names: tuple[str, ...] | None) -> bool:
    """Open when no tool names are given for guidance, or `Skill` is among them."""
    return guidance_tool_names is None or "Skill" in guidance_tool_names


@gate
def has_skill_tool(guidance_tool_names: tuple[str, ...] | None) -> bool:
    """Open when tool names are given for guidance and `Skill` is among them."""
    return guidance_tool_names is not None and "Skill" in guidance_tool_names


@gate
def skills_left_out(skill_listing: SkillListing) -> bool:
    """Open when the budget is too small even for every skill's name."""
    return skill_listing.left_out > 0


@section(gate=(has_skills, skill_tool_not_denied))
def skills(skill_listing: SkillListing, skills_left_out: bool) -> None:
    """The skills that can be loaded, a line each."""


@section(gate=(default_identity, has_skill_tool, has_skills))
def session_guidance() -> None:
    """How the user calls a skill."""
