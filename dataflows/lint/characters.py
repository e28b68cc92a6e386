"""Prose and values with characters that nobody sees."""

import re
from collections.abc import Iterator

from pydantic import ValidationError

from ...inputs.errors import NodeError
from ...inputs.text import clean, removed_characters
from .finding import LintFinding
from .probes import MARKER, Probe, text_probes
from .study import Study

_TRAILING = re.compile(r"[ \t]+(?=\n)|[ \t]+\Z")
_EMPTY_LINES = re.compile(r"\n[ \t]*\n[ \t]*\n")
_WIDE_BLANKS = re.compile("[\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f]")


def odd_prose(study: Study) -> Iterator[LintFinding]:
    """Yield prose with invisible characters, carriage returns, trailing blanks or empty lines."""
    for run in study.prose:
        if clean(run.text) != run.text:
            odd = ", ".join(removed_characters(run.text)) or "U+000D"
            yield LintFinding(
                "PD040", "error", run.section, run.where, f"it holds {odd}", "delete them"
            )
        elif wide := _WIDE_BLANKS.search(run.text):
            yield LintFinding(
                "PD040",
                "warning",
                run.section,
                run.where,
                f"it holds the blank U+{ord(wide[0]):04X}",
                "write a plain blank",
            )
        blanks = [
            name
            for name, pattern in (("trailing blanks", _TRAILING), ("empty lines", _EMPTY_LINES))
            if " slot " in run.where and pattern.search(run.text)
        ]
        if blanks:
            yield LintFinding(
                "PD042",
                "warning",
                run.section,
                run.where,
                f"it holds {' and '.join(blanks)}",
                "delete them: they cost tokens, and the next editor will delete them by chance",
            )


def uncleaned_signals(study: Study) -> Iterator[LintFinding]:
    """Yield the text signals that pass an invisible character on into a block."""
    for probe in text_probes(study):
        try:
            prompt = probe.composed(f"{MARKER}\u200b{MARKER}\r\n{MARKER}")
        except (ValidationError, NodeError):
            continue  # such a value is no input
        if f"{MARKER}\u200b" in prompt.text or f"{MARKER}\r\n" in prompt.text:
            yield _uncleaned(probe)


def _uncleaned(probe: Probe) -> LintFinding:
    return LintFinding(
        "PD041",
        "error",
        probe.spot.dotted,
        f"signal {probe.spot.dotted!r}",
        "invisible characters and CRLF in it reach the wire",
        "declare it as promptdag.inputs.text.Text, which is cleaned when it is validated",
    )
