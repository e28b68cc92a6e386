"""The generated tables of zcode's page beside that of its main prompt."""

from collections.abc import Callable
from typing import Any

from ..readme_tables import section_table, with_table
from .flows import built, golden_signals

CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "the model": ("model.model_id", {"model_model_id": "glm-5-air"}),
    "git status": ("env_info.git_status_lines", {"env_info_git_status_lines": [" M a.py"]}),
    "the working directory": ("env_info.cwd", {"env_info_cwd": "/home/ada/other"}),
    "the folder for views": ("gen_ui_output_directory", {"gen_ui_output_directory": "/v"}),
    "the memory folder": ("memory_root", {"memory_root": "/home/bob/memory"}),
    "the output style": ("output_style.prompt", {"output_style_prompt": "Answer in verse."}),
}
"""What can differ between two requests: the signal, and a change from the golden case `full`."""


def cost_table() -> str:
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


TABLES: dict[str, Callable[[], str]] = {
    "cache_first": lambda: section_table(built("zcode_cache_first")),
    "subagent": lambda: section_table(built("zcode_subagent")),
    "compaction": lambda: section_table(built("zcode_compaction")),
    "continuation": lambda: section_table(built("zcode_continuation")),
    "costs": cost_table,
}
"""By the marker in the page. The table of the main prompt is written with those of other flows."""


def with_tables(page: str) -> str:
    """Return the page with each table between its marks."""
    for marker, table in TABLES.items():
        page = with_table(page, marker, table())
    return page
