"""How a flow, a session, a prompt, a bundle and a change show themselves in a notebook."""

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from .pictures.style import TIER_FILLS, TIER_SIGNS, TIER_WORDS

if TYPE_CHECKING:
    from .change import Change
    from .fit import Bundle
    from .flow import PromptFlow
    from .manifest import SectionRow
    from .pictures import Picture
    from .prompt import Prompt
    from .session import Session

# Colours of text are inherited, so that a dark notebook stays dark; only chips have their own.
# Notebooks align every table to the right, and break words of `pre` anywhere: hence `!important`.
_STYLE = """<style>
.promptdag details{border-left:.35em solid var(--tier,#999);padding-left:.6em;margin:.15em 0}
.promptdag summary{cursor:pointer}
.promptdag pre{white-space:pre-wrap;margin:.3em 0;padding:.4em;border:1px solid #8886}
.promptdag pre{word-break:normal!important}
.promptdag .chip{background:var(--tier);color:#000;padding:0 .35em;border:1px solid #555}
.promptdag .bar{display:inline-block;height:.8em;background:#3b7dbd;vertical-align:middle}
.promptdag .dropped .bar{background:repeating-linear-gradient(45deg,#999 0 3px,#ddd 3px 6px)}
.promptdag .cut .bar{background:repeating-linear-gradient(90deg,#e69f00 0 6px,#3b7dbd 6px 9px)}
.promptdag td,.promptdag th{text-align:left!important;vertical-align:top;padding:.1em .6em}
.promptdag td.number{text-align:right!important;white-space:nowrap}
.promptdag td.place{white-space:nowrap}
.promptdag ins{background:#2ca02c33;text-decoration:none}
.promptdag del{background:#d6272833}
.promptdag .error{background:#f4b6a6}.promptdag .warning{background:#fbe3a2}
.promptdag .info{background:#d5e3f0}
.promptdag .picture{overflow:auto;background:#fff}
</style>"""
_BAR_EM = 16


def flow_html(flow: "PromptFlow") -> str:
    """Return a flow as its picture with a legend."""
    head = f"<p><b>{escape(flow.name)}</b> {escape(flow.doc)}</p>"
    return framed(head + _drawn(flow.picture()))


def picture_html(picture: "Picture") -> str:
    """Return a picture with its legend."""
    return framed(_drawn(picture))


def session_html(session: "Session") -> str:
    """Return a session as its change, when it has one, and its sections."""
    change = _change(session.change) if session.change else ""
    return framed(change + _sections(session.turnless()))


def prompt_html(prompt: "Prompt") -> str:
    """Return a prompt as its foldable sections, coloured by tier, and its turn side."""
    parts = [_sections(prompt)]
    if prompt.has_turn and prompt.bundle is not None:
        parts.append(_bundle(prompt.bundle))
    messages = prompt.messages if prompt.has_turn else []
    for message in messages:
        parts.append(_folded(f"message, {message.get('role', '')}", _json(message), "turn"))
    return framed("".join(parts))


def bundle_html(bundle: "Bundle") -> str:
    """Return a bundle as bars: what each fragment takes of the budget, what was dropped."""
    return framed(_bundle(bundle))


def change_html(change: "Change") -> str:
    """Return a change as a sentence and a table."""
    return framed(_change(change))


def _drawn(picture: "Picture") -> str:
    from .pictures import inline_svg, legend

    return f'{legend(picture)}<div class="picture">{inline_svg(picture)}</div>'


def framed(inner: str) -> str:
    """Return HTML with the style that all displays share."""
    return f'{_STYLE}<div class="promptdag">{inner}</div>'


def _sections(prompt: "Prompt") -> str:
    rows = prompt.manifest.sections
    size = len(prompt.text.encode())
    head = (
        f"<p><b>{escape(prompt.session.flow.name)}</b>: {size} bytes, fingerprint "
        f"<code>{prompt.fingerprint[:12]}</code></p><p>{_legend()}</p>"
    )
    return head + "".join(_blocks(rows)) + _closed(rows)


def _blocks(rows: Iterable["SectionRow"]) -> Iterator[str]:
    block = ""
    for row in rows:
        if not row.open:
            continue
        if row.block != block:
            block = row.block
            yield f"<p><b>{escape(block)}</b> ({escape(row.target)})</p>"
        gate = f" · opened by {row.gate}" if row.gate else ""
        title = f"{row.order}. {row.name} · {row.end - row.start} bytes{gate}"
        yield _folded(title, row.text, row.tier)


def _closed(rows: Iterable["SectionRow"]) -> str:
    names = [f"{row.order}. {row.name}" for row in rows if not row.open]
    return f"<p>without text: {escape(', '.join(names))}</p>" if names else ""


def _folded(title: str, text: str, tier: str) -> str:
    return (
        f'<details style="--tier:{TIER_FILLS[tier]}"><summary>{_chip(tier)} {escape(title)}'
        f"</summary><pre>{escape(text)}</pre></details>"
    )


def _chip(tier: str) -> str:
    return f'<b class="chip" style="--tier:{TIER_FILLS[tier]}">{TIER_SIGNS[tier]}</b>'


def _legend() -> str:
    return " ".join(f"{_chip(tier)} {words}" for tier, words in TIER_WORDS.items())


def _bundle(bundle: "Bundle") -> str:
    report = bundle.report
    over = " <b>over budget</b>" if report.over_budget else ""
    exact = "" if report.counter_exact else " (estimated)"
    rows = [_bar("frame", "kept", report.frame_tokens, report.budget_tokens)]
    for kept in report.included:
        fate = "cut" if kept.cut else "kept"
        rows.append(_bar(kept.id, fate, kept.tokens, report.budget_tokens))
    for dropped in report.omitted:
        fate = f"dropped: {dropped.reason}"
        rows.append(_bar(dropped.id, fate, dropped.tokens, report.budget_tokens))
    return (
        f"<p><b>bundle</b>: {report.used_tokens} of {report.budget_tokens} tokens{exact}{over}</p>"
        "<table><thead><tr><th>fragment</th><th>outcome</th><th>tokens</th><th>of the budget</th>"
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        + _folded("text of the bundle", bundle.text, "turn")
    )


def _bar(name: str, fate: str, tokens: int, budget_tokens: int) -> str:
    width = min(tokens / budget_tokens if budget_tokens else 1, 1.5) * _BAR_EM
    return (
        f'<tr class="{fate.split(":")[0]}"><td>{escape(name)}</td><td>{escape(fate)}</td>'
        f'<td>{tokens}</td><td><span class="bar" style="width:{width:.2f}em"></span></td></tr>'
    )


def _change(change: "Change") -> str:
    cells = {
        "signals": ", ".join(change.fields) or "none",
        "sections": ", ".join(change.sections) or "none",
        "first byte": "none" if change.first_byte is None else str(change.first_byte),
        "rewritten bytes": str(change.rewritten_bytes),
        "fingerprint": f"{change.fingerprint_before[:12]} to {change.fingerprint[:12]}",
    }
    rows = "".join(f"<tr><th>{name}</th><td>{escape(v)}</td></tr>" for name, v in cells.items())
    return f"<p>{escape(str(change))}</p><table>{rows}</table>"


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)
