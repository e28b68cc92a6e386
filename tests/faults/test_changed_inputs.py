"""The set of inputs changes while a session runs, or before it is resumed."""

from pathlib import Path

import pytest
from promptdag.inputs.skill_roots import SkillRoot
from promptdag.inputs.skills import read_skills

from ..answers.cases import full_case
from ..flows import FLOWS, FlowCase, built
from ..lint.samples import findings, flow_of, said
from ..test_skills_reader import write_skill
from .host import HOST, spoken

SEVEN = [{"name": f"tool{number}"} for number in range(7)]


def test_a_tool_that_comes_late_is_a_note_of_the_turn() -> None:
    """Seven tools become eight at turn three: the wire in front of the messages stays as it was."""
    session = HOST.session(tools=SEVEN)
    second, third = session.turn(), session.turn(new_tools=["tool7"])
    wires = [one.to_anthropic() for one in (second, third)]
    assert (wires[0]["tools"], wires[0]["system"]) == (wires[1]["tools"], wires[1]["system"])
    assert second.fingerprint == third.fingerprint
    assert "New tools: tool7." in spoken(third)
    assert "New tools" not in spoken(second)
    change = session.update(tools=[*SEVEN, {"name": "tool7"}]).change
    assert change is not None
    assert (change.fields, change.first_byte) == (("tools",), 0)


def test_a_server_that_connects_late_moves_no_byte_of_the_prefix() -> None:
    """Its name stands there from the start; whether it is ready is a matter of the turn."""
    session = HOST.session(servers=["mail"])
    pending, ready = session.turn(state="pending"), session.turn(state="ready")
    assert pending.blocks == ready.blocks
    assert "Servers: pending." in spoken(pending)
    assert "Servers: ready." in spoken(ready)


def test_a_server_that_was_not_there_is_a_declared_rebuild() -> None:
    """The update names field, section and what is rewritten; nothing moves without it."""
    session = HOST.session(servers=[])
    change = session.update(servers=["mail"]).change
    assert change is not None
    assert (change.fields, change.sections) == (("servers",), ("connected",))
    assert change.rewritten_bytes > 0
    assert session.turn(state="ready").fingerprint == session.fingerprint


def test_a_file_that_was_edited_between_runs_is_named_on_resume(tmp_path: Path) -> None:
    """The stored fingerprint is compared with that of the file as it is now."""
    path = tmp_path / "memory.md"
    path.write_text("v1", encoding="utf-8")
    saved = HOST.session(memory=path.read_text("utf-8")).save()
    assert not HOST.session(memory=path.read_text("utf-8")).resume(saved).send
    path.write_text("v2", encoding="utf-8")
    now = HOST.session(memory=path.read_text("utf-8"))
    resumed = now.resume(saved)
    assert (resumed.send, resumed.reason) == (True, "stable-prompt-changed")
    assert resumed.change is not None
    assert (resumed.change.fields, resumed.change.sections) == (("memory",), ("remembered",))
    again = HOST.load(saved)
    assert again.turnless().text.endswith("<memory>\nv1\n</memory>")
    change = again.update(memory="v2").change
    assert change is not None
    assert change.fields == ("memory",)


def test_a_file_that_is_edited_in_a_session_is_not_read_again(tmp_path: Path) -> None:
    """The stable part of the first turn serves every turn, until the session is told to refresh."""
    path = tmp_path / "memory.md"
    path.write_text("Be brief.", encoding="utf-8")
    session = HOST.session(memory=path.read_text("utf-8"))
    first = session.turn(said="one")
    path.write_text("Be thorough.", encoding="utf-8")
    second = session.turn(said="two")
    assert first.blocks == second.blocks
    assert "Be thorough." not in second.text
    refreshed = session.update(memory=path.read_text("utf-8"))
    assert "Be thorough." in refreshed.turn(said="three").text
    assert session.turn(said="four").blocks == first.blocks


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_shipped_flow_reads_no_file_after_its_session_began(
    case: FlowCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another folder, another home, another time zone: turns of a session share their blocks."""
    prompt = built(case.name).compose(full_case(case.name))
    turn = dict(prompt.turn) if prompt.turn is not None else {}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "Pacific/Apia")
    again = prompt.session.turn(**turn)
    assert again.blocks == prompt.blocks
    assert again.messages == prompt.messages
    assert built(case.name).compose(full_case(case.name)).blocks == prompt.blocks


@pytest.mark.parametrize("name", ["host", *(case.name for case in FLOWS)])
def test_a_snapshot_that_is_lost_is_told_and_the_same_signals_give_the_same_bytes(
    name: str,
) -> None:
    """Nothing was stored: the stable part is sent again, with the reason, and equal to the byte."""
    flow = HOST if name == "host" else built(name)
    prompt = flow.compose({} if name == "host" else full_case(name))
    rebuilt = flow.session(**dict(prompt.session.signals))
    assert rebuilt.turnless().blocks == prompt.session.turnless().blocks
    resumed = rebuilt.resume(None)
    assert (resumed.send, resumed.reason) == (True, "missing-stored-hash")
    assert str(resumed) == "send: missing-stored-hash"
    assert not rebuilt.resume(prompt.session.save()).send


PARAGRAPH = (
    "Before you change a file, read the whole of it, say in one sentence what the change is for, "
    "make the smallest edit that does it, run the tests that belong to it, and tell the user what "
    "they said, so that nobody ever has to guess what was done..."
)


def test_a_paragraph_that_stands_in_two_sections_names_both() -> None:
    """245 characters in two places are an error with both names."""
    assert len(PARAGRAPH) == 245
    flow = flow_of(said("habits", PARAGRAPH), said("other", "Be kind."), said("editing", PARAGRAPH))
    (found,) = findings(flow, "PD050")
    assert (found.severity, found.subject) == ("error", "habits+editing")


def test_a_skill_of_user_and_project_is_listed_once_and_its_source_is_kept(tmp_path: Path) -> None:
    """The prompt has one line for it; the finding says which file gave way to which."""
    for root in ("user", "project"):
        write_skill(tmp_path / root, "deploy", f"Deploys for the {root}.")
    roots = [
        SkillRoot(str(tmp_path / "user"), "user"),
        SkillRoot(str(tmp_path / "project"), "project"),
    ]
    found = read_skills(roots)
    (skill,) = found.value
    prompt = HOST.compose({"skills": [[one.name, one.description] for one in found.value]})
    assert prompt.text.count("- deploy:") == 1
    assert [row.name for row in prompt.manifest.sections].count("deploy") == 1
    assert (skill.scope, Path(skill.path)) == (
        "project",
        tmp_path / "project" / "deploy" / "SKILL.md",
    )
    (finding,) = found.findings
    assert (finding.code, finding.path) == (
        "duplicate-name",
        str(tmp_path / "user" / "deploy" / "SKILL.md"),
    )
    assert skill.path in finding.message
