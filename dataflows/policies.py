"""Policies: rules of conduct as typed records, and what must hold of a registry of them.

A policy that holds without any tool belongs into the identity layer, every other one into the
capability layer (the filing rule). The checks run when a flow is built, under its text pack:

* ids and sections stand once, and each policy has text;
* layers, capabilities and tools are known, and each capability that a policy requires comes from
  some tool, so that the policy can be reached at all;
* an identity policy requires nothing and names no tool; a capability policy requires something,
  opens exactly when all of it is there, and names a tool that gives it;
* no sentence is told by two policies.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from types import FunctionType
from typing import Literal, get_args
from unicodedata import normalize

from ..inputs.errors import FlowError, did_you_mean
from ..sections.declare import Fact, Gate, Section
from ..sections.packs import DefaultPack, SkeletonPack, TextPack, section_template
from .plan import define

Layer = Literal["identity", "capability"]

_SENTENCE_END = re.compile(r"[。！？；\n]|[.!?;](?=\s|$)")  # noqa: RUF001 - Chinese


class PolicyError(FlowError):
    """A registry of policies that breaks one of its rules.

    Attributes:
        ids: The policies that break it.
    """

    def __init__(self, message: str, *ids: str) -> None:
        self.ids = ids
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Policy:
    """One rule of conduct.

    Attributes:
        id: Its id in manifests: `identity.evidence`.
        layer: `identity`, or `capability` when it needs tools.
        section: Its text; the section's gates are when and requires in the flow.
        when: The gate by which profile or surface decides; `None` for always.
        requires: The capabilities that it needs, all of them.
    """

    id: str
    layer: Layer
    section: Section
    when: Gate[...] | None = None
    requires: frozenset[str] = frozenset()


def check_policies(
    policies: Iterable[Policy], tools: Mapping[str, frozenset[str]], pack: TextPack
) -> None:
    """Check a registry.

    Args:
        policies: In the order of the registry.
        tools: What each known tool lets the agent do.
        pack: Whose texts are checked; of the skeleton, which has none, the default ones.

    Raises:
        PolicyError: A rule is broken; it names the policies and says what to do.
    """
    listed = tuple(policies)
    shown = DefaultPack() if isinstance(pack, SkeletonPack) else pack
    texts = {policy.id: policy_text(policy, shown) for policy in listed}
    _check_unique(listed)
    for policy in listed:
        if policy.layer not in get_args(Layer):
            raise PolicyError(
                f"policy {policy.id!r}: layer {policy.layer!r} is unknown"
                f"{did_you_mean(str(policy.layer), get_args(Layer))}",
                policy.id,
            )
        if not texts[policy.id].strip():
            raise PolicyError(f"policy {policy.id!r} has no text; write one", policy.id)
        _check_reach(policy, tools)
        _check_filing(policy, texts[policy.id], tools)
        _check_gates(policy)
    _check_repeats(texts)


def policy_text(policy: Policy, pack: TextPack) -> str:
    """Return the prose of a policy under a pack."""
    template = section_template(policy.section, pack)
    slots = template.slots.items()
    return "\n".join(pack.slot(policy.section.name, slot, prose) for slot, prose in slots)


def enabled_policies(policies: Iterable[Policy]) -> Fact[..., tuple[str, ...]]:
    """Return the fact `enabled_policy_ids`: the ids of the open policies, in registry order."""
    listed = tuple((one.id, tuple(gate.name for gate in one.section.gates)) for one in policies)
    names = tuple(dict.fromkeys(name for _, gates in listed for name in gates))

    def ids(**open_gates: bool) -> tuple[str, ...]:
        return tuple(name for name, gates in listed if all(open_gates[gate] for gate in gates))

    passed = ", ".join(f"{name}={name}" for name in names)
    source = f"def enabled_policy_ids({', '.join(names)}):\n    return _ids({passed})\n"
    function: FunctionType = define(source, "enabled_policy_ids", {"_ids": ids}, "<policies>")
    function.__annotations__ = dict.fromkeys(names, bool) | {"return": tuple[str, ...]}
    function.__doc__ = "The ids of the open policies, in the order of the registry."
    return Fact(function)


def named_tools(text: str, tools: Iterable[str]) -> tuple[str, ...]:
    """Return the tools that a text names; case matters, and Chinese may stand next to a name."""
    return tuple(
        name
        for name in tools
        if re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text)
    )


def _check_unique(policies: tuple[Policy, ...]) -> None:
    said: list[tuple[str, Callable[[Policy], str]]] = [
        ("id", lambda one: one.id),
        ("section", lambda one: one.section.name),
    ]
    for what, key in said:
        seen: dict[str, Policy] = {}
        for policy in policies:
            other = seen.setdefault(key(policy), policy)
            if other is not policy:
                raise PolicyError(
                    f"policies {other.id!r} and {policy.id!r} have the same {what} "
                    f"{key(policy)!r}; take one of them away",
                    other.id,
                    policy.id,
                )


def _check_reach(policy: Policy, tools: Mapping[str, frozenset[str]]) -> None:
    known = frozenset().union(*tools.values())
    for capability in sorted(policy.requires - known):
        raise PolicyError(
            f"policy {policy.id!r} requires {capability!r}, which no tool gives, so it could never "
            f"appear{did_you_mean(capability, known)}",
            policy.id,
        )


def _check_filing(policy: Policy, text: str, tools: Mapping[str, frozenset[str]]) -> None:
    named = named_tools(text, tools)
    if policy.layer == "identity" and (policy.requires or named):
        found = f"names the tool {named[0]!r}" if named else f"requires {sorted(policy.requires)}"
        raise PolicyError(
            f"policy {policy.id!r} is of the identity layer and {found}; if it does not hold "
            "without the tool, file it under capability, else leave the tool out",
            policy.id,
        )
    if policy.layer == "capability" and not policy.requires:
        raise PolicyError(
            f"policy {policy.id!r} is of the capability layer and requires nothing; name what it "
            "requires, or file it under identity",
            policy.id,
        )
    if policy.layer == "capability" and not any(tools[one] & policy.requires for one in named):
        raise PolicyError(
            f"policy {policy.id!r} names no tool that gives {sorted(policy.requires)}; if it holds "
            "without the tool, file it under identity, else name the tool",
            policy.id,
        )


def _check_gates(policy: Policy) -> None:
    gates = [one for one in policy.section.gates if one is not policy.when]
    if policy.when is not None and policy.when not in policy.section.gates:
        raise PolicyError(
            f"policy {policy.id!r}: when={policy.when.name} does not open section "
            f"{policy.section.name!r}; give the section that gate",
            policy.id,
        )
    for held in _probes(policy.requires):
        opened = all(_opens(policy, gate, held) for gate in gates)
        if opened is not (held >= policy.requires):
            raise PolicyError(
                f"policy {policy.id!r} requires {sorted(policy.requires)}, and with {sorted(held)} "
                f"its section is {'open' if opened else 'closed'}; let requires and gate agree",
                policy.id,
            )


def _probes(required: frozenset[str]) -> Iterator[frozenset[str]]:
    """Yield what is required, the same without each one of it, and nothing."""
    yield required
    for one in required:
        yield required - {one}
    yield frozenset()


def _opens(policy: Policy, gate: Gate[...], held: frozenset[str]) -> bool:
    names = tuple(signature(gate.function).parameters)
    if names != ("capabilities",):
        raise PolicyError(
            f"policy {policy.id!r}: gate {gate.name!r} asks {', '.join(names)}; the gate of what "
            "it requires asks capabilities alone, every other one is its when",
            policy.id,
        )
    return gate(capabilities=held)


def _check_repeats(texts: Mapping[str, str]) -> None:
    told: dict[str, str] = {}
    for name, text in texts.items():
        for sentence in _SENTENCE_END.split(text):
            key = re.sub(r"[\W_]", "", normalize("NFKC", sentence)).casefold()
            if key and told.setdefault(key, name) != name:
                raise PolicyError(
                    f"policies {told[key]!r} and {name!r} both say {sentence.strip()!r}; "
                    "say it once",
                    told[key],
                    name,
                )
