"""The default prose, and the page of zcode."""

import pytest
from promptdag.sections.packs import DefaultPack, section_template

from ..readme_tables import readme_path
from .flows import FLOWS, built
from .readme_tables import with_tables


def slots() -> dict[str, set[str]]:
    """Return the prose of every slot of every flow, by the slot's name."""
    found: dict[str, set[str]] = {}
    for name in FLOWS:
        for position in built(name).positions:
            section = position.place.section
            if section.many:
                continue
            for slot, prose in section_template(section, DefaultPack()).slots.items():
                found.setdefault(slot, set()).add(prose)
    return found


def test_slots_of_one_name_say_the_same() -> None:
    """The rules of the harness stand in two templates, and must not drift apart."""
    assert [slot for slot, texts in slots().items() if len(texts) != 1] == []


def test_no_slot_is_blank_or_has_blank_ends_of_lines() -> None:
    """Every slot says something."""
    for slot, texts in slots().items():
        for text in texts:
            assert text.strip() == text.replace(" \n", "\n").strip() != "", slot


# What the prose of a slot must name, since the agent cannot act on it otherwise.
OBLIGATIONS = {
    "harness__5": ("`file_path:line_number`",),
    "genui__widget": ("`visualize`",),
    "genui__3": ("`<untrusted_gen_ui_state>`", "data"),
    "comments__1": ("::code-comment{", "title=", "body=", "file=", "start=", "end=", "priority="),
    "comments__7": ("::code-comment{title=",),
    "memory__types": ("`user`", "`feedback`", "`project`", "`reference`"),
    "memory__links": ("`[[name]]`",),
    "memory__pointer": ("`- [Title](file.md) — hook`", "`MEMORY.md`"),
    "compact__head": ("`<analysis>`", "`<summary>`", "no tool"),
    "compact__6": ("word for word",),
    "compact__9": ("quote",),
}


@pytest.mark.parametrize("slot", OBLIGATIONS)
def test_a_slot_names_what_the_agent_must_use(slot: str) -> None:
    """Literals of the protocol stand in the prose as they are."""
    (prose,) = slots()[slot]
    assert [part for part in OBLIGATIONS[slot] if part not in prose] == []


def test_the_page_of_zcode_is_as_the_flows_are(accept: bool) -> None:
    """A change of a section, gate or signal shows on the page: `pytest --accept` writes it."""
    path = readme_path("zcode")
    page = path.read_text(encoding="utf-8")
    if accept:
        path.write_text(with_tables(page), encoding="utf-8")
    else:
        assert with_tables(page) == page, "run pytest --accept and read the diff"
