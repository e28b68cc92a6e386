"""The text of one file from outside: read within a bound, decoded, cleaned."""

import os
import stat
from pathlib import Path
from typing import Literal

from .findings import Finding, Found, Severity
from .text import clean, removed_characters

MAX_READ_BYTES = 16 * 1024 * 1024
"""A file beyond this is refused: no prompt holds it, and a cut of it would have read it all."""

BadBytes = Literal["replace", "refuse"]

FileIdentity = tuple[int, int]


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as one line of encodable text; what cannot be shown becomes U+FFFD."""
    return clean(os.fspath(path)).replace("\n", "\ufffd")


def file_identity(path: Path) -> FileIdentity:
    """Return what two links to one file share, hard links too; raises `OSError`."""
    status = path.stat()
    return status.st_dev, status.st_ino


def stays_within(path: Path, *folders: Path) -> bool:
    """Return whether the real path lies in one of the folders, which must be real paths."""
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(folder) for folder in folders)


def read_file_text(path: Path, *, bad_bytes: BadBytes = "replace") -> Found[str | None]:
    """Return the cleaned text of a regular file, or `None` with an `error` finding.

    A BOM goes and line ends become LF; the second is no finding, since every file of Windows
    would make one.

    Args:
        path: The file; a FIFO, a device or a folder is refused before it is opened.
        bad_bytes: What happens to bytes that are not UTF-8: `replace` puts U+FFFD there with a
            `warning`, `refuse` leaves the whole file out.
    """
    where = shown_path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            message = "is a folder or a device, where a file is expected; it was left out"
            return Found(None, (Finding("not-a-file", message, where, severity="error"),))
        with path.open("rb") as file:
            raw = file.read(MAX_READ_BYTES + 1)
    except OSError as error:
        message = f"cannot be read ({error.strerror or error}); it was left out"
        return Found(None, (Finding("unreadable", message, where, severity="error"),))
    if len(raw) > MAX_READ_BYTES:
        message = f"is larger than {MAX_READ_BYTES} bytes; it was left out"
        return Found(None, (Finding("too-large", message, where, severity="error"),))
    return _decoded(raw, where, bad_bytes)


def _decoded(raw: bytes, where: str, bad_bytes: BadBytes) -> Found[str | None]:
    findings: list[Finding] = []
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
        findings.append(Finding("bom", "starts with a byte order mark; it was taken away", where))
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        refused = bad_bytes == "refuse"
        findings.append(_bad_bytes_finding(raw, error, where, refused=refused))
        if refused:
            return Found(None, tuple(findings))
        text = raw.decode(errors="replace")
    return Found(clean(text), (*findings, *removal_findings(text, where)))


def _bad_bytes_finding(
    raw: bytes, error: UnicodeDecodeError, where: str, *, refused: bool
) -> Finding:
    line = raw.count(b"\n", 0, error.start) + 1
    done = "the file was left out" if refused else "they were replaced by U+FFFD"
    severity: Severity = "error" if refused else "warning"
    return Finding(
        "bad-bytes", f"holds bytes that are not UTF-8; {done}", where, line, severity=severity
    )


def removal_findings(text: str, where: str | None) -> tuple[Finding, ...]:
    """Return one finding that counts what `clean` takes out of the text, or none."""
    removed = removed_characters(text)
    if not removed:
        return ()
    counts = ", ".join(f"{count} x {point}" for point, count in removed.items())
    message = f"holds characters that no prompt may hold; taken out or replaced: {counts}"
    return (Finding("removed-characters", message, where),)
