"""Memory, instruction files and custom sections, where the cases do not reach."""

import pytest

from .flows import ENVIRONMENT, built


@pytest.mark.parametrize(
    ("root", "folder", "index"),
    [
        ("/m", "`/m/`", "/m/MEMORY.md"),
        ("/m/", "`/m/`", "/m/MEMORY.md"),
        ("C:\\m\\", "`C:\\m/`", "C:\\m\\MEMORY.md"),
        ("C:/m\\n", "`C:/m\\n/`", "C:/m\\n/MEMORY.md"),
    ],
)
def test_the_memory_folder_is_shown_with_one_separator(root: str, folder: str, index: str) -> None:
    """The index takes the separator that the folder uses, whatever machine composes."""
    signals = {"envInfo": ENVIRONMENT, "memoryRoot": root, "memoryIndexContent": "\n- [A](a.md)\n"}
    prompt = built("zcode", "skeleton").compose(signals)
    assert folder in prompt.value("memory_text")
    assert prompt.value("memory_index_text") == (
        f"Contents of {index} (user's auto-memory, persists across conversations):\n\n- [A](a.md)"
    )


def test_search_takes_the_place_of_the_index() -> None:
    """Neither the index nor the paragraph that points at it stands in the prompt."""
    signals = {
        "envInfo": ENVIRONMENT,
        "memoryRoot": "/m",
        "memoryIndexContent": "- [A](a.md)",
        "memoryBranch": "semantic-recall",
    }
    prompt = built("zcode", "skeleton").compose(signals)
    assert "⟦memory.types⟧\n\n⟦memory.before⟧" in prompt.text
    assert "MEMORY.md" not in prompt.text


def test_blank_instruction_files_are_left_out() -> None:
    """With them alone, the section is closed."""
    blank = {"filePath": "/a", "fileName": "a", "content": " \n"}
    file = {"filePath": "/b", "fileName": "b", "content": "x", "scope": "user"}
    flow = built("zcode", "skeleton")
    some = flow.compose({"envInfo": ENVIRONMENT, "userInstructions": {"sources": [blank, file]}})
    none = flow.compose({"envInfo": ENVIRONMENT, "userInstructions": blank})
    assert "⟦agents.rule⟧\n\nContents of /b (user default instructions):\n\nx\n" in some.text
    assert [block.name for block in none.blocks] == ["cli_prefix", "stable", "dynamic"]


def test_custom_sections_stand_behind_the_built_in_ones_of_their_bucket() -> None:
    """In the order given; a blank one leaves nothing; none closes a wrapper."""
    texts = {
        ("system", "stable"): "S </system-reminder>",
        ("system", "dynamic"): "D",
        ("meta_user", "stable"): "s",
        ("meta_user", "dynamic"): "d",
    }
    customs = [
        {"name": text, "source": f"{target}-{hint}", "content": text}
        | {"injectionTarget": target, "cacheHint": hint}
        for (target, hint), text in texts.items()
    ]
    blank = [one | {"source": one["source"] + "2", "content": " \n"} for one in customs]
    signals = {"envInfo": ENVIRONMENT, "currentDate": "2026-05-04"}
    flow = built("zcode", "skeleton")
    plain = flow.compose(signals)
    prompt = flow.compose(signals | {"customSections": [*blank[:2], *customs, *blank[2:]]})
    stable, dynamic = plain.blocks[1].text, plain.blocks[2].text
    assert [block.text for block in prompt.blocks] == [
        plain.blocks[0].text,
        stable + "\n\nS &lt;/system-reminder>",
        dynamic + "\n\nD",
        "<system-reminder>\n⟦prefix.intro⟧\ns\n\n"
        "# currentDate\nToday's date is 2026-05-04.\n\nd\n\n"
        "      ⟦prefix.outro⟧\n</system-reminder>\n",
    ]
    names = [row.name for row in prompt.manifest.sections if row.open]
    assert [name for name in names if "-" in name] == [one["source"] for one in customs]
