"""Bullets for brands, prototypes, decks and templates."""

from ....inputs.open_design_metadata import Kind
from ...declare import fact, gate, section


@gate
def is_brand(metadata_kind: Kind | None) -> bool:
    """Open when the kind is brand."""
    return metadata_kind == "brand"


@section(gate=is_brand)
def brand_extraction_project() -> None:
    """A brand is read out of its source."""


@gate
def brand_id_is_known(metadata_brand_id: str | None) -> bool:
    """Open when metadata says the brand's id."""
    return bool(metadata_brand_id)


@section(gate=(is_brand, brand_id_is_known))
def brand_id(metadata_brand_id: str | None) -> None:
    """Which brand."""


@gate
def brand_source_is_known(metadata_brand_source_url: str | None) -> bool:
    """Open when metadata says where the brand is read from."""
    return bool(metadata_brand_source_url)


@section(gate=(is_brand, brand_source_is_known))
def brand_source_url(metadata_brand_source_url: str | None) -> None:
    """Where the brand is read from."""


@gate
def brand_design_system_is_known(metadata_brand_design_system_id: str | None) -> bool:
    """Open when metadata says the design system that the brand becomes."""
    return bool(metadata_brand_design_system_id)


@section(gate=(is_brand, brand_design_system_is_known))
def brand_design_system_id(metadata_brand_design_system_id: str | None) -> None:
    """The design system that the brand becomes."""


@gate
def is_prototype(metadata_kind: Kind | None) -> bool:
    """Open when the kind is prototype."""
    return metadata_kind == "prototype"


@gate
def fidelity_is_known(metadata_fidelity: str | None) -> bool:
    """Open when metadata says the fidelity, not blank."""
    return bool(metadata_fidelity)


@section(gate=is_prototype)
def fidelity(fidelity_is_known: bool, metadata_fidelity: str | None) -> None:
    """How finished it has to look."""


@gate
def is_deck(metadata_kind: Kind | None) -> bool:
    """Open when the kind is deck."""
    return metadata_kind == "deck"


@gate
def slide_count_is_known(metadata_slide_count: str | int | None) -> bool:
    """Open when metadata says how many slides, not blank."""
    return metadata_slide_count not in (None, "")


@section(gate=is_deck)
def slide_count(slide_count_is_known: bool, metadata_slide_count: str | int | None) -> None:
    """How many slides."""


@gate
def speaker_notes_are_known(metadata_speaker_notes: bool | None) -> bool:
    """Open when metadata says whether there are speaker notes."""
    return metadata_speaker_notes is not None


@gate
def wants_speaker_notes(metadata_speaker_notes: bool | None) -> bool:
    """Open when speakerNotes is true."""
    return bool(metadata_speaker_notes)


@section(gate=is_deck)
def speaker_notes(speaker_notes_are_known: bool, wants_speaker_notes: bool) -> None:
    """Whether there are speaker notes."""


@gate
def is_template(metadata_kind: Kind | None) -> bool:
    """Open when the kind is template."""
    return metadata_kind == "template"


@gate
def animations_are_known(metadata_animations: bool | None) -> bool:
    """Open when metadata says whether it moves."""
    return metadata_animations is not None


@gate
def wants_animations(metadata_animations: bool | None) -> bool:
    """Open when animations is true."""
    return bool(metadata_animations)


@section(gate=is_template)
def animations(animations_are_known: bool, wants_animations: bool) -> None:
    """Whether it moves."""


@gate
def template_label_is_known(metadata_template_label: str | None) -> bool:
    """Open when metadata says the template's label."""
    return bool(metadata_template_label)


@section(gate=(is_template, template_label_is_known))
def template_label(metadata_template_label: str | None) -> None:
    """Which template."""


@fact
def inspiration_list(metadata_inspiration_design_system_ids: tuple[str, ...] | None) -> str:
    """The design systems that inspire it."""
    return ", ".join(metadata_inspiration_design_system_ids or ())


@gate
def has_inspiration(inspiration_list: str) -> bool:
    """Open when metadata lists design systems that inspire it."""
    return inspiration_list != ""


@section(gate=has_inspiration)
def inspiration_design_system_ids(inspiration_list: str) -> None:
    """Design systems to look at, not to follow."""
