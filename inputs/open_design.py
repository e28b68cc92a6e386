"""The session signals of open_design: the original's 35 inputs, and what its host is called."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from .open_design_host import Host
from .open_design_metadata import Metadata
from .open_design_text import Body, Line, Material, Named
from .signals import Drifts, Presence, SessionSignals, Signals
from .text import Text

SkillMode = Literal["prototype", "deck", "template", "design-system", "image", "video", "audio"]
ExecutionProfile = Literal["filesystem", "text_artifact"]

_MENTIONS = Drifts("skills that a message mentions with @ are added for that turn alone")
_FROM_SKILLS = Drifts("craft follows from the skills, and those from what a message mentions")
_VOICES = Drifts("voices are looked up over the network for each prompt")
_REQUEST = Drifts("a request can carry its own")
_RUN = Drifts("the policy belongs to one run")


def _without_blanks(given: Any) -> Any:
    return [one for one in given if one] if isinstance(given, list | tuple) else given


class MemoryHooks(Signals):
    """Which protocols go with memory; absent and null mean on, any other falsy value off."""

    profile: bool | int | str | None = Field(None, description="accepted; the reader obeys it")
    rewrite: bool | int | str | None = Field(None, description="short asks become a brief")
    verify: bool | int | str | None = Field(None, description="work is checked against the rules")


class TemplateFile(Signals):
    """One file of a template."""

    name: Line
    content: Material


class TemplateReference(Signals):
    """A template to work from."""

    name: Line
    description: Line | None = None
    files: tuple[TemplateFile, ...] = Field((), description="each is shown up to its bound")


class Voice(Signals):
    """A voice that can be chosen."""

    name: Line
    voice_id: Line
    category: Line | None = None
    labels: Named[Any] | None = None


class Critique(Signals):
    """The settings of the critique panel; the host alone uses those without a description."""

    enabled: bool = Field(default=False, description="whether a panel judges the work")
    cast: tuple[Line, ...] | None = None
    max_rounds: int = Field(default=3, description="how many rounds there are at most; from 1")
    score_scale: int | float = Field(default=10, description="the best score; from 1")
    score_threshold: int | float = Field(default=8, description="the composite to reach; from 0")
    weights: Named[int | float] = Field(
        default={"designer": 0, "critic": 0.4, "brand": 0.2, "a11y": 0.2, "copy": 0.2},
        description="the share of each role in the composite, in the order in which it is shown",
    )
    per_round_timeout_ms: int | float | None = None
    total_timeout_ms: int | float | None = None
    parser_max_block_bytes: int | float | None = None
    fallback_policy: Line | None = None
    max_concurrent_runs: int | float | None = None
    protocol_version: int = Field(default=1, description="the version of the wire protocol; from 1")

    def out_of_range(self) -> list[str]:
        """Return what is wrong with each setting, by its name."""
        least = {"max_rounds": 1, "score_scale": 1, "score_threshold": 0, "protocol_version": 1}
        return [
            f"critique.{type(self).model_fields[name].alias}: {getattr(self, name)} is below "
            f"{bound}; give at least {bound}"
            for name, bound in least.items()
            if getattr(self, name) < bound
        ]


class CritiqueBrand(Signals):
    """The brand that the panel judges by."""

    name: Line
    design_md: Material = Field(description="the brand's DESIGN.md")


class CritiqueSkill(Signals):
    """The skill that the panel works for."""

    id: Line


class McpServer(Signals):
    """A connected server; without an id it is not shown."""

    id: Line | None = None
    label: Line | None = None


class MediaExecution(Signals):
    """What a run may generate."""

    mode: Annotated[Text | None, Field(description="`disabled` forbids; all else allows"), _RUN] = (
        None
    )
    allowed_surfaces: Annotated[
        tuple[Line, ...] | None, Field(description="empty for no limit"), _RUN
    ] = None
    allowed_models: Annotated[
        tuple[Line, ...] | None, Field(description="empty for no limit"), _RUN
    ] = None


class OpenDesignSignals(SessionSignals):
    """What open_design's system prompt is made from, by the names of the original."""

    agent_id: Text | None = Field(None, description="the command line agent that runs")
    include_codex_imagegen_override: bool | None = Field(
        True, description="whether Codex may be told of its built-in image generation"
    )
    stream_format: Text | None = Field(None, description="`plain` means: no tools")
    skill_body: Annotated[Body | None, Field(description="the active skill"), _MENTIONS] = None
    skill_name: Annotated[Line | None, Field(description="the skill's name"), _MENTIONS] = None
    skill_mode: Annotated[SkillMode | None, Field(description="its mode"), _MENTIONS] = None
    skill_modes: Annotated[
        tuple[SkillMode, ...] | None,
        BeforeValidator(_without_blanks),
        Field(description="the modes of all composed skills; given, it hides the mode of the one"),
        _MENTIONS,
    ] = None
    design_system_body: Body | None = Field(None, description="DESIGN.md")
    design_system_title: Line | None = Field(None, description="stands in eight headings")
    design_system_usage_md: Body | None = Field(None, description="USAGE.md")
    design_system_tokens_css: Body | None = Field(None, description="tokens.css")
    design_system_components_manifest: Body | None = Field(None, description="its components")
    design_system_fixture_html: Body | None = Field(None, description="stands in for the manifest")
    design_system_pull_index: Body | None = Field(None, description="files to read on demand")
    design_system_import_mode: Text | None = Field(
        None, description="`normalized`, `hybrid` or `verbatim`; all else says nothing"
    )
    craft_body: Annotated[Body | None, Field(description="craft references"), _FROM_SKILLS] = None
    craft_sections: Annotated[
        tuple[Line, ...], BeforeValidator(lambda given: given or ()), _FROM_SKILLS
    ] = ()
    memory_body: Annotated[
        Body | None,
        Field(description="what was remembered of the user"),
        Drifts("memory is read for each prompt, and is written to between turns"),
    ] = None
    memory_hooks: MemoryHooks | None = None
    metadata: Annotated[
        Metadata | None, Presence("whether the project has metadata, be it empty")
    ] = None
    template: TemplateReference | None = None
    audio_voice_options: Annotated[
        tuple[Voice, ...] | None, Field(description="the voices found"), _VOICES
    ] = None
    audio_voice_options_error: Annotated[
        Text | None, Field(description="never shown, only classified"), _VOICES
    ] = None
    critique: Annotated[Critique, BeforeValidator(lambda given: {} if given is None else given)] = (
        Field(default_factory=Critique)
    )
    critique_brand: CritiqueBrand | None = None
    critique_skill: CritiqueSkill | None = None
    connected_external_mcp: Annotated[
        tuple[McpServer, ...] | None,
        Field(description="servers whose token is valid now"),
        Drifts("a token can expire or be granted at any time"),
    ] = None
    plugin_block: Material | None = Field(None, description="the bound plugin, shown raw")
    active_stage_blocks: Annotated[
        tuple[Material, ...] | None,
        BeforeValidator(_without_blanks),
        Field(description="the stages of the plugin's pipeline, each shown raw"),
    ] = None
    user_instructions: Body | None = Field(None, description="custom instructions of the user")
    project_instructions: Body | None = Field(
        None, description="custom instructions of the project; no caller of the original gives any"
    )
    locale: Annotated[Line | None, Field(description="of the interface"), _REQUEST] = None
    session_mode: Annotated[
        Literal["design", "chat"] | None, Field(description="`chat` overrides discovery"), _REQUEST
    ] = None
    media_execution: MediaExecution | None = None
    execution_profile_given: ExecutionProfile | None = Field(
        None, alias="executionProfile", description="where work is put; follows from the stream"
    )
    host: Host = Field(default_factory=Host)

    @model_validator(mode="before")
    @classmethod
    def _original_name(cls, given: Any) -> Any:
        # The fact that is resolved from this signal has its name, as a node has one alone.
        if isinstance(given, dict) and "execution_profile" in given:
            given = dict(given)
            given["execution_profile_given"] = given.pop("execution_profile")
        return given

    @model_validator(mode="after")
    def _panel_can_be_shown(self) -> Self:
        brand, skill = self.critique_brand, self.critique_skill
        if not self.critique.enabled or brand is None or skill is None:
            return self
        wrong = self.critique.out_of_range()
        if not brand.name:
            wrong.insert(0, "critiqueBrand.name: it is empty; name the brand or leave it out")
        if not skill.id:
            wrong.insert(0, "critiqueSkill.id: it is empty; name the skill or leave it out")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
