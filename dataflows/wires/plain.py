"""One plain text, for a model or a person that takes no more."""

from typing import TYPE_CHECKING

from ...inputs.findings import Finding
from ...inputs.signals import canonical_json
from .wire import Wire, content_blocks, lost, system_blocks, unsent

if TYPE_CHECKING:
    from ..prompt import Prompt


def to_plain(prompt: "Prompt") -> Wire:
    """Return `text`: the system blocks, then each message under its role.

    Between two blocks there is at least one blank line; where the blocks have less, the newlines
    that lack are added. What is no text stands as JSON. `findings` lists both, tools and marks.
    """
    findings = list(unsent(prompt, "plain"))
    text = ""
    for block in system_blocks(prompt):
        text = _joined(text, block.text, block.name, findings)
    for number, message in enumerate(prompt.messages):
        parts: list[str] = []
        for part in content_blocks(message):
            parts.append(str(part["text"]) if part.get("type") == "text" else _json(part))
            findings += _lost(part, f"messages[{number}]")
        body = "\n\n".join(parts)
        text = _joined(text, f"## {message['role']}\n\n{body}", None, findings)
    findings += _unsaid(prompt)
    return Wire({"text": text}, "plain", findings)


def _joined(front: str, behind: str, block: str | None, findings: list[Finding]) -> str:
    if not front:
        return behind
    ending = len(front) - len(front.rstrip("\n"))
    beginning = len(behind) - len(behind.lstrip("\n"))
    lacking = max(2 - ending - beginning, 0)
    if block and lacking:
        message = f"{lacking} newlines were added in front of block {block!r}, to keep it apart"
        findings.append(Finding(f"seam-added:{block}", message, path="plain", severity="info"))
    return front + "\n" * lacking + behind


def _json(block: dict[str, object]) -> str:
    return canonical_json({name: one for name, one in block.items() if name != "cache_control"})


def _lost(block: dict[str, object], place: str) -> list[Finding]:
    kind = str(block.get("type"))
    found = [] if kind == "text" else [lost("plain", place, kind, f"{kind} stands as JSON")]
    if block.get("cache_control"):
        found.append(lost("plain", place, "cache_control", "text has no cache marks"))
    return found


def _unsaid(prompt: "Prompt") -> list[Finding]:
    marked = [one for one in prompt.blocks if one.cache_control]
    found = [
        lost("plain", f"block {one.name!r}", "cache_control", "text has no cache marks")
        for one in marked
    ]
    if prompt.session.signals.tools:
        found.append(lost("plain", "tools", "tools", "text has no tool table", "error"))
    return found
