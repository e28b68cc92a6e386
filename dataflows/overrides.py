"""Overrides: what a host, an operator or a user changes in a flow, by whom and why.

An override replaces a node, so plan, driver and lineage agree on it. Its text is trusted as a text
pack is: it stands word for word, cleaned, and no tag in it is escaped.

::

    flow = theway.flow().with_overrides(
        disable("lineage", who="ops", why="not shown to guests"),
        append("harness", "Answer in French.", who="ann", why="her language"),
    )
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as changed_copy
from hashlib import sha256
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from ..inputs.errors import FlowError, UnknownNameError, did_you_mean
from ..inputs.text import clean
from ..sections.declare import Section
from .graph import Graph, Node, build_graph
from .node_functions import section_function, text_node
from .plan import define
from .transient import fragment_node

if TYPE_CHECKING:
    from .diff import PromptDiff
    from .flow import PromptFlow
    from .prompt import Prompt

OverrideKind = Literal["disable", "replace", "prepend", "append", "transform", "set"]


class OverrideError(FlowError):
    """An override that cannot be applied to what it names."""


@dataclass(frozen=True, slots=True)
class OverrideRecord:
    """What a manifest keeps of an override; it holds no text.

    Attributes:
        kind: What was done.
        name: The section, or the node of `set`.
        who: Who wants it.
        why: The reason.
        sha256: The hash of the text or value; of `transform`, of the function's name.
    """

    kind: OverrideKind
    name: str
    who: str
    why: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Override:
    """One change of one section or node; made by the functions of this module.

    Attributes:
        kind: What is done.
        name: The section, or the node of `set`.
        who: Who wants it.
        why: The reason.
        content: The text, the value, or the function of `transform`.
    """

    kind: OverrideKind
    name: str
    who: str
    why: str
    content: Any = None

    def __post_init__(self) -> None:
        if not self.who.strip() or not self.why.strip():
            raise OverrideError(
                f"override {self.kind} of {self.name!r}: who={self.who!r}, why={self.why!r}; "
                "say who wants it and why"
            )

    def record(self) -> OverrideRecord:
        """Return what a manifest keeps of it."""
        content = self.content
        if self.kind == "transform":
            # A method of a built-in type has no module; what has no name at all shows its type.
            module = getattr(content, "__module__", "builtins")
            content = f"{module}.{getattr(content, '__qualname__', type(content).__name__)}"
        shown = content if isinstance(content, str) else repr(content)
        digest = sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
        return OverrideRecord(self.kind, self.name, self.who, self.why, digest)


def disable(section: str, *, who: str, why: str) -> Override:
    """Take a section away, and the parts in it; what it reads no longer reaches the prompt."""
    return Override("disable", section, who, why)


def replace(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text in the place of a section's own; its gates still decide."""
    return Override("replace", section, who, why, clean(text))


def prepend(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text in front of a section's own, wherever the section has text."""
    return Override("prepend", section, who, why, clean(text))


def append(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text behind a section's own, wherever the section has text."""
    return Override("append", section, who, why, clean(text))


def transform(section: str, function: Callable[[str], str], *, who: str, why: str) -> Override:
    """Pass a section's text through a function, wherever the section has text.

    Args:
        section: The section.
        function: Equal texts must give equal texts, or the prefix moves.
        who: Who wants it.
        why: The reason.
    """
    return Override("transform", section, who, why, function)


def set_value(node: str, value: Any, *, who: str, why: str) -> Override:
    """Set the value of a fact, a gate or a section's node (`memory_text`)."""
    return Override("set", node, who, why, value)


def overridden_graph(flow: "PromptFlow", overrides: Iterable[Override]) -> Graph:
    """Return the graph of a flow with nodes overridden.

    Raises:
        UnknownNameError: An override names no section or node.
        OverrideError: An override cannot be applied to what it names.
    """
    nodes = dict(flow.graph.nodes)
    gone = {one.name for one in flow.overrides if one.kind == "disable"}
    for one in overrides:
        if one.kind == "set":
            node = _set_node(flow, nodes, one)
        else:
            if one.name in gone:
                raise OverrideError(
                    f"flow {flow.name!r}: override {one.kind} of {one.name!r}, which an override "
                    "disables; take one of them away"
                )
            node = _section_node(flow, nodes, one)
        nodes[node.name] = changed_copy(node, place=f"override by {one.who}")
        if one.kind == "disable":
            gone.add(one.name)
            for part in _parts(flow, one.name):
                gone.add(part.name)
                nodes[text_node(part)] = _closed(nodes[text_node(part)], part)
    return build_graph(flow.name, nodes.values(), flow.graph.signals.values(), flow.roots)


def override_effect(prompt: "Prompt") -> "PromptDiff":
    """Return what the overrides of a prompt's flow do to it: the prompt without them, and it."""
    from .diff import diff_prompts

    flow = prompt.session.flow
    signals = {
        leaf.path[0]: getattr(prompt.session.signals, leaf.path[0])
        for leaf in flow.graph.signals.values()
        if not leaf.turn
    }
    session = flow.base.session(**signals)
    plain = session.turn(**dict(prompt.turn)) if prompt.turn is not None else session.turnless()
    return diff_prompts(plain, prompt)


def sections_by_name(flow: "PromptFlow") -> dict[str, Section]:
    """Return every section of a flow by its name, those of turn context behind the others."""
    found = {p.place.section.name: p.place.section for p in flow.positions}
    fragments = flow.transient.fragments if flow.transient else ()
    return found | {one.name: one.section for one in fragments}


def section_node(flow: "PromptFlow", section: Section) -> str:
    """Return the name of the node that holds a section's text or texts."""
    for one in flow.transient.fragments if flow.transient else ():
        if one.section is section and section.many:
            return fragment_node(one)
    return text_node(section)


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
        return changed_copy(node, function=function, parameters=tuple(gate.name for gate in gates))
    return _changed(node, section, _change_of(one))


def _change_of(one: Override) -> Callable[[str], Any]:
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
    return changed_copy(node, function=function, parameters=())


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
    return changed_copy(node, function=function)


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
