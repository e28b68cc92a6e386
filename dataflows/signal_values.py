"""The values to try for a signal: few, different, and always the same.

They come from its type (literals, bools, absence, bounds), from the default and the `examples` of
its field, and from the constants in the code of the facts and gates that it reaches. A value that
the model does not take by itself is left out.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from ..inputs.signals import Leaf, model_at, nested_model, plain_type
from .code_constants import code_constants

if TYPE_CHECKING:
    from .flow import PromptFlow

MAX_CONSTANTS = 32
"""How many constants are tried for a signal at most, those compared with itself first."""
MAX_ITEMS = 24
"""How many items of a list are tried alone at most."""
MAX_LENGTH = 200
"""The longest list that is made because a constant may bound its length."""

_WORDS = ("sample", "another")
_FEW_CONSTANTS = 4  # for each text of an item, so that its items stay few


@dataclass(frozen=True, slots=True)
class _Source:
    """What the values of one field are made of.

    Attributes:
        name: The field's name, which stands in texts.
        constants: Texts and whole numbers worth trying.
        word: Begins texts; two words give two different items of a list.
    """

    name: str
    constants: tuple[Any, ...] = ()
    word: str = _WORDS[0]


def leaf_values(flow: "PromptFlow", leaf: Leaf) -> tuple[Any, ...]:
    """Return the values to try for a signal as plain data, the poorest first."""
    if leaf.presence:
        return (False, True)
    return field_values(_owner(flow, leaf), leaf.path[-1], signal_constants(flow, leaf.name))


def leaf_takes(flow: "PromptFlow", leaf: Leaf, value: Any) -> bool:
    """Return whether a signal takes a value, whatever the other signals would be."""
    return _takes(_owner(flow, leaf), leaf.path[-1], value)


def _owner(flow: "PromptFlow", leaf: Leaf) -> type[BaseModel]:
    return model_at(flow.turn_model if leaf.turn else flow.session_model, leaf.path[:-1])


def field_values(
    model: type[BaseModel], name: str, constants: Iterable[Any] = ()
) -> tuple[Any, ...]:
    """Return the values to try for a field of a model that the model takes, the poorest first."""
    field = model.model_fields[name]
    marks = (field, *field.metadata)
    made = _distinct(_values(field.annotation, marks, _Source(name, tuple(constants))))
    if field.default is not PydanticUndefined:
        default = to_jsonable_python(field.default)
        made = made if _in(default, made) else (*made[:-1], default, *made[-1:])
    return tuple(value for value in made if _takes(model, name, value))


def _in(value: Any, values: Iterable[Any]) -> bool:
    return any(value == one and type(value) is type(one) for one in values)


def signal_constants(flow: "PromptFlow", signal: str) -> tuple[Any, ...]:
    """Return the texts and numbers in the code of the facts and gates that a signal reaches."""
    reached = (flow.graph.nodes[name] for name in flow.graph.downstream[signal])
    asking = [node for node in reached if node.kind in ("fact", "gate")]
    asking.sort(key=lambda node: signal not in node.parameters)
    found = dict.fromkeys(value for node in asking for value in code_constants(node.function))
    return tuple(islice(found, MAX_CONSTANTS))


def least(model: type[BaseModel]) -> dict[str, Any]:
    """Return the least plain data that a nested model takes, with text in it."""
    required = [name for name, field in model.model_fields.items() if field.is_required()]
    return {name: _some(model, name) for name in required}


def _some(model: type[BaseModel], name: str) -> Any:
    kind = plain_type(model.model_fields[name].annotation)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return least(kind)
    return next(reversed(field_values(model, name)), None)


def with_leaf(
    model: type[BaseModel], data: Mapping[str, Any], path: tuple[str, ...], value: Any
) -> dict[str, Any]:
    """Return a copy of signals with a value at a path; an absent model above it is made.

    Args:
        model: The model of the signals.
        data: Plain data or validated values, by field name.
        path: The field names down to the value.
        value: The value.
    """
    name, rest = path[0], path[1:]
    inner = nested_model(model, name)
    if rest and inner is not None:
        inside = data.get(name)
        value = with_leaf(inner, least(inner) if inside is None else dict(inside), rest, value)
    return {**data, name: value}


def _takes(model: type[BaseModel], name: str, value: Any) -> bool:
    """Return whether a field takes a value, whatever the other fields would be."""
    names = {name, model.model_fields[name].alias}
    try:
        model.model_validate({name: value})
    except ValidationError as error:
        return all(not one["loc"] or one["loc"][0] not in names for one in error.errors())
    return True


def _distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return tuple(found.values())


def _values(kind: Any, marks: tuple[Any, ...], source: _Source) -> Iterator[Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        inner = [m for mark in arguments[1:] for m in (mark, *getattr(mark, "metadata", ()))]
        yield from _values(arguments[0], (*inner, *marks), source)
        return
    if origin in (Union, UnionType):
        if NoneType in arguments:
            yield None
        for one in arguments:
            if one is not NoneType:
                yield from _values(one, marks, source)
        return
    yield from _of_type(kind, marks, source)
    for mark in marks:
        yield from (mark.examples or ()) if isinstance(mark, FieldInfo) else ()


def _of_type(kind: Any, marks: tuple[Any, ...], source: _Source) -> Iterator[Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        yield from arguments
    elif (origin or kind) in (tuple, list, set, frozenset):
        yield from _lists(arguments, marks, source)
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield from _models(kind, source)
    elif kind is int:
        yield from _numbers(marks, source)
    elif kind is str:
        yield ""
        yield from (one for one in source.constants if isinstance(one, str) and one.strip())
        yield f"{source.word}{'_' if 'name' in source.name else ' '}{source.name}"
    else:
        yield from _PLAIN.get(origin or kind, ())


_PLAIN: Mapping[Any, tuple[Any, ...]] = {
    bool: (False, True),
    float: (0.5, 1.5),
    dict: ({}, {"b": 1, "a": 2}),
    datetime.date: ("2026-01-02", "2026-11-12"),
    Any: (None, _WORDS[0]),
    object: (None, _WORDS[0]),
}


def _lists(arguments: tuple[Any, ...], marks: tuple[Any, ...], source: _Source) -> Iterator[Any]:
    if arguments and arguments[-1] is not ... and len(arguments) > 1:
        parts = [tuple(_values(one, (), source)) for one in arguments]
        if all(parts):
            yield [part[0] for part in parts]
            yield [part[-1] for part in parts]
        return
    kind = arguments[0] if arguments else str
    items = _distinct(_values(kind, (), source))
    if not any(isinstance(mark, MinLen) and mark.min_length > 0 for mark in marks):
        yield []
    if not items:
        return
    for item in spread(items, MAX_ITEMS):
        yield [item]
    yield from _long(kind, source)
    others = (*_values(kind, (), replace(source, word=_WORDS[1])),)[-1:] + items[-2::-1]
    second = next((one for one in others if one != items[-1]), items[-1])
    # What asks for several words at once is answered by all of them.
    texts = [one for one in items[:-1] if isinstance(one, str) and one in source.constants]
    yield [*(one for one in texts if one != second), second, items[-1]]


def _long(kind: Any, source: _Source) -> Iterator[Any]:
    """Yield a list that is longer than the largest constant that may bound it."""
    bounds = [one for one in source.constants if type(one) is int and 1 < one < MAX_LENGTH]
    if bounds:
        length = max(bounds) + 1
        words = (f"{source.word} {number}" for number in range(length))
        yield [(*_values(kind, (), replace(source, word=word)),)[-1] for word in words]


def _models(kind: type[BaseModel], source: _Source) -> Iterator[dict[str, Any]]:
    options = {
        name: _distinct(
            _values(
                field.annotation,
                (field, *field.metadata),
                replace(source, name=name, constants=source.constants[:_FEW_CONSTANTS]),
            )
        )
        for name, field in kind.model_fields.items()
    }
    options = {
        name: taken
        for name, values in options.items()
        if (taken := tuple(value for value in values if _takes(kind, name, value)))
    }
    rich = {name: values[-1] for name, values in options.items()}
    required = [name for name in options if kind.model_fields[name].is_required()]
    yield {name: options[name][0] for name in required}
    for name, values in options.items():
        for value in values[:-1]:
            yield {**rich, name: value}
            yield {**{one: rich[one] for one in required}, name: value}
    yield rich


def _numbers(marks: tuple[Any, ...], source: _Source) -> Iterator[int]:
    """Yield whole numbers at the bounds of a type and around the constants compared with it."""
    low, high = -1_000_000, 10_000
    for mark in marks:
        match mark:
            case Ge(ge=int() as bound):
                low = max(low, bound)
            case Gt(gt=int() as bound):
                low = max(low, bound + 1)
            case Le(le=int() as bound):
                high = min(high, bound)
            case Lt(lt=int() as bound):
                high = min(high, bound - 1)
    start = 0 if low == -1_000_000 else low
    around = [n for one in source.constants if type(one) is int for n in (one - 1, one, one + 1)]
    for number in (start, start + 1, *around, high - (source.word != _WORDS[0])):
        if low <= number <= high:
            yield number


def spread(options: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    """Return at most so many options: the first, the last, and some between at equal distances."""
    if len(options) <= most:
        return options
    return tuple(options[number * (len(options) - 1) // (most - 1)] for number in range(most))
