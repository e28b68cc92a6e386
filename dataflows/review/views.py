"""What a review knows of a flow, as plain data: it travels between processes and as a file.

Nothing here needs the engine, so that an older one can fill it.
"""

import json
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """The base of all views: frozen, and with nothing in it that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SectionView(View):
    """A section as it is declared and placed; see `CatalogueRow` for what the names mean.

    Attributes:
        node: The node of its text.
        theme: The last name of the module that declares it.
        template: The source of its template; of a list, the code that computes it.
    """

    name: str
    node: str
    order: int
    block: str
    target: str
    cache: str
    tier: str
    theme: str
    parent: str | None
    doc: str
    gates: tuple[str, ...]
    signals: tuple[str, ...]
    template: str
    place: str


class FunctionView(View):
    """A gate or a fact.

    Attributes:
        words: Its docstring.
        code: Its source, as it is written.
        signals: The signals that reach it, by their dotted names.
    """

    name: str
    kind: Literal["gate", "fact"]
    words: str
    code: str
    place: str
    signals: tuple[str, ...]


class BlockView(View):
    """A block of the order, with its cache mark in words; empty without one."""

    name: str
    target: str
    mark: str


class SignalView(View):
    """A signal: its node, its dotted name, its tier, and why it drifts (empty if it does not)."""

    name: str
    dotted: str
    tier: str
    drifts: str
    doc: str


class ShownSection(View):
    """An open section in one scenario.

    Attributes:
        name: The section's name; for a text that the caller added, the caller's.
        section: The section that declares its place.
        text: Its text without glue and wrappers.
        start: Where it starts, glue included, in UTF-8 bytes of the block texts one after another;
            `None` for a fragment of the turn, whose text is that before the fit.
        tokens: The tokens of its text, glue included.
    """

    name: str
    section: str
    text: str
    start: int | None
    tokens: int


class ShownBlock(View):
    """A block in one scenario; `marked` tells whether it carries a cache mark."""

    name: str
    text: str
    marked: bool


class CostView(View):
    """What one request costs in USD: when it writes the cache (cold), when it reads it (warm).

    Of its tokens the provider caches `cached_tokens`.
    """

    model: str
    prices_date: str
    cold_usd: float
    warm_usd: float
    cached_tokens: int


class ScenarioView(View):
    """What one set of signals makes of a flow.

    Attributes:
        signals: Session and turn signals in one mapping.
        origin: Where the set comes from, in words.
        dropped: Signals that this flow does not know, which were left out.
        refused: Why there is no prompt; empty when there is one.
        tools: The tool table as the wire has it; empty without tools.
    """

    name: str
    signals: dict[str, Any]
    origin: str = ""
    dropped: tuple[str, ...] = ()
    refused: str = ""
    fingerprint: str = ""
    tools: str = ""
    blocks: tuple[ShownBlock, ...] = ()
    sections: tuple[ShownSection, ...] = ()
    open_gates: tuple[str, ...] = ()
    closed_gates: tuple[str, ...] = ()
    cost: CostView | None = None

    @property
    def tokens(self) -> int:
        """The tokens of all sections; fragments of the turn are no part of the prefix."""
        return sum(one.tokens for one in self.sections if one.start is not None)


class Outcome(View):
    """What one tried input gave: which gates and sections are open.

    Attributes:
        sections: The open sections, each with a short hash of its text.
        refused: Whether the flow refuses the input.
    """

    signals: dict[str, Any]
    open_gates: tuple[str, ...] = ()
    sections: dict[str, str] = {}
    refused: bool = False


class Snapshot(View):
    """A flow at one time, over some scenarios.

    Attributes:
        format: The number of this form; a file of another one is refused.
        label: Which time: a revision, `work tree`, a flow's name.
        edges: Names of nodes and signals: the first is needed by the second.
        inputs_made: Whether the flow's own inputs were tried beside the given ones.
    """

    format: Literal[1] = 1
    flow: str
    label: str
    doc: str
    sections: tuple[SectionView, ...]
    functions: tuple[FunctionView, ...]
    blocks: tuple[BlockView, ...]
    signals: tuple[SignalView, ...]
    edges: tuple[tuple[str, str], ...]
    scenarios: tuple[ScenarioView, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    inputs_made: bool = True

    @cached_property
    def _needs(self) -> dict[str, list[str]]:
        needs: dict[str, list[str]] = {}
        for source, target in self.edges:
            needs.setdefault(target, []).append(source)
        return needs

    def above(self, node: str) -> set[str]:
        """Return all that a node needs, at any distance."""
        found: set[str] = set()
        waiting = [node]
        while waiting:
            new = [one for one in self._needs.get(waiting.pop(), ()) if one not in found]
            found.update(new)
            waiting += new
        return found

    def to_json(self) -> str:
        """Return the snapshot as JSON in ASCII: signals may hold half a character."""
        return json.dumps(self.model_dump(mode="json"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the snapshot that a JSON text holds.

        Raises:
            ValueError: It is no JSON, or (as `pydantic.ValidationError`) no snapshot.
        """
        return cls.model_validate(json.loads(text))


class Request(View):
    """What is asked of a flow that lives in another process.

    Attributes:
        reference: `module:function` of the flow's builder.
        label: For the snapshot.
        texts: The text pack.
        scenarios: Signals by scenario.
        origins: Where each scenario comes from.
        inputs: Signals to try.
        make_inputs: Whether the flow makes inputs of its own, too.
        model: The model whose price holds.
        prices: The provider table, so that both sides count with one.
    """

    reference: str
    label: str
    texts: str = "default"
    scenarios: dict[str, dict[str, Any]] = {}
    origins: dict[str, str] = {}
    inputs: tuple[dict[str, Any], ...] = ()
    make_inputs: bool = False
    model: str = ""
    prices: dict[str, Any] = {}
