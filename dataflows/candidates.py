"""Values to try for a signal: what its model lists, what the code compares with, given cases.

The lists are short on purpose: a search over them is bounded, and says how many it tried.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt
from pydantic import BaseModel, ValidationError

from ..inputs.errors import PromptdagError
from ..inputs.signals import Leaf, nested_model, plain_type
from .code_constants import code_constants
from .validation import validated

if TYPE_CHECKING:
    from ..inputs.signals import TurnSignals
    from .flow import PromptFlow
    from .prompt import Prompt

_MARKER = "changed"


class RefusedError(PromptdagError):
    """Values that the signal models do not allow together."""


def candidate_values(
    flow: "PromptFlow", leaf: Leaf, current: Any, cases: Iterable[Mapping[str, Any]] = ()
) -> tuple[Any, ...]:
    """Return values for a signal that differ from its current one, each once.

    Args:
        flow: The flow.
        leaf: The signal.
        current: Its value now.
        cases: Other values of all signals by node name; those of this signal come first.
    """
    found: list[Any] = []
    given = (case[leaf.name] for case in cases if leaf.name in case)
    for value in (*given, *_of_type(leaf.type, current, _constants(flow, leaf.name))):
        known = (current, *found)
        if not any(value == one and type(value) is type(one) for one in known):
            found.append(value)
    return tuple(found)


def _of_type(kind: Any, current: Any, constants: tuple[Any, ...]) -> Iterator[Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if NoneType in arguments:
            yield None
        for one in arguments:
            if one is not NoneType:
                yield from _of_type(one, current, constants)
    elif origin is Literal:
        yield from arguments
    elif kind is bool:
        yield from (True, False)
    elif kind is str:
        yield from (one for one in constants if isinstance(one, str))
        yield from ("", f"{current}{_MARKER}" if isinstance(current, str) and current else _MARKER)
    elif kind in (int, float):
        yield from (one for one in constants if type(one) is int)
        base = current if isinstance(current, int | float) else 0
        yield from (kind(one) for one in (base + 1, base - 1, 0, 1))
    elif origin in (tuple, list):
        yield from _lists(arguments, current, constants)
    elif origin is dict or kind is dict:
        yield from ({}, {_MARKER: _MARKER})
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield sample(kind)


def _lists(
    arguments: tuple[Any, ...], current: Any, constants: tuple[Any, ...]
) -> Iterator[tuple[Any, ...]]:
    listed = tuple(current) if isinstance(current, tuple | list) else ()
    if arguments[-1] is not ...:
        yield tuple(sample(one) for one in arguments)
        return
    yield ()
    if len(listed) > 1:
        yield listed[:-1]
        yield listed[::-1]
    for one in _of_type(arguments[0], None, constants):
        if one not in ("", None):
            yield (*listed, one)
            yield (one,)


def sample(kind: Any, text: str = _MARKER) -> Any:
    """Return one plain value of a type; of a model, its required fields.

    Args:
        kind: A type that a signal may have.
        text: What stands for text.
    """
    kind = plain_type(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return sample(next(one for one in arguments if one is not NoneType), text)
    if origin is Literal:
        return arguments[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = kind.model_fields.items()
        return {name: _field_sample(one, text) for name, one in fields if one.is_required()}
    if origin in (tuple, list):
        listed = arguments if arguments[-1] is not ... else arguments[:1]
        return tuple(sample(one, text) for one in listed)
    return {str: text, bool: True, int: 1, float: 1.0}.get(kind, {})


def _field_sample(field: Any, text: str) -> Any:
    least: list[Any] = [mark.ge for mark in field.metadata if isinstance(mark, Ge)]
    for mark in field.metadata:
        if isinstance(mark, Gt):
            bound: Any = mark.gt
            least.append(bound + 1)
    return max(least) if least else sample(field.annotation, text)


def _constants(flow: "PromptFlow", signal: str) -> tuple[Any, ...]:
    """Return the texts and numbers in the code of the facts and gates that a signal reaches."""
    found: dict[Any, None] = {}
    for name in flow.graph.downstream[signal]:
        node = flow.graph.nodes[name]
        if node.kind in ("fact", "gate") and signal in node.parameters:
            found |= dict.fromkeys(code_constants(node.function))
    return tuple(islice(found, 24))


def changed_prompt(prompt: "Prompt", changes: Mapping[str, Any]) -> "Prompt":
    """Return a prompt with some signals changed; an absent model above one is made.

    Args:
        prompt: A prompt; one without a turn stays so.
        changes: Values by the signal's node name.

    Raises:
        RefusedError: The models do not allow these values together.
        NodeError: A node failed.
    """
    from .prompt import Prompt

    flow, session, turn = prompt.session.flow, prompt.session, prompt.turn
    stable: dict[str, Any] = {}
    turned: dict[str, Any] = {}
    for name, value in changes.items():
        leaf = flow.graph.signals[name]
        model, side = (turn, turned) if leaf.turn else (session.signals, stable)
        top = leaf.path[0]
        before = side.get(top, getattr(model, top))
        kind = flow.turn_model if leaf.turn else flow.session_model
        if leaf.presence:
            value = _present(kind, leaf.path) if value else None
        side[top] = _with_leaf(before, nested_model(kind, top), leaf.path[1:], value)
    try:
        session = session.update(**stable) if stable else session
        turn = validated(flow.turn_model, dict(turn) | turned) if turn is not None else None
    except ValidationError as error:
        raise RefusedError("; ".join(one["msg"] for one in error.errors())) from None
    return _turned(Prompt, session, turn)


def _turned(kind: type["Prompt"], session: Any, turn: "TurnSignals | None") -> "Prompt":
    if turn is None:
        return kind(session)
    return kind(session, session.flow.turn_plan(session.signals, session.values, turn), turn)


def _present(kind: type[BaseModel], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the least that makes a nested model present."""
    model: type[BaseModel] | None = kind
    for step in path:
        model = nested_model(model, step) if model is not None else None
    return dict(sample(model)) if model is not None else {}


def _with_leaf(
    before: Any, model: type[BaseModel] | None, path: tuple[str, ...], value: Any
) -> Any:
    if not path:
        return value
    fields = dict(sample(model) if before is None else before)
    inner = nested_model(model, path[0]) if model is not None else None
    return fields | {path[0]: _with_leaf(fields.get(path[0]), inner, path[1:], value)}


def signal_values(prompt: "Prompt") -> dict[str, Any]:
    """Return the values of a prompt's signals by node name; those of a turn when it has one."""
    models = {False: prompt.session.signals, True: prompt.turn}
    return {
        leaf.name: leaf.value(model)
        for leaf in prompt.session.flow.graph.signals.values()
        if (model := models[leaf.turn]) is not None
    }
