"""Values for one signal, made from its type: few, different, and always the same."""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

Literals = Mapping[str, tuple[Any, ...]]
"""Constants by the name of the signal that they are compared with."""

_WORD = "sample"


def field_values(field: FieldInfo, constants: Literals, path: tuple[str, ...]) -> tuple[Any, ...]:
    """Return values for a field as plain data, the poorest first and the richest last.

    Args:
        field: The field of a pydantic model.
        constants: Texts and whole numbers worth trying, by the signal's node name.
        path: The field names from the model down to this one.
    """
    return _distinct(_values(field.annotation, tuple(field.metadata), constants, path))


def _distinct(values: Iterator[Any]) -> tuple[Any, ...]:
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return tuple(found.values())


def _values(
    kind: Any, marks: tuple[Any, ...], constants: Literals, path: tuple[str, ...]
) -> Iterator[Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _values(arguments[0], (*arguments[1:], *marks), constants, path)
    elif origin in (Union, UnionType):
        if NoneType in arguments:
            yield None
        for one in arguments:
            if one is not NoneType:
                yield from _values(one, marks, constants, path)
    elif origin is Literal:
        yield from arguments
    elif origin in (tuple, list, set, frozenset) or kind in (tuple, list, set, frozenset):
        yield from _lists(arguments, marks, constants, path)
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield from _models(kind, constants, path)
    else:
        yield from _plain(kind, origin, marks, constants, path)


def _lists(
    arguments: tuple[Any, ...], marks: tuple[Any, ...], constants: Literals, path: tuple[str, ...]
) -> Iterator[Any]:
    if arguments and arguments[-1] is not ... and len(arguments) > 1:
        parts = [tuple(_values(one, (), constants, path)) for one in arguments]
        yield [part[0] for part in parts]
        yield [part[-1] for part in parts]
        return
    items = _distinct(_values(arguments[0] if arguments else str, (), constants, path))
    if not any(isinstance(mark, MinLen) and mark.min_length > 0 for mark in marks):
        yield []
    for item in items[-4:]:
        yield [item]
    yield _two(items)


def _two(items: tuple[Any, ...]) -> list[Any]:
    """Return two items that differ, even where only one is known: in each text that they hold."""
    richest = items[-1]
    return [richest, _renamed(richest)]


def _renamed(value: Any) -> Any:
    match value:
        case str():
            return f"another {value}" if " " in value else f"another_{value}"
        case dict():
            changed = {"name", "id", "title", "path"} & set(value)
            keys = changed or {key for key, one in value.items() if isinstance(one, str)}
            return {key: _renamed(one) if key in keys else one for key, one in value.items()}
        case bool() | None:
            return value
        case int():
            return value + 1
        case list():
            return [_renamed(one) for one in value]
    return value


def _models(
    kind: type[BaseModel], constants: Literals, path: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    options = {
        name: field_values(field, constants, (*path, name))
        for name, field in kind.model_fields.items()
    }
    rich = {name: values[-1] for name, values in options.items() if values}
    yield {
        name: values[0]
        for name, values in options.items()
        if values and kind.model_fields[name].is_required()
    }
    for name, values in options.items():
        for value in values[:-1]:
            yield {**rich, name: value}
    yield rich


def _plain(
    kind: Any, origin: Any, marks: tuple[Any, ...], constants: Literals, path: tuple[str, ...]
) -> Iterator[Any]:
    known = constants.get("_".join(path), ())
    if kind is bool:
        yield from (False, True)
    elif kind is int:
        yield from _numbers(marks, [one for one in known if isinstance(one, int)])
    elif kind is float:
        yield from (0.5, 1.5)
    elif origin is dict or kind is dict:
        yield from ({}, {"b": 1, "a": 2})
    elif kind is str:
        yield ""
        yield from (one for one in known if isinstance(one, str) and one.strip())
        yield f"{_WORD} {path[-1]}" if "name" not in path[-1] else f"{_WORD}_{path[-1]}"
    elif kind is Any or kind is object:
        yield from (None, _WORD)


def _numbers(marks: tuple[Any, ...], known: list[int]) -> Iterator[int]:
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
    around = [near for one in known for near in (one - 1, one, one + 1)]
    for number in (start, start + 1, *around, high):
        if low <= number <= high:
            yield number
