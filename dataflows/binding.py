"""Binds declared sections, gates and facts to the nodes of one flow, and checks each of them."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..inputs.errors import (
    FlowError,
    GateError,
    MissingNodeError,
    NameClashError,
    OrderError,
    TemplateError,
)
from ..inputs.signals import Leaf, plain_type
from ..sections.declare import Fact, Frame, Gate, Section
from ..sections.packs import TextPack, section_template, section_text
from ..sections.templates import check_variables
from .assembly import Assembly
from .escape import Escape
from .graph import Kind, Node
from .node_functions import (
    block_function,
    block_node,
    fingerprint_function,
    fingerprint_node,
    listed_texts,
    section_function,
    text_node,
    tools_fingerprint,
)
from .order import Block, Wrap, alternatives, positions, wraps_of
from .transient import Transient, bundle_node, declared_fragment, fragment_node, reserved_tags


class Binding:
    """Makes the nodes of one flow under one text pack.

    Args:
        flow: The flow's name, for messages.
        blocks: The order.
        declared: The facts and gates that parameters may name.
        signals: The signals that parameters may name.
        pack: Fills the slots.
        transient: The turn context, when there is one.
    """

    def __init__(
        self,
        flow: str,
        blocks: tuple[Block, ...],
        declared: Mapping[str, Fact[..., Any]],
        signals: Mapping[str, Leaf],
        pack: TextPack,
        transient: Transient | None = None,
    ) -> None:
        self.flow = flow
        self.blocks = blocks
        self.declared = declared
        self.signals = signals
        self.pack = pack
        self.transient = transient
        self.positions = tuple(positions(blocks))
        tags = {wrap.tag for wrap in wraps_of(blocks) if isinstance(wrap, Wrap) and wrap.tag}
        tags |= reserved_tags(transient)
        self.escape = Escape(tags)
        self.escape_touching = Escape(tags, touching=True)
        self.gates: dict[str, tuple[Gate[...], ...]] = {}
        self.frames: dict[str, Wrap] = {}

    def nodes(self) -> Iterator[Node]:
        """Yield every node that the flow may need, in no particular order."""
        fragments = self.transient.fragments if self.transient else ()
        listed = (p.place.section.name for p in self.positions)
        self.pack.check({*listed, *self._frames(), *(one.name for one in fragments)})
        for one in self.declared.values():
            yield self.fact_node(one)
        for position in self.positions:
            section = position.place.section
            above = self.gates[position.parent.section.name] if position.parent else ()
            self.gates[section.name] = tuple(dict.fromkeys((*above, *section.gates)))
            yield self._section_node(section, self.gates[section.name])
        self._prove_alternatives()
        yield from self._block_nodes()
        if self.transient:
            yield from self._transient_nodes(self.transient)

    def _transient_nodes(self, transient: Transient) -> Iterator[Node]:
        for one in transient.fragments:
            self.gates[one.name] = one.section.gates
            # The bundle defuses the texts of fragments, so they come to it as they are.
            listed = one.section.function if one.section.many else None
            node = self._section_node(one.section, one.section.gates, listed)
            if one.section.many:
                yield replace(node, name=fragment_node(one), kind="fragment")
            else:
                yield node
                yield declared_fragment(one, node.name)
        yield bundle_node(transient)

    def fact_node(self, one: Fact[..., Any], kind: Kind | None = None) -> Node:
        """Return the node of a fact or gate, its types checked."""
        parameters, result = self._signature(one.function, one.place)
        if isinstance(one, Gate):
            if result is not bool:
                raise GateError(
                    f"flow {self.flow!r}: {one.place}: gate {one.name!r} returns {_shown(result)}; "
                    "a gate returns bool"
                )
            if not one.doc.startswith("Open when"):
                raise GateError(
                    f"flow {self.flow!r}: {one.place}: the docstring of gate {one.name!r} begins "
                    f"{one.doc[:20]!r}; begin it 'Open when', and say all of it"
                )
        name = kind or ("gate" if isinstance(one, Gate) else "fact")
        return Node(one.name, name, one.function, parameters, one.place)

    def check_order(self, all_of: Iterable[ModuleType]) -> None:
        """Raise where a section stands twice, or one of the given modules stands nowhere.

        Raises:
            OrderError: It names the section and the blocks, or where the section is written.
        """
        seen: dict[str, str] = {}
        for position in self.positions:
            section = position.place.section
            if section.name in seen:
                raise OrderError(
                    f"flow {self.flow!r}: section {section.name!r} stands in block "
                    f"{seen[section.name]!r} and again in block {position.block.name!r}; "
                    "take one of the places away"
                )
            seen[section.name] = position.block.name
            if section.many and (position.place.wrap or position.place.parts):
                raise OrderError(
                    f"flow {self.flow!r}: section {section.name!r} is a list of texts and takes no "
                    "wrapper and no parts; put it into a group(..., wrap=...)"
                )
        for module in all_of:
            for one in vars(module).values():
                if isinstance(one, Section) and one.name not in seen:
                    raise OrderError(
                        f"flow {self.flow!r}: {one.place}: section {one.name!r} stands nowhere in "
                        "the order; put it into the list of blocks where it should be read"
                    )

    def _signature(self, function: Callable[..., Any], place: str) -> tuple[tuple[str, ...], Any]:
        """Return a function's parameters and result type, its signal types checked."""
        try:
            hints = get_type_hints(function)
        except NameError as error:
            raise FlowError(
                f"flow {self.flow!r}: {place}: {error}; import it in the module"
            ) from None
        names = tuple(inspect.signature(function).parameters)
        for name in names:
            if name not in hints:
                raise FlowError(
                    f"flow {self.flow!r}: {place}: parameter {name!r} has no type; write one"
                )
            self._check_type(name, plain_type(hints[name]), place)
        return names, hints.get("return", inspect.Signature.empty)

    def _check_type(self, name: str, declared: Any, place: str) -> None:
        if name in self.signals:
            what, given = f"the signal {self.signals[name].dotted!r}", self.signals[name].type
        elif name in self.declared:
            hints = get_type_hints(self.declared[name].function)
            what, given = f"the node {name!r}", plain_type(hints.get("return"))
        else:
            return
        if declared != given:
            raise FlowError(
                f"flow {self.flow!r}: {place}: parameter {name!r} is declared {_shown(declared)}, "
                f"{what} is {_shown(given)}; declare it so"
            )

    def _section_node(
        self, section: Section, gates: tuple[Gate[...], ...], listed: Any = None
    ) -> Node:
        for one in gates:
            if self.declared.get(one.name) is not one:
                raise MissingNodeError(
                    f"flow {self.flow!r}: {section.place}: gate {one.name!r} of section "
                    f"{section.name!r} is not among the flow's facts; pass its module in facts="
                )
        names, result = self._signature(section.function, section.place)
        if section.many:
            make: Any = listed or listed_texts(section.function, self.escape_touching)
            empty: Any = ()
        else:
            if result not in (None, type(None)):
                raise FlowError(
                    f"flow {self.flow!r}: {section.place}: section {section.name!r} returns "
                    f"{_shown(result)}; a section has no body and returns None: compute in a fact"
                )
            template = section_template(section, self.pack)
            known_gates = frozenset(
                name for name, one in self.declared.items() if isinstance(one, Gate)
            )
            check_variables(template, frozenset(names), known_gates, section.name)
            escape = self.escape_touching if template.touching else self.escape
            make = section_text(section, template, self.pack, escape)
            empty = ""
        function = section_function(section, names, gates, make, empty)
        parameters = tuple(inspect.signature(function).parameters)
        return Node(text_node(section), "section", function, parameters, section.place)

    def _prove_alternatives(self) -> None:
        for one in alternatives(self.blocks):
            names = [spot.section.name for spot in one.places]
            gates = [spot.section.gates for spot in one.places]
            choice = self._choice(gates, names)
            for value in get_args(get_type_hints(choice.function)["return"]):
                opened = [
                    name for name, (only,) in zip(names, gates, strict=True) if only.function(value)
                ]
                if len(opened) != 1:
                    raise OrderError(
                        f"flow {self.flow!r}: one_of({', '.join(names)}): for {choice.name} = "
                        f"{value!r} the open ones are {opened}; exactly one must be"
                    )

    def _choice(self, gates: list[tuple[Gate[...], ...]], names: list[str]) -> Fact[..., Any]:
        """Return the one fact of a Literal type that all gates of the alternatives ask."""
        asked = {tuple(inspect.signature(one.function).parameters) for own in gates for one in own}
        if all(len(own) == 1 for own in gates) and len(asked) == 1 and len(next(iter(asked))) == 1:
            choice = self.declared.get(next(iter(asked))[0])
            if choice and get_origin(get_type_hints(choice.function)["return"]) is Literal:
                return choice
        raise OrderError(
            f"flow {self.flow!r}: one_of({', '.join(names)}): each alternative takes one gate, and "
            "all gates ask one and the same fact of a Literal type, which names the choice"
        )

    def _frames(self) -> dict[str, Frame]:
        found: dict[str, Frame] = {}
        for wrap in wraps_of(self.blocks):
            if isinstance(wrap, Frame) and found.setdefault(wrap.name, wrap) is not wrap:
                raise NameClashError(
                    f"flow {self.flow!r}: {found[wrap.name].place} and {wrap.place} both declare a "
                    f"frame {wrap.name!r}; rename one of them"
                )
        return found

    def _block_nodes(self) -> Iterator[Node]:
        self.frames = {name: self._frame_wrap(one) for name, one in self._frames().items()}
        yield Node("tools_fingerprint", "fingerprint", tools_fingerprint, ("tools",), "promptdag")
        previous = "tools_fingerprint"
        for block in self.blocks:
            names = tuple(text_node(p.place.section) for p in self.positions if p.block is block)
            assembly = Assembly(block.content, self.frames)
            name = block_node(block.name)
            yield Node(name, "block", block_function(name, names, assembly), names, "the order")
            own = fingerprint_node(block.name)
            function = fingerprint_function(own, previous, name, block)
            yield Node(own, "fingerprint", function, (previous, name), "the order")
            previous = own

    def _frame_wrap(self, one: Frame) -> Wrap:
        template = section_template(one, self.pack)
        check_variables(template, frozenset({"content"}), frozenset(), one.name)
        render = section_text(one, template, self.pack, str)
        around = str(render(content="\0") if callable(render) else render).split("\0")
        if len(around) != 2:
            raise TemplateError(
                f"{template.place}: frame {one.name!r} holds {{{{ content }}}} {len(around) - 1} "
                "times; it holds it once"
            )
        return Wrap(*around)


def _shown(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
