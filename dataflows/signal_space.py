"""Values to try for a flow's signals: found in its types, its functions and the given cases.

What is tried is deterministic and bounded, so that an answer can say how many inputs it stands on.
It is a search and no proof: what no tried input does may still be possible.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from pydantic import ValidationError

from ..inputs.errors import NodeError
from ..inputs.signals import canonical_json
from .flow import PromptFlow
from .pairwise import pairwise
from .prompt import Prompt
from .signal_files import merged
from .signal_values import Literals, field_values

MAX_INPUTS = 400
"""How many inputs are made at most where nothing else is said."""


@dataclass(frozen=True)
class Tried:
    """One input that was composed.

    Attributes:
        origin: Where it comes from: `given 1`, `required signals alone`, `memory varied`.
        signals: Session and turn signals in one mapping.
        prompt: What came of it.
    """

    origin: str
    signals: Mapping[str, Any]
    prompt: Prompt


@dataclass(frozen=True)
class SignalSpace:
    """The inputs that were tried with a flow.

    Attributes:
        tried: The composed inputs: the given ones first, then the poorest and the richest.
        refused: How many inputs the signal models refused.
        failed: For each node that raised, how many inputs made it raise.
        left_out: How many more inputs the bound left out.
    """

    tried: tuple[Tried, ...]
    refused: int
    failed: Mapping[str, int]
    left_out: int

    @property
    def richest(self) -> Tried:
        """The first given input, else the one with the longest prompt."""
        given = [one for one in self.tried if one.origin.startswith("given")]
        return given[0] if given else max(self.tried, key=lambda one: len(one.prompt.text))

    def __str__(self) -> str:
        beside = [f"{self.refused} refused by the signal models"] if self.refused else []
        beside += [f"{count} failed in {node}" for node, count in self.failed.items()]
        beside += [f"{self.left_out} left out"] if self.left_out else []
        return f"{len(self.tried)} inputs tried" + (f" ({', '.join(beside)})" if beside else "")


def signal_space(
    flow: PromptFlow, given: Iterable[Mapping[str, Any]] = (), max_inputs: int = MAX_INPUTS
) -> SignalSpace:
    """Compose the given inputs, and inputs made from the models and the flow's functions.

    From each of the richest, the poorest and the given inputs one signal at a time is varied; then
    pairs of signals are varied together.

    Args:
        flow: The flow.
        given: Cases, each with session and turn signals in one mapping.
        max_inputs: How many made inputs are composed at most; given ones are always composed.

    Raises:
        pydantic.ValidationError: A given input does not fit the flow.
        NodeError: A node failed with a given input.
    """
    cases = [merged(flow, one) for one in given]
    tried = [
        Tried(f"given {number}", case, flow.compose(case))
        for number, case in enumerate(cases, start=1)
    ]
    refused = left_out = made = 0
    failed: dict[str, int] = {}
    seen = {_key(case) for case in cases}
    for origin, signals in _made(flow, cases):
        if (key := _key(signals)) in seen:
            continue
        seen.add(key)
        if made == max_inputs:
            left_out += 1
            continue
        made += 1
        try:
            tried.append(Tried(origin, signals, flow.compose(signals)))
        except ValidationError:
            refused += 1
        except NodeError as error:
            failed[error.node] = failed.get(error.node, 0) + 1
    return SignalSpace(tuple(tried), refused, failed, left_out)


def _key(signals: Mapping[str, Any]) -> str:
    return repr(sorted(signals.items()))


def _made(flow: PromptFlow, cases: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield made inputs, those that tell most first."""
    values = values_to_try(flow, cases)
    fields = flow.signals_model.model_fields
    rich = {name: options[-1] for name, options in values.items() if options}
    poor = {
        name: options[0]
        for name, options in values.items()
        if options and fields[name].is_required()
    }
    yield "required signals alone", poor
    yield "every signal rich", rich
    for base in (*cases, rich, poor):
        for name, options in values.items():
            for option in options:
                yield f"{name} varied", {**base, name: option}
    names = [name for name, options in values.items() if len(options) > 1]
    # The first and last values bound a field; all of them at once would square the number of rows.
    for row in pairwise([min(len(values[name]), 4) for name in names], MAX_INPUTS):
        picked = {
            name: _spread(values[name])[choice] for name, choice in zip(names, row, strict=True)
        }
        yield "pairs of signals varied", {**rich, **picked}


def _spread(options: Sequence[Any]) -> Sequence[Any]:
    """Return at most four options: the first, the last, and two between."""
    if len(options) <= 4:
        return options
    third = len(options) // 3
    return (options[0], options[third], options[2 * third], options[-1])


def values_to_try(
    flow: PromptFlow, given: Iterable[Mapping[str, Any]] = ()
) -> Mapping[str, tuple[Any, ...]]:
    """Return the values to try for each field of the signal models, the poorest first.

    Literals, bools and `None` come from the types; whole numbers and texts also from the constants
    of the facts and gates that read the signal; the values of the given cases are among them.
    """
    constants = _constants(flow)
    cases = [merged(flow, one) for one in given]
    found: dict[str, tuple[Any, ...]] = {}
    for name, field in flow.signals_model.model_fields.items():
        options = list(field_values(field, constants, (name,)))
        known = {canonical_json_or_repr(one) for one in options}
        for case in cases:
            if name in case and (key := canonical_json_or_repr(case[name])) not in known:
                known.add(key)
                options.insert(-1 if options else 0, case[name])
        found[name] = tuple(options)
    return found


def canonical_json_or_repr(value: Any) -> str:
    """Return a text that is equal for equal values."""
    try:
        return canonical_json(value)
    except TypeError:
        return repr(value)


def _constants(flow: PromptFlow) -> Literals:
    """Return, by signal, the constants of the functions that read it."""
    found: dict[str, dict[Any, None]] = {}
    for node in flow.graph.nodes.values():
        if node.kind not in ("fact", "gate"):
            continue
        code = getattr(getattr(node.function, "function", node.function), "__code__", None)
        literals = dict.fromkeys(_literals(code)) if isinstance(code, CodeType) else {}
        for signal in flow.graph.signals_of(node.name):
            found.setdefault(signal, {}).update(literals)
    return {name: tuple(values)[:12] for name, values in found.items()}


def _literals(code: CodeType) -> Iterator[Any]:
    """Yield the texts and whole numbers of a function's code, its docstring left out."""
    constants = code.co_consts[1:] if code.co_consts and code.co_flags else code.co_consts
    for one in constants:
        for value in one if isinstance(one, tuple | frozenset) else (one,):
            if isinstance(value, CodeType):
                yield from _literals(value)
            elif isinstance(value, str | int) and not isinstance(value, bool):
                yield value
