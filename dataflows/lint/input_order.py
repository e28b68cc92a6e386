"""Inputs whose order reaches stable bytes, found by permuting them and comparing fingerprints."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from ...inputs.errors import NodeError
from ..prompt import Prompt
from ..signal_space import Tried
from .finding import LintFinding
from .probes import MAX_ATTEMPTS
from .spots import Spot, reordered, spots, with_value
from .study import Study


def unsorted_inputs(study: Study) -> Iterator[LintFinding]:
    """Yield each list or mapping whose order changes a fingerprint, once for its path."""
    told: set[str] = set()
    asked: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for tried in study.space.tried:
        for spot in spots(study.flow.session_model, tried.signals):
            if spot.kind == "text" or len(spot.value) < 2 or spot.dotted in told:
                continue
            # Two items may differ and read alike, so a list is asked more than once, and again
            # where it reaches other sections.
            key = (spot.dotted, _reached(study, tried, spot))
            turned = reordered(spot.value)
            if asked[key] == MAX_ATTEMPTS or repr(turned) == repr(spot.value):
                continue
            other = _composed(study, with_value(tried.signals, spot.path, turned))
            if other is None:
                continue
            asked[key] += 1
            if other.fingerprint == tried.prompt.fingerprint:
                continue
            told.add(spot.dotted)
            yield _finding(study, tried, spot, other)


def _reached(study: Study, tried: Tried, spot: Spot) -> tuple[str, ...]:
    """Return the sections with text that read what stands at a place."""
    names = study.sections_at(spot.dotted)
    return tuple(name for name in names if tried.prompt.value(f"{name}_text"))


def _bases(study: Study) -> Iterator[Tried]:
    """Yield the given inputs and those made ones that vary a list."""
    yield from study.given
    yield from (one for one in study.space.tried if one.origin == "every signal rich")


def _composed(study: Study, signals: Mapping[str, Any]) -> Prompt | None:
    try:
        return study.flow.compose(signals)
    except (ValidationError, NodeError):
        return None  # this order is no input, so it cannot change a byte


def _finding(study: Study, tried: Tried, spot: Spot, other: Prompt) -> LintFinding:
    before = {row.name: row.sha256 for row in tried.prompt.manifest.sections}
    after = {row.name: row.sha256 for row in other.manifest.sections}
    moved = [name for name in before if before[name] != after.get(name)]
    tools = spot.path[0] == "tools"
    what = "keys" if spot.kind == "mapping" else "items"
    reached = f"sections {', '.join(moved)}" if moved else "the fingerprint"
    return LintFinding(
        "PD032" if tools else "PD030",
        "error",
        spot.dotted,
        f"signal {spot.dotted!r}, {tried.origin}",
        f"the order of its {what} decides the bytes of {reached}",
        "sort the tools by name when they are validated"
        if tools
        else "sort it in the fact that reads it, or allow it with what fixes its order",
    )


def unordered_types(study: Study) -> Iterator[LintFinding]:
    """Yield the signals that are sets and reach a block: their order differs by process."""
    for leaf in study.stable_signals:
        kinds = (leaf.type, *get_args(leaf.type))
        if any((get_origin(kind) or kind) in (set, frozenset) for kind in kinds):
            yield LintFinding(
                "PD031",
                "error",
                leaf.name,
                f"signal {leaf.dotted!r}",
                "it is a set, whose order differs from process to process",
                "declare a tuple, and sort it when it is validated",
            )


def unequal_runs(study: Study, runs: int = 20) -> Iterator[LintFinding]:
    """Yield the inputs that give different fingerprints when they are composed again."""
    for tried in _bases(study):
        prompts = [study.flow.compose(tried.signals) for _ in range(runs)]
        first = next((one for one in prompts if one.fingerprint != tried.prompt.fingerprint), None)
        if first is not None:
            rows = zip(tried.prompt.manifest.sections, first.manifest.sections, strict=False)
            moved = next((a.name for a, b in rows if a.sha256 != b.sha256), "tools")
            yield LintFinding(
                "PD034",
                "error",
                moved,
                f"section {moved!r}, {tried.origin}",
                f"{runs} runs with the same input give different bytes",
                "take the clock, the random value or the set out of the facts that it reads",
            )
            return
