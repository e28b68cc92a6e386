"""Skills: folders that hold a `SKILL.md`, read from project, user and plugin folders.

A broken skill never stops the others. Codes of findings, beside those of `front_matter`,
`skill_file` and `skill_roots`: `unreadable-file`, `too-large`, `unprintable-path` (errors, the
skill is left out) and `duplicate-name` (a warning). Strict reading makes each warning an error,
and a skill with an error is refused.
"""

import os
import unicodedata
from collections.abc import Iterable
from typing import Literal

from .findings import Finding, Found
from .skill_file import Skill, parse_skill, strict_findings
from .skill_roots import Scope, SkillRoot, find_skill_files, shown_path, skill_roots

__all__ = ["Precedence", "Scope", "Skill", "SkillRoot", "parse_skill", "read_skills", "skill_roots"]

Precedence = Literal["project-first", "user-first"]

_CHUNK_BYTES = 1 << 16
_SCOPES: dict[Precedence, tuple[Scope, ...]] = {
    "project-first": ("project", "user", "plugin", "system"),
    "user-first": ("user", "project", "plugin", "system"),
}


def read_skills(
    roots: Iterable[SkillRoot],
    *,
    strict: bool = False,
    precedence: Precedence = "project-first",
    max_depth: int = 6,
    max_folders: int = 2000,
    max_file_bytes: int = 1 << 20,
) -> Found[tuple[Skill, ...]]:
    """Return the skills below the roots, sorted by display name.

    One real file is read once. Of skills with one display name (compared after NFKC) the first
    wins: roots are read by scope as `precedence` says, within a scope in the order given, within
    a root nearest to it first, then by path. A skill that was refused does not win.

    Args:
        roots: Where to look; `skill_roots` lists the usual places.
        strict: Whether every warning is an error, which refuses the skill.
        precedence: `project-first` (project, user, plugin, system) or `user-first`.
        max_depth: How many levels below a root are searched.
        max_folders: How many folders of a root are searched.
        max_file_bytes: Larger files are refused.
    """
    order = _SCOPES[precedence]
    findings: list[Finding] = []
    winners: dict[str, Skill] = {}
    seen: set[str] = set()
    for root in sorted(roots, key=lambda root: order.index(root.scope)):
        for path in find_skill_files(root, seen, findings, max_depth, max_folders):
            data = _file_bytes(path, max_file_bytes, findings)
            if data is None:
                continue
            found = parse_skill(data, path, scope=root.scope, plugin=root.plugin, strict=strict)
            findings.extend(found.findings)
            if found.value is not None:
                _add(winners, found.value, findings)
    skills = sorted(winners.values(), key=lambda skill: (skill.display_name, skill.path))
    return Found(tuple(skills), strict_findings(findings) if strict else tuple(findings))


def _add(winners: dict[str, Skill], skill: Skill, findings: list[Finding]) -> None:
    key = unicodedata.normalize("NFKC", skill.display_name)
    winner = winners.setdefault(key, skill)
    if winner is not skill:
        message = f"another skill is named {key!r} and is used: {winner.path}; rename one of them"
        findings.append(Finding("duplicate-name", message, skill.path))


def _file_bytes(path: str, max_bytes: int, findings: list[Finding]) -> bytes | None:
    if not path.isprintable() and shown_path(path) != path:
        message = "the path holds characters that cannot be shown on a line; rename the folder"
        findings.append(Finding("unprintable-path", message, shown_path(path), severity="error"))
        return None
    try:
        data = _read_up_to(path, max_bytes + 1)
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}; correct its permissions"
        findings.append(Finding("unreadable-file", message, path, severity="error"))
        return None
    if len(data) > max_bytes:
        message = f"the file is larger than {max_bytes} bytes; move text into other files"
        findings.append(Finding("too-large", message, path, severity="error"))
        return None
    return data


def _read_up_to(path: str, max_bytes: int) -> bytes:
    # A file object asks the system three times more, and a read sized for the limit makes
    # megabytes of room for each small file: together half the time of reading.
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, min(max_bytes, _CHUNK_BYTES))
        while len(data) < max_bytes and (more := os.read(descriptor, _CHUNK_BYTES)):
            data += more
    finally:
        os.close(descriptor)
    return data
