"""Reading the folder an agent works in, and the machine around it."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from promptdag.inputs.errors import ReadError
from promptdag.inputs.findings import Found
from promptdag.inputs.workspace import Workspace, path_text, read_workspace

BASH = {"SHELL": "/usr/bin/bash"}


def codes(found: Found[Workspace]) -> list[str]:
    """Return the codes of the findings."""
    return [finding.code for finding in found.findings]


def test_everything_is_told_of_an_ordinary_folder(tmp_path: Path) -> None:
    """The system is what `uname` prints."""
    found = read_workspace(tmp_path, environ=BASH)
    names = subprocess.check_output(["uname", "-sr"], text=True).strip()
    assert found == Found(Workspace(str(tmp_path), (), sys.platform, "bash", names))


def test_the_folder_is_absolute_and_keeps_its_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user knows the folder by the path that leads through the link."""
    (tmp_path / "real/inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert read_workspace("link/inner/../inner").value.cwd == str(tmp_path / "link/inner")


def test_additional_folders_keep_their_order(tmp_path: Path) -> None:
    """A relative one starts at the folder the agent works in."""
    for name in ("work", "b", "a"):
        (tmp_path / name).mkdir()
    found = read_workspace(
        tmp_path / "work", additional_directories=["../b", tmp_path / "a"], environ=BASH
    )
    assert found.value.additional_directories == (str(tmp_path / "b"), str(tmp_path / "a"))
    assert found.findings == ()


def test_a_folder_named_twice_is_left_out_with_a_finding(tmp_path: Path) -> None:
    """By the same path, through a link, or because the agent works there already."""
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    found = read_workspace(tmp_path, additional_directories=["a", "a/", "link", "."], environ=BASH)
    assert found.value.additional_directories == (str(tmp_path / "a"),)
    assert [(finding.code, finding.path) for finding in found.findings] == [
        ("duplicate-directory", str(tmp_path / "a")),
        ("duplicate-directory", str(tmp_path / "link")),
        ("duplicate-directory", str(tmp_path)),
    ]


@pytest.mark.parametrize("name", ["file", "nowhere", "broken-link", "nul\0"])
def test_what_is_no_folder_is_left_out_with_a_finding(tmp_path: Path, name: str) -> None:
    """The other folders are kept."""
    (tmp_path / "file").touch()
    (tmp_path / "broken-link").symlink_to("nowhere")
    (tmp_path / "a").mkdir()
    found = read_workspace(tmp_path, additional_directories=[name, "a"], environ=BASH)
    assert found.value.additional_directories == (str(tmp_path / "a"),)
    assert codes(found) == ["not-a-directory"]
    assert found.findings[0].severity == "error"


@pytest.mark.parametrize(
    ("environ", "shell"),
    [
        ({"SHELL": "/bin/zsh"}, "zsh"),
        ({"SHELL": "fish"}, "fish"),
        ({"COMSPEC": r"C:\Windows\System32\cmd.exe"}, "cmd"),
        ({"COMSPEC": r"C:\WINDOWS\CMD.EXE"}, "CMD"),
        ({"SHELL": r"C:\Program Files\Git\bin\bash.exe", "COMSPEC": r"C:\cmd.exe"}, "bash"),
        ({"SHELL": " ", "COMSPEC": r"C:\cmd.exe"}, "cmd"),
        ({"SHELL": "/bin/ba\u200bsh\n"}, "bash"),
    ],
)
def test_the_shell_is_the_name_of_its_program(
    tmp_path: Path, environ: dict[str, str], shell: str
) -> None:
    """From SHELL, else from COMSPEC, without folder and without `.exe`."""
    found = read_workspace(tmp_path, environ=environ)
    assert (found.value.shell, found.findings) == (shell, ())


@pytest.mark.parametrize("environ", [{}, {"SHELL": ""}, {"SHELL": "/bin/"}])
def test_an_unknown_shell_is_a_finding(tmp_path: Path, environ: dict[str, str]) -> None:
    """The word for it is `unknown`."""
    found = read_workspace(tmp_path, environ=environ)
    assert (found.value.shell, codes(found)) == ("unknown", ["unknown-shell"])


def test_the_environment_of_the_process_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SHELL comes from there."""
    monkeypatch.setenv("SHELL", "/opt/nu")
    assert read_workspace(tmp_path).value.shell == "nu"


@pytest.mark.parametrize(
    ("python_name", "node_name"),
    [("darwin", "darwin"), ("win32", "win32"), ("freebsd14", "freebsd"), ("sunos5", "sunos")],
)
def test_the_platform_is_named_as_node_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python_name: str, node_name: str
) -> None:
    """Python adds the release to some names."""
    monkeypatch.setattr(sys, "platform", python_name)
    assert read_workspace(tmp_path, environ=BASH).value.platform == node_name


def test_a_system_that_tells_nothing_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python gives empty texts where it cannot tell."""
    monkeypatch.setattr(platform, "system", lambda: "")
    monkeypatch.setattr(platform, "release", lambda: "")
    found = read_workspace(tmp_path, environ=BASH)
    assert (found.value.os_version, codes(found)) == ("unknown", ["unknown-os-version"])


def test_a_path_that_cannot_be_shown_is_a_finding(tmp_path: Path) -> None:
    """It is on one line, with its odd bytes visible; spaces stay."""
    name = os.fsdecode(b"two  \xff\n# Obey")
    (tmp_path / name / "more\u200b").mkdir(parents=True)
    found = read_workspace(tmp_path / name, additional_directories=["more\u200b"], environ=BASH)
    shown = rf"{tmp_path}/two  \xff # Obey"
    assert found.value.cwd == shown
    assert found.value.additional_directories == (f"{shown}/more",)
    assert [finding.path for finding in found.findings] == [shown, f"{shown}/more"]
    assert codes(found) == ["changed-text:path"] * 2


def test_the_text_of_a_path_is_the_same_from_bytes() -> None:
    """Git gives bytes, the file system gives text."""
    assert path_text(b"\xc3\xbc \xff\t\nx") == path_text("ü \udcff\t\nx") == r"ü \xff x"
    assert path_text("\ud800") == "\ufffd"


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    """That is a mistake of the caller."""
    (tmp_path / "file").touch()
    with pytest.raises(ReadError, match=r"/file: not a folder; name the folder"):
        read_workspace(tmp_path / "file")
