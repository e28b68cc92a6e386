"""How answers show themselves in a notebook: a difference, a lint, fields, costs, a replay."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from .displays import framed

if TYPE_CHECKING:
    from .answer_table import Table
    from .cost import CostEstimate
    from .diff import PromptDiff
    from .explain import Explanation
    from .fields import FieldRow
    from .lint import LintFinding, LintReport
    from .replay_report import ReplayReport
    from .what_if import WhatIfRow

_BAR_EM = 14
_MARKS = {"+": "ins", "-": "del"}


def diff_html(diff: "PromptDiff") -> str:
    """Return a difference as a sentence, its causes, and each changed section as folded lines."""
    if not diff.stable_changed:
        said = f"the prefix is the same: <code>{diff.fingerprint[:12]}</code>"
    else:
        said = (
            f"<b>{diff.rewritten_tokens} of {diff.prefix_tokens} tokens</b> are written anew, from "
            f"byte {diff.first_byte} on: {diff.extra_usd:.6f} USD more than reading them"
        )
    if diff.messages_changed:
        said += "; the messages of the turn differ"
    causes = [
        (one.kind, one.name, one.before, one.after, ", ".join(one.sections), ", ".join(one.blocks))
        for one in diff.causes
    ]
    table = _table(("cause", "name", "before", "after", "sections", "blocks"), causes)
    sections = "".join(
        f"<details open><summary>{escape(one.name)} ({one.change}) in {escape(one.block)}"
        f"</summary><pre>{_lines(diff.text_diff((one.name,)))}</pre></details>"
        for one in diff.sections
    )
    return framed(f"<p>{said}</p>{table}{sections}")


def lint_html(report: "LintReport") -> str:
    """Return a lint as a table of its findings, errors first, those that are allowed folded."""
    heads = ("", "rule", "where", "found")
    stand = _table((*heads, "what to do"), [_finding(one, one.do) for one in report.findings])
    allowed = _table((*heads, "allowed, since"), [_finding(*pair) for pair in report.allowed])
    if allowed:
        allowed = f"<details><summary>allowed</summary>{allowed}</details>"
    return framed(f"<p>{escape(report.summary)}</p>{stand}{allowed}")


def fields_html(table: "Table[Any]") -> str:
    """Return signals with what a change of each writes anew, as bars, the longest first."""
    rows: Iterable[tuple[FieldRow | WhatIfRow, int | None]] = (
        (one, getattr(one, "tokens_after", None) or getattr(one, "rewritten_tokens", 0))
        for one in table.rows
    )
    ordered = sorted(rows, key=lambda pair: -(pair[1] or 0))
    longest = max((tokens or 0 for _, tokens in ordered), default=0)
    cells = [
        (
            one.name,
            ", ".join(one.sections),
            {None: "", -1: "before all"}.get(one.first_byte, one.first_byte),
            tokens or "",
            _Bar(tokens or 0, longest),
        )
        for one, tokens in ordered
    ]
    heads = ("signal", "sections", "first byte", "tokens", "written anew by a change")
    return framed(f"<p><b>{escape(table.flow)}</b></p>{_table(heads, cells)}")


def explanation_html(found: "Explanation") -> str:
    """Return why a section is there or not: the reason, and what it depends on."""
    flip = found.flip.changes.items() if found.flip else ()
    other = "".join(
        f"<p>{'closed' if found.open else 'opened'} by <code>{escape(f'{name} = {value!r}')}</code>"
        "</p>"
        for name, value in flip
    )
    answers = [(one.kind, one.name, one.words, str(one.value)[:80]) for one in found.answers]
    table = _table(("", "name", "in words", "value"), answers)
    return framed(f"<p><b>{escape(found.section)}</b>: {escape(found.reason)}</p>{other}{table}")


def cost_html(found: "CostEstimate") -> str:
    """Return an estimate as bars of its scenarios, a table of its sections, and its hints."""
    words = {
        "cold": "every turn writes the cache",
        "warm": "every turn reads it",
        "mixed": f"{found.hit_rate:.0%} of the turns read it",
        "plain": "without a cache",
    }
    sums = {name: found.usd(name) for name in found.splits}
    top = max(sums.values(), default=0.0)
    scenarios = [(name, words[name], f"{usd:.4f}", _Bar(usd, top)) for name, usd in sums.items()]
    most = max((one.change_usd for one in found.sections), default=0.0)
    sections = [
        (
            one.name,
            one.tokens,
            one.cached_tokens,
            f"{one.change_usd:.6f}",
            _Bar(one.change_usd, most),
        )
        for one in found.sections
    ]
    heads = ("section", "tokens", "cached", "USD", "what one change of it costs")
    title = (
        f"{found.turns} turns of {found.tokens} tokens, {found.gap_seconds:g} seconds apart, on "
        f"{found.model} (prices of {found.prices_date})"
    )
    hints = "".join(f"<li>{escape(one.message)}</li>" for one in found.hints)
    return framed(
        f"<p>{escape(title)}</p>{_table(('', 'when', 'USD', ''), scenarios)}"
        f"<details><summary>by section</summary>{_table(heads, sections)}</details>"
        f"<ul>{hints}</ul>"
    )


def replay_html(report: "ReplayReport") -> str:
    """Return a replay as what it came to, and its causes as bars."""
    said = (
        f"{report.turns} turns on {report.model}: {report.hits} hits, {report.partial} partial, "
        f"{report.misses} misses (prices of {report.prices_date})"
    )
    sums = {
        "paid": report.usd,
        "without a cache": report.usd_without_cache,
        "had every turn read all": report.usd_all_read,
    }
    top = max(sums.values())
    money = [(name, f"{usd:.4f}", _Bar(usd, top)) for name, usd in sums.items()]
    most = max((one.usd for one in report.causes), default=0.0)
    causes = [
        (one.name, one.turns, round(one.written_tokens), f"{one.usd:.4f}", _Bar(one.usd, most))
        for one in report.causes
    ]
    heads = ("why not all was read", "turns", "tokens written", "USD", "more than reading")
    return framed(
        f"<p>{escape(said)}</p>{_table(('', 'USD', ''), money)}{_table(heads, causes)}"
        f"<p>the best order of sections saves {report.best_order_saves_usd:.4f} USD</p>"
    )


def _finding(one: "LintFinding", last: str) -> tuple[object, ...]:
    return (_Chip(one.severity), f"{one.code} {one.subject}", one.where, one.found, last)


class _Chip:
    """A severity in a cell."""

    def __init__(self, severity: str) -> None:
        self.severity = severity


class _Bar:
    """A length in a cell."""

    def __init__(self, value: float, most: float) -> None:
        self.width = _BAR_EM * value / most if most else 0.0

    def __str__(self) -> str:
        return f'<span class="bar" style="width:{self.width:.2f}em"></span>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>{_heads(heads)}<tbody>{body}</tbody></table>" if body else ""


def _heads(heads: Iterable[str]) -> str:
    return f"<thead><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr></thead>"


def _cell(value: object) -> str:
    if isinstance(value, _Chip):
        return f'<td class="{value.severity}">{value.severity}</td>'
    if isinstance(value, _Bar):
        return f'<td class="place">{value}</td>'
    kind = ' class="number"' if isinstance(value, int) else ""
    return f"<td{kind}>{escape(str(value))}</td>"


def _lines(text: str) -> str:
    """Return a unified diff with its lines marked as added or taken away."""
    shown = []
    for line in text.splitlines():
        tag = "" if line.startswith(("+++", "---")) else _MARKS.get(line[:1], "")
        shown.append(f"<{tag}>{escape(line)}</{tag}>" if tag else escape(line))
    return "\n".join(shown)
