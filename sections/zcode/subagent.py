"""The prompt of a subagent: what it is told, and where it runs.

It shares the listing of skills, the instruction files and the date with the main prompt; some of
them open by fewer gates here, since a subagent has no identity to choose, memory or Skill gate.
"""

from ..declare import fact, gate, section
from .environment import has_model
from .skills import SkillListing, has_skills
from .user_context import has_instructions


@section
def cli_prefix() -> None:
    """The one sentence that every session begins with."""


@fact
def shown_agent_prompt(agent_prompt: str) -> str:
    """The agent's prompt without blanks at its end."""
    return agent_prompt.rstrip()


@gate
def has_agent_prompt(shown_agent_prompt: str) -> bool:
    """Open when the agent's prompt is not blank."""
    return shown_agent_prompt != ""


@section(gate=has_agent_prompt)
def agent_prompt(shown_agent_prompt: str) -> None:
    """What the agent's definition says."""


@section
def agent_notes() -> None:
    """What every subagent heeds."""


@section
def environment() -> None:
    """Leads over to where the subagent runs."""


@section
def env(
    env_info_cwd: str,
    in_git_repository: bool,
    env_info_platform: str,
    env_info_shell: str,
    env_info_os_version: str,
) -> None:
    """The directory and the machine."""


@section(gate=has_model)
def powering_model(model_name: str) -> None:
    """The model that answers."""


@section(gate=has_skills)
def skills(skill_listing: SkillListing, skills_left_out: bool) -> None:
    """The skills that can be loaded, a line each."""


@section(gate=has_instructions)
def request_user_context() -> None:
    """The rule for instruction files; these stand in it."""
