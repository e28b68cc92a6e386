"""A picture as Mermaid text, for places that draw it: pull requests, README files."""

from collections.abc import Iterator

from .model import Picture
from .nodes import PictureNode
from .style import DRIFT_SIGN, OFF_STATES, TIER_FILLS, TIER_SIGNS

_SHAPES = {
    "signal": ("[", "]"),
    "fact": ("(", ")"),
    "gate": ("{{", "}}"),
    "fingerprint": ("[[", "]]"),
    "message": (">", "]"),
}


def to_mermaid(picture: Picture) -> str:
    """Return a picture as Mermaid text: the same for the same flow, in any process.

    Sections carry their position; their order in the drawing is up to what draws it.
    """
    lines = ["flowchart LR"]
    lines += _nodes(picture, "stable", "  ")
    turn = list(_nodes(picture, "turn", "    "))
    if turn:
        lines += ['  subgraph this_turn["this turn: reaches no block"]', *turn, "  end"]
    for edge in picture.edges:
        source, target = picture.by_name[edge.source], picture.by_name[edge.target]
        if source.holder != target.name:
            off = source.state in OFF_STATES or target.state in OFF_STATES
            lines.append(f"  {_id(source)} {'-.->' if off else '-->'} {_id(target)}")
    lines += [
        f"  classDef {tier} fill:{fill},stroke:#333,color:#000" for tier, fill in TIER_FILLS.items()
    ]
    lines.append("  classDef off fill:#fff,stroke:#666,color:#555,stroke-dasharray:4 3")
    return "\n".join(lines) + "\n"


def _nodes(picture: Picture, side: str, indent: str) -> Iterator[str]:
    for node in picture.nodes:
        if node.side != side or node.holder in picture.by_name:
            continue
        rows = picture.rows_of(node.name)
        if node.kind in ("block", "bundle") and rows:
            yield f'{indent}subgraph {_id(node)}["{_words(node)}"]'
            for theme, members in picture.themes_of(node.name):
                if theme:
                    yield f"{indent}  %% {theme}"
                yield from (f"{indent}  {_node(member)}" for member in members)
            yield f"{indent}end"
        else:
            yield f"{indent}{_node(node)}"


def _node(node: PictureNode) -> str:
    opening, closing = _SHAPES.get(node.kind, ("[", "]"))
    look = "off" if node.state in OFF_STATES else node.tier
    return f'{_id(node)}{opening}"{_words(node)}"{closing}:::{look}'


def _words(node: PictureNode) -> str:
    number = f"{node.places}. " if node.places else ""
    drift = f" {DRIFT_SIGN}" if node.drifts else ""
    more = [*node.marks, *((node.state,) if node.state else ())]
    text = f"{TIER_SIGNS[node.tier]} · {number}{node.label}{drift}"
    text += f" ({', '.join(more)})" if more else ""
    return text.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;")


def _id(node: PictureNode) -> str:
    # A bare name such as `end` is a word of Mermaid's own.
    return f"n_{node.name}"
