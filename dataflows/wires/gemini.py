"""Google's Gemini API, as `client.models.generate_content(model=…, **wire)` takes it.

Gemini caches common prefixes by itself and reads no marks; the system instruction stands in front
of the tools.

Source: https://ai.google.dev/gemini-api/docs/caching
"""

from base64 import b64decode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...inputs.findings import Finding
from ...inputs.signals import canonical_tools
from .marks import MarkPolicy, plan_marks
from .wire import Wire, content_blocks, copied, lost, system_blocks, unsent

if TYPE_CHECKING:
    from ..prompt import Prompt

_ROLES = {"assistant": "model", "user": "user"}


def to_gemini(prompt: "Prompt") -> Wire:
    """Return `contents` and `config` (`system_instruction`, `tools`); binary data is bytes.

    Cache marks, a system role amid the messages and pictures in results cannot be said; `findings`
    lists each.
    """
    findings = [*unsent(prompt, "gemini")]
    findings += plan_marks(prompt, MarkPolicy.none("gemini")).findings
    system = [{"text": block.text} for block in system_blocks(prompt)]
    config: dict[str, Any] = {"system_instruction": {"parts": system}} if system else {}
    if tools := canonical_tools(prompt.session.signals.tools):
        declared = [
            {
                "name": tool["name"],
                "description": tool["description"],
                "parameters_json_schema": tool["input_schema"],
            }
            for tool in tools
        ]
        config["tools"] = [{"function_declarations": declared}]
    contents = _Contents(findings).of(prompt)
    return Wire({"contents": contents, "config": config}, "gemini", findings)


class _Contents:
    """The messages under way: a result names its tool, which its call has told."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self.tool_names: dict[str, str] = {}

    def of(self, prompt: "Prompt") -> list[dict[str, Any]]:
        contents: list[dict[str, Any]] = []
        for number, message in enumerate(prompt.messages):
            place = f"messages[{number}]"
            role = _ROLES.get(message["role"])
            if role is None:
                role = "user"
                self._lose(place, "role", "no system role stands amid messages; it is the user's")
            found = [self._part(one, place) for one in copied(content_blocks(message))]
            if parts := [one for one in found if one is not None]:
                contents.append({"role": role, "parts": parts})
        return contents

    def _part(self, block: dict[str, Any], place: str) -> dict[str, Any] | None:
        if block.get("cache_control"):
            self._lose(place, "cache_control", "Gemini reads no cache marks; it is left out")
        match block.get("type"):
            case "text":
                return {"text": str(block["text"])}
            case "image" | "document":
                made = _media(block["source"])
            case "tool_use":
                name = self.tool_names[block["id"]] = str(block["name"])
                call = {"id": block["id"], "name": name, "args": block["input"]}
                return {"function_call": call}
            case "tool_result":
                return self._result(block, place)
            case _:
                made = None
        if made is None:
            kind = str(block.get("type"))
            self._lose(place, kind, f"{kind} has no part here; it is left out", "error")
        return made

    def _result(self, block: Mapping[str, Any], place: str) -> dict[str, Any]:
        call = str(block["tool_use_id"])
        if call not in self.tool_names:
            self._lose(place, "tool_name", f"no call {call!r} stands before its result", "error")
        content = block.get("content", "")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for one in blocks:
            if one.get("cache_control"):
                self._lose(place, "cache_control", "Gemini reads no cache marks; it is left out")
            if one.get("type") != "text":
                kind = str(one.get("type"))
                self._lose(place, kind, f"a result holds text alone; {kind} is left out", "error")
        text = "\n".join(str(one["text"]) for one in blocks if one.get("type") == "text")
        field = "error" if block.get("is_error") else "output"
        answer = {"id": call, "name": self.tool_names.get(call, call), "response": {field: text}}
        return {"function_response": answer}

    def _lose(self, place: str, what: str, why: str, severity: str = "warning") -> None:
        self.findings.append(lost("gemini", place, what, why, severity))


def _media(source: Mapping[str, Any]) -> dict[str, Any] | None:
    match source.get("type"):
        case "base64":
            data = b64decode(source["data"])
            return {"inline_data": {"mime_type": source["media_type"], "data": data}}
        case "text":
            return {"text": str(source["data"])}
        case "url":
            return {"file_data": {"file_uri": source["url"]}}
    return None
