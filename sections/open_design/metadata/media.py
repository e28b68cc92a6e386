"""Bullets for images, video and sound."""

from ....inputs.open_design_metadata import Kind
from ....inputs.open_design_text import shown
from ...declare import fact, gate, section


@gate
def is_image(metadata_kind: Kind | None) -> bool:
    """Open when the kind is image."""
    return metadata_kind == "image"


@gate
def image_model_is_known(metadata_image_model: str | None) -> bool:
    """Open when metadata says the image model, not blank."""
    return bool(metadata_image_model)


@section(gate=is_image)
def image_model(image_model_is_known: bool, metadata_image_model: str | None) -> None:
    """By which model."""


@gate
def image_aspect_is_known(metadata_image_aspect: str | None) -> bool:
    """Open when metadata says the image's aspect ratio, not blank."""
    return bool(metadata_image_aspect)


@section(gate=is_image)
def image_aspect_ratio(image_aspect_is_known: bool, metadata_image_aspect: str | None) -> None:
    """Its aspect ratio."""


@gate
def image_style_is_known(metadata_image_style: str | None) -> bool:
    """Open when metadata says the image's style."""
    return bool(metadata_image_style)


@section(gate=(is_image, image_style_is_known))
def style_notes(metadata_image_style: str | None) -> None:
    """How it looks."""


@gate
def has_titled_prompt_template(
    metadata_prompt_template_title: str | None, metadata_prompt_template_prompt: str | None
) -> bool:
    """Open when a prompt template has a title, and a prompt that is not blank."""
    return bool(metadata_prompt_template_title and metadata_prompt_template_prompt)


@section(gate=(is_image, has_titled_prompt_template))
def image_reference_template(metadata_prompt_template_title: str | None) -> None:
    """Which prompt inspires it."""


@section(gate=is_image)
def image_action(media_is_disabled: bool, host_media_command: str) -> None:
    """What to do for an image."""


@gate
def is_video(metadata_kind: Kind | None) -> bool:
    """Open when the kind is video."""
    return metadata_kind == "video"


@gate
def video_model_is_known(metadata_video_model: str | None) -> bool:
    """Open when metadata says the video model, not blank."""
    return bool(metadata_video_model)


@section(gate=is_video)
def video_model(video_model_is_known: bool, metadata_video_model: str | None) -> None:
    """By which model."""


@gate
def video_length_is_known(metadata_video_length: int | float | None) -> bool:
    """Open when metadata says how many seconds the video has."""
    return metadata_video_length is not None


@fact
def video_length_seconds(metadata_video_length: int | float | None) -> str:
    """How many seconds the video has."""
    return shown(metadata_video_length)


@section(gate=is_video)
def video_length(video_length_is_known: bool, video_length_seconds: str) -> None:
    """How long it is."""


@gate
def video_aspect_is_known(metadata_video_aspect: str | None) -> bool:
    """Open when metadata says the video's aspect ratio, not blank."""
    return bool(metadata_video_aspect)


@section(gate=is_video)
def video_aspect_ratio(video_aspect_is_known: bool, metadata_video_aspect: str | None) -> None:
    """Its aspect ratio."""


@section(gate=(is_video, has_titled_prompt_template))
def video_reference_template(metadata_prompt_template_title: str | None) -> None:
    """Which prompt inspires it."""


@section(gate=is_video)
def video_action(media_is_disabled: bool, host_media_command: str) -> None:
    """What to do for a video."""


@gate
def renders_locally(metadata_video_model: str | None) -> bool:
    """Open when the video model is `hyperframes-html`."""
    return metadata_video_model == "hyperframes-html"


@section(gate=(is_video, renders_locally))
def local_renderer() -> None:
    """A video that is HTML first, and is rendered here."""
