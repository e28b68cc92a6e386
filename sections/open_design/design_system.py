"""The active design system: how to use it, what it says, its tokens and parts."""

from ...inputs.markdown_fences import Fenced, fenced
from ..declare import fact, gate, section


@gate
def has_design_system(design_system_body: str | None) -> bool:
    """Open when a design system's DESIGN.md is not blank."""
    return bool(design_system_body)


@fact
def design_system_suffix(design_system_title: str | None) -> str:
    """What the design system's title adds to a heading."""
    return f" — {design_system_title}" if design_system_title else ""


@gate
def has_own_usage(design_system_usage_md: str | None) -> bool:
    """Open when the design system's USAGE.md is not blank."""
    return bool(design_system_usage_md)


@section(gate=has_design_system)
def design_system_usage(
    design_system_suffix: str, has_own_usage: bool, design_system_usage_md: str | None
) -> None:
    """How to use the design system: its own words, or a default."""


@section(gate=has_design_system)
def design_system_body(design_system_suffix: str, design_system_body: str | None) -> None:
    """DESIGN.md, and what it decides."""


@gate
def is_normalized(design_system_import_mode: str | None) -> bool:
    """Open when the import mode is `normalized`."""
    return design_system_import_mode == "normalized"


@gate
def is_hybrid(design_system_import_mode: str | None) -> bool:
    """Open when the import mode is `hybrid`."""
    return design_system_import_mode == "hybrid"


@gate
def has_import_mode(design_system_import_mode: str | None) -> bool:
    """Open when the import mode is `normalized`, `hybrid` or `verbatim`."""
    return design_system_import_mode in ("normalized", "hybrid", "verbatim")


@section(gate=(has_design_system, has_import_mode))
def design_system_import_mode(
    design_system_suffix: str, is_normalized: bool, is_hybrid: bool
) -> None:
    """How closely the design system follows what it was imported from."""


@gate
def has_tokens(design_system_tokens_css: str | None) -> bool:
    """Open when tokens.css is not blank; DESIGN.md need not be there."""
    return bool(design_system_tokens_css)


@fact
def design_tokens(design_system_tokens_css: str | None) -> Fenced:
    """The design tokens in a fence."""
    return fenced(design_system_tokens_css or "")


@section(gate=has_tokens)
def design_system_tokens(design_system_suffix: str, design_tokens: Fenced) -> None:
    """The custom properties to bind to."""


@gate
def has_manifest(design_system_components_manifest: str | None) -> bool:
    """Open when the manifest of components is not blank."""
    return bool(design_system_components_manifest)


@fact
def components_manifest(design_system_components_manifest: str | None) -> Fenced:
    """The manifest of components in a fence."""
    return fenced(design_system_components_manifest or "")


@section(gate=has_manifest)
def design_system_components_manifest(
    design_system_suffix: str, components_manifest: Fenced
) -> None:
    """What components there are."""


@gate
def has_fixture_alone(
    design_system_components_manifest: str | None, design_system_fixture_html: str | None
) -> bool:
    """Open when the manifest is blank and the fixture is not."""
    return bool(design_system_fixture_html) and not design_system_components_manifest


@fact
def component_fixture(design_system_fixture_html: str | None) -> Fenced:
    """The fixture in a fence."""
    return fenced(design_system_fixture_html or "")


@section(gate=has_fixture_alone)
def design_system_fixture(design_system_suffix: str, component_fixture: Fenced) -> None:
    """Components as they are built, where no manifest lists them."""


@gate
def has_pull_index(design_system_pull_index: str | None) -> bool:
    """Open when the index of files to read on demand is not blank."""
    return bool(design_system_pull_index)


@fact
def pull_index(design_system_pull_index: str | None) -> Fenced:
    """The index of files in a fence."""
    return fenced(design_system_pull_index or "")


@section(gate=has_pull_index)
def design_system_pull_index(
    design_system_suffix: str, pull_index: Fenced, host_read_command: str
) -> None:
    """Files that can be read when they are needed."""


@section(gate=has_design_system)
def active_design_system_direction() -> None:
    """The design system has decided: no question about direction, colours or theme."""
