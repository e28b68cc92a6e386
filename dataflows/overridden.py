"""What overrides make of a flow: its blocks, and the graph of its nodes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from ..inputs.errors import UnknownNameError, did_you_mean
from ..inputs.text import clean
from ..sections.declare import Section
from .graph import Graph, Node, build_graph
from .node_functions import section_function, text_node
from .order import Block
from .overrides import Override, OverrideError, section_node, sections_by_name
from .plan import define
from .replaced_order import REPLACEMENT, replaced_blocks, replaced_nodes

if TYPE_CHECKING:
    from .flow import PromptFlow


def overridden_blocks(flow: "PromptFlow", overrides: Iterable[Override]) -> tuple[Block, ...]:
    """Return the blocks of a flow, pruned where an override replaces the whole prompt."""
    if any(one.kind == "replace_all" for one in overrides):
        return replaced_blocks(flow.blocks)
    return flow.blocks


def overridden_graph(flow: "PromptFlow", overrides: Iterable[Override]) -> Graph:
    """Return the graph of a flow with nodes overridden.

    Args:
        flow: The flow, its order already that of `overridden_blocks`.
        overrides: Applied in this order.

    Raises:
        UnknownNameError: An override names no section or node.
        OverrideError: An override cannot be applied to what it names.
    """
    nodes = dict(flow.graph.nodes)
    gone = {one.name for one in flow.overrides if one.kind == "disable"}
    for one in overrides:
        if one.kind == "set":
            node = _set_node(flow, nodes, one)
        elif one.kind == "replace_all":
            node = _replacement(one)
            replaced = replaced_nodes(flow.blocks, flow.frames, node)
            nodes |= {made.name: made for made in replaced}
        else:
            if one.name in gone:
                raise OverrideError(
                    f"flow {flow.name!r}: override {one.kind} of {one.name!r}, which an override "
                    "disables; take one of them away"
                )
            node = _section_node(flow, nodes, one)
        nodes[node.name] = replace(node, place=f"override by {one.who}")
        if one.kind == "disable":
            gone.add(one.name)
            for part in _parts(flow, one.name):
                gone.add(part.name)
                nodes[text_node(part)] = _closed(nodes[text_node(part)], part)
    graph = build_graph(flow.name, nodes.values(), flow.graph.signals.values(), flow.roots)
    for one in overrides:
        if one.kind == "set" and one.name not in graph.nodes:
            raise OverrideError(
                f"flow {flow.name!r}: override set of {one.name!r}, which nothing needs beside "
                "the other overrides; take it away"
            )
    return graph


def _replacement(one: Override) -> Node:
    function = section_function(REPLACEMENT, (), (), one.content, "")
    return Node(text_node(REPLACEMENT), "section", function, (), f"override by {one.who}")


def _parts(flow: "PromptFlow", name: str) -> list[Section]:
    """Return the sections nested in one, at any depth."""
    inside, found = {name}, []
    for position in flow.positions:
        if position.parent is not None and position.parent.section.name in inside:
            inside.add(position.place.section.name)
            found.append(position.place.section)
    return found


def _section_node(flow: "PromptFlow", nodes: Mapping[str, Node], one: Override) -> Node:
    sections = sections_by_name(flow)
    if one.name not in sections and one.name in sections_by_name(flow.base):
        raise OverrideError(
            f"flow {flow.name!r}: override {one.kind} of {one.name!r}, which went when an override "
            "replaced the whole prompt; take one of them away"
        )
    if one.name not in sections:
        raise UnknownNameError(
            f"flow {flow.name!r}: override {one.kind}: no section {one.name!r}"
            f"{did_you_mean(one.name, sections)}"
        )
    section = sections[one.name]
    node = nodes[section_node(flow, section)]
    if one.kind == "disable":
        return _closed(node, section)
    if section.many:
        raise OverrideError(
            f"flow {flow.name!r}: override {one.kind} of {one.name!r}, which is a list of texts; "
            "disable it, or change the signal that brings the texts"
        )
    if one.kind == "replace":
        gates = tuple(gate for gate in flow.gates_of(one.name) if gate.name in node.parameters)
        text = one.content if section.keep_blank or one.content.strip() else ""
        function = section_function(section, (), gates, text, "")
        return replace(node, function=function, parameters=tuple(gate.name for gate in gates))
    return _changed(node, section, change_of(one))


def change_of(one: Override) -> Callable[[str], Any]:
    """Return what an override that prepends, appends or transforms does to a text."""
    match one.kind:
        case "prepend":
            return lambda text: one.content + text
        case "append":
            return lambda text: text + one.content
    function: Callable[[str], Any] = one.content
    return function


def _closed(node: Node, section: Section) -> Node:
    return _constant(node, () if section.many else "")


def _constant(node: Node, value: Any) -> Node:
    source = f"def {node.name}():\n    return _value\n"
    function: FunctionType = define(source, node.name, {"_value": value}, f"<set {node.name}>")
    function.__annotations__ = {"return": get_type_hints(node.function).get("return", Any)}
    function.__doc__ = node.function.__doc__
    return replace(node, function=function, parameters=())


def _changed(node: Node, section: Section, change: Callable[[str], Any]) -> Node:
    """Return a section's node with its text changed where it has one."""

    def changed(text: str) -> str:
        if not text:
            return text
        found = change(text)
        if not isinstance(found, str):
            raise TypeError(f"a transform returns text, not {type(found).__name__}")
        return "" if found.isspace() and not section.keep_blank else clean(found)

    passed = ", ".join(f"{name}={name}" for name in node.parameters)
    source = (
        f"def {node.name}({', '.join(node.parameters)}):\n    return _change(_make({passed}))\n"
    )
    namespace = {"_change": changed, "_make": node.function}
    function: FunctionType = define(source, node.name, namespace, f"<changed {node.name}>")
    function.__annotations__ = get_type_hints(node.function)
    function.__doc__ = node.function.__doc__
    return replace(node, function=function)


def _set_node(flow: "PromptFlow", nodes: Mapping[str, Node], one: Override) -> Node:
    if one.name in flow.graph.signals:
        raise OverrideError(
            f"flow {flow.name!r}: override set of {one.name!r}, which is a signal; "
            "pass it to session(...) or turn(...)"
        )
    if one.name not in nodes:
        raise UnknownNameError(
            f"flow {flow.name!r}: override set: no node {one.name!r}{did_you_mean(one.name, nodes)}"
        )
    node = nodes[one.name]
    if node.kind not in ("fact", "gate", "section"):
        raise OverrideError(
            f"flow {flow.name!r}: override set of {one.name!r}, which is a {node.kind}; "
            "set a fact, a gate or a section's node"
        )
    kind = get_type_hints(node.function).get("return", Any)
    if not _fits(one.content, kind):
        shown = kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
        raise OverrideError(
            f"flow {flow.name!r}: override set of {one.name!r} to a "
            f"{type(one.content).__name__}; the {node.kind} returns {shown}"
        )
    value = clean(one.content) if node.kind == "section" and kind is str else one.content
    return _constant(node, value)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type, as far as a plain type or a literal can tell."""
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return not isinstance(kind, type) or bool(get_args(kind)) or isinstance(value, kind)
