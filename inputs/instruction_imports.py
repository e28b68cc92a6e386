"""`@path` in an instruction file: the text of another file, put in its place."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from .file_text import (
    FileIdentity,
    file_identity,
    read_file_text,
    shown_path,
    stays_within,
)
from .findings import Finding, Severity
from .instruction_cut import utf8_length
from .markdown_code import closing_fence, mask_code

# An `@` inside a word is an address; a blank in a path is written `\ `.
_IMPORT = re.compile(r"(?<!\S)@((?:\\ |[^\s`])+)")
_CLOSING_PUNCTUATION = ".,;:!?)]}\"'*_"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_LOOKS_LIKE_FILE = re.compile(r"(?:\.{0,2}|~)/|.*\.[A-Za-z0-9]{1,8}\Z")
_LIST_MARKER_ALONE = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])?\s*\Z")


@dataclass(frozen=True, slots=True)
class ImportRules:
    """What imports may do.

    Attributes:
        max_depth: How many files deep they are followed.
        folders: Real paths that imported files must lie in.
        home: What `~` stands for; `None` where there is none.
    """

    max_depth: int
    folders: tuple[Path, ...]
    home: Path | None = None


@dataclass(slots=True)
class ImportExpander:
    """Puts imported files into one instruction file.

    A line that holds imports alone is replaced by their text; any other line stays, and the text
    follows it. An import that is not taken stays as it is written. Each file is taken once, so
    neither a cycle nor a fan of imports grows without end, and only whole, so none is cut.

    Attributes:
        rules: What imports may do.
        room_bytes: UTF-8 bytes that imported files may still take; `None` is no limit.
        taken: The files that are in the prompt already; imported files are added.
        findings: One for each import that was not taken, and those of the files that were read.
    """

    rules: ImportRules
    room_bytes: int | None
    taken: set[FileIdentity]
    findings: list[Finding] = field(default_factory=list)

    def expand(self, text: str, importer: Path, identity: FileIdentity) -> str:
        """Return the text of `importer` with its imports put in, and theirs in turn."""
        return self._expand(text, importer, (identity,))

    def _expand(self, text: str, importer: Path, chain: tuple[FileIdentity, ...]) -> str:
        if "@" not in text:
            return text
        if closing_fence(text):
            message = "a code fence is never closed; imports behind it stay text"
            self.findings.append(
                Finding("unclosed-fence", message, shown_path(importer), severity="info")
            )
        lines: list[str] = []
        masked_lines = mask_code(text).split("\n")
        for number, (line, masked) in enumerate(
            zip(text.split("\n"), masked_lines, strict=True), start=1
        ):
            mentions = list(_mentions(line, masked, number))
            imported = [self._imported(mention, importer, chain) for mention in mentions]
            lines += _line_with_imports(line, mentions, imported)
        return "\n".join(lines)

    def _imported(
        self, mention: "_Mention", importer: Path, chain: tuple[FileIdentity, ...]
    ) -> str | None:
        """Return the text of an imported file, or `None` with a finding."""
        report = _Report(self.findings, mention, importer)
        path = self._allowed_path(mention, importer, report)
        if path is None:
            return None
        identity = self._untaken(path, chain, report)
        if identity is None:
            return None
        found = read_file_text(path, bad_bytes="refuse")
        self.findings += found.findings
        if found.value is None or not self._pays(found.value, report):
            return None
        self.taken.add(identity)
        text = self._expand(found.value, path, (*chain, identity)).strip("\n")
        closing = closing_fence(text)
        return f"{text}\n{closing}" if closing else text

    def _allowed_path(self, mention: "_Mention", importer: Path, report: "_Report") -> Path | None:
        """Return the path when it exists and may be read."""
        if _URL.match(mention.target):
            report.add("import-url", "is an address; only files are imported", "error")
            return None
        path = self._path(mention.target, importer)
        if path is None or not stays_within(path, *self.rules.folders):
            # Whether a file is there is not told: that would be an answer about the outside.
            report.add("import-escape", "leads out of the folder; it was not read", "error")
            return None
        if not os.path.exists(path):
            # `@team` and `@scope/package` are names, not files that are missing.
            if _LOOKS_LIKE_FILE.match(mention.target):
                report.add("import-missing", f"names no file; looked for {shown_path(path)}")
            return None
        return path

    def _path(self, target: str, importer: Path) -> Path | None:
        if target == "~" or target.startswith("~/"):
            return None if self.rules.home is None else self.rules.home / target[2:]
        return importer.parent / target

    def _untaken(
        self, path: Path, chain: tuple[FileIdentity, ...], report: "_Report"
    ) -> FileIdentity | None:
        """Return the identity of a file that may be taken now."""
        identity = file_identity(path)
        if identity in chain:
            report.add("import-cycle", "imports a file that it is imported by")
        elif identity in self.taken:
            report.add("import-repeated", "is in the prompt already", "info")
        elif len(chain) > self.rules.max_depth:
            report.add(
                "import-too-deep", f"is more than {self.rules.max_depth} imports deep", "error"
            )
        else:
            return identity
        return None

    def _pays(self, text: str, report: "_Report") -> bool:
        if self.room_bytes is None:
            return True
        size = utf8_length(text)
        if size > self.room_bytes:
            report.add(
                "import-too-large", f"needs {size} bytes, {self.room_bytes} are left", "error"
            )
            return False
        self.room_bytes -= size
        return True


@dataclass(frozen=True, slots=True)
class _Mention:
    target: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class _Report:
    findings: list[Finding]
    mention: _Mention
    importer: Path

    def add(self, code: str, what: str, severity: Severity = "warning") -> None:
        self.findings.append(
            Finding(
                code,
                f"@{self.mention.target} {what}; the line stays as it is",
                shown_path(self.importer),
                self.mention.line,
                self.mention.start + 1,
                severity,
            )
        )


def _mentions(line: str, masked: str, number: int) -> list[_Mention]:
    mentions = []
    for match in _IMPORT.finditer(masked):
        written = match[1].rstrip(_CLOSING_PUNCTUATION)
        target = line[match.start(1) : match.start(1) + len(written)].replace("\\ ", " ")
        if target:
            mentions.append(_Mention(target, match.start(), match.start(1) + len(written), number))
    return mentions


def _line_with_imports(
    line: str, mentions: list[_Mention], imported: list[str | None]
) -> list[str]:
    """Return the lines that stand for one line."""
    texts = [text for text in imported if text is not None]
    if not texts:
        return [line]
    rest = line
    for mention, text in reversed(list(zip(mentions, imported, strict=True))):
        if text is not None:
            rest = rest[: mention.start] + rest[mention.end :]
    kept = [] if _LIST_MARKER_ALONE.match(rest) else [line]
    return kept + [text for text in texts if text]
