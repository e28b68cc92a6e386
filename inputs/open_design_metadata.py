"""What open_design knows of a project: the fields of its metadata."""

from typing import Annotated, Any, Literal

from pydantic import Field

from .open_design_text import Body, Line, Named
from .signals import Signals

Kind = Literal["prototype", "deck", "template", "other", "image", "video", "audio", "brand"]


class PromptSource(Signals):
    """Where a prompt template comes from."""

    repo: Line | None = None
    license: Line | None = None
    author: Line | None = None
    url: Line | None = None


class PromptTemplate(Signals):
    """A prompt to take as inspiration."""

    id: Line | None = None
    surface: Line | None = None
    title: Line | None = None
    prompt: Body | None = Field(None, description="shown up to its bound, in a fence")
    summary: Line | None = None
    category: Line | None = None
    tags: tuple[Line, ...] | None = None
    model: Line | None = None
    aspect: Line | None = None
    source: PromptSource | None = None


class ContextPlugin(Signals):
    """A plugin that was mentioned with @."""

    id: Line | None = None
    title: Line | None = None
    description: Line | None = None


class ContextMcpServer(Signals):
    """A server that was mentioned with @."""

    id: Line | None = None
    label: Line | None = None
    transport: Line | None = None
    url: Line | None = None
    command: Line | None = None


class ContextConnector(Signals):
    """A connector that was mentioned with @."""

    id: Line | None = None
    name: Line | None = None
    provider: Line | None = None
    category: Line | None = None
    status: Line | None = None
    account_label: Line | None = None


class Metadata(Signals):
    """A project's metadata. What a bullet shows as unknown is asked on the first turn."""

    kind: Kind | None = None
    intent: Line | None = Field(None, description="`live-artifact` adds rules on its data")
    fidelity: Line | None = None
    speaker_notes: bool | None = None
    slide_count: Line | int | None = None
    animations: bool | None = None
    include_landing_page: bool | None = None
    include_os_widgets: bool | None = None
    template_id: Line | None = None
    template_label: Line | None = None
    platform: Line | None = None
    platform_targets: tuple[Line, ...] | None = None
    inspiration_design_system_ids: tuple[Line, ...] | None = None
    skip_discovery_brief: bool | int | str | None = Field(None, description="only true counts")
    example_prompt: bool | int | str | None = Field(None, description="only true counts")
    example_prompt_title: Line | None = None
    example_prompt_brief: Named[Any] | None = None
    image_model: Line | None = None
    image_aspect: Line | None = None
    image_style: Line | None = None
    video_model: Line | None = None
    video_length: Annotated[int | float | None, Field(description="in seconds")] = None
    video_aspect: Line | None = None
    audio_kind: Line | None = Field(None, description="`speech`, `music` or `sfx`")
    audio_model: Line | None = None
    audio_duration: Annotated[int | float | None, Field(description="in seconds")] = None
    voice: Line | None = None
    brand_id: Line | None = None
    brand_source_url: Line | None = None
    brand_design_system_id: Line | None = None
    prompt_template: PromptTemplate | None = None
    context_plugins: tuple[ContextPlugin, ...] | None = None
    context_mcp_servers: tuple[ContextMcpServer, ...] | None = None
    context_connectors: tuple[ContextConnector, ...] | None = None
