"""The session signals of zcode, of its subagents, its compaction and its continuation.

The models accept the original's own JSON: camelCase names, nested objects, `null` for what is
absent, and both forms of `userInstructions`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from .signals import Drifts, Lives, SessionSignals, Signals
from .text import Line, Text

BUILT_IN_SOURCES = (
    "cli_prefix",
    "identity",
    "custom_system_prompt",
    "workflow_actor_identity",
    "desktop_context",
    "dynamic_behavior",
    "session_guidance",
    "memory",
    "env_info",
    "output_style",
    "context_management",
    "system_context",
    "skills",
    "request_user_context",
    "current_date",
)
"""The sources of the sections that zcode has of its own; a custom section takes another."""

GitStatus = Literal["clean", "dirty", "unknown", "not_repo", ""]
MemoryBranch = Literal["default-index", "semantic-recall"]

_FILE_FIELDS = {"scope", "file_path", "filePath", "file_name", "fileName", "content", "truncated"}


def _empty_for_null(value: Any) -> Any:
    return () if value is None else value


def _blank_for_null(value: Any) -> Any:
    return "" if value is None else value


Lines = Annotated[tuple[Line, ...], BeforeValidator(_empty_for_null)]
MaybeText = Annotated[Text, BeforeValidator(_blank_for_null)]


class EnvInfo(Signals):
    """Where the session runs. The git fields are a snapshot from when it began.

    `git_status` is a word for when `git_status_lines` are not at hand; the lines win over it.
    """

    cwd: Line = Field(description="the working directory")
    additional_directories: Lines = Field((), description="further roots of the workspace")
    platform: Line = Field(description="the operating system's short name, such as linux")
    shell: Line = Field(description="the shell that commands run in")
    os_version: Line = Field(description="the operating system's name and version")
    is_git_repository: bool | None = Field(None, description="wins over what git_* would tell")
    git_branch: Line | None = Field(None, description="the branch that is checked out")
    git_main_branch: Line | None = Field(None, description="the branch that pull requests go to")
    git_user: Line | None = Field(None, description="the name in git's configuration")
    git_status: GitStatus | None = Field(
        None, description="the state of the working tree in one word"
    )
    git_status_lines: Lines = Field((), description="the lines of `git status --short`")
    recent_commits: Lines = Field((), description="the lines of `git log --oneline`")


class ModelIdentity(Signals):
    """The model that answers."""

    provider_id: Annotated[Line, Drifts("the user can switch models"), Lives("step")]
    model_id: Annotated[Line, Drifts("the user can switch models"), Lives("step")]


class OutputStyle(Signals):
    """A way to answer that the user has chosen; active while its prompt is not blank."""

    name: Line
    prompt: Text


class WorkflowActor(Signals):
    """The role that the agent plays in a workflow; it is given even when all in it is blank."""

    name: MaybeText = ""
    persona: MaybeText = ""


class Skill(Signals):
    """A skill as the listing shows it. A blank `qualified_name` is none."""

    name: Line
    qualified_name: Line | None = None
    description: Text
    when_to_use: Text | None = None
    path: Line


class InstructionSource(Signals):
    """One instruction file; `truncated` when its reader cut it."""

    scope: Literal["user", "workspace"] = "workspace"
    file_path: Line
    file_name: Line
    content: Text
    truncated: bool = False


class UserInstructions(Signals):
    """Instruction files; one file without `sources` around it is of the workspace."""

    sources: tuple[InstructionSource, ...]

    @model_validator(mode="before")
    @classmethod
    def _with_sources(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        if data.get("sources") is not None:
            return {name: value for name, value in data.items() if name not in _FILE_FIELDS}
        file = {name: value for name, value in data.items() if name not in ("sources", "scope")}
        return {"sources": [file]}


class CustomSection(Signals):
    """A section that the caller adds; `source` names it in the manifest."""

    name: Line
    source: Line
    content: Text
    injection_target: Literal["system", "meta_user"] = "system"
    cache_hint: Literal["stable", "dynamic"] = "dynamic"


def _with_own_sources(sections: tuple[CustomSection, ...]) -> tuple[CustomSection, ...]:
    seen: set[str] = set()
    for one in sections:
        if one.source in BUILT_IN_SOURCES:
            raise ValueError(
                f"custom section {one.source!r} is named like a built-in section; "
                "give it another source"
            )
        if one.source in seen:
            raise ValueError(
                f"two custom sections have the source {one.source!r}; give each its own"
            )
        seen.add(one.source)
    return sections


Model = ModelIdentity | None
Skills = Annotated[tuple[Skill, ...], BeforeValidator(_empty_for_null)]
SkillsBudget = Annotated[
    int, Field(ge=0, description="how many characters the item lines of the skills listing take")
]
CurrentDate = Annotated[
    str,
    Field(
        pattern=r"^\d{4}-\d{2}-\d{2}$",
        description="the day when the session began",
        examples=["2026-01-02"],
    ),
]
CustomSections = Annotated[
    tuple[CustomSection, ...],
    BeforeValidator(_empty_for_null),
    AfterValidator(_with_own_sources),
]


class ZcodeSignals(SessionSignals):
    """What zcode's prompt is made from while a session lasts."""

    presentation_surface: Text | None = Field(
        None, description="where the prompt's answers are shown, such as zcode_desktop"
    )
    gen_ui_output_directory: Text | None = Field(
        None, description="the folder from which the desktop renders fragments"
    )
    output_style: OutputStyle | None = None
    custom_system_prompt: Text | None = Field(
        None, description="stands in place of the default system sections, unless blank"
    )
    workflow_actor: WorkflowActor | None = None
    guidance_tool_names: tuple[Text, ...] | None = Field(
        None, description="the tools that guidance may speak of; absent is not empty"
    )
    skills: Skills = Field((), description="the skills found when the session began")
    skills_metadata_budget: SkillsBudget = 20_000
    memory_root: Line | None = Field(None, description="the memory folder")
    memory_branch: MemoryBranch = Field(
        "default-index", description="whether memory is found by its index or by search"
    )
    memory_index_content: Text | None = Field(
        None, description="the text of MEMORY.md, already within the reader's limits"
    )
    env_info: EnvInfo
    model: Model = None
    user_instructions: UserInstructions | None = None
    current_date: CurrentDate | None = None
    custom_sections: CustomSections = Field((), description="sections that the caller adds")

    @model_validator(mode="after")
    def _one_identity(self) -> Self:
        if self.workflow_actor is not None and (self.custom_system_prompt or "").strip():
            raise ValueError(
                "custom_system_prompt and workflow_actor are both given, and each takes the "
                "identity's place; give one of them"
            )
        return self


class SubagentSignals(SessionSignals):
    """What a subagent's prompt is made from; it has no memory and no Skill gate."""

    agent_prompt: Text = Field(description="what the agent's definition says; blank adds nothing")
    env_info: EnvInfo
    model: Model = None
    user_instructions: UserInstructions | None = None
    current_date: CurrentDate | None = None
    skills: Skills = Field((), description="the skills found when the session began")
    skills_metadata_budget: SkillsBudget = 20_000


class CompactionSignals(SessionSignals):
    """What the request for a summary is made from."""

    additional_instructions: Text | None = Field(
        None, description="what the user wants the summary to heed; blank adds nothing"
    )


class ContinuationSignals(SessionSignals):
    """What the message that carries a summary on is made from."""

    summary: Text = Field(description="the summary, as `summary_text` returns it")
    transcript_path: Line | None = Field(None, description="where the whole transcript is")
    recent_messages_preserved: bool = Field(False, description="the last messages follow verbatim")
    repl_state_cleared: bool = Field(False, description="the state of the interpreter is lost")
    suppress_followup: bool = Field(False, description="the agent goes on without a question")
