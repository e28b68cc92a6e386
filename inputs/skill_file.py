"""One `SKILL.md`: what it says, and what is wrong with it.

Codes of findings, beside those of `front_matter`:

- the skill is refused: `missing-description`, `wrong-type:name`, `wrong-type:description`,
  `invalid-name` (over several lines), `duplicate-key:KEY` (two spellings of one key);
- a warning: `missing-name`, `invalid-name`, `long-name`, `name-mismatch`, `long-description`,
  `long-compatibility`, `wrong-type:KEY`, `nested-metadata`.

Source: the Agent Skills specification (agentskills.io) for fields and limits, its guide for
clients for what a lenient reader forgives.
"""

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .findings import Finding, Found
from .front_matter import FrontMatter, Value, parse_front_matter
from .skill_roots import Scope

MAX_NAME_CHARS = 64
MAX_DESCRIPTION_CHARS = 1024
MAX_COMPATIBILITY_CHARS = 500
_WHEN_TO_USE_KEYS = ("when_to_use", "when-to-use", "whenToUse")
_PROSE_KEYS = ("description", *_WHEN_TO_USE_KEYS, "compatibility")
_REQUIRED_KEYS = frozenset(("name", "description"))
_KNOWN_KEYS = frozenset((*_PROSE_KEYS, "name", "allowed-tools", "license", "metadata"))
_GOOD_NAME = re.compile("[a-z0-9]+(?:-[a-z0-9]+)*")
_TOOL = re.compile(r"(?:\([^)]*\)?|[^\s,(])+")


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. All text is as written in its file; nothing is collapsed or cut.

    Attributes:
        name: For people and the model. Never part of a path: it may be `../../etc`.
        description: What the skill does; may hold line ends.
        path: The absolute path of its `SKILL.md`, by the way on which it was found.
        scope: Where it came from.
        when_to_use: From the key `when_to_use`, `when-to-use` or `whenToUse`.
        qualified_name: `plugin:name` for a skill of a plugin.
        allowed_tools: One entry a tool, what its parentheses hold included: `Bash(git:*)`.
        license: Name of a licence, or of a file that holds it.
        compatibility: What the skill needs, in words.
        metadata: By key; text, or nested lists and mappings of text.
        other_fields: The other keys of the front matter, by key.
        body: The text below the front matter.
    """

    name: str
    description: str
    path: str
    scope: Scope = "project"
    when_to_use: str | None = None
    qualified_name: str | None = None
    allowed_tools: tuple[str, ...] = ()
    license: str | None = None
    compatibility: str | None = None
    metadata: dict[str, Value] = field(default_factory=dict, hash=False)
    other_fields: dict[str, Value] = field(default_factory=dict, hash=False)
    body: str = ""

    @property
    def display_name(self) -> str:
        """The qualified name where there is one, else the name."""
        return self.qualified_name or self.name


def parse_skill(
    data: bytes,
    path: str,
    *,
    scope: Scope = "project",
    plugin: str | None = None,
    strict: bool = False,
) -> Found[Skill | None]:
    """Return the skill in the bytes of a `SKILL.md`; `None` when it was refused.

    Args:
        data: The bytes of the file.
        path: Its absolute path, which is not opened; its folder should be named like the skill.
        scope: Where the skill comes from.
        plugin: The plugin that it belongs to, the first part of its qualified name.
        strict: Whether every warning is an error, which refuses the skill.
    """
    matter = parse_front_matter(data, path, prose_keys=_PROSE_KEYS)
    if matter.value is None:
        return Found(None, strict_findings(matter.findings) if strict else matter.findings)
    reader = _SkillReader(matter.value, path, list(matter.findings))
    skill = reader.skill(scope, plugin)
    if not reader.findings:
        return Found(skill)
    findings = strict_findings(reader.findings) if strict else tuple(reader.findings)
    refused = any(finding.severity == "error" for finding in findings)
    return Found(None if refused else skill, findings)


class _SkillReader:
    """Reads the fields of one skill and notes what is wrong with them."""

    def __init__(self, matter: FrontMatter, path: str, findings: list[Finding]) -> None:
        self.findings = findings
        self._fields = matter.fields
        self._lines = matter.lines
        self._body = matter.body
        self._path = path

    def skill(self, scope: Scope, plugin: str | None) -> Skill | None:
        name, description = self._name(), self._description()
        if name is None or description is None:
            return None
        return Skill(
            name=name,
            description=description,
            path=self._path,
            scope=scope,
            qualified_name=f"{plugin}:{name}" if plugin else None,
            body=self._body,
            **({} if self._fields.keys() <= _REQUIRED_KEYS else self._optional()),
        )

    def _optional(self) -> dict[str, Any]:
        """Return the fields of `Skill` beside name and description, which most files lack."""
        return {
            "when_to_use": self._when_to_use(),
            "allowed_tools": self._allowed_tools(),
            "license": self._text("license"),
            "compatibility": self._compatibility(),
            "metadata": self._metadata(),
            "other_fields": {k: v for k, v in self._fields.items() if k not in _KNOWN_KEYS},
        }

    def _name(self) -> str | None:
        folder = self._path.rsplit(os.sep, 2)[-2] if os.sep in self._path else ""
        written = self._text("name", required=True)
        if written is None:
            if isinstance(self._fields.get("name", ""), str):
                self._note("missing-name", "name", f"no name; the folder's, {folder!r}, is taken")
                return folder
            return None
        name = written.strip()
        if _GOOD_NAME.fullmatch(name) and name == folder and len(name) <= MAX_NAME_CHARS:
            return name
        if "\n" in name:
            message = "the name stands on several lines; write it on one"
            self._note("invalid-name", "name", message, "error")
            return None
        self._note_name(name, folder)
        return name

    def _note_name(self, name: str, folder: str) -> None:
        """Note what is wrong with a name. Letters of every script are letters."""
        normal = unicodedata.normalize("NFKC", name)
        if len(normal) > MAX_NAME_CHARS:
            message = f"the name has {len(normal)} characters; {MAX_NAME_CHARS} are allowed"
            self._note("long-name", "name", message)
        if not all(character.isalnum() or character == "-" for character in normal):
            message = f"the name {name!r} may hold letters, digits and hyphens alone"
            self._note("invalid-name", "name", message)
        elif normal != normal.lower():
            self._note("invalid-name", "name", f"the name {name!r} must be in lower case")
        elif "" in normal.split("-"):
            message = f"the name {name!r} has a hyphen at an edge, or two in a row"
            self._note("invalid-name", "name", message)
        if normal != unicodedata.normalize("NFKC", folder):
            message = f"the name {name!r} is not that of its folder, {folder!r}; rename one of them"
            self._note("name-mismatch", "name", message)

    def _description(self) -> str | None:
        description = self._text("description", required=True)
        if description is not None:
            self._note_length("description", description, MAX_DESCRIPTION_CHARS)
        elif isinstance(self._fields.get("description", ""), str):
            message = "no description; say what the skill does and when to use it"
            self._note("missing-description", "description", message, "error")
        return description

    def _when_to_use(self) -> str | None:
        given = [key for key in _WHEN_TO_USE_KEYS if key in self._fields]
        if not given:
            return None
        if len(given) > 1:
            message = f"{' and '.join(given)} are spellings of one key; keep one"
            self._note(f"duplicate-key:{given[1]}", given[1], message, "error")
        return self._text(given[0])

    def _compatibility(self) -> str | None:
        text = self._text("compatibility")
        if text is not None:
            self._note_length("compatibility", text, MAX_COMPATIBILITY_CHARS)
        return text

    def _allowed_tools(self) -> tuple[str, ...]:
        value = self._fields.get("allowed-tools", [])
        items = value if isinstance(value, list) else [value]
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            self._note_type("allowed-tools", "text or a list of text")
        return tuple(tool for text in texts for tool in _TOOL.findall(text))

    def _metadata(self) -> dict[str, Value]:
        value = self._fields.get("metadata", "")
        if isinstance(value, dict):
            nested = [key for key, item in value.items() if not isinstance(item, str)]
            if nested:
                message = f"metadata holds text alone, but {', '.join(nested)} is nested; kept"
                self._note("nested-metadata", "metadata", message)
            return value
        if value:
            self._note_type("metadata", "a mapping")
        return {}

    def _text(self, key: str, *, required: bool = False) -> str | None:
        """Return the text of a key; `None` when it is absent, blank or not text."""
        value = self._fields.get(key)
        if isinstance(value, str):
            return value if value and not value.isspace() else None
        if value is not None:
            self._note_type(key, "text", "error" if required else "warning")
        return None

    def _note_type(
        self, key: str, expected: str, severity: Literal["warning", "error"] = "warning"
    ) -> None:
        done = "left out" if severity == "warning" else "refused"
        self._note(f"wrong-type:{key}", key, f"{key} must be {expected}; {done}", severity)

    def _note_length(self, key: str, text: str, max_chars: int) -> None:
        if len(text) > max_chars:
            message = f"{key} has {len(text)} characters; {max_chars} are allowed; kept whole"
            self._note(f"long-{key}", key, message)

    def _note(
        self, code: str, key: str, message: str, severity: Literal["warning", "error"] = "warning"
    ) -> None:
        line = self._lines.get(key, 1)
        self.findings.append(Finding(code, message, self._path, line, 1, severity))


def strict_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings with each warning as an error."""
    return tuple(
        replace(finding, severity="error") if finding.severity == "warning" else finding
        for finding in findings
    )
