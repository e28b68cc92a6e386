"""What a flow allows, each with its reason: `lint.allow` beside its sections.

One entry a line, `CODE SUBJECT # why`; empty lines and lines that begin with `#` are skipped::

    # What the original does.
    PD004 tools  # the original puts its tools before the environment
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...inputs.errors import ReadError, did_you_mean
from ..flow import PromptFlow
from .finding import RULES, LintFinding, Needs

FILE = "lint.allow"
_ENTRY = re.compile(r"(?P<code>[A-Z]{2,6}\d{3})\s+(?P<subject>\S+)\s*(?:#\s*(?P<reason>.*))?")


@dataclass(frozen=True, slots=True)
class Allowed:
    """One entry of an allow-list.

    Attributes:
        code: The code of what is allowed.
        subject: The subject of what is allowed, exactly.
        reason: Why.
        where: The file and line.
    """

    code: str
    subject: str
    reason: str
    where: str


def allow_files(flow: PromptFlow) -> tuple[Path, ...]:
    """Return the allow-lists in the folders of a flow's sections, and of the packages above."""
    folders: dict[Path, None] = {}
    sections = [position.place.section for position in flow.positions]
    if flow.transient:
        sections += [one.section for one in flow.transient.fragments]
    for section in sections:
        folder = section.folder
        folders[folder] = None
        while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
            folder = folder.parent
            folders[folder] = None
    return tuple(sorted(path for folder in folders if (path := folder / FILE).is_file()))


def read_allow_list(
    path: Path, own_codes: Iterable[str] = ()
) -> tuple[tuple[Allowed, ...], tuple[LintFinding, ...]]:
    """Return the entries of a file that can be read, and a finding for each other line.

    Args:
        path: The file.
        own_codes: The codes of the flow's own rules.

    Raises:
        ReadError: The file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"{path}: {getattr(error, 'strerror', 'not UTF-8')}") from None
    known = {*RULES, *own_codes}
    entries: list[Allowed] = []
    wrong: list[LintFinding] = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if not line or line.startswith("#"):
            continue
        where = f"{'/'.join(path.parts[-3:])}:{number}"
        match = _ENTRY.fullmatch(line)
        if match is None or match["code"] not in known:
            hint = did_you_mean(match["code"], known) if match else ""
            found = f"{line!r} is no entry{hint}"
            do = "write 'CODE SUBJECT # why' with a code of this lint"
            wrong.append(LintFinding("PD092", "error", path.name, where, found, do))
            continue
        entry = Allowed(match["code"], match["subject"], (match["reason"] or "").strip(), where)
        if entry.reason:
            entries.append(entry)
        else:
            found = f"{entry.code} {entry.subject} is allowed without a reason"
            do = "write the reason behind a #"
            wrong.append(LintFinding("PD090", "error", entry.subject, where, found, do))
    return tuple(entries), tuple(wrong)


def split_allowed(
    findings: Sequence[LintFinding], entries: Sequence[Allowed], had: frozenset[Needs]
) -> tuple[list[LintFinding], list[tuple[LintFinding, str]]]:
    """Return the findings that stand, and the allowed ones with their reasons.

    An entry that matches nothing is a finding itself, unless its rule lacked what it needs.

    Args:
        findings: All findings.
        entries: All entries.
        had: What the lint had to look at.
    """
    reasons = {(entry.code, entry.subject): entry.reason for entry in entries}
    stand = [one for one in findings if (one.code, one.subject) not in reasons]
    allowed = [
        (one, reasons[one.code, one.subject])
        for one in findings
        if (one.code, one.subject) in reasons
    ]
    matched = {(one.code, one.subject) for one, _ in allowed}
    stand += _unmatched([one for one in entries if (one.code, one.subject) not in matched], had)
    return stand, allowed


def _unmatched(entries: Iterable[Allowed], had: frozenset[Needs]) -> Iterator[LintFinding]:
    for entry in entries:
        rule = RULES.get(entry.code)
        if rule is not None and rule.needs not in had:
            continue
        by_input = rule is None or rule.by_input or rule.needs == "given"
        found = f"{entry.code} {entry.subject} matches no finding"
        if by_input:
            do = "delete the entry when no case of yours shows it any more"
            yield LintFinding("PD091", "warning", entry.subject, entry.where, found, do)
        else:
            do = "delete the entry, or correct its subject"
            yield LintFinding("PD091", "error", entry.subject, entry.where, found, do)
