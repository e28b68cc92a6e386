"""The readers that fill open_design's signals from real folders."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from promptdag.inputs.craft import read_craft, wanted_craft
from promptdag.inputs.design_systems import read_design_system, select_design_system
from promptdag.inputs.open_design_memory import index_links, read_memory
from promptdag.inputs.skill_composition import RunSkill, compose_skill

from .flows import VECTORS, flow


def _write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def _codes(found: Any) -> list[str]:
    return [one.code for one in found.findings]


def test_craft_is_read_in_the_order_asked_for(tmp_path: Path) -> None:
    """Names are trimmed and lower-cased; each stands once."""
    _write(tmp_path, type__md="\ufeffT\r\n", colour__md="C\n")
    found = read_craft(tmp_path, [" Type ", "colour", "TYPE"])
    assert found.value == ("### type\n\nT\n\n---\n\n### colour\n\nC", ("type", "colour"))
    assert _codes(found) == ["craft-cleaned:type"]


def test_craft_that_cannot_be_served_is_told(tmp_path: Path) -> None:
    """A bad name, a missing file and a blank one each leave a finding and nothing else."""
    _write(tmp_path, blank__md=" \n")
    found = read_craft(tmp_path, ["../x", 7, "missing", "blank", "-a"])
    assert found.value == ("", ())
    assert _codes(found) == [
        "craft-name:'../x'",
        "craft-name:7",
        "craft-name:'-a'",
        "craft-missing:missing",
        "craft-blank:blank",
    ]
    assert read_craft(None, ["a"]).value == ("", ())


def test_exempt_craft_is_not_wanted() -> None:
    """The skill's come first; what the design system exempts goes."""
    assert wanted_craft(["b", "a"], ["a", "c"], ["c"]) == ("b", "a")


@pytest.mark.parametrize("row", VECTORS["parseIndexLinkIds"])
def test_the_recorded_index_lines(row: dict[str, Any]) -> None:
    """What a line of the index links; a hyphen for a dash is no reason to lose a memory."""
    found = index_links(row["line"])
    assert list(found.value) == row.get("right", row["ids"])
    assert bool(found.findings) is (not found.value and "MEMORY.md" not in row["line"])


def test_blanks_behind_a_link_do_no_harm() -> None:
    """The original disables such a memory in silence."""
    assert index_links("- [A](a.md) — d  \n- [B](b.md)  \n").value == ("a", "b")


def _memory(tmp_path: Path) -> Path:
    return _write(
        tmp_path,
        MEMORY__md="# Index\n- [R](r1.md) — rule\n- [P](me.md)\n- [U](u_1.md)\n- [G](gone.md)\n",
        me__md="---\ntype: profile\n---\n- Role: engineer  \n\n- Likes: serif\n",
        u_1__md="---\nname: Tone\ndescription: 'plain: words'\ntype: odd\n---\nShort.\n\nKind.\n",
        r1__md="---\nname: No black\ntype: rule\n---\nCheck: grep\n",
        lost__md="never linked",
    )


def test_memory_is_composed_by_type_in_the_order_of_the_index(tmp_path: Path) -> None:
    """Profile, user and the rest, rules last; an unknown type counts as user."""
    found = read_memory(_memory(tmp_path))
    assert found.value.body == (
        "### Profile\n- Role: engineer\n- Likes: serif\n\n"
        "### User\n- **Tone** — plain: words\n  Short.\n\n  Kind.\n\n"
        "### Verified rules\n- **No black** — (no description)\n  Check: grep"
    )
    assert [rule.id for rule in found.value.rules] == ["r1"]
    assert _codes(found) == ["memory-missing:gone", "memory-unlinked:lost"]


def test_touching_a_file_moves_nothing(tmp_path: Path) -> None:
    """The order does not depend on the time of a file."""
    _memory(tmp_path)
    before = read_memory(tmp_path)
    for number, name in enumerate(("me.md", "r1.md", "u_1.md")):
        os.utime(tmp_path / name, (10_000_000 - number, 10_000_000 - number))
    assert read_memory(tmp_path) == before


@pytest.mark.parametrize(
    ("settings", "body", "hooks"),
    [
        ({"enabled": False}, False, (True, True, True)),
        ({"profileEnabled": False, "verifyEnabled": None}, True, (False, True, True)),
        ({"rewriteEnabled": False}, True, (True, False, True)),
    ],
)
def test_only_false_switches_off(
    tmp_path: Path, settings: dict[str, Any], body: bool, hooks: tuple[bool, ...]
) -> None:
    """Each setting by itself; a profile that is off is not shown."""
    _memory(tmp_path)
    (tmp_path / ".config.json").write_text(json.dumps(settings))
    memory = read_memory(tmp_path).value
    assert bool(memory.body) is body
    assert tuple(memory.hooks.values()) == hooks
    assert ("### Profile" in memory.body) is (body and hooks[0])


def test_broken_settings_are_told_and_count_as_on(tmp_path: Path) -> None:
    """Memory is not lost over a comma."""
    _memory(tmp_path)
    (tmp_path / ".config.json").write_text("{,")
    found = read_memory(tmp_path)
    assert found.value.body
    assert "memory-settings" in _codes(found)


def test_memory_goes_into_the_flow(tmp_path: Path) -> None:
    """Body and hooks are signals as they are."""
    memory = read_memory(_memory(tmp_path)).value
    prompt = flow().compose({"memoryBody": memory.body, "memoryHooks": memory.hooks})
    assert memory.body in prompt.text


@pytest.mark.parametrize("row", VECTORS["ds_selection"])
def test_the_recorded_selections(row: dict[str, Any]) -> None:
    """Request, plugin, project, and the app's default where it counts."""
    given = row["args"]
    selected = select_design_system(
        given.get("requestDesignSystemId"),
        given.get("pluginDesignSystemId"),
        given.get("projectDesignSystemId"),
        given.get("appDefaultDesignSystemId"),
        allow_app_default=given.get("allowAppDefault", True),
    )
    assert selected == (row["result"]["id"], row["result"]["source"])


def test_a_blank_choice_is_none() -> None:
    """Blanks do not outrank a name."""
    assert select_design_system(" ", "p") == ("p", "plugin")
    assert select_design_system(app_default="d") == ("d", "app-default")
    assert select_design_system() == (None, "none")


def test_a_design_system_is_read_as_signals(tmp_path: Path) -> None:
    """Known files fill their signals, the rest is the pull index."""
    _write(tmp_path, DESIGN__md="intro\n# North\n", tokens__css=":root{}\n", USAGE__md=" ")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "b.html").write_text("x")
    found = read_design_system(tmp_path)
    assert found.value == {
        "design_system_body": "intro\n# North",
        "design_system_tokens_css": ":root{}",
        "design_system_title": "North",
        "design_system_pull_index": "parts/b.html",
    }
    assert _codes(found) == ["design-system-blank:USAGE.md"]
    assert "## Active design system — North" in flow().compose(found.value).text


def test_a_folder_without_a_system_is_told(tmp_path: Path) -> None:
    """No DESIGN.md, no active design system."""
    assert _codes(read_design_system(tmp_path)) == ["design-system-body"]


DECK = RunSkill("deck", "D", "Deck", "deck")
IMAGE = RunSkill("image", " I \n", "", "image")


@pytest.mark.parametrize(
    ("primary", "mentioned", "expected"),
    [
        (None, (), {}),
        (
            DECK,
            (IMAGE, IMAGE, RunSkill("DECK ", "x")),
            {
                "skill_body": "D\n\n---\n\n## Composed skill — image\n\nI",
                "skill_name": "Deck",
                "skill_mode": "deck",
                "skill_modes": ["deck", "image"],
            },
        ),
        (
            None,
            (IMAGE,),
            {
                "skill_body": "## Composed skill — image\n\nI",
                "skill_name": "image",
                "skill_mode": "image",
                "skill_modes": ["image"],
            },
        ),
        (
            None,
            (IMAGE, DECK),
            {
                "skill_body": "## Composed skill — image\n\nI"
                "\n\n---\n\n## Composed skill — Deck\n\nD",
                "skill_name": "composed",
                "skill_modes": ["image", "deck"],
            },
        ),
    ],
)
def test_skills_are_composed(
    primary: RunSkill | None, mentioned: tuple[RunSkill, ...], expected: dict[str, Any]
) -> None:
    """The run's own first; a mention is its mode only where it stands alone."""
    found = compose_skill(primary, mentioned)
    assert found.value == expected
    flow().compose(found.value)


def test_a_plugin_replaces_the_body_and_keeps_the_mentions() -> None:
    """The plugin's SKILL.md stands for the primary's."""
    body = compose_skill(DECK, (IMAGE,), " P ").value["skill_body"]
    assert body == "P\n\n---\n\n## Composed skill — image\n\nI"


def test_mentions_that_add_nothing_are_told() -> None:
    """The run's own skill, and one without text."""
    found = compose_skill(DECK, (DECK, RunSkill("empty", " ")))
    assert _codes(found) == ["skill-is-primary:deck", "skill-blank:empty"]
