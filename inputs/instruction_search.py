"""Where the instruction files of a profile are, nearest last, and what they say."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .file_text import FileIdentity, file_identity, read_file_text, shown_path, stays_within
from .findings import Finding
from .instruction_profiles import InstructionProfile

Scope = Literal["user", "workspace"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An instruction file that was found and read.

    Attributes:
        path: Where it was found; links in its name are kept.
        identity: What all links to it share.
        scope: Whose it is.
        folder: The real path of the folder that its imports must stay in.
        text: Its cleaned text, never blank.
    """

    path: Path
    identity: FileIdentity
    scope: Scope
    folder: Path
    text: str


@dataclass(slots=True)
class InstructionSearch:
    """Finds the files of one profile.

    Attributes:
        profile: The rules.
        cwd: A real path.
        home: The user's home folder, or `None`.
        findings: What was left out, and why.
    """

    profile: InstructionProfile
    cwd: Path
    home: Path | None
    findings: list[Finding] = field(default_factory=list)

    def candidates(self) -> tuple[Candidate, ...]:
        """Return the user's files, then the workspace's from the root down to `cwd`."""
        found: dict[FileIdentity, Candidate] = {}
        for candidate in (*self._user_files(), *self._workspace_files()):
            first = found.setdefault(candidate.identity, candidate)
            if first is not candidate:
                message = f"is the file {shown_path(first.path)} again; it was taken once"
                self._add("duplicate-file", message, candidate.path, severity="info")
        return tuple(candidate for candidate in found.values() if self._says_something(candidate))

    def _user_files(self) -> Iterator[Candidate]:
        if self.home is None:
            return
        for names in self.profile.user_files:
            yield from self._first_readable(self.home, names, "user", None)

    def _workspace_files(self) -> Iterator[Candidate]:
        root = repository_root(self.cwd) or self.cwd
        top = root if self.profile.climb == "repository" else Path(self.cwd.anchor)
        folders = [folder for folder in (self.cwd, *self.cwd.parents) if folder.is_relative_to(top)]
        for folder in reversed(folders):
            # Above the repository each folder answers for itself alone.
            bound = root if folder.is_relative_to(root) else folder
            for names in self.profile.workspace_files:
                yield from self._first_readable(folder, names, "workspace", bound)

    def _first_readable(
        self, folder: Path, names: tuple[str, ...], scope: Scope, bound: Path | None
    ) -> Iterator[Candidate]:
        """Yield the first file of a group that can be read, if any.

        Args:
            folder: The folder that the names are relative to.
            names: The group.
            scope: Whose files they are.
            bound: The real path that the file must lie in; `None` is anywhere.
        """
        for position, name in enumerate(names):
            path = folder / name
            candidate = self._read(path, scope, bound) if os.path.lexists(path) else None
            if candidate is not None:
                self._tell_passed_over(
                    candidate, [folder / other for other in names[position + 1 :]]
                )
                yield candidate
                return

    def _read(self, path: Path, scope: Scope, bound: Path | None) -> Candidate | None:
        if bound is not None and not stays_within(path, bound):
            message = f"is a link that leaves {shown_path(bound)}; it was not read"
            self._add("link-escape", message, path, severity="error")
            return None
        found = read_file_text(path)
        self.findings += found.findings
        if found.value is None:
            return None
        folder = Path(os.path.realpath(path.parent)) if bound is None else bound
        return Candidate(path, file_identity(path), scope, folder, found.value)

    def _tell_passed_over(self, taken: Candidate, others: list[Path]) -> None:
        for other in others:
            if other.is_file() and file_identity(other) != taken.identity:
                message = f"was passed over, since {taken.path.name} stands for its folder"
                self._add("passed-over", message, other, severity="info")

    def _says_something(self, candidate: Candidate) -> bool:
        if candidate.text.strip():
            return True
        self._add("blank-file", "is blank; it adds nothing", candidate.path, severity="info")
        return False

    def _add(
        self, code: str, message: str, path: Path, *, severity: Literal["info", "error"]
    ) -> None:
        self.findings.append(Finding(code, message, shown_path(path), severity=severity))


def repository_root(folder: Path) -> Path | None:
    """Return the nearest folder upwards that holds `.git`.

    A `.git` file counts: it is what a linked worktree or a submodule has.
    """
    for candidate in (folder, *folder.parents):
        if os.path.lexists(candidate / ".git"):
            return candidate
    return None
