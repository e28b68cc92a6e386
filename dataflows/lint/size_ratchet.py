"""A ratchet for the size of our prose: it may shrink by itself, and grows only on purpose."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...inputs.errors import ReadError
from .finding import LintFinding
from .study import Study


def prose_sizes(study: Study) -> dict[str, int]:
    """Return the tokens of each section's prose, in reading order; signals do not count."""
    sizes: dict[str, int] = {}
    for run in study.prose:
        sizes[run.section] = sizes.get(run.section, 0) + study.tokens(run.text)
    return sizes


def size_findings(study: Study) -> Iterator[LintFinding]:
    """Yield the sections whose prose outgrew the baseline, is unknown to it, or became smaller."""
    if study.baseline is None:
        return
    sizes, update = prose_sizes(study), "or accept it with --update-baseline"
    for name, tokens in sizes.items():
        where = f"section {name!r}"
        known = study.baseline.get(name)
        if known is None:
            found = f"the baseline does not know it; its prose counts {tokens} tokens"
            yield LintFinding("PD081", "error", name, where, found, update.removeprefix("or "))
        elif tokens > known:
            found = f"its prose counts {tokens} tokens, the baseline {known}"
            yield LintFinding("PD080", "error", name, where, found, f"shorten it, {update}")
        elif tokens < known:
            found = f"its prose counts {tokens} tokens, the baseline still allows {known}"
            yield LintFinding("PD082", "info", name, where, found, "run --update-baseline")
    for name in study.baseline.keys() - sizes.keys():
        found = "the baseline knows it, the flow has no such prose"
        yield LintFinding(
            "PD082", "info", name, f"section {name!r}", found, "run --update-baseline"
        )


def read_baseline(path: Path, flow: str, counter_id: str) -> Mapping[str, int]:
    """Return the baseline of a file.

    Raises:
        ReadError: It cannot be read, or is of another flow or counter.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        sections: Mapping[str, int] = dict(stored["sections"])
        found = (stored["flow"], stored["counter"])
    except OSError as error:
        hint = "; write it with --update-baseline"
        raise ReadError(f"{path}: {error.strerror}{hint}") from None
    except (ValueError, KeyError, TypeError):
        raise ReadError(f"{path}: not a baseline; write it with --update-baseline") from None
    if found != (flow, counter_id):
        raise ReadError(
            f"{path}: a baseline of {found}, not of {(flow, counter_id)}; write another one"
        )
    return sections


def write_baseline(path: Path, study: Study) -> None:
    """Write the present sizes as a baseline, one section a line, so that a diff shows what grew."""
    stored = {
        "flow": study.flow.name,
        "counter": study.counter.id,
        "sections": prose_sizes(study),
    }
    path.write_text(json.dumps(stored, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
