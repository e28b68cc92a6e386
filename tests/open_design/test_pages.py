"""The committed tables say what the flow does now; `pytest --accept` writes them anew."""

import re

import pytest

from ..readme_tables import readme_path, with_table
from .flows import GOLDEN, flow
from .pages import (
    SCENARIOS,
    differences,
    drifting_table,
    matrix,
    section_names,
)

README = readme_path("open_design")
GENERATED = {
    "matrix": lambda: matrix(flow()),
    "consistent": differences,
    "drifting": drifting_table,
}


@pytest.mark.parametrize("gates", ["original", "consistent"])
def test_the_matrix_of_scenarios_by_sections_is_the_committed_one(gates: str, accept: bool) -> None:
    """A change of any gate shows in it."""
    path, now = GOLDEN / f"matrix-{gates}.md", matrix(flow(gates=gates)) + "\n"
    if accept:
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now


@pytest.mark.parametrize("name", GENERATED)
def test_the_page_shows_the_tables_of_now(name: str, accept: bool) -> None:
    """Each generated table stands between its marks."""
    page = README.read_text(encoding="utf-8")
    now = with_table(page, name, GENERATED[name]())
    if accept:
        README.write_text(now, encoding="utf-8")
    else:
        assert page == now, "run pytest --accept and read the diff"


def test_the_scenarios_open_and_close_every_section() -> None:
    """Each conditional section is open in one scenario and closed in another."""
    always = {
        "injection_resistance",
        "identity_charter",
        "clarifying_questions",
        "no_fabricated_turns",
    }
    opened = [
        {row.name for row in flow().compose(signals).manifest.sections if row.open}
        for signals in SCENARIOS.values()
    ]
    for name in section_names():
        assert any(name in one for one in opened), name
        assert all(name in one for one in opened) is (name in always), name


def test_no_caller_of_the_original_gives_project_instructions() -> None:
    """The dead row is told by its signal's own description, and by the page."""
    assert (
        flow()
        .graph.signals["project_instructions"]
        .doc.endswith("no caller of the original gives any")
    )
    assert "project_instructions" in README.read_text(encoding="utf-8")


def test_every_volatile_input_is_marked() -> None:
    """The inputs that can move between two turns carry why, all of class V and no other."""
    drifting = {
        leaf.path[0] for leaf in flow().graph.signals.values() if leaf.drifts and not leaf.turn
    }
    assert drifting == {
        "tools",
        "skill_body",
        "skill_name",
        "skill_mode",
        "skill_modes",
        "craft_body",
        "craft_sections",
        "memory_body",
        "audio_voice_options",
        "audio_voice_options_error",
        "connected_external_mcp",
        "locale",
        "session_mode",
        "media_execution",
    }


def test_the_page_shows_code_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The example prints what its comments say."""
    code = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(code) == 1
    exec(code[0], {})
    assert capsys.readouterr().out.split() == re.findall(r"# (\S+)$", code[0], re.MULTILINE)
