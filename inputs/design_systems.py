"""Design systems: which one is active, and what its folder holds."""

from pathlib import Path
from typing import Literal, NamedTuple

from .findings import Finding, Found
from .text import clean, removed_characters

Source = Literal["request", "plugin", "project", "app-default", "none"]

FILES = {
    "design_system_body": "DESIGN.md",
    "design_system_usage_md": "USAGE.md",
    "design_system_tokens_css": "tokens.css",
    "design_system_components_manifest": "components.txt",
    "design_system_fixture_html": "components.html",
}
"""Signals by the names of the files that fill them."""


class Selection(NamedTuple):
    """The active design system.

    Attributes:
        id: Its id, or `None`.
        source: Who chose it.
    """

    id: str | None
    source: Source


def select_design_system(
    request: str | None = None,
    plugin: str | None = None,
    project: str | None = None,
    app_default: str | None = None,
    *,
    allow_app_default: bool = True,
) -> Selection:
    """Return the first design system that is named: by request, plugin, project, or the app.

    Args:
        request: What this request names.
        plugin: What the bound plugin names.
        project: What the project names.
        app_default: What the app names for those that have no project.
        allow_app_default: Whether that counts; it does not where there is a project.
    """
    named: tuple[tuple[str | None, Source], ...] = (
        (request, "request"),
        (plugin, "plugin"),
        (project, "project"),
        (app_default if allow_app_default else None, "app-default"),
    )
    for one, source in named:
        if one is not None and one.strip():
            return Selection(one.strip(), source)
    return Selection(None, "none")


def read_design_system(folder: Path) -> Found[dict[str, str]]:
    """Read a design system's folder as signals of open_design.

    The title is the first heading of DESIGN.md; the pull index lists every other file, sorted.

    Returns:
        The signals that have text, and findings on what is missing, blank or was cleaned.
    """
    findings: list[Finding] = []
    signals: dict[str, str] = {}
    for signal, name in FILES.items():
        path = folder / name
        text = _text(path, findings) if path.is_file() else ""
        if text:
            signals[signal] = text
        elif name == "DESIGN.md":
            reason = "there is no DESIGN.md with text; no design system is active"
            findings.append(
                Finding("design-system-body", reason, str(folder / name), severity="error")
            )
    headings = (
        line[2:].strip()
        for line in signals.get("design_system_body", "").split("\n")
        if line.startswith("# ")
    )
    title = next(headings, "")
    rest = _other_files(folder)
    return Found(
        signals
        | ({"design_system_title": title} if title else {})
        | ({"design_system_pull_index": "\n".join(rest)} if rest else {}),
        tuple(findings),
    )


def _other_files(folder: Path) -> list[str]:
    known = set(FILES.values())
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    names = (path.relative_to(folder).as_posix() for path in files)
    return sorted(name for name in names if name not in known and not name.startswith("."))


def _text(path: Path, findings: list[Finding]) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = f"the file could not be read ({error.strerror}); it was left out"
        code = f"design-system-unreadable:{path.name}"
        findings.append(Finding(code, reason, str(path), severity="error"))
        return ""
    text = data.decode("utf-8", errors="replace")
    if text.encode() != data or removed_characters(text):
        reason = "bytes that are not UTF-8, or invisible characters, were replaced or taken out"
        findings.append(Finding(f"design-system-cleaned:{path.name}", reason, str(path)))
    cleaned = clean(text).strip()
    if not cleaned:
        reason = "the file is blank; it counts as absent"
        findings.append(Finding(f"design-system-blank:{path.name}", reason, str(path)))
    return cleaned
