"""The critique panel: five roles judge the work in rounds."""

import re

from ...inputs.javascript_text import entries
from ...inputs.open_design_text import shown
from ..declare import fact, gate, section

# A closing tag, however it is spaced, and the opening of a CDATA section.
_STRUCTURE = re.compile(r"<(?=\s*/|!\[CDATA\[)", re.IGNORECASE)


def attribute(value: str) -> str:
    """Return a value for a quoted attribute; ampersands stay, as the original has it."""
    return value.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


@gate
def has_panel(
    critique_enabled: bool,
    critique_brand_name: str | None,
    critique_skill_id: str | None,
    is_media: bool,
) -> bool:
    """Open when critique is enabled with a brand and a skill, and the surface is not media."""
    given = critique_brand_name is not None and critique_skill_id is not None
    return critique_enabled and given and not is_media


@fact
def panel_brand(critique_brand_name: str | None) -> str:
    """The brand's name, for an attribute."""
    return attribute(critique_brand_name or "")


@fact
def panel_brand_source(critique_brand_design_md: str | None) -> str:
    """The brand's DESIGN.md, which can neither close its wrapper nor open a CDATA section."""
    return _STRUCTURE.sub("<\u200d", critique_brand_design_md or "")


@fact
def panel_scale(critique_score_scale: int | float) -> str:
    """The best score."""
    return shown(critique_score_scale)


@fact
def panel_threshold(critique_score_threshold: int | float) -> str:
    """The composite that ships."""
    return shown(critique_score_threshold)


@fact
def panel_weights(critique_weights: dict[str, int | float]) -> str:
    """The share of each role: `designer=0, critic=0.4`."""
    return ", ".join(f"{shown(role)}={shown(weight)}" for role, weight in entries(critique_weights))


@section(gate=has_panel)
def critique_panel(
    critique_skill_id: str | None,
    panel_brand: str,
    panel_brand_source: str,
    critique_protocol_version: int,
    critique_max_rounds: int,
    panel_scale: str,
    panel_threshold: str,
    panel_weights: str,
) -> None:
    """Roles, the brand they judge by, the protocol they speak, and when they are done."""
