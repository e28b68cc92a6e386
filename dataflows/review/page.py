"""A review as one HTML page: no network, no script of others; it reads without any script, too."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..pictures import Picture, by_theme, inline_svg, picture_of
from ..pictures.model import SHOWN_CONSTANTS
from .change import Review
from .section_page import SectionPage, section_pages
from .signs import SIGN_MARKS, SIGN_WORDS
from .summary import PER, summary, usd
from .wording import Piece, line_pieces, value_words, word_pieces

if TYPE_CHECKING:
    from ..flow import PromptFlow

_PARTS = Path(__file__).with_name("parts")
_KEPT_LINES = 3
"""Lines of equal text that are shown around a difference."""


def page(review: Review, flow: "PromptFlow") -> str:
    """Return a review as a self-contained HTML page.

    Args:
        review: The review.
        flow: The flow of its second side, which is drawn.

    Raises:
        RenderError: The renderer of pictures is not installed.
    """
    environment = Environment(
        loader=FileSystemLoader(_PARTS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "prose": _prose,
        "pieces": _pieces,
        "signals": _signals,
        "usd": usd,
        "value_words": value_words,
    }
    picture = _picture(flow)
    sections = section_pages(review)
    text: str = environment.get_template("page.html.jinja").render(
        review=review,
        flow=review.after,
        base=review.before,
        summary=summary(review),
        groups=_groups(sections),
        sections=sections,
        pages={one.name: one for one in sections},
        words=word_pieces,
        lines=line_pieces,
        marks=SIGN_MARKS,
        sign_words=SIGN_WORDS,
        per=PER,
        picture=Markup(inline_svg(picture)),
        by_theme=any(node.kind == "section" and node.collapsed for node in picture.nodes),
        lineage=_lineage(review, picture),
        style=Markup((_PARTS / "page.css").read_text(encoding="utf-8")),
        script=Markup((_PARTS / "page.js").read_text(encoding="utf-8")),
    )
    # Signals may hold half a character, which no file can.
    return text.encode("utf-8", "replace").decode()


def _picture(flow: "PromptFlow") -> Picture:
    picture = picture_of(flow, collapse_constants=False)
    return by_theme(picture) if len(flow.positions) > SHOWN_CONSTANTS else picture


@dataclass(frozen=True, slots=True)
class Group:
    """A run of sections of one block and theme."""

    block: str
    theme: str
    sections: tuple[SectionPage, ...]

    @property
    def changed(self) -> bool:
        """Whether one of them differs."""
        return any(one.changed for one in self.sections)


def _groups(sections: tuple[SectionPage, ...]) -> tuple[Group, ...]:
    runs: list[tuple[str, str, list[SectionPage]]] = []
    for one in sections:
        if not runs or runs[-1][:2] != (one.block, one.theme):
            runs.append((one.block, one.theme, []))
        runs[-1][2].append(one)
    return tuple(Group(block, theme, tuple(members)) for block, theme, members in runs)


def _lineage(review: Review, picture: Picture) -> Markup:
    """Return, as JSON, the elements of the picture for each section: its own, what it stands on."""
    elements: dict[str, str] = {}
    for node in picture.nodes:
        for label in node.collapsed or (node.label,):
            elements[f"{'signal' if node.kind == 'signal' else 'node'} {label}"] = node.element_id
    dotted = {one.name: one.dotted for one in review.after.signals}
    found = {}
    for section in review.after.sections:
        names = sorted(review.after.above(section.node))
        shown = [
            elements.get(f"signal {dotted[name]}" if name in dotted else f"node {name}")
            for name in names
        ]
        own = elements.get(f"node {section.name}")
        found[section.name] = list(dict.fromkeys(one for one in (own, *shown) if one))
    # `</script>` in a name would end the element that holds it.
    return Markup(json.dumps(found).replace("<", "\\u003c"))


def _prose(text: str) -> Markup:
    """Return a sentence with what stands between backticks as code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def _pieces(pieces: tuple[Piece, ...]) -> Markup:
    """Return a difference, long runs of equal lines folded away."""
    shown = Markup("")
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        if piece.kind == "same":
            shown += Markup("").join(_folded(piece.text, number == 0, number == last))
        else:
            tag = "del" if piece.kind == "gone" else "ins"
            shown += Markup(f"<{tag}>{{}}</{tag}>").format(piece.text)
    return shown


def _folded(text: str, is_first: bool, is_last: bool) -> Iterator[Markup]:
    lines = text.splitlines(keepends=True)
    head = 0 if is_first else _KEPT_LINES
    tail = 0 if is_last else _KEPT_LINES
    if len(lines) <= head + tail + 2 or (is_first and is_last):
        yield escape(text)
        return
    yield escape("".join(lines[:head]))
    count = len(lines) - head - tail
    yield Markup('<span class="fold">… {} equal lines …</span>\n').format(count)
    yield escape("".join(lines[len(lines) - tail :]) if tail else "")


def _signals(signals: Mapping[str, Any]) -> str:
    return json.dumps(signals, indent=2, ensure_ascii=False)
