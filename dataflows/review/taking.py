"""Takes a snapshot of a flow.

A revision's flow is asked with its own engine, which may be older than this module: what an older
engine lacks is imported where it is used, and the snapshot says so when it is missing.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from ...inputs.errors import NodeError
from ...inputs.signals import canonical_json, canonical_tools
from ...inputs.tokens import default_counter
from .declarations import (
    block_views,
    edges,
    fragment_node,
    fragments,
    function_views,
    section_views,
    signal_views,
)
from .views import (
    CostView,
    Outcome,
    Request,
    ScenarioView,
    ShownBlock,
    ShownSection,
    Snapshot,
)

if TYPE_CHECKING:
    from ..flow import PromptFlow
    from ..prompt import Prompt

_UNKNOWN = ("unknown_signal", "extra_forbidden")
"""What an error calls a signal that a flow does not know: in our words, in pydantic's."""


def take(flow: "PromptFlow", request: Request) -> Snapshot:
    """Return a snapshot of a flow over the scenarios and inputs of a request."""
    inputs, made = _inputs(flow, request)
    return Snapshot(
        flow=flow.name,
        label=request.label,
        doc=flow.doc,
        sections=tuple(section_views(flow)),
        functions=tuple(function_views(flow)),
        blocks=tuple(block_views(flow)),
        signals=tuple(signal_views(flow)),
        edges=tuple(edges(flow)),
        scenarios=tuple(_scenarios(flow, request)),
        outcomes=tuple(_outcome(flow, one) for one in inputs),
        inputs_made=made,
    )


def _inputs(flow: "PromptFlow", request: Request) -> tuple[list[dict[str, Any]], bool]:
    """Return the inputs to try, and whether the flow's own are among them."""
    inputs = list(request.inputs)
    if not request.make_inputs:
        return inputs, True
    try:
        from ..signal_space import signal_space
    except ImportError:
        return inputs, False
    known = {canonical_json(one) for one in inputs}
    composed = [_composed(flow, one) for one in request.scenarios.values()]
    given = [one.signals for one in composed if one.prompt is not None]
    for tried in signal_space(flow, given).tried:
        plain = to_jsonable_python(dict(tried.signals))
        if canonical_json(plain) not in known:
            inputs.append(plain)
    return inputs, True


class _Composed(NamedTuple):
    """What came of signals: a prompt, or why there is none.

    Attributes:
        signals: What this flow knows of them.
        dropped: What it does not, by path.
    """

    prompt: "Prompt | None"
    signals: dict[str, Any]
    dropped: tuple[str, ...] = ()
    refused: str = ""


def _composed(flow: "PromptFlow", signals: Mapping[str, Any]) -> _Composed:
    given: dict[str, Any] = to_jsonable_python(dict(signals))
    dropped: tuple[str, ...] = ()
    while True:
        try:
            return _Composed(flow.compose(given), given, dropped)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False, include_context=False)
            unknown = [one["loc"] for one in found if one["type"] in _UNKNOWN]
            gone = tuple(".".join(map(str, one)) for one in unknown if _drop(given, one))
            if not gone:
                told = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)
                return _Composed(None, given, dropped, "; ".join(told))
            dropped += gone
        except NodeError as error:
            return _Composed(None, given, dropped, f"{error}: {error.__cause__}")


def _drop(data: Any, path: tuple[int | str, ...]) -> bool:
    """Take the value at a path out of plain data; tell whether it was there."""
    *above, last = path
    for step in above:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    return isinstance(data, dict) and data.pop(last, data) is not data


def _outcome(flow: "PromptFlow", signals: dict[str, Any]) -> Outcome:
    prompt = _composed(flow, signals).prompt
    if prompt is None:
        return Outcome(signals=signals, refused=True)
    return Outcome(
        signals=signals,
        open_gates=tuple(name for name, opened in _gates(prompt) if opened),
        sections={one.name: _short_hash(one.text) for one in _shown(prompt, counted=False)},
    )


def _short_hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _gates(prompt: "Prompt") -> Iterator[tuple[str, bool]]:
    for name, node in prompt.session.flow.graph.nodes.items():
        if node.kind == "gate":
            yield name, bool(prompt.value(name))


def _scenarios(flow: "PromptFlow", request: Request) -> Iterator[ScenarioView]:
    for name, signals in request.scenarios.items():
        prompt, _, dropped, refused = _composed(flow, signals)
        origin = request.origins.get(name, "")
        plain = to_jsonable_python(signals)
        if prompt is None:
            yield ScenarioView(
                name=name, signals=plain, origin=origin, dropped=dropped, refused=refused
            )
            continue
        gates = dict(_gates(prompt))
        tools = prompt.session.signals.tools
        yield ScenarioView(
            name=name,
            signals=plain,
            origin=origin,
            dropped=dropped,
            fingerprint=prompt.fingerprint,
            tools=canonical_json(canonical_tools(tools)) if tools else "",
            blocks=tuple(
                ShownBlock(name=one.name, text=one.text, marked=bool(one.cache_control))
                for one in prompt.blocks
            ),
            sections=tuple(_shown(prompt)),
            open_gates=tuple(one for one, opened in gates.items() if opened),
            closed_gates=tuple(one for one, opened in gates.items() if not opened),
            cost=_cost(prompt, request),
        )


def _shown(prompt: "Prompt", counted: bool = True) -> Iterator[ShownSection]:
    """Yield the open sections of the blocks, then the fragments of the turn before their fit."""
    from ..placed import placed_sections

    for one in placed_sections(prompt):
        yield ShownSection(
            name=one.row.name,
            section=one.position.place.section.name,
            text=one.own,
            start=one.row.start,
            tokens=one.row.tokens if counted else 0,
        )
    for declared in fragments(prompt.session.flow):
        for fragment in prompt.value(fragment_node(declared)):
            tokens = default_counter().count(fragment.content) if counted else 0
            yield ShownSection(
                name=fragment.id,
                section=declared.id or declared.name,
                text=fragment.content,
                start=None,
                tokens=tokens,
            )


def _cost(prompt: "Prompt", request: Request) -> CostView | None:
    if not request.model:
        return None
    try:
        from ..cost import estimate
        from ..providers import load_providers
    except ImportError:
        return None
    found = estimate(prompt, request.model, table=load_providers(request.prices or None))
    return CostView(
        model=found.model,
        prices_date=found.prices_date,
        cold_usd=found.usd("cold"),
        warm_usd=found.usd("warm"),
        cached_tokens=sum(row.cached_tokens for row in found.sections),
    )
