"""Craft references: which a project asks for, and what their files say."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .findings import Finding, Found
from .text import clean, removed_characters

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")
_SEPARATOR = "\n\n---\n\n"


class Craft(NamedTuple):
    """Craft references as the signals `craft_body` and `craft_sections` take them.

    Attributes:
        body: Each reference under a heading with its name, with a rule between them.
        sections: The names of those that were found.
    """

    body: str
    sections: tuple[str, ...]


def wanted_craft(
    skill_requires: Iterable[str], design_system_applies: Iterable[str], exempt: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the names to read: the skill's, then the design system's, each once.

    Args:
        skill_requires: What the active skill requires.
        design_system_applies: What the design system applies.
        exempt: What the design system exempts itself from.
    """
    left_out = set(exempt)
    names = dict.fromkeys((*skill_requires, *design_system_applies))
    return tuple(name for name in names if name not in left_out)


def read_craft(folder: Path | None, requested: Iterable[object]) -> Found[Craft]:
    """Read craft references from `{folder}/{name}.md`.

    Args:
        folder: The folder of the references, or `None` for none.
        requested: Their names; case and blanks around them do not matter.

    Returns:
        The references that have text, in the order in which they were asked for, and a finding for
        each name that could not be served.
    """
    findings: list[Finding] = []
    parts: dict[str, str] = {}
    for slug in _slugs(requested, findings):
        text = None if folder is None else _reference(folder / f"{slug}.md", slug, findings)
        if text:
            parts[slug] = f"### {slug}\n\n{text}"
    return Found(Craft(_SEPARATOR.join(parts.values()), tuple(parts)), tuple(findings))


def _slugs(requested: Iterable[object], findings: list[Finding]) -> list[str]:
    slugs: dict[str, None] = {}
    for name in requested:
        slug = name.strip().lower() if isinstance(name, str) else ""
        if _SLUG.fullmatch(slug):
            slugs[slug] = None
        else:
            message = f"{name!r} is not the name of a craft reference; it was left out"
            findings.append(Finding(f"craft-name:{name!r}", message, severity="error"))
    return list(slugs)


def _reference(path: Path, slug: str, findings: list[Finding]) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = f"the craft reference could not be read ({error.strerror}); it was left out"
        findings.append(Finding(f"craft-missing:{slug}", reason, str(path), severity="error"))
        return ""
    text = data.decode("utf-8", errors="replace")
    cleaned = clean(text).strip()
    if text.encode() != data or removed_characters(text):
        reason = "bytes that are not UTF-8, or invisible characters, were replaced or taken out"
        findings.append(Finding(f"craft-cleaned:{slug}", reason, str(path)))
    if not cleaned:
        reason = "the craft reference is blank; it was left out"
        findings.append(Finding(f"craft-blank:{slug}", reason, str(path), severity="error"))
    return cleaned
