"""Memory of open_design: entries that its index links, composed to one text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .findings import Finding, Found
from .text import clean

TYPES = ("profile", "user", "feedback", "project", "reference", "rule")

# Behind a dash, a hyphen or an en dash stands what the entry is about.
_LINK = re.compile(
    r"\s*-\s+\[(?P<name>[^\]]+)\]\((?P<target>[^)]+)\)(?:\s+[\u2014\u2013-]\s*.*)?\s*"
)
_ID = re.compile(r"[a-z0-9_]{1,96}")
_FIELD = re.compile(r"([A-Za-z_]+)\s*:\s*(.*)")
_INDEX = "MEMORY.md"


class MemoryEntry(NamedTuple):
    """One entry.

    Attributes:
        id: The stem of its file.
        type: One of `TYPES`.
        name: Its name.
        description: When it applies, or empty.
        body: Its text.
    """

    id: str
    type: str
    name: str
    description: str
    body: str


class Memory(NamedTuple):
    """Memory as the signals `memory_body` and `memory_hooks` take it.

    Attributes:
        body: The text; empty when memory is off or nothing is linked.
        rules: The verified rules that are active.
        hooks: `profile`, `rewrite` and `verify`.
    """

    body: str
    rules: tuple[MemoryEntry, ...]
    hooks: dict[str, bool]


def index_links(text: str) -> Found[tuple[str, ...]]:
    """Return the ids that an index links, in its order, each once.

    A line is `- [name](id.md)`, with ` — description` behind it or not; a hyphen or an en dash
    will do. A line that looks like a link and is none is a finding.
    """
    ids: dict[str, None] = {}
    findings: list[Finding] = []
    for number, line in enumerate(clean(text).split("\n"), 1):
        found = _LINK.fullmatch(line)
        target = found["target"] if found else ""
        if target.endswith(".md") and _ID.fullmatch(target[:-3]):
            ids[target[:-3]] = None
        elif target != _INDEX and line.lstrip().startswith("- ["):
            message = f"{line.strip()!r} links no entry; write `- [name](id.md) — description`"
            findings.append(Finding("memory-link", message, _INDEX, number, severity="error"))
    return Found(tuple(ids), tuple(findings))


def read_memory(folder: Path) -> Found[Memory]:
    """Read the memory folder: `MEMORY.md`, `.config.json` and the entries `{id}.md`.

    Entries stand in the order of the index: the times of files move nothing.

    Returns:
        Memory, and findings on links without a file, files without a link, and bad settings.
    """
    findings: list[Finding] = []
    settings = _settings(folder / ".config.json", findings)
    hooks = {name: settings.get(f"{name}Enabled") is not False for name in _HOOKS}
    if settings.get("enabled") is False or not folder.is_dir():
        return Found(Memory("", (), hooks), tuple(findings))
    links = index_links(_read(folder / _INDEX, findings))
    findings += links.findings
    entries = tuple(_entries(folder, links.value, findings))
    findings += _unlinked(folder, links.value)
    rules = tuple(one for one in entries if one.type == "rule")
    shown = [one for one in entries if hooks["profile"] or one.type != "profile"]
    return Found(Memory(memory_body(shown), rules, hooks), tuple(findings))


_HOOKS = ("profile", "rewrite", "verify")


def memory_body(entries: list[MemoryEntry]) -> str:
    """Return entries as one text, grouped by type, in the order in which they are given."""
    lines: list[str] = []
    for kind in TYPES:
        own = [one for one in entries if one.type == kind]
        if own:
            lines += [f"### {_heading(kind)}", *(row for one in own for row in _rows(one)), ""]
    return "\n".join(lines).strip()


def _heading(kind: str) -> str:
    return "Verified rules" if kind == "rule" else kind.capitalize()


def _rows(entry: MemoryEntry) -> Iterator[str]:
    lines = [line.rstrip() for line in entry.body.split("\n")]
    if entry.type == "profile":
        yield from (line for line in lines if line)
    elif entry.body.strip():
        yield f"- **{entry.name}** — {entry.description or '(no description)'}"
        yield from (f"  {line}" if line else "" for line in lines)


def _entries(folder: Path, ids: tuple[str, ...], findings: list[Finding]) -> Iterator[MemoryEntry]:
    for one in ids:
        path = folder / f"{one}.md"
        if not path.is_file():
            message = f"the index links {one!r}, and there is no such file; it was left out"
            findings.append(Finding(f"memory-missing:{one}", message, str(path), severity="error"))
            continue
        entry = _entry(one, _read(path, findings))
        if not entry.body:
            message = f"entry {one!r} has no text; it is not shown"
            findings.append(Finding(f"memory-blank:{one}", message, str(path)))
        yield entry


def _entry(entry_id: str, text: str) -> MemoryEntry:
    fields: dict[str, str] = {}
    body = text
    if text.startswith("---\n") and "\n---" in text[3:]:
        head, _, body = text[4:].partition("\n---")
        for line in head.split("\n"):
            if found := _FIELD.fullmatch(line.strip()):
                fields[found[1].lower()] = found[2].strip().strip("\"'")
    kind = fields.get("type", "")
    return MemoryEntry(
        entry_id,
        kind if kind in TYPES else "user",
        fields.get("name") or entry_id,
        fields.get("description", ""),
        body.strip(),
    )


def _unlinked(folder: Path, ids: tuple[str, ...]) -> list[Finding]:
    names = sorted(path.stem for path in folder.glob("*.md") if path.name != _INDEX)
    message = "the index does not link this entry; it is not shown"
    return [
        Finding(f"memory-unlinked:{name}", message, str(folder / f"{name}.md"), severity="info")
        for name in names
        if name not in ids
    ]


def _settings(path: Path, findings: list[Finding]) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        settings = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        message = f"the settings cannot be read ({error}); everything counts as on"
        findings.append(Finding("memory-settings", message, str(path)))
        return {}
    return settings if isinstance(settings, dict) else {}


def _read(path: Path, findings: list[Finding]) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        message = f"the file cannot be read ({error.strerror}); it was left out"
        findings.append(
            Finding(f"memory-unreadable:{path.name}", message, str(path), severity="error")
        )
        return ""
    text = data.decode("utf-8", errors="replace")
    if text.encode() != data:
        message = "bytes that are not UTF-8 were replaced"
        findings.append(Finding(f"memory-bytes:{path.name}", message, str(path)))
    return clean(text)
