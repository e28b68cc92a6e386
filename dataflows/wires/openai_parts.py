"""What OpenAI's two formats share: content parts, breakpoints, and what neither can say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...inputs.findings import Finding
from ...inputs.signals import canonical_json
from .marks import MarkPolicy
from .wire import lost

Block = dict[str, Any]


@dataclass
class Conversion:
    """One request under way.

    Attributes:
        form: `chat` for Chat Completions, `responses` for Responses.
        policy: The rules of marks; with `max_marks=0` none is sent.
        findings: What could not be said so far.
    """

    form: Literal["chat", "responses"]
    policy: MarkPolicy
    findings: list[Finding] = field(default_factory=list)

    def lose(self, place: str, what: str, why: str, severity: str = "warning") -> None:
        """Note that something was left out or said in another way."""
        self.findings.append(lost("openai", place, what, why, severity))

    def text(self, text: str, control: Mapping[str, str] | None = None, place: str = "") -> Block:
        """Return a text part, with a breakpoint where a mark stands."""
        kind = "text" if self.form == "chat" else "input_text"
        return {"type": kind, "text": text} | self.breakpoint(control, place)

    def breakpoint(self, control: Mapping[str, str] | None, place: str) -> Block:
        """Return the breakpoint that says a cache mark, or nothing with a finding."""
        if not control:
            return {}
        if self.policy.max_marks == 0:
            why = "this model caches by itself: the cache mark is left out"
            self.lose(place, "cache_control", why)
            return {}
        ttl = control.get("ttl")
        if ttl is not None and ttl not in self.policy.lifetimes:
            held = self.policy.default_lifetime
            self.lose(place, "ttl", f"a lifetime of {ttl} cannot be asked for; {held} holds")
        return {"prompt_cache_breakpoint": {"mode": "explicit"}}

    def parts(self, blocks: Sequence[Block], place: str) -> list[Block]:
        """Return the parts of blocks; what has no part is left out with a finding."""
        found = [self.part(one, place) for one in blocks]
        return [one for one in found if one is not None]

    def part(self, block: Block, place: str) -> Block | None:
        """Return the part of a block of the user."""
        mark = block.get("cache_control")
        match block.get("type"):
            case "text":
                return self.text(str(block["text"]), mark, place)
            case "image":
                made = self._image(block["source"])
            case "document":
                made = self._document(block)
            case _:
                made = None
        if made is None:
            kind = str(block.get("type"))
            self.lose(place, kind, f"{kind} has no part here; it is left out", "error")
            return None
        return made | self.breakpoint(mark, place)

    def _image(self, source: Mapping[str, Any]) -> Block | None:
        url = _url(source)
        if url is None:
            return None
        if self.form == "chat":
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "input_image", "image_url": url, "detail": "auto"}

    def _document(self, block: Block) -> Block | None:
        source = block["source"]
        if source.get("type") == "text":
            return self.text(str(source["data"]))
        name = str(block.get("title") or "document.pdf")
        if source.get("type") == "base64":
            data = {"filename": name, "file_data": _url(source)}
            if self.form == "chat":
                return {"type": "file", "file": data}
            return {"type": "input_file"} | data
        if source.get("type") == "url" and self.form == "responses":
            return {"type": "input_file", "file_url": source["url"]}
        return None

    def arguments(self, block: Block, place: str) -> str:
        """Return the input of a tool call as JSON, its keys sorted so that its bytes are stable."""
        if block.get("cache_control"):
            self.lose(place, "cache_control", "a tool call carries no cache mark; it is left out")
        return canonical_json(block["input"])

    def output(self, block: Block, place: str) -> str | list[Block]:
        """Return what a tool returned: its text, or parts where there is more or a breakpoint."""
        if block.get("is_error"):
            self.lose(place, "is_error", "a result has no field for failure; its text tells it")
        content = block.get("content", "")
        mark = block.get("cache_control")
        if isinstance(content, str) and not (mark and self.policy.max_marks):
            self.breakpoint(mark, place)  # notes the loss
            return content
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
        if self.form == "chat":
            for one in blocks:
                if one.get("type") != "text":
                    kind = str(one.get("type"))
                    self.lose(
                        place, kind, f"a result holds text alone; {kind} is left out", "error"
                    )
            blocks = [one for one in blocks if one.get("type") == "text"]
        parts = self.parts(blocks, place)
        if parts:
            parts[-1] |= self.breakpoint(mark, place)
        elif mark:
            self.lose(place, "cache_control", "the result has no part for its cache mark")
        return parts

    def assistant_text(self, blocks: Sequence[Block], place: str) -> str:
        """Return what the model said, as one text."""
        for one in blocks:
            kind = str(one.get("type"))
            if kind not in ("text", "tool_use"):
                self.lose(place, kind, f"{kind} of another provider's model is left out", "error")
            elif kind == "text" and one.get("cache_control"):
                self.lose(place, "cache_control", "the model's words carry no cache mark")
        return "".join(str(one["text"]) for one in blocks if one.get("type") == "text")


def _url(source: Mapping[str, Any]) -> str | None:
    if source.get("type") == "base64":
        return f"data:{source['media_type']};base64,{source['data']}"
    if source.get("type") == "url":
        return str(source["url"])
    return None
