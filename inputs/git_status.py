"""The status of a working tree, taken without running a content filter."""

import os
import posixpath
from dataclasses import replace

from .git_command import GitNotes, HardenedGit, setting_pairs, silenced_filters
from .workspace import path_text


def read_status(
    git: HardenedGit, settings: list[tuple[str, str]], notes: GitNotes, max_lines: int
) -> tuple[str, ...] | None:
    """Return the status lines, or `None` with a finding when no status could be taken.

    Args:
        git: Without filters silenced.
        settings: All `filter` settings of the repository.
        notes: Gets the findings.
        max_lines: How many changed paths are listed before a last line counts the rest.
    """
    filters = silenced_filters(dict(settings))
    git = replace(git, settings=git.settings + filters)
    if filters and not _filters_are_silent(git):
        message = "a content filter could not be switched off, so no status was taken"
        notes.add("filter-in-force", message, "error")
        return None
    root = _root(git, notes)
    return None if root is None else _status_lines(git, notes, root, max_lines)


def folder_with_git(folder: str) -> str | None:
    """Return the nearest folder, from here upwards, that has an entry `.git`."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _filters_are_silent(git: HardenedGit) -> bool:
    """Ask git itself: one older than 2.31 does not read settings from the environment."""
    outcome = git.run(
        "config", "--includes", "-z", "--get-regexp", r"^filter\..*\.(clean|process)$"
    )
    return outcome.succeeded and not any(dict(setting_pairs(outcome.output)).values())


def _root(git: HardenedGit, notes: GitNotes) -> str | None:
    """Return the root of the working tree if it is where `.git` is, as only then it is ours."""
    outcome = git.run("rev-parse", "--show-toplevel")
    if not outcome.succeeded:
        notes.add_failure("status", outcome)
        return None
    root = os.path.realpath(os.fsdecode(outcome.output.removesuffix(b"\n")))
    expected = folder_with_git(git.directory)
    if expected is None or root != os.path.realpath(expected):
        message = f"the settings point to files elsewhere, {path_text(root)}; no status was taken"
        notes.add("foreign-work-tree", message, "error")
        return None
    return root


def _status_lines(
    git: HardenedGit, notes: GitNotes, root: str, max_lines: int
) -> tuple[str, ...] | None:
    # The first porcelain format is the short format, without a repository's own preferences.
    outcome = git.run(
        "status", "--porcelain=v1", "-z", "--no-branch", "--no-renames", "--ignore-submodules=all"
    )
    if not outcome.succeeded and not outcome.truncated:
        notes.add_failure("status", outcome)
        return None
    if os.path.lexists(os.path.join(root, ".gitmodules")):
        notes.add("submodules-not-read", "the status leaves submodules out", "info")
    entries = outcome.output.split(b"\0")[:-1]
    start = os.fsencode(os.path.relpath(git.directory, root))
    lines = [_status_line(entry, start, notes) for entry in entries[:max_lines]]
    if outcome.truncated or len(entries) > max_lines:
        at_least = "at least " if outcome.truncated else ""
        rest = max(1, len(entries) - max_lines)
        lines.append(f"… {at_least}{rest:,} more changed paths")
        message = f"{len(lines) - 1:,} changed paths are listed; the last line counts the rest"
        notes.add("status-truncated", message)
    return tuple(lines)


def _status_line(entry: bytes, start: bytes, notes: GitNotes) -> str:
    """Return `XY path` with the path, which git gives from the root, as seen from `start`."""
    marks, path = entry[:3], entry[3:]
    if start != b".":
        slash = b"/" if path.endswith(b"/") else b""
        path = posixpath.relpath(b"/" + path, b"/" + start.replace(os.sep.encode(), b"/")) + slash
    return marks.decode("ascii", "backslashreplace") + notes.path(path)
