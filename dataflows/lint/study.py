"""What the rules look at: a flow, the prompts that were tried, its prose and its sizes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jinja2 import nodes

from ...inputs.signals import Leaf
from ...inputs.tokens import TokenCounter
from ...sections.declare import Frame, Section
from ...sections.packs import section_template
from ..flow import PromptFlow
from ..manifest import SectionRow
from ..node_functions import fingerprint_node, text_node
from ..order import alternatives, wraps_of
from ..prompt import Prompt
from ..providers import ProviderTable, load_providers
from ..signal_space import SignalSpace, Tried


@dataclass(frozen=True, slots=True)
class Prose:
    """A run of our own prose.

    Attributes:
        section: The section or frame that it belongs to.
        where: The template with the line, and the slot where it stands in one.
        text: The text under the flow's pack.
    """

    section: str
    where: str
    text: str


@dataclass
class Study:
    """A flow and what was seen of it; rules read it and change nothing.

    Attributes:
        flow: The flow.
        space: The inputs that were tried.
        counter: Counts tokens.
        model: The model whose minimum holds, or `None` for all that are known.
        caller_marks: How many cache marks the caller adds.
        baseline: The most tokens of each section's prose, or `None` without a baseline.
        table: The providers' rules and minimum sizes.
    """

    flow: PromptFlow
    space: SignalSpace
    counter: TokenCounter
    model: str | None = None
    caller_marks: int = 0
    baseline: Mapping[str, int] | None = None
    table: ProviderTable = field(default_factory=load_providers)
    _tokens: dict[str, int] = field(default_factory=dict)

    @cached_property
    def given(self) -> tuple[Tried, ...]:
        """The inputs that the caller gave."""
        return tuple(one for one in self.space.tried if one.origin.startswith("given"))

    @cached_property
    def rows(self) -> tuple[SectionRow, ...]:
        """The manifest of the richest prompt: the first given one, else the longest."""
        return self.space.richest.prompt.manifest.sections

    @cached_property
    def stable_signals(self) -> tuple[Leaf, ...]:
        """The signals that reach the last fingerprint, tools left out."""
        graph = self.flow.graph
        reached = {
            name
            for block in self.flow.blocks
            for name in graph.upstream[fingerprint_node(block.name)]
        }
        return tuple(
            leaf for name, leaf in graph.signals.items() if name in reached and name != "tools"
        )

    def sections_of(self, signal: str) -> tuple[str, ...]:
        """Return the sections that a signal reaches, in reading order."""
        return tuple(
            position.place.section.name
            for position in self.flow.positions
            if signal in self.flow.graph.upstream[text_node(position.place.section)]
        )

    def tokens(self, text: str) -> int:
        """Return how many tokens a text counts by itself."""
        if text not in self._tokens:
            self._tokens[text] = self.counter.count(text)
        return self._tokens[text]

    def tokens_from(self, section: str) -> int:
        """Return about how many tokens of the richest prompt stand from a section's start on."""
        return self.tokens_of_rows(row for row in self.rows if row.start >= self._start(section))

    def tokens_of_rows(self, rows: Iterator[SectionRow]) -> int:
        """Return the sum of the tokens of rows, each counted by itself."""
        return sum(self.tokens(row.text) for row in rows)

    def _start(self, section: str) -> int:
        return next((row.start for row in self.rows if row.name == section), 0)

    @cached_property
    def prose(self) -> tuple[Prose, ...]:
        """Our own prose in reading order: slots, the text beside them, frames and fragments."""
        declared: list[Section | Frame] = [p.place.section for p in self.flow.positions]
        declared += dict.fromkeys(w for w in wraps_of(self.flow.blocks) if isinstance(w, Frame))
        if self.flow.transient:
            declared += [one.section for one in self.flow.transient.fragments]
        return tuple(
            run
            for one in declared
            if isinstance(one, Frame) or not one.many
            for run in _prose_of(self.flow, one)
        )

    @cached_property
    def exclusive(self) -> frozenset[frozenset[str]]:
        """The pairs of sections that never stand in one prompt, since one is open at a time."""
        groups = [
            [spot.section.name for spot in one.places] for one in alternatives(self.flow.blocks)
        ]
        return frozenset(
            frozenset((a, b)) for group in groups for a in group for b in group if a != b
        )


def _prose_of(flow: PromptFlow, declared: Section | Frame) -> Iterator[Prose]:
    template = section_template(declared, flow.pack)
    beside: list[nodes.TemplateData] = []
    for node in _runs(template.tree):
        if isinstance(node, nodes.TemplateData):
            beside.append(node)
            continue
        text = flow.pack.slot(declared.name, node.name, template.slots[node.name])
        where = f"{template.place}:{node.lineno} slot {node.name}"
        yield Prose(declared.name, where, text)
    for data in beside:
        if data.data.strip():
            yield Prose(declared.name, f"{template.place}:{data.lineno}", data.data)


def _runs(node: nodes.Node) -> Iterator[nodes.Block | nodes.TemplateData]:
    """Yield slots and the text beside them, in the order of the template."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Block | nodes.TemplateData):
            yield child
        else:
            yield from _runs(child)


def signal_texts(prompt: Prompt) -> Iterator[tuple[str, str]]:
    """Yield each session signal's dotted name with each text that its value holds."""
    for leaf in prompt.session.flow.graph.signals.values():
        if not leaf.turn:
            for text in _texts(leaf.value(prompt.session.signals)):
                yield leaf.dotted, text


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from _texts(one)
        case list() | tuple() | set() | frozenset():
            for one in value:
                yield from _texts(one)
        case _ if hasattr(value, "model_dump"):
            yield from _texts(value.model_dump())
