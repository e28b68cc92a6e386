"""How a flow is declared, as views: sections, fragments, gates, facts, blocks, signals, edges."""

import inspect
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from .views import BlockView, FunctionView, SectionView, SignalView

if TYPE_CHECKING:
    from ...sections.declare import FragmentSection, Section
    from ..flow import PromptFlow

TURN = "turn context"
"""The block and the target that fragments are told under; they stand in no block."""


def section_views(flow: "PromptFlow") -> Iterator[SectionView]:
    """Yield the sections in the order of the prompt, then the fragments of the turn."""
    for order, position in enumerate(flow.positions, start=1):
        section = position.place.section
        yield _section_view(
            flow,
            section,
            name=section.name,
            node=f"{section.name}_text",
            order=order,
            block=position.block.name,
            target=position.block.target,
            cache=position.place.cache or position.block.cache,
            parent=position.parent.section.name if position.parent else None,
            gates=tuple(one.name for one in flow.gates_of(section.name)),
        )
    for order, one in enumerate(fragments(flow), start=1):
        yield _section_view(
            flow,
            one.section,
            name=one.id or one.name,
            node=fragment_node(one),
            order=order,
            block=TURN,
            target=TURN,
            cache="never",
            parent=None,
            gates=tuple(gate.name for gate in one.section.gates),
        )


def _section_view(
    flow: "PromptFlow", section: "Section", *, node: str, **given: Any
) -> SectionView:
    return SectionView(
        node=node,
        tier=flow.graph.tier(node),
        theme=section.function.__module__.rsplit(".", 1)[-1],
        doc=" ".join(section.doc.split()),
        signals=_signals(flow, node),
        template=_template(section),
        place=section.place,
        **given,
    )


def fragments(flow: "PromptFlow") -> tuple["FragmentSection", ...]:
    """Return the fragments of a flow's turn; an older engine has none."""
    turn = getattr(flow, "transient", None)
    return turn.fragments if turn else ()


def fragment_node(one: "FragmentSection") -> str:
    """Return the name of a fragment's node."""
    return f"{one.name}_fragment"


def _template(section: Any) -> str:
    """Return what a section's text is written in: its template, or the code of a list."""
    if section.many:
        return _source(section.function)
    if section.text is not None:
        return str(section.text)
    path = section.folder / "texts" / f"{section.name}.md.j2"
    return str(path.read_text(encoding="utf-8"))


def _source(function: Any) -> str:
    try:
        return dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
    except (OSError, TypeError):
        return ""  # typed at a prompt: there is no file that holds it


def function_views(flow: "PromptFlow") -> Iterator[FunctionView]:
    """Yield the gates and facts, each behind what it needs."""
    for name, node in flow.graph.nodes.items():
        if node.kind in ("gate", "fact"):
            yield FunctionView(
                name=name,
                kind="gate" if node.kind == "gate" else "fact",
                words=" ".join((inspect.getdoc(node.function) or "").split()),
                code=_source(node.function),
                place=node.place,
                signals=_signals(flow, name),
            )


def _signals(flow: "PromptFlow", node: str) -> tuple[str, ...]:
    return tuple(flow.graph.signals[name].dotted for name in flow.graph.signals_of(node))


def block_views(flow: "PromptFlow") -> Iterator[BlockView]:
    """Yield the blocks in their order."""
    for one in flow.blocks:
        yield BlockView(name=one.name, target=one.target, mark=_mark(one.cache_control))


def _mark(control: Mapping[str, str] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (control or {}).items())


def signal_views(flow: "PromptFlow") -> Iterator[SignalView]:
    """Yield the signals, those of a session first."""
    for name, leaf in flow.graph.signals.items():
        yield SignalView(
            name=name,
            dotted=leaf.dotted,
            tier=flow.graph.tier(name),
            drifts=leaf.drifts or "",
            doc=" ".join((leaf.doc or "").split()),
        )


def edges(flow: "PromptFlow") -> Iterator[tuple[str, str]]:
    """Yield what needs what, sources in front of their targets."""
    for name, node in flow.graph.nodes.items():
        for source in node.parameters:
            yield source, name
