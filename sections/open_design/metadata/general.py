"""The metadata block: its heading, and the bullets that do not belong to one kind of media."""

from ....inputs.open_design_metadata import Kind
from ...declare import fact, gate, section


@gate
def has_metadata(metadata_given: bool) -> bool:
    """Open when metadata is given, be it empty."""
    return metadata_given


@section(gate=has_metadata)
def project_metadata() -> None:
    """What is known of the project, and what has to be asked."""


@gate
def kind_is_known(metadata_kind: Kind | None) -> bool:
    """Open when metadata says the kind."""
    return metadata_kind is not None


@section
def kind(kind_is_known: bool, metadata_kind: Kind | None) -> None:
    """What the project is."""


@gate
def platform_is_known(metadata_platform: str | None) -> bool:
    """Open when metadata says the platform, not blank."""
    return bool(metadata_platform)


@gate
def concerns_platform(metadata_kind: Kind | None, metadata_platform: str | None) -> bool:
    """Open when metadata says the platform, or the kind is prototype, template or other."""
    return bool(metadata_platform) or metadata_kind in ("prototype", "template", "other")


@section(gate=concerns_platform)
def platform(platform_is_known: bool, metadata_platform: str | None) -> None:
    """Where it runs."""


@fact
def platform_target_list(metadata_platform_targets: tuple[str, ...] | None) -> str:
    """The platforms that it is for."""
    return ", ".join(metadata_platform_targets or ())


@gate
def has_platform_targets(metadata_platform_targets: tuple[str, ...] | None) -> bool:
    """Open when metadata lists platforms that it is for."""
    return bool(metadata_platform_targets)


@section(gate=has_platform_targets)
def platform_targets(platform_target_list: str) -> None:
    """All platforms that it is for."""


@gate
def is_responsive(
    metadata_platform: str | None, metadata_platform_targets: tuple[str, ...] | None
) -> bool:
    """Open when the platform or a target is `responsive`."""
    return "responsive" in (metadata_platform, *(metadata_platform_targets or ()))


@section(gate=is_responsive)
def responsive_web_contract() -> None:
    """One page for every width."""


@gate
def has_many_targets(metadata_platform_targets: tuple[str, ...] | None) -> bool:
    """Open when there is more than one target."""
    return len(metadata_platform_targets or ()) > 1


@section(gate=has_many_targets)
def cross_platform_deliverable_rule() -> None:
    """Each platform gets what it needs."""


@gate
def shows_html_rules(html_rules_apply: bool) -> bool:
    """Open when the kind is prototype, template or other.

    Under consistent gates not where the exclusive surface is image, video or audio.
    """
    return html_rules_apply


@section(gate=shows_html_rules)
def screen_file_first_rule() -> None:
    """A screen is a file."""


@section(gate=shows_html_rules)
def product_realism_rule() -> None:
    """It looks like a product in use."""


@section(gate=shows_html_rules)
def visual_system_rule() -> None:
    """Values come from one system."""


@section(gate=shows_html_rules)
def app_specific_modules_rule() -> None:
    """Parts belong to this product."""


@section(gate=shows_html_rules)
def cjx_ready_ux_rule() -> None:
    """The whole journey of a customer holds."""


@section(gate=shows_html_rules)
def interaction_fidelity_rule() -> None:
    """What looks alive is alive."""


@section(gate=shows_html_rules)
def artifact_output_rule() -> None:
    """What is handed over opens by itself."""


@gate
def wants_landing_page(metadata_include_landing_page: bool | None) -> bool:
    """Open when includeLandingPage is true."""
    return bool(metadata_include_landing_page)


@section(gate=wants_landing_page)
def include_landing_page() -> None:
    """A landing page goes with it."""


@gate
def wants_os_widgets(metadata_include_os_widgets: bool | None) -> bool:
    """Open when includeOsWidgets is true."""
    return bool(metadata_include_os_widgets)


@section(gate=wants_os_widgets)
def include_os_widgets() -> None:
    """Widgets of the operating system go with it."""


@gate
def is_live_artifact(metadata_intent: str | None) -> bool:
    """Open when the intent is `live-artifact`."""
    return metadata_intent == "live-artifact"


@section(gate=is_live_artifact)
def intent() -> None:
    """It shows live data."""


@section(gate=is_live_artifact)
def connector_source_rule() -> None:
    """Its data come from connectors."""
