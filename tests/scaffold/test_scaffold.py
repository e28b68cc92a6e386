"""A flow of one's own: made, installed from its wheel in a clean environment, tested, found."""

import json
import re
from pathlib import Path
from shutil import copytree
from textwrap import indent

import pytest
from click.testing import CliRunner
from promptdag.dataflows.command_line import main

from ..test_readme import PYTHON, README
from .conftest import Installed

RECIPE = re.compile(r"^   ```(?:python|jinja)\n(.*?)^   ```$", re.MULTILINE | re.DOTALL)


def test_a_new_flow_passes_its_own_tests(installed: Installed, tmp_path: Path) -> None:
    """They compose its prompts, lint it, run its notebook and find it by its entry point."""
    tested = installed.environment.run(
        "python",
        "-m",
        "pytest",
        "-W",
        "error",
        "-p",
        "no:cacheprovider",
        str(installed.folder),
        cwd=tmp_path,
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "11 passed" in tested.stdout


def test_the_command_lints_a_new_flow(installed: Installed, tmp_path: Path) -> None:
    """Its cases are found where the README says; nothing is to be mended."""
    cases = sorted(map(str, installed.folder.glob("tests/golden/my_agent2/*/signals.json")))
    assert len(cases) == 2
    done = installed.environment.run(
        "promptdag", "lint", installed.name, *cases, "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["findings"]
    assert {(one["severity"], one["code"]) for one in found} == {("info", "PD020")}


def test_the_command_lists_and_composes_a_new_flow(installed: Installed, tmp_path: Path) -> None:
    """Beside those that promptdag ships, each by its entry point."""
    listed = installed.environment.run("promptdag", "flows", cwd=tmp_path)
    names = {line.partition(":")[0] for line in listed.stdout.splitlines()}
    assert {"my_agent2", "theway", "zcode", "open_design", "minimal_agent"} <= names, listed.stderr
    composed = installed.environment.run(
        "promptdag",
        "compose",
        "my_agent2",
        "--set",
        "cwd=/app",
        "--set",
        "user_input=hello",
        cwd=tmp_path,
    )
    assert "You work in /app." in composed.stdout, composed.stderr


@pytest.mark.parametrize(("code", "output"), PYTHON)
def test_a_program_of_the_readme_runs_from_the_wheel(
    installed: Installed, tmp_path: Path, code: str, output: str
) -> None:
    """With the declared libraries alone it prints what stands under it."""
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    done = installed.environment.run("python", "-W", "error", "program.py", cwd=tmp_path)
    assert done.stdout == output, done.stderr


def test_the_clean_environment_has_nothing_undeclared(installed: Installed, tmp_path: Path) -> None:
    """What only this environment's tests use cannot be imported there, nor the source tree."""
    asked = "import promptdag.dataflows as d; print(d.__file__); import matplotlib"
    done = installed.environment.run("python", "-c", asked, cwd=tmp_path)
    assert "site-packages/promptdag/dataflows" in done.stdout
    assert "No module named 'matplotlib'" in done.stderr


def test_the_readme_tells_the_same_steps_as_that_of_a_new_flow(installed: Installed) -> None:
    """So what the test below proves of the one holds of the other."""
    readme = (installed.folder / "README.md").read_text(encoding="utf-8")
    steps = README.partition("## Adding a section")[2].partition("\n## ")[0]
    for block in RECIPE.findall(readme):
        assert indent(dedent_once(block), " " * 7) in steps


def test_the_readme_of_a_new_flow_adds_a_section(installed: Installed, tmp_path: Path) -> None:
    """Its steps are taken as they are written; the tests ask by name for what is missing."""
    folder = copytree(installed.folder, tmp_path / installed.name)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    section, signal, template = map(dedent_once, RECIPE.findall(readme))
    _edit(
        folder / "sections/work.py",
        "\n\n@gate\ndef has_notes",
        f"\n\n{section}\n\n@gate\ndef has_notes",
    )
    _edit(folder / "inputs/signals.py", "    notes: Text", f"{signal}    notes: Text")
    (folder / "sections/texts/deadline_note.md.j2").write_text(template, encoding="utf-8")
    _edit(
        folder / "sections/__init__.py",
        "import branch_note,",
        "import branch_note, deadline_note, has_deadline,",
    )
    _edit(
        folder / "dataflows/prompt.py",
        "sections.branch_note,",
        "sections.branch_note, sections.deadline_note,",
    )

    asked = _tested(installed, folder)
    assert "add has_deadline to TABLES" in asked
    assert "set what opens ['deadline_note'] in" in asked

    rows = '"has_deadline": [({"deadline": "Friday"}, True), ({"deadline": None}, False)],'
    _edit(folder / "tests/test_gates.py", '    "on_branch"', f'    {rows}\n    "on_branch"')
    full = folder / "tests/golden/my_agent2/full"
    _edit(full / "signals.json", '"cwd"', '"deadline": "Friday",\n  "cwd"')
    assert "The work is due on Friday." in _tested(installed, folder), "the golden file is compared"
    accepted = _tested(installed, folder, "--accept")
    assert "12 passed" in accepted, accepted
    assert "failed" not in accepted
    assert "\n\nThe work is due on Friday.\n\n" in (full / "prompt.txt").read_text(encoding="utf-8")


def dedent_once(block: str) -> str:
    """Return a block of a list item without the item's own three blanks."""
    return re.sub(r"^   ", "", block, flags=re.MULTILINE)


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{path.name}: no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _tested(installed: Installed, folder: Path, *options: str) -> str:
    """Run a changed flow's tests; the folder stands before the installed one on the path."""
    command = ("python", "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder / "tests"))
    leave = f"--deselect={folder}/tests/test_prompts.py::test_the_command_finds_the_flow"
    done = installed.environment.run(
        *command, leave, cwd=folder.parent, PYTHONPATH=str(folder.parent)
    )
    return done.stdout + done.stderr


def test_no_mark_of_the_templates_is_left(installed: Installed) -> None:
    """Every name is filled in."""
    written = [path for path in installed.folder.rglob("*") if path.is_file()]
    texts = {
        path: path.read_text(encoding="utf-8") for path in written if "build" not in path.parts
    }
    assert len(texts) > 15
    assert not [path for path, text in texts.items() if "NEWFLOW" in text.upper().replace(" ", "")]


@pytest.mark.parametrize("name", ["My", "2nd", "a-b", "class", "promptdag", "", "../up"])
def test_a_name_that_is_no_package_is_refused(name: str, tmp_path: Path) -> None:
    """One line says what a name is made of; nothing is written."""
    done = CliRunner().invoke(main, ["new", "--in", str(tmp_path), "--", name])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: flow {name!r}: ")
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_the_folder_that_it_made(tmp_path: Path) -> None:
    """And on stderr what to do next."""
    done = CliRunner().invoke(main, ["new", "mine", "--in", str(tmp_path)])
    assert done.stdout == f"{tmp_path / 'mine'}\n"
    assert "pip install -e" in done.stderr


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    """Nobody's work is written over."""
    (tmp_path / "mine").mkdir()
    done = CliRunner().invoke(main, ["new", "mine", "--in", str(tmp_path)])
    assert done.exit_code == 1
    assert "exists; choose another name" in done.stderr
    assert list((tmp_path / "mine").iterdir()) == []
