"""Volatile-looking text in stable bytes, and signals that are named like a clock or counter."""

import re
from collections.abc import Iterator

from ...inputs.signals import canonical_json, canonical_tools
from ..manifest import SectionRow
from ..prompt import Prompt
from .finding import LintFinding
from .study import Study, signal_texts

# The kind of a text by its look. What looks like one and is not, is allowed with a reason.
PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "PD010",
        "a date or time",
        re.compile(
            r"\b20\d\d-[01]\d-[0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d)?)?"
            r"|\b[0-2]?\d:[0-5]\d:[0-5]\d\b"
            r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?[A-Z][a-z]{2,8}"
            r"(?: \d{1,2})?,? 20\d\d\b"
            r"|20\d\d年\d{1,2}月\d{1,2}日|\b1[6-9]\d{8}(?:\d{3})?\b"
        ),
    ),
    (
        "PD011",
        "a random id or hash",
        re.compile(
            r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
            r"|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{32,64}\b"
            r"|/(?:sessions?|runs?|requests?|traces?|conversations?)/[\w-]*\d[\w-]*",
            re.IGNORECASE,
        ),
    ),
    (
        "PD012",
        "a temporary path",
        re.compile(
            r"(?<![\w.])(?:/private)?/(?:var/)?tmp/[\w.-]+|/var/folders/\w\w/"
            r"|\\AppData\\Local\\Temp\\",
            re.IGNORECASE,
        ),
    ),
    (
        "PD013",
        "a home folder",
        re.compile(
            r"(?<![\w.])/(?:home|Users)/[\w.-]+|(?<![\w.])/root/\w|\b[A-Z]:\\Users\\[\w.-]+"
        ),
    ),
)

_CLOCKS = re.compile(
    r"(?:^|_)(?:now|time|timestamp|clock|date|today|datetime|uuid|nonce|random|seed|request_id|"
    r"message_count|turn_count|n_messages|elapsed|uptime)$|_at$|^n_"
)
_DO_PROSE = "take it out of the text, or make it a turn signal"


def volatile_texts(study: Study) -> Iterator[LintFinding]:
    """Yield what looks volatile in our prose, in the given prompts and in the given tools."""
    stable = {position.place.section.name for position in study.flow.positions}
    for run in study.prose:
        if run.section in stable:
            for code, kind, text in _looks(run.text):
                yield LintFinding(
                    code, "error", run.section, run.where, f"{text!r} looks like {kind}", _DO_PROSE
                )
    own = "\0".join(run.text for run in study.prose)
    seen: set[tuple[str, str]] = set()
    for tried in study.given:
        for row in tried.prompt.manifest.sections:
            for code, kind, text in _looks(row.text):
                if text not in own and (code, row.name) not in seen:
                    seen.add((code, row.name))
                    yield _from_signal(study, tried.prompt, tried.origin, row, (code, kind, text))
        yield from _in_tools(tried.prompt, tried.origin, seen)


def _looks(text: str) -> Iterator[tuple[str, str, str]]:
    for code, kind, pattern in PATTERNS:
        if match := pattern.search(text):
            yield code, kind, match[0]


def _from_signal(
    study: Study, prompt: Prompt, origin: str, row: SectionRow, look: tuple[str, str, str]
) -> LintFinding:
    code, kind, text = look
    source = next((name for name, value in signal_texts(prompt) if text in value), None)
    by = f"signal {source!r}" if source else "a value that a fact makes"
    shared = row.cache == "stable" and code != "PD013"
    return LintFinding(
        code,
        "error" if shared else "warning",
        row.name,
        f"{origin}, block {row.block!r}",
        f"{by} puts {kind} into the cached prefix; about {study.tokens_from(row.name)} tokens "
        f"stand from there on, and no other session may share them",
        "move the section behind what is shared, or make it a turn signal",
    )


def _in_tools(prompt: Prompt, origin: str, seen: set[tuple[str, str]]) -> Iterator[LintFinding]:
    for tool in canonical_tools(prompt.session.signals.tools):
        for code, kind, text in _looks(canonical_json(tool)):
            if (code, f"tools.{tool['name']}") not in seen:
                seen.add((code, f"tools.{tool['name']}"))
                yield LintFinding(
                    code,
                    "error" if code != "PD013" else "warning",
                    f"tools.{tool['name']}",
                    f"{origin}, signal 'tools'",
                    f"tool {tool['name']!r} holds {text!r}, {kind}; a change of tools invalidates "
                    "system and messages too",
                    "take it out of the tool's description",
                )


def volatile_signals(study: Study) -> Iterator[LintFinding]:
    """Yield, for each section, all session signals in it that are named like a clock."""
    graph = study.flow.graph
    by_section: dict[str, list[str]] = {}
    for leaf in study.stable_signals:
        if any(_CLOCKS.search(name) for name in (leaf.name, leaf.path[-1])):
            for name in study.sections_of(leaf.name):
                by_section.setdefault(name, []).append(graph.signals[leaf.name].dotted)
    for section, fields in by_section.items():
        yield LintFinding(
            "PD002",
            "error",
            section,
            f"section {section!r}",
            f"the signals {', '.join(fields)} are named like clocks, counters or random values and "
            f"reach the cached prefix; a change rewrites about {study.tokens_from(section)} tokens",
            "make them turn signals, or freeze them for the session and say so in the allow-list",
        )


def drifting_signals(study: Study) -> Iterator[LintFinding]:
    """Yield each signal of the prefix that can move within a session, with what a move costs."""
    for leaf in study.stable_signals:
        sections = study.sections_of(leaf.name)
        if leaf.drifts is None or not sections:
            continue
        yield LintFinding(
            "PD003",
            "warning",
            leaf.name,
            f"signal {leaf.dotted!r}, section {sections[0]!r}",
            f"it may move within a session ({leaf.drifts}); about "
            f"{study.tokens_from(sections[0])} tokens stand from its first byte on",
            "move its section back, or update it only at a new session",
        )
