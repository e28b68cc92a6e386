"""Images, video and sound: what may be generated, and how."""

from typing import NamedTuple

from ...inputs.open_design_host import MediaModel
from ...inputs.open_design_metadata import Kind
from ...inputs.open_design_text import names
from ..declare import fact, gate, section
from .surface import MEDIA, MediaMode, is_media


@gate
def media_is_disabled(media_mode: MediaMode) -> bool:
    """Open when the policy's mode is `disabled`.

    Under consistent gates also when the stream is `plain`: without tools nothing is generated.
    """
    return media_mode == "disabled"


@gate
def media_is_enabled(media_mode: MediaMode) -> bool:
    """Open when the policy's mode is anything but `disabled`.

    Under consistent gates only with tools: not when the stream is `plain`.
    """
    return media_mode == "enabled"


@fact
def surface_limit(media_execution_allowed_surfaces: tuple[str, ...] | None) -> str:
    """The surfaces that the policy allows, empty for all."""
    return names(media_execution_allowed_surfaces or ())


@fact
def model_limit(media_execution_allowed_models: tuple[str, ...] | None) -> str:
    """The models that the policy allows, empty for all."""
    return names(media_execution_allowed_models or ())


@gate
def limits_surfaces(surface_limit: str) -> bool:
    """Open when the policy lists surfaces."""
    return surface_limit != ""


@gate
def limits_models(model_limit: str) -> bool:
    """Open when the policy lists models."""
    return model_limit != ""


@gate
def has_media_scope(surface_limit: str, model_limit: str) -> bool:
    """Open when the policy lists surfaces or models."""
    return surface_limit != "" or model_limit != ""


@fact
def media_subcommand(host_media_command: str) -> str:
    """The dispatcher's command without its program, which a variable holds."""
    return host_media_command.partition(" ")[2]


class SurfaceModels(NamedTuple):
    """The models of one surface."""

    surface: str
    models: str


@fact
def media_catalogue(host_media_models: tuple[MediaModel, ...]) -> tuple[SurfaceModels, ...]:
    """The models of each surface that has any."""
    listed = {
        surface: names(model.id for model in host_media_models if model.surface == surface)
        for surface in MEDIA
    }
    return tuple(SurfaceModels(surface, models) for surface, models in listed.items() if models)


@section(gate=(is_media, media_is_enabled))
def media_contract(
    host_node_variable: str,
    host_command_variable: str,
    host_media_command: str,
    media_subcommand: str,
    host_wait_command: str,
    has_media_scope: bool,
    limits_surfaces: bool,
    surface_limit: str,
    limits_models: bool,
    model_limit: str,
    media_catalogue: tuple[SurfaceModels, ...],
) -> None:
    """How media is generated: by the dispatcher alone, waited for, and reported as it is."""


@section(gate=(is_media, media_is_disabled))
def media_policy_disabled(
    has_media_scope: bool,
    limits_surfaces: bool,
    surface_limit: str,
    limits_models: bool,
    model_limit: str,
) -> None:
    """Nothing is generated in this run."""


@gate
def may_dispatch_media(media_can_be_asked: bool) -> bool:
    """Open when the exclusive surface is not image, video or audio, whatever the policy says.

    Under consistent gates the policy and the stream must allow it as well.
    """
    return media_can_be_asked


@section(gate=may_dispatch_media)
def media_dispatch_hint(host_media_command: str) -> None:
    """What to do when an image, video or sound is asked for on the side."""


@fact
def codex_imagegen_model(
    metadata_image_model: str | None, host_media_models: tuple[MediaModel, ...]
) -> str:
    """The image model, if Codex can use it itself; else empty."""
    model = metadata_image_model or ""
    known = [one.id for one in host_media_models if one.provider == "openai"]
    return model if model.startswith("gpt-image-") and model in known else ""


@gate
def codex_override_is_included(include_codex_imagegen_override: bool | None) -> bool:
    """Open when includeCodexImagegenOverride is true, as it is by default."""
    return include_codex_imagegen_override is True


@gate
def codex_can_make_images(
    agent_id: str | None, metadata_kind: Kind | None, codex_imagegen_model: str
) -> bool:
    """Open when the agent is codex, in any case, for an image by one of its own models."""
    is_codex = agent_id is not None and agent_id.strip().lower() == "codex"
    return is_codex and metadata_kind == "image" and codex_imagegen_model != ""


@gate
def codex_may_make_images(
    media_mode: MediaMode,
    media_execution_mode: str | None,
    media_execution_allowed_surfaces: tuple[str, ...] | None,
    media_execution_allowed_models: tuple[str, ...] | None,
    codex_imagegen_model: str,
) -> bool:
    """Open when the policy is absent or `enabled`, and its lists allow images and the model."""
    surfaces, models = media_execution_allowed_surfaces, media_execution_allowed_models
    return (
        media_mode == "enabled"
        and media_execution_mode in (None, "enabled")
        and (not surfaces or "image" in surfaces)
        and (not models or codex_imagegen_model in models)
    )


@section(gate=(codex_override_is_included, codex_can_make_images, codex_may_make_images))
def codex_imagegen(codex_imagegen_model: str, host_codex_images: str) -> None:
    """Codex makes the image itself, and proves that it did."""
