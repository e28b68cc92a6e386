"""Assertions for the tests of a flow: on order, tier, size and the cached prefix, not on wording.

::

    def test_rules_stand_before_memory():
        assert_order(flow, "rules", "memory")


    def test_a_new_branch_keeps_the_prefix():
        assert_prefix_stable(flow, signals, changes={"user_input": "another"})

Golden files come with `pytest_plugins = ["promptdag.dataflows.pytest_golden"]`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ..inputs.errors import UnknownNameError, did_you_mean
from ..inputs.tokens import TokenCounter, default_counter
from .candidates import changed_prompt
from .diff import diff_prompts
from .flow import PromptFlow
from .graph import Tier
from .overrides import section_node, sections_by_name
from .prompt import Prompt


def assert_order(of: PromptFlow | Prompt, *sections: str) -> None:
    """Assert that sections stand in this order, others between them or not.

    Args:
        of: A flow, or a prompt: then each must be open in it.
        sections: Names from first to last.

    Raises:
        AssertionError: It names the two that stand the other way, or the one that is closed.
        UnknownNameError: There is no such section.
    """
    if isinstance(of, Prompt):
        names = [row.name for row in of.manifest.sections if row.open]
        closed = [row.name for row in of.manifest.sections if not row.open]
        for one in sections:
            if one in closed and one not in names:
                raise AssertionError(f"section {one!r} is closed in this prompt")
    else:
        names = list(sections_by_name(of))
    places = [_place(one, names) for one in sections]
    for number in range(1, len(places)):
        if places[number - 1] >= places[number]:
            first, second = sections[number - 1], sections[number]
            raise AssertionError(
                f"{second!r} stands at {places[number] + 1}, not behind {first!r} at "
                f"{places[number - 1] + 1}; the order is {', '.join(names)}"
            )


def _place(name: str, names: list[str]) -> int:
    if name not in names:
        raise UnknownNameError(f"no section {name!r}{did_you_mean(name, names)}")
    return names.index(name)


def assert_tier(flow: PromptFlow, name: str, tier: Tier) -> None:
    """Assert how often a section or node can change: `constant`, `session` or `turn`.

    Raises:
        AssertionError: It names the signals that make it so.
        UnknownNameError: There is no such section or node.
    """
    sections = sections_by_name(flow)
    if name in sections:
        node = section_node(flow, sections[name])
    elif name in flow.graph.nodes or name in flow.graph.signals:
        node = name
    else:
        known = (*sections, *flow.graph.nodes, *flow.graph.signals)
        raise UnknownNameError(f"no section or node {name!r}{did_you_mean(name, known)}")
    found = flow.graph.tier(node)
    if found != tier:
        signals = ", ".join(flow.graph.signals_of(node)) if node in flow.graph.nodes else node
        reached = f"it is reached by {signals or 'no signal'}"
        raise AssertionError(f"{name!r} is of tier {found!r}, not {tier!r}; {reached}")


def assert_budget(
    prompt: Prompt,
    max_tokens: int,
    *,
    section: str | None = None,
    block: str | None = None,
    counter: TokenCounter | None = None,
) -> None:
    """Assert that a prompt's blocks, or one section or block of it, stay within a size.

    Args:
        prompt: The prompt.
        max_tokens: The most tokens that are allowed.
        section: Only this section, and all texts of this name.
        block: Only this block.
        counter: Counts tokens; `None` for the exact offline counter.

    Raises:
        AssertionError: It says by how much, and what is largest.
        UnknownNameError: There is no such section or block.
    """
    count = (counter or default_counter()).count
    for given, known in (
        (section, [row.name for row in prompt.manifest.sections]),
        (block, [row.block for row in prompt.manifest.sections]),
    ):
        if given is not None:
            _place(given, known)
    sizes = [
        (count(row.text), row.name)
        for row in prompt.manifest.sections
        if section in (None, row.name) and block in (None, row.block)
    ]
    total = sum(size for size, _ in sizes)
    if total > max_tokens:
        largest = ", ".join(f"{name} {size}" for size, name in sorted(sizes, reverse=True)[:3])
        what = section or block or "the prompt"
        raise AssertionError(
            f"{what} takes {total} tokens, {total - max_tokens} more than {max_tokens}; "
            f"largest: {largest}"
        )


def assert_prefix_stable(
    flow: PromptFlow,
    signals: Mapping[str, Any],
    *,
    changes: Mapping[str, Any] | Iterable[Mapping[str, Any]],
) -> None:
    """Assert that changed signals leave the cached prefix as it is, byte for byte.

    Args:
        flow: The flow.
        signals: Session and turn signals together.
        changes: New values by signal name, dotted or not: all at once, or several such sets, each
            on its own.

    Raises:
        AssertionError: It names field, section, first byte and the tokens that are rewritten.
        UnknownNameError: A change names no signal.
    """
    prompt = flow.compose(signals)
    for one in _sets(changes):
        named = {_signal(flow, name): value for name, value in one.items()}
        found = diff_prompts(prompt, changed_prompt(prompt, named))
        if found.stable_changed:
            causes = "; ".join(
                f"{cause.name} {cause.before} -> {cause.after}" for cause in found.causes
            )
            sections = ", ".join(change.name for change in found.sections) or "tools"
            raise AssertionError(
                f"the prefix changes: {causes}; sections {sections}; {found.rewritten_tokens} "
                f"tokens are rewritten from byte {found.first_byte}\n{found.text_diff()}"
            )


def _signal(flow: PromptFlow, name: str) -> str:
    for leaf in flow.graph.signals.values():
        if name in (leaf.name, leaf.dotted):
            return leaf.name
    known = [leaf.dotted for leaf in flow.graph.signals.values()]
    raise UnknownNameError(f"flow {flow.name!r}: no signal {name!r}{did_you_mean(name, known)}")


def _sets(changes: Any) -> list[Mapping[str, Any]]:
    """Return sets of changes, given one or several."""
    return [changes] if isinstance(changes, Mapping) else list(changes)
