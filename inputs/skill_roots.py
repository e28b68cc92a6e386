"""Where skills are: the usual folders, and the search for `SKILL.md` below one of them.

Codes of findings: `unreadable-folder`, `not-a-file` (errors); `link-escape`, `broken-link`,
`file-name-case`, `depth-limit`, `folder-limit` (warnings); `duplicate-link`, `missing-root`
(info). Names that begin with a dot and `node_modules` are not searched.

Source: what Codex, Claude Code, Gemini CLI and opencode do; depth and number of folders are the
limits that the Agent Skills guide for clients advises.
"""

import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple

from .errors import ReadError
from .findings import Finding, Severity

Scope = Literal["project", "user", "plugin", "system"]

SKILL_FILE = "SKILL.md"
PROJECT_FOLDERS = (".agents/skills", ".claude/skills", ".gemini/skills", ".opencode/skills")
USER_FOLDERS = (*PROJECT_FOLDERS[:3], ".config/opencode/skills", ".codex/skills")
_NAME = attrgetter("name")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SkillRoot:
    """A folder whose subfolders are skills.

    Attributes:
        path: The folder; a relative path is taken from the current folder.
        scope: Where its skills come from.
        containment: Links that lead out of this folder are refused. `None`: out of the root
            itself for a project, and no limit for the other scopes.
        plugin: The plugin that its skills belong to: `deploy` becomes `plugin:deploy`.
    """

    path: str
    scope: Scope = "project"
    containment: str | None = None
    plugin: str | None = None


def skill_roots(cwd: str, home: str | None = None) -> tuple[SkillRoot, ...]:
    """Return the usual folders of skills that exist: the project's, nearest first, then the user's.

    The project's stand in each folder from `cwd` up to the one that holds `.git`; without one, in
    `cwd` alone. Links may not lead out of that topmost folder. `home` itself is never a project.

    Args:
        cwd: The folder in which the agent works.
        home: The user's folder; `None` means that of the current user.

    Raises:
        ReadError: When `cwd` is not a folder.
    """
    here = os.path.realpath(cwd)
    if not os.path.isdir(here):
        raise ReadError(f"{cwd}: not a folder; give the folder in which the agent works")
    user = os.path.realpath(os.path.expanduser("~") if home is None else home)
    folders = _folders_up_to_repository(here)
    candidates = [
        SkillRoot(os.path.join(folder, name), "project", folders[-1])
        for folder in folders
        if folder != user
        for name in PROJECT_FOLDERS
    ]
    candidates += [SkillRoot(os.path.join(user, name), "user") for name in USER_FOLDERS]
    return tuple(root for root in candidates if os.path.isdir(root.path))


def _folders_up_to_repository(folder: str) -> list[str]:
    folders = [folder]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):
        parent = os.path.dirname(folders[-1])
        if parent == folders[-1]:
            return [folder]
        folders.append(parent)
    return folders


def find_skill_files(
    root: SkillRoot, seen: set[str], findings: list[Finding], max_depth: int, max_folders: int
) -> Iterator[str]:
    """Yield the absolute path of each `SKILL.md` below a root, nearest first, then by name.

    Args:
        root: Where to look.
        seen: Real paths of files that were already yielded; new ones are added.
        findings: Where findings are added.
        max_depth: How many levels below the root are searched.
        max_folders: How many folders are searched, the root included.
    """
    return _Search(root, seen, findings, max_depth).files(max_folders)


def shown_path(path: str) -> str:
    r"""Return the path with what cannot be shown on a line as an escape: `a\nb`."""
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], path)


class _Folder(NamedTuple):
    path: str
    real_path: str
    depth: int


class _Search:
    """One search below one root."""

    def __init__(
        self, root: SkillRoot, seen: set[str], findings: list[Finding], max_depth: int
    ) -> None:
        self._path = os.path.abspath(root.path)
        limit = root.containment
        if limit is None and root.scope == "project":
            limit = self._path
        self._limit = None if limit is None else os.path.realpath(limit)
        self._seen_files = seen
        self._seen_folders: set[str] = set()
        self._findings = findings
        self._max_depth = max_depth
        self._queue: deque[_Folder] = deque()
        self._too_deep: list[str] = []

    def files(self, max_folders: int) -> Iterator[str]:
        self._open_root()
        searched = 0
        while self._queue and searched < max_folders:
            searched += 1
            yield from self._files_in(self._queue.popleft())
        if self._queue:
            message = f"the search ended after {max_folders} folders; the next one was this"
            self._note("folder-limit", message, self._queue[0].path)
        if self._too_deep:
            message = (
                f"{len(self._too_deep)} folder(s) lie deeper than {self._max_depth} levels "
                f"and were not searched; the first is this"
            )
            self._note("depth-limit", message, self._too_deep[0])

    def _open_root(self) -> None:
        try:
            real_path = os.path.realpath(self._path, strict=True)
        except FileNotFoundError:
            self._note("missing-root", "the folder does not exist", self._path, "info")
            return
        except OSError as error:
            self._note_unreadable(self._path, error)
            return
        if self._is_inside(real_path, self._path):
            self._enqueue(_Folder(self._path, real_path, 0))

    def _enqueue(self, folder: _Folder) -> None:
        if folder.real_path in self._seen_folders:
            self._note_duplicate(folder.path, folder.real_path)
        elif folder.depth > self._max_depth:
            self._too_deep.append(folder.path)
        else:
            self._seen_folders.add(folder.real_path)
            self._queue.append(folder)

    def _files_in(self, folder: _Folder) -> Iterator[str]:
        entries = self._entries(folder.path)
        skill_file = next((entry for entry in entries if entry.name == SKILL_FILE), None)
        if skill_file is not None:
            yield from self._skill_file(skill_file, folder)
        links = []
        for entry in entries:
            name = entry.name
            if entry is skill_file or name[0] == "." or name == "node_modules":
                continue
            if entry.is_dir(follow_symlinks=False):
                real_path = f"{folder.real_path}{os.sep}{name}"
                self._enqueue(_Folder(entry.path, real_path, folder.depth + 1))
            elif entry.is_symlink():
                links.append(entry)
            elif skill_file is None and name.lower() == "skill.md":
                message = f"the file must be named {SKILL_FILE} exactly, so it is not read"
                self._note("file-name-case", message, entry.path)
        for entry in links:
            self._follow(entry.path, folder.depth + 1, in_skill=skill_file is not None)

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(path) as listing:
                return sorted(listing, key=_NAME)
        except OSError as error:
            self._note_unreadable(path, error)
            return []

    def _skill_file(self, entry: os.DirEntry[str], folder: _Folder) -> Iterator[str]:
        if entry.is_symlink():
            real_path = self._resolved(entry.path)
            if not real_path or not self._is_inside(real_path, entry.path):
                return
        else:
            real_path = f"{folder.real_path}{os.sep}{SKILL_FILE}"
        if not entry.is_file():
            message = f"{SKILL_FILE} is not a file; a skill is a folder with a file of that name"
            self._note("not-a-file", message, entry.path, "error")
        elif real_path in self._seen_files:
            self._note_duplicate(entry.path, real_path)
        else:
            self._seen_files.add(real_path)
            yield entry.path

    def _follow(self, path: str, depth: int, *, in_skill: bool) -> None:
        """Queue the folder that a link leads to. Links to files are no skills."""
        real_path = self._resolved(path, quiet=in_skill)
        if real_path is not None and os.path.isdir(real_path) and self._is_inside(real_path, path):
            self._enqueue(_Folder(path, real_path, depth))

    def _resolved(self, path: str, *, quiet: bool = False) -> str | None:
        try:
            return os.path.realpath(path, strict=True)
        except OSError as error:
            if not quiet:
                message = f"the link leads nowhere: {error.strerror}; remove it"
                self._note("broken-link", message, path)
            return None

    def _is_inside(self, real_path: str, path: str) -> bool:
        limit = self._limit
        if limit is None or real_path == limit or real_path.startswith(limit.rstrip("/") + os.sep):
            return True
        message = f"leads out of {limit}, so it is not followed; copy the skill into the project"
        self._note("link-escape", message, path)
        return False

    def _note_unreadable(self, path: str, error: OSError) -> None:
        message = f"the folder cannot be read ({error.strerror}), nor what is below it"
        self._note("unreadable-folder", message, path, "error")

    def _note_duplicate(self, path: str, real_path: str) -> None:
        message = f"the same as {real_path}, which is read once"
        self._note("duplicate-link", message, path, "info")

    def _note(self, code: str, message: str, path: str, severity: Severity = "warning") -> None:
        self._findings.append(Finding(code, message, shown_path(path), severity=severity))
