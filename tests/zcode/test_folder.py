"""zcode filled from a real folder: a repository that git made, with skills and instructions."""

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from promptdag.dataflows.command_line import main
from promptdag.inputs.zcode_folder import read_zcode

GOOD = "---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of our own, so that nothing of this machine is read."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("SHELL", "/bin/zsh")
    return folder


@pytest.fixture
def repository(tmp_path: Path, home: Path) -> Path:
    """A repository with two skills, one of them broken, instructions, memory and a change."""
    root = tmp_path / "repo"
    skills = root / ".agents" / "skills"
    for name, text in {"good": GOOD.format(name="good"), "broken": "no front matter\n"}.items():
        (skills / name).mkdir(parents=True)
        (skills / name / "SKILL.md").write_text(text)
    (root / "AGENTS.md").write_text("Run the tests.\n")
    (root / ".zcode" / "memory").mkdir(parents=True)
    (root / ".zcode" / "memory" / "MEMORY.md").write_text("- [Db](db.md) — needed\n")
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "First"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    (root / "AGENTS.md").write_text("Run the tests.\nAlways.\n")
    return root


def test_a_folder_gives_every_signal(repository: Path, home: Path) -> None:
    """Workspace, git, skills, instructions, memory and the day."""
    found = read_zcode(repository, today=date(2026, 5, 4)).value
    environment = found["env_info"]
    assert environment["cwd"] == str(repository)
    assert environment["shell"] == "zsh"
    assert environment["is_git_repository"] is True
    assert (environment["git_branch"], environment["git_user"]) == ("main", "Ada")
    assert environment["git_status_lines"] == [" M AGENTS.md"]
    assert environment["recent_commits"][0].endswith(" First")
    assert [skill["name"] for skill in found["skills"]] == ["good"]
    sources = found["user_instructions"]["sources"]
    assert [source["content"] for source in sources] == ["Run the tests.\nAlways.\n"]
    assert found["memory_root"] == str(repository / ".zcode" / "memory")
    assert found["memory_index_content"] == "- [Db](db.md) — needed"
    assert found["current_date"] == "2026-05-04"


def test_a_broken_skill_is_found_and_the_others_load(repository: Path) -> None:
    """The finding names the file, the line and the code."""
    findings = {one.code: one for one in read_zcode(repository).findings}
    broken = findings["missing-frontmatter"]
    assert broken.path == str(repository / ".agents/skills/broken/SKILL.md")
    assert (broken.line, broken.severity) == (1, "error")


def test_without_trust_no_status_is_taken(repository: Path) -> None:
    """Branch and log are safe to read; a status could run what the repository says."""
    environment = read_zcode(repository, trusted=False).value["env_info"]
    assert environment["git_branch"] == "main"
    assert environment["recent_commits"]
    assert (environment["git_status"], environment["git_status_lines"]) == ("unknown", [])


def test_a_plain_folder_needs_no_git(tmp_path: Path, home: Path) -> None:
    """No repository, no skills, no instructions: still a prompt."""
    found = CliRunner().invoke(main, ["compose", "zcode", "--here", str(tmp_path)])
    assert found.exit_code == 0
    assert f"- Primary working directory: {tmp_path}\n- Is a git repository: no\n" in found.stdout
    assert "agentsMd" not in found.stdout


def test_gather_prints_signals_that_compose_takes(repository: Path, tmp_path: Path) -> None:
    """The JSON can be edited and fed back; findings stand on stderr."""
    gathered = CliRunner().invoke(main, ["gather", "zcode", str(repository)])
    assert "missing-frontmatter" in gathered.stderr
    file = tmp_path / "signals.json"
    file.write_text(gathered.stdout)
    again = CliRunner().invoke(main, ["compose", "zcode", str(file)])
    here = CliRunner().invoke(main, ["compose", "zcode", "--here", str(repository)])
    assert again.stdout == here.stdout
    assert "missing-frontmatter" in here.stderr


def test_untrusted_is_an_option_of_both_commands(repository: Path) -> None:
    """A folder that the caller does not vouch for gives no status."""
    gathered = CliRunner().invoke(main, ["gather", "zcode", str(repository), "--untrusted"])
    assert json.loads(gathered.stdout)["env_info"]["git_status_lines"] == []
    arguments = ["compose", "zcode", "--here", str(repository), "--untrusted"]
    composed = CliRunner().invoke(main, arguments)
    assert "Status:\n(unknown)\n" in composed.stdout


def test_a_whole_prompt_lists_its_sections_by_the_originals_buckets() -> None:
    """On the wire the skills stand first; in the list a stable section of the same target does."""
    case = json.loads((Path(__file__).parent / "cases" / "z02-everything.json").read_text())
    arguments = ["compose", "zcode", "-", "--texts", "skeleton", "--format", "json"]
    found = CliRunner().invoke(main, arguments, input=json.dumps(case["input"]))
    listed = [row for row in json.loads(found.stdout)["sections"] if row["open"]]
    wanted = [tuple(one.values()) for one in case["expect"]["sections"]]
    assert [(row["name"], row["target"], row["cache"]) for row in listed] == wanted
