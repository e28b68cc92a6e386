"""The tables that are committed and generated: scenarios by sections, and what a section reads."""

import json

from promptdag.dataflows import PromptFlow
from promptdag.dataflows.node_functions import text_node

from .flows import CASES, FOLDER, case, flow

SCENARIOS = {name.removesuffix(".json"): case(name)[0] for name in CASES} | json.loads(
    (FOLDER / "scenarios.json").read_text()
)


def section_names() -> list[str]:
    """Return the ids of the list, top to bottom."""
    return [p.place.section.name for p in flow().positions if p.parent is None]


def matrix(which: PromptFlow) -> str:
    """Return the scenarios down, the sections across by their numbers; a digit counts repeats."""
    names = section_names()
    head = "| scenario | " + " | ".join(str(n + 1) for n in range(len(names))) + " |"
    lines = [head, "|---" * (len(names) + 1) + "|"]
    for scenario, signals in SCENARIOS.items():
        opened = [row.name for row in which.compose(signals).manifest.sections if row.open]
        cells = []
        for name in names:
            count = opened.count(name)
            cells.append("·" if count == 0 else "●" if count == 1 else str(count))
        lines.append(f"| {scenario} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def differences() -> str:
    """Return what consistent gates change, scenario by scenario."""
    lines = ["| scenario | only by default | only under consistent gates |", "|---|---|---|"]
    for scenario, signals in SCENARIOS.items():
        default, consistent = (
            {r.name for r in flow(gates=gates).compose(signals).manifest.sections if r.open}
            for gates in ("original", "consistent")
        )
        order = [p.place.section.name for p in flow().positions]
        only = [
            ", ".join(f"`{name}`" for name in order if name in one - other) or "—"
            for one, other in ((default, consistent), (consistent, default))
        ]
        if default != consistent:
            lines.append(f"| {scenario} | {only[0]} | {only[1]} |")
    return "\n".join(lines)


def section_table() -> str:
    """Return each section with its condition in words, and the signals that it reads."""
    graph = flow().graph
    lines = ["| # | section | appears | reads |", "|---|---|---|---|"]
    for number, name in enumerate(section_names(), 1):
        gates = flow().gates_of(name)
        when = "; and ".join(
            one.doc.split("\n\n")[0].replace("\n", " ").removeprefix("Open ").removesuffix(".")
            for one in gates
        )
        signals = ", ".join(f"`{graph.signals[s].dotted}`" for s in _signals_of(name))
        lines.append(f"| {number} | `{name}` | {when or 'always'} | {signals or 'nothing'} |")
    return "\n".join(lines)


def _signals_of(name: str) -> list[str]:
    """Return the signals of a section, those of its parts left out."""
    return [s for s in flow().graph.signals_of(f"{name}_text") if not s.startswith("host_")]


def drifting_table() -> str:
    """Return the signals that can move within a session, why, and the sections that move."""
    graph = flow().graph
    lines = ["| signal | what moves it | sections that move | bytes behind the first |"]
    lines.append("|---|---|---|---|")
    rows = flow().compose(SCENARIOS["15-deck-skill-seed"]).manifest.sections
    for leaf in graph.signals.values():
        if leaf.drifts is None or leaf.turn or leaf.name == "tools":
            continue
        moved = [
            p.place.section.name
            for p in flow().positions
            if leaf.name in graph.upstream[text_node(p.place.section)]
        ]
        first = next((row.start for row in rows if row.name in moved), None)
        cost = "—" if first is None else f"{rows[-1].end - first:,}"
        shown = ", ".join(f"`{name}`" for name in moved[:6]) + (
            f" and {len(moved) - 6} more" if len(moved) > 6 else ""
        )
        lines.append(f"| `{leaf.dotted}` | {leaf.drifts} | {shown or '—'} | {cost} |")
    return "\n".join(lines)
