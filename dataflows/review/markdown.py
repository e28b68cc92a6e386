"""A review as Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from ...inputs.markdown_fences import fenced
from .change import FunctionChange, Review
from .signs import SIGN_MARKS
from .summary import PER, summary, usd
from .wording import line_pieces

MAX_CHARS = 60_000
"""Code hosts refuse longer comments; what does not fit is left out, and told."""


def markdown(review: Review, max_chars: int = MAX_CHARS) -> str:
    """Return a review as Markdown: the summary, then tables and code, folded away.

    Args:
        review: The review.
        max_chars: What is longer than this is left out, whole parts at a time.
    """
    against = f" against `{review.before.label}`" if review.before else ""
    text = f"### `{review.after.flow}`: review{against}\n\n"
    text += "".join(f"- {line}\n" for line in summary(review))
    left_out = []
    for title, lines in _parts(review):
        part = f"\n<details><summary>{title}</summary>\n\n" + "\n".join(lines) + "\n\n</details>\n"
        if len(text) + len(part) > max_chars:
            left_out.append(title)
        else:
            text += part
    if left_out:
        text += f"\nLeft out, since a comment is short: {', '.join(left_out)}; see the page.\n"
    return text.encode("utf-8", "replace").decode()


def _parts(review: Review) -> Iterator[tuple[str, list[str]]]:
    changed = [row for row in review.rows if _differs(review, row)]
    if review.before is not None and changed:
        yield f"{len(changed)} sections by scenario", list(_matrix(review, changed))
    if review.scenarios:
        yield "Cost by scenario", list(_costs(review))
    for one in review.functions:
        yield f"{one.kind} <code>{one.name}</code>", list(_code(one))
    for change in review.sections:
        if change.before and change.after and "reworded" in change.kinds:
            lines = _fenced(line_pieces_of(change.before.template, change.after.template), "diff")
            yield f"section <code>{change.name}</code>, its template", lines
    if review.edges_gained or review.edges_lost:
        yield (
            "Lineage",
            [
                *(f"- gained: `{one.source}` → `{one.target}`" for one in review.edges_gained),
                *(f"- lost: `{one.source}` → `{one.target}`" for one in review.edges_lost),
            ],
        )
    if review.notes:
        yield "Notes", [f"- {one}" for one in review.notes]


def _differs(review: Review, row: str) -> bool:
    signs = {one.cells[row].sign for one in review.scenarios}
    return not signs <= {"same", "closed", "open"}


def _matrix(review: Review, rows: list[str]) -> Iterator[str]:
    yield "`+` appears, `−` disappears, `≠` reads otherwise, `●` the same, `·` closed\n"
    names = [_cell(one.name) for one in review.scenarios]
    yield f"| section | {' | '.join(names)} |"
    yield f"|---|{':-:|' * len(names)}"
    for row in rows:
        marks = [SIGN_MARKS[one.cells[row].sign] for one in review.scenarios]
        yield f"| {_cell(f'`{row}`')} | {' | '.join(marks)} |"


def _costs(review: Review) -> Iterator[str]:
    yield f"USD for {PER:,} requests or sessions; cold writes the cache, warm reads it.\n"
    yield "| scenario | tokens | first byte | written again | once | cold | warm |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for one in review.scenarios:
        cost = one.after.cost
        tokens = f"{one.after.tokens:,}"
        if one.changed and one.before is not None and one.before.tokens != one.after.tokens:
            tokens = f"{one.before.tokens:,} → {tokens}"
        cells = (
            one.name,
            tokens if not one.after.refused else "no prompt",
            "the same" if one.first_byte is None else f"{one.first_byte:,}",
            f"{one.rewritten_tokens:,}",
            usd(one.rewritten_usd) if one.rewritten_usd is not None else "-",
            usd(cost.cold_usd) if cost else "-",
            usd(cost.warm_usd) if cost else "-",
        )
        yield f"| {' | '.join(map(_cell, cells))} |"


def _code(change: FunctionChange) -> Iterator[str]:
    was = change.before.words if change.before else ""
    now = change.after.words if change.after else ""
    if was != now:
        yield from (f"- {side}: {words}" for side, words in (("was", was), ("is", now)) if words)
    old = change.before.code if change.before else ""
    new = change.after.code if change.after else ""
    if old == new:
        yield "Its own code is the same: what it reads has changed."
    else:
        yield from _fenced(line_pieces_of(old, new), "diff")


def line_pieces_of(before: str, after: str) -> str:
    """Return the difference of two sources, each line with `+`, `-` or a blank in front."""
    marks = {"same": " ", "gone": "-", "new": "+"}
    return "\n".join(
        f"{marks[piece.kind]}{line}"
        for piece in line_pieces(before + "\n", after + "\n")
        for line in piece.text.splitlines()
    )


def _fenced(text: str, language: str) -> list[str]:
    """Return a fence that is longer than any in the text."""
    ticks = fenced(text).ticks
    return ["", f"{ticks}{language}", text, ticks]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
