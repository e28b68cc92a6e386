"""Cache marks: how many, where, and in which order, by the rules of each provider.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching and
https://developers.openai.com/api/docs/guides/prompt-caching
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...inputs.errors import PromptdagError
from ...inputs.findings import Finding
from ...inputs.signals import canonical_json
from ...inputs.tokens import TokenCounter, default_counter
from ..providers import Override, Provider, load_providers
from .wire import content_blocks, system_blocks

if TYPE_CHECKING:
    from ..prompt import Prompt

Control = dict[str, str]


class MarkRuleError(PromptdagError):
    """A request that the provider would refuse for its cache marks.

    Attributes:
        rule: `too-many-marks` or `ttl-order`.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        super().__init__(f"{rule}: {message}")


@dataclass(frozen=True, slots=True)
class MarkPolicy:
    """Where cache marks go; an object per provider, since their rules differ.

    Attributes:
        provider: Whose rules these are.
        max_marks: How many a request may hold, the caller's included; 0 for none of ours.
        caller_marks: How many the caller adds to the request that are not in the messages: on
            tools, or at the top level. Those in the messages are counted by themselves.
        min_tokens: No mark is spent on a prefix with fewer.
        lifetimes: The seconds that each TTL names; longer ones stand first in a request.
        default_lifetime: The TTL of a mark that names none.
        counter: Counts tokens; `None` for the process's own. Used only with `min_tokens`.
    """

    provider: str
    max_marks: int = 4
    caller_marks: int = 0
    min_tokens: int = 0
    lifetimes: Mapping[str, int] = field(default_factory=lambda: {"5m": 300, "1h": 3600})
    default_lifetime: str = "5m"
    counter: TokenCounter | None = None

    @classmethod
    def by(
        cls,
        name: str,
        rules: Provider,
        *,
        min_tokens: int = 0,
        caller_marks: int = 0,
        counter: TokenCounter | None = None,
    ) -> "MarkPolicy":
        """Return the policy that a table's rules make, under the name of a provider or model."""
        return cls(
            name,
            max(rules.max_marks - rules.provider_marks, 0),
            caller_marks,
            min_tokens,
            {ttl: one.seconds for ttl, one in rules.lifetimes.items()},
            rules.default_lifetime,
            counter,
        )

    @classmethod
    def none(cls, provider: str) -> "MarkPolicy":
        """Return the policy that marks nothing."""
        return cls(provider, max_marks=0)


def policy_for(
    provider: str,
    model: str | None = None,
    table: Override = None,
    caller_marks: int = 0,
) -> MarkPolicy:
    """Return the policy of a provider, with the minimum of a model where one is named.

    Args:
        provider: `anthropic`, `openai`, `gemini`, or another name of the table.
        model: The model; its own rules win over those of the provider.
        table: Prices and rules; `None` for ours.
        caller_marks: How many marks the caller adds; see `MarkPolicy`.

    Raises:
        UnknownNameError: The table has no such model.
    """
    known = load_providers(table)
    row = known.model(model) if model else None
    rules = row.rules if row else known.providers[provider]
    least = row.min_cache_tokens if row else 0
    return MarkPolicy.by(provider, rules, min_tokens=least, caller_marks=caller_marks)


@dataclass(frozen=True, slots=True)
class MarkPlan:
    """Which blocks carry a mark.

    Attributes:
        controls: The mark of each block that carries one, in the order of the wire.
        findings: The marks that were moved or left out, and by which rule.
    """

    controls: Mapping[str, Control]
    findings: tuple[Finding, ...]


def plan_marks(
    prompt: "Prompt",
    policy: MarkPolicy,
    tools: Sequence[Mapping[str, Any]] = (),
    messages: Sequence[Mapping[str, Any]] = (),
) -> MarkPlan:
    """Return where the marks of a prompt's blocks go.

    A mark on a block without text moves to the last one in front that has text; one on a prefix
    below the minimum is not spent; where a request would hold too many, the one is left out that
    covers the fewest tokens beyond the mark before it, and the last stays.

    Raises:
        MarkRuleError: The caller's marks alone are too many, or a longer lifetime stands behind a
            shorter one.
    """
    findings: list[Finding] = []
    controls = _moved(prompt, policy, findings)
    theirs = marks_in(messages)
    if policy.max_marks == 0:
        for name in controls:
            findings.append(_finding(policy, "mark-not-sent", name, "the policy sends no marks"))
        return MarkPlan({}, tuple(findings))
    all_theirs = len(theirs) + policy.caller_marks
    counted = policy.min_tokens or len(controls) + all_theirs > policy.max_marks
    sizes = _prefix_tokens(prompt, policy, tools) if counted else {}
    controls = _long_enough(controls, sizes, policy, findings)
    controls = _within_share(controls, sizes, all_theirs, policy, findings)
    _check_lifetimes((*controls.values(), *theirs), policy)
    return MarkPlan(controls, tuple(findings))


def marks_in(messages: Iterable[Mapping[str, Any]]) -> list[Control]:
    """Return the marks of messages in Anthropic's form, those inside results of tools too."""
    found: list[Control] = []
    for message in messages:
        for block in content_blocks(message):
            inner = block.get("content")
            if isinstance(inner, list | tuple):
                found += [one["cache_control"] for one in inner if one.get("cache_control")]
            if block.get("cache_control"):
                found.append(block["cache_control"])
    return found


def _moved(prompt: "Prompt", policy: MarkPolicy, findings: list[Finding]) -> dict[str, Control]:
    """Return the declared marks, those of blocks without text on the last block that has some."""
    with_text = {one.name for one in system_blocks(prompt)}
    controls: dict[str, Control] = {}
    last: str | None = None
    for block in prompt.session.flow.blocks:
        if block.target != "system":
            continue
        if block.name in with_text:
            last = block.name
            if block.cache_control:
                controls[block.name] = dict(block.cache_control)
        elif block.cache_control and last is not None:
            why = f"the block has no text; it moves to {last!r}" + " which has one" * (
                last in controls
            )
            findings.append(_finding(policy, "mark-moved", block.name, why, "info"))
            controls.setdefault(last, dict(block.cache_control))
        elif block.cache_control:
            why = "the block has no text, and nothing stands in front of it"
            findings.append(_finding(policy, "mark-without-text", block.name, why, "info"))
    return controls


def _prefix_tokens(
    prompt: "Prompt", policy: MarkPolicy, tools: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    """Return the tokens from the start of the request to the end of each block."""
    count = (policy.counter or default_counter()).count
    total = count(canonical_json(list(tools))) if tools else 0
    sizes: dict[str, int] = {}
    for block in system_blocks(prompt):
        total += count(block.text)
        sizes[block.name] = total
    return sizes


def _long_enough(
    controls: dict[str, Control],
    sizes: Mapping[str, int],
    policy: MarkPolicy,
    findings: list[Finding],
) -> dict[str, Control]:
    if not policy.min_tokens:
        return controls
    for name in controls:
        if sizes[name] < policy.min_tokens:
            why = (
                f"{sizes[name]} tokens up to here may not be cached: the minimum is "
                f"{policy.min_tokens}"
            )
            findings.append(_finding(policy, "below-minimum", name, why))
    return {name: one for name, one in controls.items() if sizes[name] >= policy.min_tokens}


def _within_share(
    controls: dict[str, Control],
    sizes: Mapping[str, int],
    theirs: int,
    policy: MarkPolicy,
    findings: list[Finding],
) -> dict[str, Control]:
    if theirs > policy.max_marks:
        raise MarkRuleError(
            "too-many-marks",
            f"{policy.provider} takes {policy.max_marks} marks in a request and the caller has "
            f"{theirs}; take {theirs - policy.max_marks} of them away",
        )
    kept = list(controls)
    while len(kept) > policy.max_marks - theirs:
        spans = [
            (sizes.get(name, 0) - (sizes.get(kept[at - 1], 0) if at else 0), at)
            for at, name in enumerate(kept[:-1])
        ]
        dropped = kept.pop(min(spans)[1] if spans else 0)
        why = f"{policy.provider} takes {policy.max_marks}, and {theirs} are the caller's"
        findings.append(_finding(policy, "too-many-marks", dropped, why))
    return {name: controls[name] for name in kept}


def _check_lifetimes(controls: Iterable[Control], policy: MarkPolicy) -> None:
    before: int | None = None
    for control in controls:
        seconds = _seconds(control, policy)
        if before is not None and seconds > before:
            raise MarkRuleError(
                "ttl-order",
                f"a mark of {seconds} seconds stands behind one of {before}; {policy.provider} "
                f"wants longer lifetimes first",
            )
        before = seconds


def _seconds(control: Mapping[str, str], policy: MarkPolicy) -> int:
    name = control.get("ttl", policy.default_lifetime)
    return policy.lifetimes.get(name, policy.lifetimes[policy.default_lifetime])


def _finding(
    policy: MarkPolicy, code: str, block: str, why: str, severity: Any = "warning"
) -> Finding:
    message = f"the cache mark of block {block!r} was not set there: {why}"
    return Finding(f"{code}:{block}", message, path=policy.provider, severity=severity)
