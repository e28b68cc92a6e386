"""Values that can leave what they stand in: a tag, a code fence, an attribute.

The engine escapes the tags of the order. What it cannot know are tags, fences and attributes that
a template or a hand-made wrapper writes itself; these are tried with a value that closes them.
"""

import re
from collections.abc import Iterator

from pydantic import ValidationError

from ...inputs.errors import NodeError
from .finding import LintFinding
from .probes import MARKER, Probe, text_probes
from .study import Study

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)(?:\s[^<>]*)?>")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_ATTRIBUTE = re.compile(r"<[\w:-]+\s[^<>]*=\"[^\"<>]*\Z")


def escaping_values(study: Study) -> Iterator[LintFinding]:
    """Yield each signal whose value closes the tag, fence or attribute around it."""
    for probe in text_probes(study):
        for before in probe.before:
            yield from _tags(probe, before)
            fence = _open_fence(before)
            if fence and not _grows(probe, fence):
                yield from _closes(probe, f"\n{fence}\n", "PD061", f"the fence {fence!r}")
            if _ATTRIBUTE.search(before):
                yield from _closes(probe, '"', "PD062", "the attribute")


def _tags(probe: Probe, before: str) -> Iterator[LintFinding]:
    for name in _open_tags(before):
        yield from _closes(probe, f"</{name}>", "PD060", f"<{name}>")


def _open_tags(text: str) -> list[str]:
    """Return the tags that are open at the end of a text, the outermost first."""
    opened: list[str] = []
    for match in _TAG.finditer(text):
        if not match[1]:
            opened.append(match[2])
        elif match[2] in opened:
            del opened[len(opened) - 1 - opened[::-1].index(match[2]) :]
    # A tag that prose merely mentions stands within a line; a wrapper begins its line.
    return [
        name
        for name in opened
        if re.search(rf"(?:^|\n)[ \t]*<{re.escape(name)}[\s>]", text)
        or re.search(rf"<{re.escape(name)}(?:\s[^<>]*)?>[^\n]*\Z", text)
    ]


def _open_fence(text: str) -> str:
    fence = ""
    for match in _FENCE.finditer(text):
        if not fence:
            fence = match[1]
        elif match[1][0] == fence[0] and len(match[1]) >= len(fence):
            fence = ""
    return fence


def _grows(probe: Probe, fence: str) -> bool:
    """Whether a fact makes the fence longer around a value that holds it."""
    try:
        prompt = probe.composed(f"{MARKER}\n{fence}\n{MARKER}")
    except (ValidationError, NodeError):
        return False
    return len(_open_fence(prompt.text.partition(MARKER)[0])) > len(fence)


def _closes(probe: Probe, closing: str, code: str, what: str) -> Iterator[LintFinding]:
    try:
        prompt = probe.composed(f"{MARKER}{closing}{MARKER}")
    except (ValidationError, NodeError):
        return  # such a value is no input
    if f"{MARKER}{closing}{MARKER}" in prompt.text:
        yield LintFinding(
            code,
            "error",
            probe.spot.dotted,
            f"signal {probe.spot.dotted!r}",
            f"a value that holds {closing!r} closes {what} around it",
            {
                "PD060": "make the wrapper with tag(...) in the order, which escapes it in values",
                "PD061": "compute the fence in a fact, longer than any run in the value",
                "PD062": "escape the quotes in a fact",
            }[code],
        )
