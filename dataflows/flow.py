"""The engine: a flow is built once in a process, and proves what it promises while it is built."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import create_model

from ..inputs.errors import OrderError, ReadError
from ..inputs.findings import Found
from ..inputs.signals import SessionSignals, Signals, TurnSignals, leaves
from ..sections.declare import Fact, Gate
from ..sections.packs import Texts, text_pack
from .binding import Binding
from .declared_facts import declared_facts
from .graph import Graph, build_graph, prove_stable
from .mark_order import check_mark_order
from .node_functions import block_node, fingerprint_node
from .order import Block, positions
from .overrides import REPLACE_ALL
from .plans import compiled, flow_driver
from .prompt import Prompt
from .session import Session
from .transient import BUNDLE, Transient
from .update import loaded
from .validation import part_of, validated

if TYPE_CHECKING:
    import pandas as pd

    from .lint.own_rules import FlowRule
    from .overrides import Override
    from .pictures import Picture


class Reader(Protocol):
    """Fills a flow's signals from a real folder."""

    def __call__(self, directory: Path, *, trusted: bool) -> Found[dict[str, Any]]:
        """Return signals by name, and what was found wrong or left out."""
        ...


Original = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Turns a call of the original system into signals."""


class PromptFlow:
    """One dataflow: signals, sections, order, blocks and the turn side.

    Building it proves that no turn signal reaches a block, that there is no cycle and no clash of
    names, that every template fits its section and every gate says when it opens.

    Args:
        name: The flow's name.
        blocks: The order: what the system prompt is, read from the top.
        session: The model of the session signals.
        turn: The model of the turn signals.
        facts: Modules and facts that parameters may name, beside what the sections' modules hold.
        also: Facts that are nodes although no section needs them, so that they can be asked for.
        instead: Modules whose facts stand in place of the declared ones of the same names.
        all_of: Modules whose every section must stand in the order.
        transient: The turn context that is fitted into a budget; its node is `bundle`.
        messages: The fact that composes the turn's messages from blocks, bundle and turn signals.
        texts: The text pack: `default`, `skeleton`, a folder, or a pack.
        buckets: Targets with cache hints in the order in which a whole prompt lists its sections;
            without them it lists them as the wire has them.
        reader: Fills signals from a real folder; see `gather`.
        original: Turns the arguments of the original system's own function into signals, for
            `compose`; what is in our form already it returns as it is.
        lint_rules: Rules of the flow's own, which `promptdag lint` asks beside the general ones.
        doc: What the flow is, in one line.

    Raises:
        FlowError: A proof fails; see `promptdag.inputs.errors` for the kinds.
    """

    def __init__(
        self,
        name: str,
        blocks: tuple[Block, ...],
        *,
        session: type[SessionSignals] = SessionSignals,
        turn: type[TurnSignals] = TurnSignals,
        facts: Iterable[ModuleType | Fact[..., Any]] = (),
        also: Iterable[Fact[..., Any]] = (),
        instead: Iterable[ModuleType] = (),
        all_of: Iterable[ModuleType] = (),
        transient: Transient | None = None,
        messages: Fact[..., list[dict[str, Any]]] | None = None,
        texts: Texts = "default",
        buckets: Iterable[tuple[str, str]] = (),
        reader: Reader | None = None,
        original: Original | None = None,
        lint_rules: Iterable["FlowRule"] = (),
        doc: str = "",
    ) -> None:
        self.name = name
        self.buckets = tuple(buckets)
        self.reader = reader
        self.original = original
        self.lint_rules = tuple(lint_rules)
        self.transient = transient
        self.blocks = blocks
        self.session_model = session
        self.turn_model = turn
        self.doc = doc
        self.messages_node = messages.name if messages is not None else None
        asked = tuple(also)
        if not blocks:
            raise OrderError(f"flow {name!r}: there is no block; give at least one block(...)")
        check_mark_order(name, blocks)
        self.pack = pack = text_pack(texts)
        self.texts = pack.name
        self.overrides: tuple[Override, ...] = ()
        self.base = self
        signals = (*leaves(session), *leaves(turn, turn=True))
        binding = Binding(
            name,
            blocks,
            declared_facts(name, self._functions(messages), (*facts, *asked), instead, messages),
            {leaf.name: leaf for leaf in signals},
            pack,
            transient,
        )
        binding.check_order(all_of)
        nodes = list(binding.nodes())
        roots = [fingerprint_node(block.name) for block in blocks]
        if transient is not None:
            roots.append(BUNDLE)
        if messages is not None:
            nodes.append(binding.fact_node(messages, "message"))
            roots.append(messages.name)
        roots += [one.name for one in asked]
        self.roots = tuple(roots)
        self.positions = binding.positions
        self.escape = binding.escape
        self.frames, self._gates = binding.frames, binding.gates
        self._take(build_graph(name, nodes, signals, roots))
        self.last_fingerprint = roots[len(blocks) - 1]
        self._compile()

    def _functions(self, messages: Fact[..., Any] | None) -> Iterator[Callable[..., Any]]:
        """Yield the functions of sections, fragments and messages, whose modules hold facts."""
        for position in positions(self.blocks):
            yield position.place.section.function
        for fragment in self.transient.fragments if self.transient else ():
            yield fragment.section.function
        if messages is not None:
            yield messages.function

    def _take(self, graph: Graph) -> None:
        """Take a graph as this flow's own, once it is proven."""
        prove_stable(graph, {block_node(block.name): block.name for block in self.blocks})
        self.graph = graph

    def with_overrides(self, *overrides: "Override") -> "PromptFlow":
        """Return this flow with sections or nodes overridden; see `promptdag.dataflows.overrides`.

        The nodes themselves are replaced, so plan, driver, lineage and drawing agree. `base` of
        the new flow is the flow without any override.

        Args:
            overrides: Applied in this order, behind those that the flow has already.

        Raises:
            UnknownNameError: An override names no section or node; it names the nearest.
            OverrideError: An override cannot be applied to what it names.
        """
        from .overridden import overridden_blocks, overridden_graph

        other = copy(self)
        other.blocks = overridden_blocks(self, overrides)
        other.positions = tuple(positions(other.blocks))
        other._take(overridden_graph(other, overrides))
        other.overrides = (*self.overrides, *overrides)
        other._compile()
        return other

    def _compile(self) -> None:
        """Build Hamilton's driver, and from its graph the plans of the hot path."""
        fingerprints = [fingerprint_node(block.name) for block in self.blocks]
        self.driver = flow_driver(self.graph, fingerprints)
        plans = compiled(self.graph, self.driver)
        self.session_index, self.turn_index = plans.session_index, plans.turn_index
        self.session_steps = plans.session_steps
        self._session_plan, self.turn_plan = plans.session, plans.turn
        self.messages_index = self.turn_index.get(self.messages_node or "")

    @cached_property
    def signals_model(self) -> type[Signals]:
        """The model that takes session and turn signals together."""
        return create_model(f"{self.name}_signals", __base__=(self.turn_model, self.session_model))

    def bucket(self, target: str, cache: str) -> int:
        """Return where sections of a target and cache hint are listed; 0 without buckets."""
        return self.buckets.index((target, cache)) if self.buckets else 0

    def gates_of(self, section: str) -> tuple[Gate[...], ...]:
        """Return the gates that open a section, those of the section around it first."""
        return () if section == REPLACE_ALL else self._gates[section]

    def session(self, **signals: Any) -> Session:
        """Validate session signals and compose the stable part.

        Raises:
            pydantic.ValidationError: Lists every signal that is unknown, missing or of a wrong
                type.
            NodeError: A node failed.
        """
        fixed = validated(self.session_model, signals)
        return Session(self, fixed, self._session_plan(fixed))

    def compose(self, signals: Mapping[str, Any]) -> Prompt:
        """Compose one prompt from session and turn signals in one mapping.

        Raises:
            pydantic.ValidationError: Lists every signal that is unknown, missing or of a wrong
                type.
            NodeError: A node failed.
        """
        given = self.original(signals) if self.original else signals
        together = validated(self.signals_model, dict(given))
        fixed, turn = part_of(together, self.session_model), part_of(together, self.turn_model)
        session = Session(self, fixed, self._session_plan(fixed))
        return Prompt(session, self.turn_plan(fixed, session.values, turn), turn)

    def load(self, saved: str) -> Session:
        """Return a session from what `Session.save` gave; its `change` says what differs.

        To compare with the world as it is now, read the signals again and call `update`.

        Raises:
            ReadError: It is no saved session.
            UnknownNameError: It was saved by another flow.
            pydantic.ValidationError: Its signals no longer fit the flow.
        """
        return loaded(self, saved)

    def gather(self, directory: Path, *, trusted: bool = True) -> Found[dict[str, Any]]:
        """Read signals from a real folder.

        Args:
            directory: The folder that the agent would work in.
            trusted: Whether the caller vouches for the folder; what could run code of a stranger's
                repository is read only then.

        Raises:
            ReadError: The flow has no reader.
        """
        if self.reader is None:
            raise ReadError(f"flow {self.name!r} reads no folders; give its signals in a file")
        return self.reader(directory, trusted=trusted)

    def inputs(self, **signals: Any) -> dict[str, Any]:
        """Return validated signals as inputs for `driver.execute`."""
        together = validated(self.signals_model, signals)
        needed = self.driver.graph.nodes
        leaves = self.graph.signals.items()
        return {name: leaf.value(together) for name, leaf in leaves if name in needed}

    def sections(self) -> "pd.DataFrame":
        """Return the sections as a table in reading order; the columns are `CatalogueRow`'s."""
        from .catalogue import catalogue_frame

        return catalogue_frame(self)

    def fields(
        self, signals: Mapping[str, Any] | None = None, *, reaching: str | None = None
    ) -> "pd.DataFrame":
        """Return what each signal reaches as a table; arguments and columns are those of `fields`.

        Raises:
            UnknownNameError: `reaching` names nothing.
            pydantic.ValidationError: The signals are wrong.
        """
        from .fields import fields

        return fields(self, signals, reaching=reaching).to_frame()

    def picture(self, prompt: Prompt | None = None, *, focus: str | None = None) -> "Picture":
        """Return the picture of the flow, or of what belongs to one node; see `picture_of`.

        Raises:
            UnknownNameError: The focus names nothing.
        """
        from .pictures import picture_of

        return picture_of(self, prompt, focus=focus)

    def _repr_html_(self) -> str:
        from .displays import flow_html  # only in notebooks

        return flow_html(self)

    def __repr__(self) -> str:
        return f"<flow {self.name}: {len(self.positions)} sections, {len(self.blocks)} blocks>"
