"""The design files that the CLI can read, and folders beside them."""

from typing import Any, NamedTuple

from ...inputs.design_files import DesignFile, read_design_files
from ...inputs.findings import Found
from ...inputs.markdown_fences import code
from ..declare import fact, gate, section

MAX_FOLDERS, MAX_FILES = 40, 80


@gate
def has_workspace(cwd: str | None) -> bool:
    """Open when there is a working directory that is not blank."""
    return cwd is not None and cwd.strip() != ""


@fact
def working_directory(cwd: str | None) -> str:
    """The working directory as a code span."""
    return code(cwd or "")


@fact
def found_files(files: tuple[Any, ...]) -> Found[tuple[DesignFile, ...]]:
    """The design files, with what was unusable."""
    return read_design_files(files)


@fact
def found_folders(folders: tuple[Any, ...]) -> Found[tuple[DesignFile, ...]]:
    """The folders of design files, with what was unusable."""
    return read_design_files(folders, folders=True)


class Snapshot(NamedTuple):
    """The listing of the workspace.

    Attributes:
        totals: How many folders and files there are: `1 folder, 2 files`.
        folders: The lines of the folders, the last of them says how many are not listed.
        files: The lines of the files, likewise.
    """

    totals: str
    folders: tuple[str, ...]
    files: tuple[str, ...]


@fact
def snapshot(
    found_files: Found[tuple[DesignFile, ...]], found_folders: Found[tuple[DesignFile, ...]]
) -> Snapshot:
    """The listing of the workspace, up to 40 folders and 80 files."""
    folders, files = found_folders.value, found_files.value
    return Snapshot(
        f"{_counted(len(folders), 'folder')}, {_counted(len(files), 'file')}",
        _lines(folders, MAX_FOLDERS, "folder"),
        _lines(files, MAX_FILES, "file"),
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lines(entries: tuple[DesignFile, ...], most: int, noun: str) -> tuple[str, ...]:
    lines = [
        f"- {code(one.path)} ({one.kind}, {one.size})"
        if one.size
        else f"- {code(one.path)} ({one.kind})"
        for one in entries[:most]
    ]
    if len(entries) > most:
        lines.append(f"- ... {_counted(len(entries) - most, f'more {noun}')} omitted")
    return tuple(lines)


@gate
def lists_folders(snapshot: Snapshot) -> bool:
    """Open when the workspace has a folder."""
    return bool(snapshot.folders)


@gate
def lists_files(snapshot: Snapshot) -> bool:
    """Open when the workspace has a file."""
    return bool(snapshot.files)


@gate
def workspace_is_empty(snapshot: Snapshot) -> bool:
    """Open when the workspace has no folder and no file."""
    return not snapshot.folders and not snapshot.files


@section(gate=has_workspace)
def design_files(
    working_directory: str,
    snapshot: Snapshot,
    lists_folders: bool,
    lists_files: bool,
    workspace_is_empty: bool,
) -> None:
    """The working directory and what is in it."""


@fact
def linked_spans(linked_dirs: tuple[str, ...]) -> tuple[str, ...]:
    """The linked folders as code spans; blank ones are no folders."""
    return tuple(code(one) for one in linked_dirs if one.strip())


@gate
def has_linked_dirs(linked_spans: tuple[str, ...]) -> bool:
    """Open when a folder of code is linked."""
    return bool(linked_spans)


@section(gate=has_linked_dirs)
def linked_folders(linked_spans: tuple[str, ...]) -> None:
    """Folders of code that may be read."""
