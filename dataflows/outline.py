"""A flow's prompt without a session: each value stands as `{{ name }}`, as in its template."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from ..inputs.errors import UnknownNameError, did_you_mean
from ..inputs.tokens import TokenCounter, default_counter
from ..sections.declare import Named, Section
from ..sections.packs import section_template
from ..sections.templates import Template
from .flow import PromptFlow
from .manifest import section_rows
from .node_functions import text_node
from .overridden import change_of
from .overrides import Override

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One section of an outline.

    Attributes:
        order: The position, counted from 1.
        name: The section's name.
        block: The block that it stands in.
        tier: How often it can change.
        gate: The gates that open it, joined by ` and `, or `None`.
        values: The signals and facts that it shows, by the names of their nodes.
        tokens: Its tokens, glue and placeholders included.
        characters: Its characters.
        bytes: Its bytes in UTF-8.
        text: Its text, glue included; empty where a gate is closed.
    """

    order: int
    name: str
    block: str
    tier: str
    gate: str | None
    values: tuple[str, ...]
    tokens: int
    characters: int
    bytes: int
    text: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A prompt with placeholders, and the size of each section.

    Attributes:
        flow: The flow's name.
        texts: The name of the text pack.
        closed: The gates that are closed in it, set so by overrides too; all others are open.
        rows: The sections in reading order, closed ones included.
    """

    flow: str
    texts: str
    closed: tuple[str, ...]
    rows: tuple[OutlineRow, ...]

    @property
    def text(self) -> str:
        """The block texts one after another."""
        return "".join(row.text for row in self.rows)

    @property
    def total(self) -> dict[str, int]:
        """The sums of `tokens`, `characters` and `bytes`."""
        return {
            size: sum(getattr(row, size) for row in self.rows)
            for size in ("tokens", "characters", "bytes")
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the outline as plain data for JSON, with the sums under `total`."""
        rows = [asdict(row) for row in self.rows]
        head = {"flow": self.flow, "texts": self.texts, "closed": list(self.closed)}
        return head | {"total": self.total, "sections": rows}

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a table, indexed by `order`; the columns are `OutlineRow`'s fields."""
        import pandas as pd

        return pd.DataFrame([asdict(row) for row in self.rows]).set_index("order")


def outline(
    flow: PromptFlow, *, closed: Iterable[str] = (), counter: TokenCounter | None = None
) -> Outline:
    """Return the blocks of a flow with placeholders, in the glue and wrappers of its order.

    A loop is shown once, and a list of texts as one placeholder. All gates are open, so of
    alternatives all are shown; close those that are not meant.

    Args:
        flow: The flow, with its overrides and its text pack.
        closed: Gates that are closed.
        counter: Counts tokens; `None` for the exact offline counter.

    Raises:
        UnknownNameError: The flow has no such gate; it names the nearest.
    """
    shut = _closed_gates(flow, tuple(closed))
    texts = {
        text_node(p.place.section): _section_text(flow, p.place.section, shut)
        for p in flow.positions
    }

    def written(name: str) -> Any:
        node = flow.graph.nodes[name]
        return node.function(**{one: texts[one] for one in node.parameters})

    count = (counter or default_counter()).count
    values = {p.place.section.name: _values(flow, p.place.section) for p in flow.positions}
    rows = tuple(
        OutlineRow(
            row.order,
            row.name,
            row.block,
            row.tier,
            row.gate,
            values[row.name],
            count(row.text),
            len(row.text),
            row.end - row.start,
            row.text,
        )
        for row in section_rows(flow, written)
    )
    return Outline(flow.name, flow.texts, shut, rows)


def _closed_gates(flow: PromptFlow, closed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the given gates, and those that an override has set to be closed."""
    gates = {node.name: node for node in flow.graph.nodes.values() if node.kind == "gate"}
    for name in closed:
        if name not in gates:
            raise UnknownNameError(
                f"flow {flow.name!r}: no gate {name!r}{did_you_mean(name, gates)}"
            )
    fixed = (one.name for one in gates.values() if not one.parameters and not one.function())
    return tuple(dict.fromkeys((*closed, *fixed)))


def _values(flow: PromptFlow, section: Section) -> tuple[str, ...]:
    parameters = flow.graph.nodes[text_node(section)].parameters
    kinds = {name: node.kind for name, node in flow.graph.nodes.items()}
    return tuple(name for name in parameters if kinds.get(name) != "gate")


def _section_text(flow: PromptFlow, section: Section, closed: tuple[str, ...]) -> Any:
    """Return what a section's node would give, with placeholders."""
    node = flow.graph.nodes[text_node(section)]
    if not node.parameters:
        return node.function()
    asked = {gate.name for gate in flow.gates_of(section.name)} & set(node.parameters)
    if not asked.isdisjoint(closed):
        return () if section.many else ""
    if section.many:
        return (Named(section.name, _placeholder(section.name)),)
    template = section_template(section, flow.pack)
    text = "".join(_filled(flow, section, template, template.tree.body, closed))
    text = text.removesuffix("\n") if template.drops_newline else text
    for one in flow.overrides:
        if one.name == section.name:
            text = _overridden(one, text)
    return "" if text.isspace() and not section.keep_blank else text


def _placeholder(name: str) -> str:
    return f"{{{{ {name} }}}}"


def _filled(
    flow: PromptFlow,
    section: Section,
    template: Template,
    body: list[nodes.Node],
    closed: tuple[str, ...],
) -> Iterator[str]:
    for node in body:
        match node:
            case nodes.Output():
                for part in node.nodes:
                    yield (
                        part.data
                        if isinstance(part, nodes.TemplateData)
                        else _placeholder(_written(part))
                    )
            case nodes.Block():
                data = "".join(one.data for one in node.find_all(nodes.TemplateData))
                yield flow.pack.slot(section.name, node.name, template.slots[node.name])
                yield "\n" * data.endswith("\n")
            case nodes.If(test=nodes.Name(name=gate)):
                inner = node.else_ if gate in closed else node.body
                yield from _filled(flow, section, template, inner, closed)
            case nodes.For():
                yield from _filled(flow, section, template, node.body, closed)


def _written(node: nodes.Node) -> str:
    if isinstance(node, nodes.Getattr):
        return f"{_written(node.node)}.{node.attr}"
    assert isinstance(node, nodes.Name)
    return node.name


def _overridden(one: Override, text: str) -> str:
    match one.kind:
        case "replace":
            return str(one.content)
        case "prepend" | "append" | "transform" if text:
            return str(change_of(one)(text))
    return text
