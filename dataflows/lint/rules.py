"""The rules in the order in which they are asked, and the lint that asks them.

The general rules of prompt caching that the engine already refuses when a flow is built are not
asked again: a turn signal in a block (only a flow that cannot be built shows it, see
`unbuildable`), tools outside the fingerprint, overrides of unknown names.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ...inputs.errors import TurnLeakError
from ...inputs.tokens import TokenCounter, default_counter
from ..flow import PromptFlow
from ..mark_order import MarkOrderError
from ..providers import Override, load_providers
from ..signal_space import MAX_INPUTS, signal_space
from . import (
    cache_marks,
    cache_order,
    characters,
    input_order,
    prose,
    purity,
    reach,
    size_ratchet,
    tool_names,
    untrusted,
    volatile,
)
from .allow_list import Allowed, allow_files, read_allow_list, split_allowed
from .finding import RULES, LintFinding, Needs
from .own_rules import own_findings
from .report import LintReport
from .study import Study

Check = Callable[[Study], Iterator[LintFinding]]

CHECKS: tuple[Check, ...] = (
    volatile.volatile_signals,
    volatile.drifting_signals,
    cache_order.wasteful_order,
    volatile.volatile_texts,
    cache_marks.below_minimum,
    cache_marks.mark_rules,
    cache_marks.far_from_mark,
    input_order.unsorted_inputs,
    input_order.unordered_types,
    input_order.unequal_runs,
    purity.impure_functions,
    characters.odd_prose,
    characters.uncleaned_signals,
    prose.repeated_prose,
    prose.contradicting_prose,
    prose.equal_sections,
    tool_names.tools_in_identity,
    untrusted.escaping_values,
    reach.unmoved_gates,
    reach.unreached_sections,
    reach.required_over_budget,
    size_ratchet.size_findings,
    own_findings,
)
_RANKS = ("error", "warning", "info")


def studied(
    flow: PromptFlow,
    given: Iterable[Mapping[str, Any]] = (),
    *,
    counter: TokenCounter | None = None,
    model: str | None = None,
    caller_marks: int = 0,
    baseline: Mapping[str, int] | None = None,
    table: Override = None,
    max_inputs: int = MAX_INPUTS,
) -> Study:
    """Compose what the rules look at; see `lint` for the arguments."""
    space = signal_space(flow, given, max_inputs)
    known = load_providers(table)
    return Study(flow, space, counter or default_counter(), model, caller_marks, baseline, known)


def lint(
    flow: PromptFlow,
    given: Iterable[Mapping[str, Any]] = (),
    *,
    allow: Iterable[Path] | None = None,
    counter: TokenCounter | None = None,
    model: str | None = None,
    caller_marks: int = 0,
    baseline: Mapping[str, int] | None = None,
    table: Override = None,
    max_inputs: int = MAX_INPUTS,
) -> LintReport:
    """Ask every rule of a flow.

    Args:
        flow: The flow.
        given: Cases, each with session and turn signals in one mapping. Some rules need one.
        allow: Allow-lists; `None` for the `lint.allow` beside the flow's sections.
        counter: Counts tokens; `None` for the exact offline counter.
        model: The model whose minimum size holds; `None` compares with all that are known.
        caller_marks: How many cache marks the caller adds to the request.
        baseline: The most tokens of each section's prose; see `size_ratchet.read_baseline`.
        table: Prices, rules and minimum sizes, or what replaces a part of ours.
        max_inputs: How many inputs are made and tried at most beside the given ones.

    Raises:
        pydantic.ValidationError: A given case does not fit the flow.
        ReadError: An allow-list cannot be read.
        UnknownNameError: The model is unknown, or a rule of the flow names no node.
    """
    study = studied(
        flow,
        given,
        counter=counter,
        model=model,
        caller_marks=caller_marks,
        baseline=baseline,
        table=table,
        max_inputs=max_inputs,
    )
    return lint_study(study, allow_files(flow) if allow is None else allow)


def lint_study(study: Study, allow: Iterable[Path] = ()) -> LintReport:
    """Ask every rule of what was studied, and split off what is allowed."""
    found = [finding for check in CHECKS for finding in check(study)]
    entries: list[Allowed] = []
    for path in allow:
        listed, wrong = read_allow_list(path, [one.code for one in study.flow.lint_rules])
        entries += listed
        found += wrong
    had = _had(study)
    stand, allowed = split_allowed(found, entries, had)
    skipped = tuple(rule.code for rule in RULES.values() if rule.needs not in had)
    ordered = tuple(sorted(stand, key=lambda one: _RANKS.index(one.severity)))
    flow = study.flow
    return LintReport(flow.name, flow.texts, str(study.space), ordered, tuple(allowed), skipped)


def _had(study: Study) -> frozenset[Needs]:
    had: set[Needs] = {"flow"}
    if study.given:
        had.add("given")
    if study.baseline is not None:
        had.add("baseline")
    return frozenset(had)


def unbuildable(flow: str, error: TurnLeakError | MarkOrderError) -> LintReport:
    """Return the report of a flow that cannot be built: its one finding is why."""
    finding = _leak(error) if isinstance(error, TurnLeakError) else _mark_order(error)
    return LintReport(flow, "-", "no input tried: the flow cannot be built", (finding,))


def _leak(error: TurnLeakError) -> LintFinding:
    return LintFinding(
        "PD001",
        "error",
        error.field,
        f"block {error.block!r}, path {' -> '.join(error.path)}",
        f"the turn signal {error.field!r} reaches the cached prefix",
        "make it a session signal, or move what uses it to the turn side",
    )


def _mark_order(error: MarkOrderError) -> LintFinding:
    return LintFinding(
        "PD022",
        "error",
        error.block,
        f"block {error.block!r}",
        f"its mark lives {error.seconds} seconds and stands behind the {error.shorter_seconds} of "
        f"block {error.shorter!r}",
        "put the longer-lived marks first",
    )
