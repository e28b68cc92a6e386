"""A prompt's prefix as a provider's cache sees it: parts with tokens, up to where it is cached."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..inputs.findings import Finding
from ..inputs.signals import canonical_json, canonical_tools
from ..inputs.tokens import TokenCounter, default_counter
from .node_functions import tools_fingerprint
from .placed import tools_text
from .providers import Lifetime, Model
from .wires.marks import MarkPolicy, marks_in, plan_marks
from .wires.wire import content_blocks

if TYPE_CHECKING:
    from .prompt import Prompt

TOOLS = "tools"
"""The name of the part in front of all blocks: the tool table."""


@dataclass(frozen=True, slots=True)
class Part:
    """One section of the prefix, or the tool table.

    Attributes:
        name: The section's name, or `tools`.
        top: The section that it is a part of, itself where there is none.
        block: The block that it stands in, or `tools`.
        target: The block's target.
        position: Which content block of the request it stands in, counted from 0.
        start_tokens: How many tokens stand before it.
        tokens: How many it has; those of all parts add up.
        digest: The hash of the request from its first byte to the end of this part.
        sha256: The hash of its own bytes.
        marked: The lifetime of a cache mark at its end, by name; `None` where there is none.
    """

    name: str
    top: str
    block: str
    target: str
    position: int
    start_tokens: int
    tokens: int
    digest: str
    sha256: str
    marked: str | None

    @property
    def end_tokens(self) -> int:
        """How many tokens stand up to its end."""
        return self.start_tokens + self.tokens


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prompt's prefix for one model.

    Attributes:
        model: The model.
        parts: In the order of the request.
        turn_tokens: What the messages have beside blocks in the user's role; never cached here.
        counter_id: What counted.
        counter_exact: Whether the counts are a tokenizer's. No provider's own is used, so they
            are estimates for its bill even then.
        findings: Marks that are not spent, and why.
    """

    model: Model
    parts: tuple[Part, ...]
    turn_tokens: int
    counter_id: str
    counter_exact: bool
    findings: tuple[Finding, ...]

    @property
    def tokens(self) -> int:
        """How many tokens all parts have."""
        return self.parts[-1].end_tokens if self.parts else 0

    @property
    def cacheable_tokens(self) -> int:
        """Up to which token the prefix is cached: to its last mark, or whole where it is found."""
        if self.model.rules.caching == "marks":
            ends = [part.end_tokens for part in self.parts if part.marked]
            return ends[-1] if ends else 0
        if self.tokens < self.model.min_cache_tokens:
            return 0
        return self.tokens - self.tokens % self.model.rules.granularity_tokens

    def lifetime_of(self, part: Part) -> str:
        """Return the lifetime that a part is written with: that of the first mark behind it."""
        names = (one.marked for one in self.parts if one.end_tokens >= part.end_tokens)
        return next(filter(None, names), self.model.rules.default_lifetime)

    def cached_of(self, part: Part) -> int:
        """Return how many tokens of a part are cached."""
        return max(0, min(part.end_tokens, self.cacheable_tokens) - part.start_tokens)

    def write_factor(self, part: Part) -> float:
        """Return what writing a token of a part costs, as a part of its price."""
        return self.lifetime(part).write_factor

    def lifetime(self, part: Part) -> Lifetime:
        """Return how long a part stays cached, and what writing it costs."""
        return self.model.lifetime(self.lifetime_of(part))


def measure(
    prompt: "Prompt",
    model: Model,
    *,
    lifetime: str | None = None,
    counter: TokenCounter | None = None,
) -> Prefix:
    """Return the prefix of a prompt for a model.

    Args:
        prompt: The prompt, with a turn where its flow has messages.
        model: The model, from a `ProviderTable`.
        lifetime: The lifetime of every mark, in place of what the flow says.
        counter: Counts tokens; `None` for the process's own.

    Raises:
        UnknownNameError: The model's provider has no such lifetime.
        MarkRuleError: The messages' marks break a rule of the provider.
    """
    counts = counter or default_counter()
    marks, findings = _marks(prompt, model, lifetime, counts)
    parts = tuple(_parts(prompt, counts, marks))
    spoken = spoken_tokens(prompt, parts, counts)
    return Prefix(model, parts, spoken, counts.id, counts.exact, findings)


def spoken_tokens(prompt: "Prompt", parts: tuple[Part, ...], counter: TokenCounter) -> int:
    """Return how many tokens the messages have beside blocks in the user's role."""
    in_user_role = sum(part.tokens for part in parts if part.target == "meta_user")
    return max(counter.count("\n".join(_texts(prompt.messages))) - in_user_role, 0)


def _marks(
    prompt: "Prompt", model: Model, lifetime: str | None, counter: TokenCounter
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Return the lifetime of each mark by its block, and the findings about marks."""
    rules, held = model.rules, lifetime or model.rules.default_lifetime
    model.lifetime(held)
    if rules.caching != "marks":
        return {}, ()
    policy = MarkPolicy.by(model.name, rules, min_tokens=model.min_cache_tokens, counter=counter)
    plan = plan_marks(
        prompt, policy, canonical_tools(prompt.session.signals.tools), prompt.messages
    )
    marks = {name: _named(one, model, lifetime) for name, one in plan.controls.items()}
    # What stands in the user's role is cached only with the messages that hold it.
    behind = [one.name for one in prompt.blocks if one.target == "meta_user"]
    last = prompt.blocks[-1].name if prompt.blocks else None
    if behind and (theirs := marks_in(prompt.messages)):
        marks[behind[-1]] = _named(theirs[-1], model, lifetime)
    elif rules.provider_marks and last is not None:
        marks.setdefault(last, held)
    return marks, plan.findings


def _named(control: Mapping[str, str], model: Model, lifetime: str | None) -> str:
    named = lifetime or control.get("ttl") or model.rules.default_lifetime
    return named if named in model.rules.lifetimes else model.rules.default_lifetime


def _parts(prompt: "Prompt", counter: TokenCounter, marks: Mapping[str, str]) -> Iterator[Part]:
    start, position, digest = 0, -1, ""
    tools = prompt.session.signals.tools
    if tools:
        own = tools_fingerprint(tools)
        tokens = counter.count(tools_text(prompt))
        digest, position = _chained("", TOOLS, own), 0
        yield Part(TOOLS, TOOLS, TOOLS, TOOLS, 0, 0, tokens, digest, own, None)
        start = tokens
    rows = [row for row in prompt.manifest.sections if row.open]
    tops = _tops(prompt)
    block, text, counted = "", "", 0
    for number, row in enumerate(rows):
        if row.block != block:
            block, text, counted, position = row.block, "", 0, position + 1
        text += row.text
        total = counter.count(text)
        digest = _chained(digest, row.block, row.sha256)
        last = number + 1 == len(rows) or rows[number + 1].block != row.block
        yield Part(
            row.name,
            tops.get(row.name, row.name),
            row.block,
            row.target,
            position,
            start,
            max(total - counted, 0),
            digest,
            row.sha256,
            marks.get(row.block) if last else None,
        )
        start += max(total - counted, 0)
        counted = max(total, counted)


def _tops(prompt: "Prompt") -> dict[str, str]:
    """Return the section at the top of each section that is a part of another."""
    parents: dict[str, str | None] = {row.name: row.parent for row in prompt.manifest.sections}

    def top(name: str) -> str:
        above = parents.get(name)
        return name if above is None else top(above)

    return {name: top(name) for name in parents}


def _chained(before: str, block: str, own: str) -> str:
    return sha256(f"{before}\n{block}\n{own}".encode()).hexdigest()


def _texts(messages: list[dict[str, Any]]) -> Iterator[str]:
    for message in messages:
        for block in content_blocks(message):
            if block.get("type") == "text":
                yield str(block.get("text", ""))
            elif block.get("type") not in ("image", "document"):
                yield canonical_json(block)
