"""Every node and edge of a flow as a picture shows them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...inputs.signals import Leaf
from ...sections.declare import FragmentSection
from ..graph import Node
from ..node_functions import block_node, fingerprint_node, text_node
from ..order import Block, Position
from ..transient import BUNDLE, fragment_node
from .nodes import PictureEdge, PictureNode

if TYPE_CHECKING:
    from ..flow import PromptFlow


def entries_of(flow: "PromptFlow") -> tuple[tuple[PictureNode, ...], tuple[PictureEdge, ...]]:
    """Return every node of a flow, then every edge; what nothing reads is among them."""
    fragments = flow.transient.fragments if flow.transient else ()
    # A fragment's text and the fragment made of it are one thing to a reader.
    same = {text_node(one.section): fragment_node(one) for one in fragments}
    nodes = tuple(_nodes(flow, set(same)))
    edges = dict.fromkeys(
        PictureEdge(same.get(source, source), same.get(name, name))
        for name, node in flow.graph.nodes.items()
        for source in node.parameters
        if same.get(source, source) != same.get(name, name)
    )
    return nodes, tuple(edges)


def _nodes(flow: "PromptFlow", merged: set[str]) -> Iterator[PictureNode]:
    graph = flow.graph
    for leaf in graph.signals.values():
        yield _signal(leaf)
    placed = {
        text_node(position.place.section): (number, position)
        for number, position in enumerate(flow.positions, start=1)
    }
    fragments = {
        fragment_node(one): (number, one)
        for number, one in enumerate(flow.transient.fragments if flow.transient else (), start=1)
    }
    blocks = {block_node(one.name): one for one in flow.blocks}
    for name, node in graph.nodes.items():
        if name in placed or name in merged:
            continue
        if name in fragments:
            yield _fragment(flow, node, *fragments[name])
        elif name in blocks:
            yield _block(flow, node, blocks[name])
        else:
            yield _other(flow, node)
    for name, (number, position) in placed.items():
        yield _section(flow, graph.nodes[name], number, position)


def _signal(leaf: Leaf) -> PictureNode:
    return PictureNode(
        leaf.name,
        leaf.dotted,
        "signal",
        "turn" if leaf.turn else "session",
        drifts=leaf.drifts is not None,
        doc=_line(leaf.doc),
    )


def _section(flow: "PromptFlow", node: Node, number: int, position: Position) -> PictureNode:
    section = position.place.section
    return PictureNode(
        node.name,
        section.name,
        "section",
        flow.graph.tier(node.name),
        theme=_theme(section.function),
        position=number,
        holder=block_node(position.block.name),
        nested=position.parent is not None,
        doc=_line(section.doc),
    )


def _fragment(
    flow: "PromptFlow", node: Node, number: int, declared: FragmentSection
) -> PictureNode:
    section = declared.section
    if section.many:
        marks: tuple[str, ...] = ("several",)
    else:
        need = ("required",) if declared.required else ()
        marks = (f"priority {declared.priority}", declared.authority, *need)
    return PictureNode(
        node.name,
        declared.id or declared.name,
        "fragment",
        flow.graph.tier(node.name),
        theme=_theme(section.function),
        position=number,
        holder=BUNDLE,
        marks=marks,
        doc=_line(section.doc),
    )


def _block(flow: "PromptFlow", node: Node, block: Block) -> PictureNode:
    control: Mapping[str, str] = block.cache_control or {}
    mark = (f"cache: {', '.join(control.values())}",) if control else ("no cache mark",)
    return PictureNode(
        node.name,
        block.name,
        "block",
        flow.graph.tier(node.name),
        marks=(f"target: {block.target}", *mark),
        doc=_line(node.function.__doc__),
    )


def _other(flow: "PromptFlow", node: Node) -> PictureNode:
    """Return a fact, a gate, a fingerprint, the bundle or the messages."""
    fingerprints = {fingerprint_node(one.name): one.name for one in flow.blocks}
    label = node.name
    if node.kind == "fingerprint":
        label = f"{fingerprints.get(node.name, 'tools')} fingerprint"
    return PictureNode(
        node.name,
        label,
        # A text that is in no order and no bundle is one that a fact asks for.
        node.kind,
        flow.graph.tier(node.name),
        theme=_theme(node.function) if node.kind in ("fact", "gate") else "",
        doc=_line(node.function.__doc__),
    )


def _theme(function: Any) -> str:
    return str(function.__module__).rsplit(".", 1)[-1]


def _line(doc: str | None) -> str:
    return " ".join((doc or "").split())
