"""The snapshot of a project's design files, read from a host's JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .findings import Finding, Found
from .javascript_text import finite, one_line, rounded, text_or_empty

_KIB, _MIB = 1024, 1024 * 1024


@dataclass(frozen=True, slots=True)
class DesignFile:
    """A file or folder.

    Attributes:
        path: Its path, else its name.
        kind: What it is; `file` or `folder` where nothing is said.
        size: Its size as it is shown; empty when it is not known.
    """

    path: str
    kind: str
    size: str = ""


def read_design_files(
    listed: Iterable[Any], *, folders: bool = False
) -> Found[tuple[DesignFile, ...]]:
    """Return the usable entries; one without a path and a name is a finding.

    Args:
        listed: Objects with `path`, `name`, `kind` and `size` in bytes.
        folders: Whether the entries are folders, whose kind is always `folder`.
    """
    findings: list[Finding] = []
    found: list[DesignFile] = []
    for number, raw in enumerate(listed, 1):
        fields = raw if isinstance(raw, Mapping) else {}
        path = text_or_empty(fields.get("path")) or text_or_empty(fields.get("name"))
        if not path:
            what = "folder" if folders else "file"
            message = f"{what} {number} was left out: it has no path and no name"
            findings.append(Finding("design-file-without-path", message, severity="error"))
        elif folders:
            found.append(DesignFile(path, "folder"))
        else:
            kind = one_line(text_or_empty(fields.get("kind"))) or "file"
            found.append(DesignFile(path, kind, shown_size(fields.get("size"))))
    return Found(tuple(found), tuple(findings))


def shown_size(size_bytes: Any) -> str:
    """Return a size as `512 B`, `3 KB` or `1.5 MB`; empty for none."""
    size = finite(size_bytes)
    if size is None or size <= 0:
        return ""
    if size < _KIB:
        return f"{rounded(size)} B"
    if size < _MIB:
        return f"{rounded(size / _KIB)} KB"
    return f"{size / _MIB:.1f} MB"
