"""What open_design's texts call the product, and what its dispatcher can use."""

from typing import Literal

from pydantic import Field

from .open_design_text import Line
from .signals import Signals

MediaSurface = Literal["image", "video", "audio"]


class MediaModel(Signals):
    """A model that the dispatcher knows."""

    id: Line
    surface: MediaSurface
    provider: Line


MEDIA_MODELS = (
    MediaModel(id="gpt-image-2", surface="image", provider="openai"),
    MediaModel(id="gpt-image-1.5", surface="image", provider="openai"),
    MediaModel(id="gpt-image-1", surface="image", provider="openai"),
    MediaModel(id="gpt-image-1-mini", surface="image", provider="openai"),
    MediaModel(id="dall-e-3", surface="image", provider="openai"),
    MediaModel(id="hyperframes-html", surface="video", provider="local"),
    MediaModel(id="elevenlabs-v3", surface="audio", provider="elevenlabs"),
)


class Host(Signals):
    """What the texts call the product, its commands and its environment variables."""

    product: Line = "Open Design"
    initials: Line = Field(default="OD", description="heads the core directives")
    node_variable: Line = Field(
        default="OD_NODE_BIN", description="holds the runtime of the commands"
    )
    command_variable: Line = Field(
        default="OD_BIN", description="holds the program of the commands"
    )
    media_command: Line = Field(
        default="od media generate", description="makes an image, video or sound"
    )
    wait_command: Line = Field(
        default="od media wait", description="waits for a job that is not done yet"
    )
    read_command: Line = Field(
        default="tools design-systems read --path <path>",
        description="reads a design system's file",
    )
    codex_images: Line = Field(
        default="${CODEX_HOME:-$HOME/.codex}/generated_images/",
        description="where Codex leaves images",
    )
    media_models: tuple[MediaModel, ...] = Field(
        default=MEDIA_MODELS,
        description="what the dispatcher can use, in the order in which it is listed",
    )
