"""The signals of minimal_agent.

The original takes an explicit null as a value and shows it; here null is the same as nothing given.
"""

import datetime
import sys
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from .conversation import ContentBlock, Message
from .local_time import known_time_zone, local_time_zone, today_in
from .minimal_agent_sources import AdvisorConfig, CatalogEntry, FailedSource, MemoryContext, Task
from .signals import Drifts, SessionSignals, Signals, TurnSignals
from .text import Line, Text

DEFAULT_BUDGET_TOKENS = 4000
"""The original's own number is not public."""

DEFAULT_INSTRUCTION_CHARS = 32_768
"""Source: the limit that Codex puts on the instruction files of a project, 32 KiB."""


class _NullIsAbsent(Signals):
    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return {name: value for name, value in data.items() if value is not None}


class MinimalAgentSignals(_NullIsAbsent, SessionSignals):
    """What the base is made from: fixed when a session starts."""

    cwd: Line = Field(description="the working directory")
    profile: Line = Field("main", description="`main`, or what kind of subagent runs")
    surface: Line | None = Field(
        None, description="where the agent is shown; `cli` for main, else `subagent`, by default"
    )
    platform: Line = Field(
        default_factory=lambda: sys.platform, description="the operating system's short name"
    )
    tool_names: Annotated[
        tuple[Line, ...],
        Field(description="the tools in the order in which they are given, repeats included"),
        Drifts("a server can publish its tools again while a session runs"),
    ] = ()


def _today() -> datetime.date:
    return today_in(local_time_zone())


class MinimalAgentTurn(_NullIsAbsent, TurnSignals):
    """What may differ every turn. A source holds its value, nothing, or `{"failed": reason}`."""

    time_zone: Annotated[Line, AfterValidator(known_time_zone)] = Field(
        default_factory=local_time_zone,
        description="the zone that the date holds in; the machine's by default",
        examples=["UTC", "Europe/Berlin"],
    )
    date: datetime.date = Field(
        default_factory=_today, description="the local date; today by default"
    )
    supervised_browser: bool = Field(False, description="a person watches the browser")
    interactive_ask: bool = Field(True, description="somebody can answer questions")
    current_user_input: Text = Field("", description="what memory is searched for")
    memory_access: Line | None = Field(
        None, description="who may read memory; `denied` for nobody; absent, the owner decides"
    )
    owner_local_session: bool = Field(False, description="the owner of the memory sits here")
    session_id: Line = Field("", description="whose tasks are shown; empty for none")
    workspace_id: Line = Field("", description="where memory and tasks are looked up")
    include_plugins: bool | None = Field(
        None, description="show plugins; by default in the profile main"
    )
    include_project_instructions: bool = Field(True, description="show the project's instructions")
    max_instruction_chars: Annotated[int, Field(ge=0)] = Field(
        DEFAULT_INSTRUCTION_CHARS,
        description="how many characters of the instructions are shown, in whole lines",
    )
    transient_budget_tokens: Annotated[int, Field(ge=0)] = Field(
        DEFAULT_BUDGET_TOKENS, description="what the turn's context may take, wrapper included"
    )
    memory: MemoryContext | FailedSource | None = Field(None, description="what memory found")
    advisor: AdvisorConfig | FailedSource | None = Field(
        None, description="how the advisor is set up"
    )
    skills: tuple[CatalogEntry, ...] | FailedSource = Field((), description="the skills")
    plugins: tuple[CatalogEntry, ...] | FailedSource = Field((), description="the plugins")
    project_instructions: Text | FailedSource = Field(
        "", description="the project's instruction file"
    )
    tasks: tuple[Task, ...] | FailedSource = Field((), description="every task of the session")
    user_input: Text | tuple[ContentBlock, ...] | None = Field(
        None, description="this turn's message: text or content blocks"
    )
    history: tuple[Message, ...] = Field(
        (), description="the messages before it, as they were sent; they are not touched"
    )

    @model_validator(mode="before")
    @classmethod
    def _with_date_in_zone(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or data.get("date") is not None:
            return data
        zone = data.get("time_zone", data.get("timeZone"))
        try:
            return dict(data) | {"date": today_in(zone)} if isinstance(zone, str) else data
        except ValueError:
            return data  # the field itself says what is wrong with it
