"""A picture as DOT text.

A block is one table, a row for each section: whatever lays the graph out, the rows stay in prompt
order, and a long prompt reads as its own table of contents. Hamilton's own DOT cannot be committed:
its lines differ with the hash seed.
"""

from collections.abc import Iterable, Iterator
from html import escape

from .model import Picture
from .nodes import PictureEdge, PictureNode
from .style import DRIFT_SIGN, OFF_STATES, TIER_FILLS, TIER_SIGNS

_HEAD = """\
digraph "{title}" {{
  graph [rankdir=LR, nodesep=0.12, ranksep=0.9, pad=0.3, bgcolor=white]
  graph [fontname="Arial", fontsize=12]
  node [fontname="Arial", fontsize=12, margin="0.16,0.08", height=0.35]
  node [style=filled, color="#333333"]
  edge [color="#777777", arrowsize=0.6, penwidth=0.9]"""
_CELL = 'CELLPADDING="6"'
_CHAR_POINTS = 6.5
_HEADER_FILL = "#333333"
_THEME_FILL = "#fafafa"
_GATE_EDGE = "#7b3294"
_OFF_TEXT = "#666666"
_OFF_EDGE = "#b5b5b5"


def to_dot(picture: Picture) -> str:
    """Return a picture as DOT text: the same for the same flow, in any process."""
    lines = [_HEAD.format(title=picture.flow)]
    turn = [node for node in picture.nodes if node.side == "turn"]
    lines += _statements(picture, [node for node in picture.nodes if node.side == "stable"], "  ")
    if turn:
        lines += [
            "  subgraph cluster_turn {",
            '    graph [label="this turn: reaches no block", labeljust=l, style=dashed, '
            'color="#b35900", margin=14]',
            *_statements(picture, turn, "    "),
            "  }",
        ]
    lines += _ranks(picture)
    lines += _edges(picture)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _statements(picture: Picture, nodes: Iterable[PictureNode], indent: str) -> Iterator[str]:
    for node in nodes:
        if node.holder and node.holder in picture.by_name:
            continue
        label = _table(picture, node) if _holds_rows(node) else _label(node)
        shape = {
            "signal": "shape=box",
            "fact": 'shape=box, style="filled,rounded"',
            "gate": 'shape=hexagon, margin="0.02,0.06"',
            "block": "shape=plain, style=solid",
            "bundle": "shape=plain, style=solid",
            "fingerprint": "shape=box, peripheries=2",
            "message": "shape=note",
        }.get(node.kind, "shape=box")
        yield (
            f"{indent}{_quoted(node.name)} [id={_quoted(node.element_id)}, {shape}, "
            f"{_paint(node)}label=<{label}>, tooltip={_quoted(node.doc or node.label)}]"
        )


def _holds_rows(node: PictureNode) -> bool:
    return node.kind in ("block", "bundle")


def _paint(node: PictureNode) -> str:
    if _holds_rows(node):
        return ""
    if node.state in OFF_STATES:
        return f'fillcolor=white, style="filled,dashed", fontcolor="{_OFF_TEXT}", '
    return f'fillcolor="{TIER_FILLS[node.tier]}", '


def _label(node: PictureNode) -> str:
    drift = f" {DRIFT_SIGN}" if node.drifts else ""
    state = f"  <I>{node.state}</I>" if node.state else ""
    return f"<B>{TIER_SIGNS[node.tier]}</B>  {escape(node.label)}{drift}{state}"


def _table(picture: Picture, node: PictureNode) -> str:
    """Return a block or bundle as a table: its header, then its rows by theme."""
    states = picture.has_states
    columns = 4 if states else 3
    words = " · ".join((TIER_SIGNS[node.tier], *node.marks))
    header = (
        f'<TR><TD PORT="head" COLSPAN="{columns}" ALIGN="LEFT" BGCOLOR="{_HEADER_FILL}" '
        f'{_CELL}><FONT COLOR="white"><B>{escape(node.label)}</B>  {escape(words)}</FONT></TD></TR>'
    )
    runs = picture.themes_of(node.name)
    # A wide header would spread over all columns; the names shall have what it needs.
    width = round(len(node.label + words) * _CHAR_POINTS) - (110 if states else 50)
    named = len({row.theme for row in picture.nodes if row.holder}) > 1
    rows = [header]
    for theme, members in runs:
        if named:
            rows.append(
                f'<TR><TD COLSPAN="{columns}" ALIGN="LEFT" BGCOLOR="{_THEME_FILL}" '
                f'CELLPADDING="3"><I>{escape(theme)}</I></TD></TR>'
            )
        rows += [_row(member, states, width) for member in members]
    hidden = dict(picture.hidden).get(node.name)
    if hidden:
        rows.append(f'<TR><TD COLSPAN="{columns}" {_CELL}><I>{hidden} more not drawn</I></TD></TR>')
    table = '<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" COLOR="#555555" BGCOLOR="white">'
    return f"{table}{''.join(rows)}</TABLE>"


def _row(row: PictureNode, states: bool, width: int) -> str:
    off = row.state in OFF_STATES
    fill = "#ffffff" if off else TIER_FILLS[row.tier]
    name = escape(row.label)
    if row.nested:
        name = f"  in it: {name}"
    if row.kind == "fragment":
        name += f"  <I>{escape(' · '.join(row.marks))}</I>"
    if off:
        name = f'<FONT COLOR="{_OFF_TEXT}">{name}</FONT>'
    # A cell has an element of its own only where it is a link; it leads to itself.
    link = f'ID="{row.element_id}" HREF="#{row.element_id}" TITLE="{escape(row.doc or row.label)}"'
    cells = [
        f'<TD PORT="{row.name}" ALIGN="RIGHT" {_CELL}>{row.places}</TD>',
        f'<TD BGCOLOR="{fill}" {_CELL}><B>{TIER_SIGNS[row.tier]}</B></TD>',
        f'<TD {link} ALIGN="LEFT" WIDTH="{max(width, 1)}" BGCOLOR="{fill}" {_CELL}>{name}</TD>',
    ]
    if states:
        cells.append(f'<TD BGCOLOR="{fill}" {_CELL}><I>{row.state or " "}</I></TD>')
    cells[-1] = cells[-1].replace("<TD ", f'<TD PORT="{row.name}_out" ', 1)
    return f"<TR>{''.join(cells)}</TR>"


def _ranks(picture: Picture) -> Iterator[str]:
    """Yield the columns: blocks below one another in prompt order, fingerprints likewise."""
    blocks = [node.name for node in picture.nodes if node.kind == "block"]
    prints = [node.name for node in picture.nodes if node.kind == "fingerprint"]
    for names, look in ((blocks, "style=invis"), (prints, "style=invis, weight=0")):
        if len(names) > 1:
            chain = " -> ".join(_quoted(name) for name in names)
            yield f"  {{ rank=same; edge [{look}]; {chain} }}"


def _edges(picture: Picture) -> Iterator[str]:
    for edge in picture.edges:
        source, target = picture.by_name[edge.source], picture.by_name[edge.target]
        if source.holder == target.name:
            continue  # a row stands in its table: nothing more need be said
        options = ", ".join(_edge_options(edge, source, target))
        ends = (_end(picture, source, out=True), _end(picture, target, out=False))
        yield f"  {' -> '.join(ends)} [{options}]"


def _edge_options(edge: PictureEdge, source: PictureNode, target: PictureNode) -> Iterator[str]:
    # What the renderer calls an edge to a row names its table alone.
    yield f"id={_quoted(edge.element_id)}"
    if source.kind == target.kind == "fingerprint":
        yield "constraint=false"
    if source.state in OFF_STATES or target.state in OFF_STATES:
        yield f'color="{_OFF_EDGE}", style=dashed'
    elif source.kind == "gate":
        yield f'color="{_GATE_EDGE}", penwidth=1.4'


def _end(picture: Picture, node: PictureNode, *, out: bool) -> str:
    if node.holder and node.holder in picture.by_name:
        port = f"{node.name}_out" if out else node.name
        return f"{_quoted(node.holder)}:{_quoted(port)}:{'e' if out else 'w'}"
    if _holds_rows(node):
        return f"{_quoted(node.name)}:head:{'e' if out else 'w'}"
    return _quoted(node.name)


def _quoted(text: str) -> str:
    """Return text as a DOT string; only its quotes and backslashes mean something there."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
