"""The generated tables of zcode's page: `python -m tests.zcode.readme_tables` writes them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from promptdag.dataflows.catalogue import catalogue

from .flows import FLOWS, built, golden_signals

PAGE = Path(__file__).parents[2] / "sections" / "zcode" / "README.md"

CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "the model": ("model.model_id", {"model_model_id": "glm-5-air"}),
    "git status": ("env_info.git_status_lines", {"env_info_git_status_lines": [" M a.py"]}),
    "the working directory": ("env_info.cwd", {"env_info_cwd": "/home/ada/other"}),
    "the folder for views": ("gen_ui_output_directory", {"gen_ui_output_directory": "/v"}),
    "the memory folder": ("memory_root", {"memory_root": "/home/bob/memory"}),
    "the output style": ("output_style.prompt", {"output_style_prompt": "Answer in verse."}),
}
"""What can differ between two requests: the signal, and a change from the golden case `full`."""


def section_table(flow: str) -> str:
    """Return a flow's sections in reading order, one row each."""
    rows = ["| # | section | block | cache | tier | open when | signals |", "|" + "---|" * 7]
    for one in catalogue(built(flow)):
        name = f"{one.parent} / {one.name}" if one.parent else one.name
        when = one.open_when.replace("Open when ", "").rstrip(".").replace(". And:", "; and")
        signals = ", ".join(f"`{signal}`" for signal in one.signals)
        rows.append(
            f"| {one.order} | `{name}` | `{one.block}` | {one.cache} | {one.tier} | {when} | "
            f"{signals} |"
        )
    return "\n".join(rows)


def cost_table(_: str = "") -> str:
    """Return, for each change, the first block that it reaches in both orders and what it costs."""
    rows = [
        "| what changes | signal | original: first block | written anew | "
        "cache_first: first block | written anew |",
        "|" + "---|" * 6,
    ]
    for what, (signal, change) in CHANGES.items():
        cells = [what, f"`{signal}`"]
        for flow in ("zcode", "zcode_cache_first"):
            block, share = rewritten(flow, change)
            cells += [f"`{block}`", f"{share} %"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def rewritten(flow: str, change: dict[str, Any]) -> tuple[str, int]:
    """Return the first block whose fingerprint a change moves, and the share from there on."""
    session_fields = built(flow).session_model.model_fields.values()
    names = {field.alias for field in session_fields}
    signals = golden_signals("zcode", "full")
    session = built(flow).session(**{k: v for k, v in signals.items() if k in names})
    before, after = session.turnless().blocks, session.update(**change).turnless().blocks
    kept = {one.fingerprint for one in before}
    moved = [one for one in after if one.fingerprint not in kept]
    sizes = [sum(len(one.text.encode()) for one in blocks) for blocks in (moved, after)]
    return moved[0].name, round(100 * sizes[0] / sizes[1])


TABLES: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(FLOWS, section_table),
    "costs": cost_table,
}


def with_tables(page: str) -> str:
    """Return the page with each table between its marks."""
    for name, table in TABLES.items():
        pattern = rf"(<!-- table {name}:[^>]*-->\n).*?(<!-- /table {name} -->)"
        text = f"\n{table(name)}\n\n"
        page, count = re.subn(
            pattern, lambda match, text=text: match[1] + text + match[2], page, flags=re.DOTALL
        )
        assert count == 1, f"{PAGE}: the marks of table {name} stand {count} times"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
