"""The signals of a flow as factors, and inputs that vary them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from ..inputs.errors import NodeError
from ..inputs.signals import canonical_json, model_at
from .code_constants import code_constants
from .flow import PromptFlow
from .pairwise import all_combinations, pairwise
from .signal_values import leaf_values, least, spread, with_leaf

MAX_COMBINATIONS = 2048
"""How many combinations of the signals of one gate or section are tried at most."""
MAX_PAIRED_INPUTS = 400
_MAX_CHOICES = 4
_MAX_PAIRED_CHOICES = 3  # the number of pairs grows with the square of it
_MAX_RICH = 4


@dataclass(frozen=True, slots=True)
class Factor:
    """A signal, or an optional model that may be absent.

    Attributes:
        path: The field names down to it.
        values: The values to try, the poorest first.
        is_model: Whether it is a model: absent, or there with what it requires.
    """

    path: tuple[str, ...]
    values: tuple[Any, ...]
    is_model: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """An input that was made; the signal models may refuse it.

    Attributes:
        origin: In words, where it comes from.
        signals: Session and turn signals.
        kept: The fields that it is made for: what it keeps when it is repaired.
    """

    origin: str
    signals: Mapping[str, Any]
    kept: tuple[str, ...] = ()


def signal_factors(flow: PromptFlow, cases: Sequence[Mapping[str, Any]] = ()) -> tuple[Factor, ...]:
    """Return each signal with the values to try, those of the cases among them."""
    found: dict[tuple[str, ...], Factor] = {}
    for leaf in flow.graph.signals.values():
        for depth in range(1, len(leaf.path)):
            above = leaf.path[:depth]
            if _optional(flow.signals_model, above):
                found.setdefault(above, Factor(above, (None, {}), is_model=True))
        values = () if leaf.presence else leaf_values(flow, leaf)
        if values:
            found[leaf.path] = Factor(leaf.path, _with_cases(values, leaf.path, cases))
    return tuple(found.values())


def _optional(model: type[BaseModel], path: tuple[str, ...]) -> bool:
    return model_at(model, path[:-1]).model_fields[path[-1]].default is None


def _with_cases(
    values: tuple[Any, ...], path: tuple[str, ...], cases: Sequence[Mapping[str, Any]]
) -> tuple[Any, ...]:
    known = {_text(one) for one in values}
    own: list[Any] = []
    for case in cases:
        value: Any = case
        for step in path:
            value = value.get(step, ...) if isinstance(value, Mapping) else ...
        if value is not ... and (key := _text(value)) not in known:
            known.add(key)
            own.append(value)
    return (*values[:-1], *own, *values[-1:])


def _text(value: Any) -> str:
    try:
        return canonical_json(value)
    except TypeError:
        return repr(value)


class Inputs:
    """Makes inputs of factors that the signal models take.

    Attributes:
        factors: The factors.
        poor: The least that the models take.
        rich: Inputs with as much as fits together; each value of a factor's end stands in one.
    """

    def __init__(self, model: type[BaseModel], factors: Sequence[Factor]) -> None:
        self.model = model
        self.factors = tuple(factors)
        self.poor = least(model)
        for factor in factors:
            name = factor.path[0]
            if len(factor.path) == 1 and model.model_fields[name].is_required():
                self.poor[name] = factor.values[0]
        self.rich = tuple(self._rich())

    def with_values(
        self, base: Mapping[str, Any], picked: Sequence[tuple[Factor, Any]]
    ) -> dict[str, Any]:
        """Return an input with the values of some factors; what is below an absent model is not."""
        made = dict(base)
        absent = {factor.path for factor, value in picked if value is None}
        for factor, value in picked:
            path = factor.path
            if not any(path[:depth] in absent for depth in range(1, len(path))):
                model_is_there = isinstance(value, dict) and not value and value_at(made, path)
                made = made if model_is_there else self._placed(made, path, value)
        return made

    def repaired(self, one: Made) -> dict[str, Any] | None:
        """Return a refused input without what the models refuse beside the rest.

        Returns:
            `None` when they refuse what it is made for, whatever stands beside it.
        """
        fitted = {**self.poor, **{name: one.signals[name] for name in one.kept}}
        if not self._takes(fitted):
            return None
        for name, value in one.signals.items():
            if self._takes(more := {**fitted, name: value}):
                fitted = more
        return fitted

    def _placed(self, data: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
        if value == {}:
            value = least(model_at(self.model, path))
        return with_leaf(self.model, data, path, value)

    def _rich(self) -> Iterator[dict[str, Any]]:
        full = self.with_values(self.poor, [(one, one.values[-1]) for one in self.factors])
        first: tuple[str, ...] = ()
        shown: set[str] = set()
        for _ in range(_MAX_RICH):
            ordered = {name: full[name] for name in (*first, *full)}
            fitted = ordered if self._takes(ordered) else self.repaired(Made("", ordered))
            if fitted is None:
                return
            yield fitted
            shown |= {name for name in full if fitted.get(name) == full[name]}
            first = tuple(name for name in full if name not in shown)
            if not first:
                return

    def _takes(self, signals: Mapping[str, Any]) -> bool:
        try:
            self.model.model_validate(signals)
        except ValidationError:
            return False
        return True


def value_at(data: Any, path: Iterable[str]) -> Any:
    """Return the value at a path of plain data; `None` where there is none."""
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def near_inputs(inputs: Inputs, cases: Sequence[Mapping[str, Any]]) -> Iterator[Made]:
    """Yield the poorest and the richest inputs, then these and the cases with one signal varied."""
    yield Made("required signals alone", inputs.poor)
    for rich in inputs.rich:
        yield Made("every signal rich", rich)
    for base in (*cases, *inputs.rich, inputs.poor):
        for factor in inputs.factors:
            values = spread(factor.values, _MAX_CHOICES) if base is inputs.poor else factor.values
            for value in values:
                wanted = inputs.with_values(base, [(factor, value)])
                origin = f"{'.'.join(factor.path)} varied"
                yield Made(origin, wanted, factor.path[:1])


def paired_inputs(inputs: Inputs) -> Iterator[Made]:
    """Yield inputs in which every two values of two signals stand together, up to a bound."""
    factors = [one for one in inputs.factors if len(one.values) > 1 and not one.is_model]
    for picked in _rows(factors, [spread(one.values, _MAX_PAIRED_CHOICES) for one in factors]):
        yield Made("pairs of signals varied", inputs.with_values(inputs.poor, picked))


def node_inputs(inputs: Inputs, flow: PromptFlow, node: str) -> Iterator[Made]:
    """Yield inputs that combine the signals which reach a node.

    A signal takes the constants of the functions between, and the ends of its values.
    """
    paths = [flow.graph.signals[name].path for name in flow.graph.signals_of(node)]
    factors = [one for one in inputs.factors if one.path in paths and not one.is_model]
    between = [
        flow.graph.nodes[name]
        for name in (*flow.graph.upstream[node], node)
        if name in flow.graph.nodes
    ]
    constants = {one for each in between for one in code_constants(each.function)}
    choices = [_likely(one.values, constants) for one in factors]
    tops = tuple(dict.fromkeys(one.path[0] for one in factors))
    for picked in _rows(factors, choices, MAX_COMBINATIONS):
        wanted = inputs.with_values(inputs.poor, picked)
        yield Made(f"signals of {node} combined", wanted, tops)


def _likely(values: tuple[Any, ...], constants: set[Any]) -> tuple[Any, ...]:
    if len(values) <= _MAX_CHOICES:
        return values
    asked = [one for one in values[1:-2] if isinstance(one, str | int) and one in constants]
    return (values[0], *asked, *values[-2:])


def _rows(
    factors: Sequence[Factor], choices: Sequence[tuple[Any, ...]], most: int = 0
) -> Iterator[list[tuple[Factor, Any]]]:
    """Yield all combinations when these are not too many, else those that hold every pair."""
    counts = [len(one) for one in choices]
    for row in all_combinations(counts, most) or pairwise(counts, MAX_PAIRED_INPUTS):
        yield [(f, values[n]) for f, values, n in zip(factors, choices, row, strict=True)]


def asked_value(flow: PromptFlow, node: str, signals: BaseModel) -> Any:
    """Return the value of a node by calling what is above it alone; other nodes are not asked.

    Raises:
        NodeError: A node failed.
    """
    values: dict[str, Any] = {}
    above = flow.graph.upstream[node]
    for name, each in flow.graph.nodes.items():
        if name in above or name == node:
            given = {
                one: values[one] if one in values else flow.graph.signals[one].value(signals)
                for one in each.parameters
            }
            try:
                values[name] = each.function(**given)
            except Exception as error:
                raise NodeError(flow.name, name, error) from error
    return values[node]
