"""The origin of each stretch of a section's text: slot, template, signal or fact, or override.

A template is read again on its checked syntax tree; that the stretches join to the composed text is
asked each time, so an origin is never a guess.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from jinja2 import nodes

from ..inputs.errors import PromptdagError
from ..sections.declare import Section
from ..sections.packs import section_template
from ..sections.templates import Template
from .node_functions import text_node

if TYPE_CHECKING:
    from .flow import PromptFlow
    from .prompt import Prompt

SpanKind = Literal["slot", "template", "value", "gate", "list", "override"]


class OriginError(PromptdagError):
    """A section's text is not what its template gives; a fault of promptdag's own."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a section's own text.

    Attributes:
        start: Where it starts, in characters of the section's own text.
        end: Where it ends; a gate that is asked, and a loop over nothing, have no characters.
        text: The characters.
        kind: `slot` and `template` are constant prose; `value` is a signal or fact; `gate` marks
            where the template asks one; `list` is a text that a function computed.
        source: The slot, the signal or fact (`shown_memory.text`), the gate, or the override.
        place: Where it is written: `sections/theway/texts/memory.md.j2:3`.
        signals: The signals that reach it, by their dotted names.
    """

    start: int
    end: int
    text: str
    kind: SpanKind
    source: str
    place: str
    signals: tuple[str, ...] = ()


def section_spans(prompt: "Prompt", section: Section, own: str | None = None) -> tuple[Span, ...]:
    """Return the origin of each stretch of a section's text, in reading order.

    Args:
        prompt: The prompt that the section stands in.
        section: The section.
        own: Of a section that lists texts, the one that is meant.

    Raises:
        OriginError: The stretches do not join to the text.
    """
    flow = prompt.session.flow
    text = prompt.value(text_node(section)) if own is None else own
    if not text:
        return ()
    if section.many:
        signals = _signals(flow, text_node(section))
        return (Span(0, len(text), text, "list", section.name, section.place, signals),)
    over = [one for one in flow.overrides if one.name in (section.name, text_node(section))]
    if any(one.kind in ("replace", "set", "transform", "replace_all") for one in over):
        return (_override_span(flow, section, text),)
    before = "".join(one.content for one in reversed(over) if one.kind == "prepend")
    after = "".join(one.content for one in over if one.kind == "append")
    inner = text.removeprefix(before).removesuffix(after)
    spans = [_override_span(flow, section, before)] if before else []
    spans += _template_spans(prompt, section, inner)
    spans += [_override_span(flow, section, after)] if after else []
    return tuple(_placed(spans))


def _override_span(flow: "PromptFlow", section: Section, text: str) -> Span:
    names = (section.name, text_node(section))
    over = [one for one in flow.overrides if one.name in names]
    source = ", ".join(f"{one.kind} by {one.who}: {one.why}" for one in over)
    return Span(0, len(text), text, "override", source, "override", _signals(flow, names[1]))


def _placed(spans: list[Span]) -> Iterator[Span]:
    start = 0
    for span in spans:
        yield replace(span, start=start, end=start + len(span.text))
        start += len(span.text)


def _signals(flow: "PromptFlow", name: str) -> tuple[str, ...]:
    if name in flow.graph.signals:
        return (flow.graph.signals[name].dotted,)
    return tuple(flow.graph.signals[one].dotted for one in flow.graph.signals_of(name))


def _template_spans(prompt: "Prompt", section: Section, text: str) -> list[Span]:
    flow = prompt.session.flow
    template = section_template(section, flow.pack)
    names = template.variables | template.asked
    values = {name: prompt.value(name) for name in names}
    reading = _Reading(flow, section, template)
    spans = list(reading.read(template.tree.body, values, {}))
    if template.drops_newline:
        spans = _without_newline(spans)
    spans = [one for one in spans if one.text or one.kind in ("value", "gate")]
    if "".join(span.text for span in spans) != text:
        raise OriginError(
            f"flow {flow.name!r}, section {section.name!r}: the origins do not join to its text; "
            f"{template.place} is read in two ways, which is a fault to report"
        )
    return spans


def _without_newline(spans: list[Span]) -> list[Span]:
    for number in range(len(spans) - 1, -1, -1):
        if spans[number].text:
            last = spans[number]
            cut = replace(last, text=last.text.removesuffix("\n"))
            return [*spans[:number], cut, *spans[number + 1 :]]
    return spans


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a checked syntax tree as the compiled template does, and says where text comes from."""

    flow: "PromptFlow"
    section: Section
    template: Template

    def read(
        self, body: list[nodes.Node], values: Mapping[str, Any], roots: Mapping[str, str]
    ) -> Iterator[Span]:
        """Yield the spans of a body; `roots` names the variable behind each loop's own name."""
        for node in body:
            match node:
                case nodes.Output():
                    spans = [self._part(part, values, roots) for part in node.nodes]
                    yield from (one for one in spans if one.text or one.kind == "value")
                case nodes.Block():
                    yield self._slot(node)
                case nodes.If(test=nodes.Name(name=gate)):
                    yield self._span("", "gate", gate, node.lineno, gate)
                    yield from self.read(node.body if values[gate] else node.else_, values, roots)
                case nodes.For():
                    yield from self._loop(node, values, roots)

    def _loop(
        self, node: nodes.For, values: Mapping[str, Any], roots: Mapping[str, str]
    ) -> Iterator[Span]:
        written, root, items = self._value(node.iter, values, roots)
        yield self._span("", "value", written, node.lineno, root)
        for item in items:
            if isinstance(node.target, nodes.Name):
                bound = {node.target.name: item}
            else:
                names = [name.name for name in node.target.find_all(nodes.Name)]
                bound = dict(zip(names, item, strict=True))
            inner = dict(roots) | dict.fromkeys(bound, root)
            yield from self.read(node.body, dict(values) | bound, inner)

    def _part(self, part: nodes.Node, values: Mapping[str, Any], roots: Mapping[str, str]) -> Span:
        if isinstance(part, nodes.TemplateData):
            return self._span(part.data, "template", "", part.lineno, None)
        written, root, value = self._value(part, values, roots)
        return self._span(self.flow.escape(value), "value", written, part.lineno, root)

    def _value(
        self, node: nodes.Node, values: Mapping[str, Any], roots: Mapping[str, str]
    ) -> tuple[str, str, Any]:
        """Return what an expression is written as, the variable at its root, and its value."""
        if isinstance(node, nodes.Getattr):
            written, root, owner = self._value(node.node, values, roots)
            # Jinja falls back to the item, for a mapping.
            found = getattr(owner, node.attr) if hasattr(owner, node.attr) else owner[node.attr]
            return f"{written}.{node.attr}", root, found
        assert isinstance(node, nodes.Name)
        return node.name, roots.get(node.name, node.name), values[node.name]

    def _slot(self, node: nodes.Block) -> Span:
        default = self.template.slots[node.name]
        text = self.flow.pack.slot(self.section.name, node.name, default)
        data = "".join(one.data for one in node.find_all(nodes.TemplateData))
        newline = "\n" if data.endswith("\n") else ""
        return self._span(text + newline, "slot", node.name, node.lineno, None)

    def _span(self, text: str, kind: SpanKind, source: str, line: int, root: str | None) -> Span:
        signals = _signals(self.flow, root) if root is not None else ()
        return Span(0, 0, text, kind, source, f"{self.template.place}:{line}", signals)
