"""The tables of the flows' READMEs, generated from the flows."""

import re
from hashlib import sha256
from pathlib import Path

from promptdag.dataflows import PromptFlow
from promptdag.dataflows.catalogue import catalogue
from promptdag.dataflows.lint import RULES, read_allow_list
from promptdag.dataflows.pictures import Picture, by_theme, picture_of, to_dot

ROOT = Path(__file__).parents[1]


def readme_path(flow_name: str) -> Path:
    """Return a flow's own page."""
    return ROOT / "sections" / flow_name / "README.md"


def section_table(flow: PromptFlow) -> str:
    """Return the catalogue of a flow as a Markdown table."""
    lines = [
        "| # | section | block | target | cache | tier | open when | reads |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in catalogue(flow):
        name = f"`{row.name}`" + (f" (part of `{row.parent}`)" if row.parent else "")
        opened = row.open_when.removeprefix("Open when ")
        reads = ", ".join(f"`{one}`" for one in row.signals) or "nothing"
        cells = (str(row.order), name, row.block, row.target, row.cache, row.tier, opened, reads)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def allowed_table(flow_name: str) -> str:
    """Return what a flow's lint allows as a Markdown table."""
    entries, wrong = read_allow_list(readme_path(flow_name).with_name("lint.allow"))
    assert wrong == ()
    lines = ["| rule | what it finds | at | why it stays |", "|---|---|---|---|"]
    for one in entries:
        where = f"`{one.subject}`" + (f" ({', '.join(one.flows)})" if one.flows else "")
        lines.append(f"| {one.code} | {RULES[one.code].title} | {where} | {one.reason} |")
    return "\n".join(lines)


def picture_path(flow_name: str) -> Path:
    """Return the picture on a flow's own page."""
    return readme_path(flow_name).with_name("picture.svg")


def theme_picture(flow: PromptFlow) -> Picture:
    """Return a flow with one row for each theme."""
    return by_theme(picture_of(flow, collapse_constants=False))


def picture_stamp(picture: Picture) -> str:
    """Return a comment that tells what a drawing shows, whichever renderer drew it."""
    return f"<!-- drawn from {sha256(to_dot(picture).encode()).hexdigest()} -->"


def with_table(text: str, marker: str, table: str) -> str:
    """Return a page with what stands between a marker's comments replaced."""
    pattern = re.compile(rf"(<!-- {marker}\b[^>]*-->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    assert len(pattern.findall(text)) == 1, f"the page needs one <!-- {marker} --> … part"
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)
