"""A flow of one's own: made, installed, tested, found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from promptdag.dataflows.command_line import main


def test_a_new_flow_installs_and_passes_its_tests(tmp_path: Path) -> None:
    """Its own tests compose its prompts, run its notebook and find it by its entry point."""
    done = CliRunner().invoke(main, ["new", "my_agent2", "--in", str(tmp_path)])
    assert done.exit_code == 0, done.output
    folder, site = tmp_path / "my_agent2", tmp_path / "site"
    assert done.stdout == f"{folder}\n"
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target"]
    subprocess.run([sys.executable, "-m", "pip", *install, str(site), str(folder)], check=True)
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", str(folder)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "10 passed" in tested.stdout
    written = [path for path in folder.rglob("*") if path.is_file() and "build" not in path.parts]
    for path in written:
        assert "NEWFLOW" not in path.read_text(encoding="utf-8").upper().replace(" ", ""), path


@pytest.mark.parametrize("name", ["My", "2nd", "a-b", "class", "promptdag", "", "../up"])
def test_a_name_that_is_no_package_is_refused(name: str, tmp_path: Path) -> None:
    """One line says what a name is made of; nothing is written."""
    done = CliRunner().invoke(main, ["new", "--in", str(tmp_path), "--", name])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: flow {name!r}: ")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    """Nobody's work is written over."""
    (tmp_path / "mine").mkdir()
    done = CliRunner().invoke(main, ["new", "mine", "--in", str(tmp_path)])
    assert done.exit_code == 1
    assert "exists; choose another name" in done.stderr
    assert list((tmp_path / "mine").iterdir()) == []
