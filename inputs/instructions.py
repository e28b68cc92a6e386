"""The instruction files that a project and its user wrote for agents: AGENTS.md and its kin."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from .errors import ReadError
from .file_text import FileIdentity, shown_path
from .findings import Finding, Found
from .instruction_cut import CUT_NOTICE, cut_to_bytes, utf8_length
from .instruction_imports import ImportExpander, ImportRules
from .instruction_profiles import InstructionProfile, instruction_profile
from .instruction_search import Candidate, InstructionSearch, Scope


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """One instruction file as it goes into a prompt.

    Attributes:
        path: Absolute, on one line; the folders of the workspace are real paths.
        file_name: `AGENTS.md`.
        scope: Whether it is the user's own or the workspace's.
        content: Its text, imports put in, verbatim but for what `clean` does; when cut, with the
            notice. An AGENTS.md has no front matter, so none is looked for.
        truncated: Whether something was cut.
        cut_bytes: How many UTF-8 bytes of the text were cut.
    """

    path: str
    file_name: str
    scope: Scope
    content: str
    truncated: bool = False
    cut_bytes: int = 0


def read_instructions(
    cwd: str | os.PathLike[str],
    *,
    profile: str | InstructionProfile = "promptdag",
    home: str | os.PathLike[str] | None = None,
    max_import_depth: int | None = None,
    max_file_bytes: int | None = None,
    max_total_bytes: int | None = None,
    import_folders: tuple[Path, ...] = (),
    cut_notice: str = CUT_NOTICE,
) -> Found[tuple[InstructionFile, ...]]:
    """Return the user's files, then the workspace's from its root down to `cwd`.

    The first file of a folder that can be read stands for it; blank files add nothing; a file that
    is reached twice, by any link, is taken once. A workspace file whose real path lies outside the
    workspace is refused; the user's own may be links to anywhere. A file that a budget cuts is not
    searched for imports.

    Args:
        cwd: The folder that the agent works in.
        profile: A name of `INSTRUCTION_PROFILES`, or a profile.
        home: The user's home folder; `None` is that of this process.
        max_import_depth: Overrides the profile's.
        max_file_bytes: Overrides the profile's. Notices count in both limits.
        max_total_bytes: Overrides the profile's.
        import_folders: Further folders that imports may reach.
        cut_notice: The line that stands where a text was cut; an empty string writes none, for a
            flow that has its own.

    Raises:
        ReadError: `cwd` is not a folder.
        UnknownNameError: No profile has that name.
        RuntimeError: `home` is `None` and this process has no home folder.
    """
    rules = instruction_profile(profile) if isinstance(profile, str) else profile
    rules = replace(
        rules,
        max_import_depth=(rules.max_import_depth if max_import_depth is None else max_import_depth),
        max_file_bytes=rules.max_file_bytes if max_file_bytes is None else max_file_bytes,
        max_total_bytes=rules.max_total_bytes if max_total_bytes is None else max_total_bytes,
    )
    home_folder = Path.home() if home is None else Path(os.path.abspath(home))
    search = InstructionSearch(rules, _existing_folder(cwd), home_folder)
    candidates = search.candidates()
    purse = _Purse(
        rules,
        home_folder,
        tuple(Path(os.path.realpath(folder)) for folder in import_folders),
        cut_notice,
        left_bytes=rules.max_total_bytes,
        taken={candidate.identity for candidate in candidates},
    )
    files = purse.spend(candidates)
    return Found(files, (*search.findings, *_path_findings(files, candidates), *purse.findings))


def _existing_folder(folder: str | os.PathLike[str]) -> Path:
    real = Path(os.path.realpath(folder))
    if not real.is_dir():
        raise ReadError(
            f"read_instructions: cwd {shown_path(folder)!r} is not a folder; "
            f"pass the folder that the agent works in"
        )
    return real


@dataclass(slots=True)
class _Purse:
    """The bytes of all instruction files, spent in the order of the profile."""

    profile: InstructionProfile
    home: Path
    import_folders: tuple[Path, ...]
    cut_notice: str
    left_bytes: int | None
    taken: set[FileIdentity]
    findings: list[Finding] = field(default_factory=list)

    def spend(self, candidates: Iterable[Candidate]) -> tuple[InstructionFile, ...]:
        """Return the files that fit, in the order in which they came."""
        reading_order = list(enumerate(candidates))
        nearest_first = self.profile.spend == "nearest-first"
        bought: dict[int, InstructionFile] = {}
        for position, candidate in reversed(reading_order) if nearest_first else reading_order:
            file = self._buy(candidate)
            if file is not None:
                bought[position] = file
        return tuple(bought[position] for position in sorted(bought))

    def _buy(self, candidate: Candidate) -> InstructionFile | None:
        exempt = candidate.scope == "user" and self.profile.exempt_user_files
        limit = self._limit(None if exempt else self.left_bytes)
        text = self._with_imports(candidate, limit)
        cut = cut_to_bytes(
            text, limit, file_name=shown_path(candidate.path.name), notice=self.cut_notice
        )
        if cut is None:
            self._tell_left_out(candidate, text, limit)
            return None
        if self.left_bytes is not None and not exempt:
            self.left_bytes -= utf8_length(cut.content)
        if cut.cut_bytes:
            self._tell_cut(candidate, text, cut.cut_bytes, limit)
        return InstructionFile(
            path=shown_path(candidate.path),
            file_name=shown_path(candidate.path.name),
            scope=candidate.scope,
            content=cut.content,
            truncated=cut.cut_bytes > 0,
            cut_bytes=cut.cut_bytes,
        )

    def _limit(self, left_bytes: int | None) -> int | None:
        limits = [limit for limit in (self.profile.max_file_bytes, left_bytes) if limit is not None]
        return min(limits, default=None)

    def _with_imports(self, candidate: Candidate, limit: int | None) -> str:
        """Return the text with its imports, or as it is when it will be cut.

        A cut may end inside a path or a fence, where an import would be read wrongly.
        """
        room = None if limit is None else limit - utf8_length(candidate.text)
        if self.profile.max_import_depth == 0 or (room is not None and room < 0):
            return candidate.text
        rules = ImportRules(
            self.profile.max_import_depth, (candidate.folder, *self.import_folders), self.home
        )
        expander = ImportExpander(rules, room, self.taken, self.findings)
        return expander.expand(candidate.text, candidate.path, candidate.identity)

    def _tell_cut(self, candidate: Candidate, text: str, cut_bytes: int, limit: int | None) -> None:
        message = (
            f"{cut_bytes} of its {utf8_length(text)} bytes were cut to keep to {limit} bytes, "
            f"by {self._payer(limit)}"
        )
        self.findings.append(Finding("file-cut", message, shown_path(candidate.path)))

    def _tell_left_out(self, candidate: Candidate, text: str, limit: int | None) -> None:
        message = (
            f"its {utf8_length(text)} bytes were left out: {limit} bytes, "
            f"by {self._payer(limit)}, hold not even the notice"
        )
        self.findings.append(
            Finding("file-left-out", message, shown_path(candidate.path), severity="error")
        )

    def _payer(self, limit: int | None) -> str:
        if limit == self.profile.max_file_bytes:
            return "max_file_bytes"
        return f"what max_total_bytes leaves when spent {self.profile.spend}"


def _path_findings(
    files: Iterable[InstructionFile], candidates: Iterable[Candidate]
) -> tuple[Finding, ...]:
    """Return a finding for each path that cannot be shown as it is."""
    shown = {shown_path(candidate.path): str(candidate.path) for candidate in candidates}
    return tuple(
        Finding("path-characters", "the path is shown with U+FFFD for what is no text", file.path)
        for file in files
        if shown[file.path] != file.path
    )
