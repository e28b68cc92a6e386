"""Values that can leave what they stand in: a tag, a code fence, an attribute.

The engine escapes the tags of the order. What it cannot know are tags, fences and attributes that
a template or a hand-made wrapper writes itself; these are tried with a value that closes them.
"""

import re
from collections.abc import Iterator

from pydantic import ValidationError

from ...inputs.errors import NodeError
from .fence import open_fence, outside_fences
from .finding import LintFinding
from .probes import MARKER, Probe, text_probes
from .study import Study

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)(?:\s[^<>]*)?>")
_CODE_SPAN = re.compile(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_ATTRIBUTE = re.compile(r"<[\w:-]+\s[^<>]*=\"[^\"<>]*\Z")
_DO = {
    "PD060": "make the wrapper with tag(...) in the order, which escapes it in values",
    "PD061": "compute the fence in a fact, longer than any run in the value",
    "PD062": "escape the quotes in a fact",
}


def escaping_values(study: Study) -> Iterator[LintFinding]:
    """Yield each signal whose value closes the tag, fence or attribute around it, once for each."""
    for probe in text_probes(study):
        asked: set[str] = set()
        for before in probe.before:
            for code, closing, what in _ways_out(before):
                if closing in asked:
                    continue
                asked.add(closing)
                if _leaves(probe, closing, code):
                    yield LintFinding(
                        code,
                        "error",
                        probe.spot.dotted,
                        f"signal {probe.spot.dotted!r}",
                        f"a value that holds {closing!r} closes {what} around it",
                        _DO[code],
                    )


def _ways_out(before: str) -> Iterator[tuple[str, str, str]]:
    """Yield what would close that in which a text ends: code, closing text, what it closes."""
    for name in _open_tags(before):
        yield "PD060", f"</{name}>", f"<{name}>"
    if fence := open_fence(before):
        yield "PD061", f"\n{fence}\n", f"the fence {fence!r}"
    if _ATTRIBUTE.search(before):
        yield "PD062", '"', "the attribute"


def _leaves(probe: Probe, closing: str, code: str) -> bool:
    value = f"{MARKER}{closing}{MARKER}"
    try:
        prompt = probe.composed(value)
    except (ValidationError, NodeError):
        return False  # such a value is no input
    shown = [block.text for block in prompt.blocks if value in block.text]
    if code == "PD061":
        # The flow may have made the fence longer, now that the value holds one.
        return any(not open_fence(text.partition(value)[0] + value) for text in shown)
    return bool(shown)


def _open_tags(text: str) -> list[str]:
    """Return the tags that are open at the end of a text, the outermost first.

    A tag in a code span or in a fence that is closed again is no wrapper but a mention.
    """
    text = _CODE_SPAN.sub("", outside_fences(text))
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
