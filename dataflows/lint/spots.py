"""Places inside signals: where a list, a mapping or a text stands in plain data."""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel

Kind = Literal["list", "mapping", "text"]


class Spot(NamedTuple):
    """A place in the plain data of signals.

    Attributes:
        kind: A list that may be put in another order, a mapping, or a text.
        path: Field names and indexes from the top.
        value: What stands there.
    """

    kind: Kind
    path: tuple[str | int, ...]
    value: Any

    @property
    def dotted(self) -> str:
        """The field names alone: the list `skills` and not its third item."""
        return ".".join(step for step in self.path if isinstance(step, str))


def spots(model: type[BaseModel], data: Mapping[str, Any]) -> Iterator[Spot]:
    """Yield the places of signals, in the order of the data; names are the model's or aliases."""
    aliases = {field.alias: field for field in model.model_fields.values() if field.alias}
    for name, value in data.items():
        field = model.model_fields.get(name) or aliases.get(name)
        if field is not None:
            yield from _spots(field.annotation, value, (name,))


def _spots(kind: Any, value: Any, path: tuple[str | int, ...]) -> Iterator[Spot]:
    kind = _inner(kind, value)
    origin, arguments = get_origin(kind), get_args(kind)
    match value:
        case str() if origin is not Literal:
            yield Spot("text", path, value)
        case list() | tuple():
            fixed = origin is tuple and (not arguments or arguments[-1] is not ...)
            if not fixed:
                yield Spot("list", path, value)
            for number, one in enumerate(value):
                own = arguments[number] if fixed and number < len(arguments) else arguments[:1]
                yield from _spots(
                    own[0] if isinstance(own, tuple) and own else own, one, (*path, number)
                )
        case Mapping() if isinstance(kind, type) and issubclass(kind, BaseModel):
            for found in spots(kind, value):
                yield Spot(found.kind, (*path, *found.path), found.value)
        case Mapping():
            yield Spot("mapping", path, value)


def _inner(kind: Any, value: Any) -> Any:
    """Return a type without metadata, and of a union the member that the value is of."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _inner(arguments[0], value)
    if origin not in (Union, UnionType):
        return kind
    some = [one for one in arguments if one is not NoneType]
    wanted: tuple[Any, ...] = (str,) if isinstance(value, str) else (list, tuple, set, frozenset)
    if isinstance(value, Mapping):
        return next((_inner(one, value) for one in some if _is_mapping(one)), Any)
    return next(
        (_inner(one, value) for one in some if (get_origin(_bare(one)) or _bare(one)) in wanted),
        some[0],
    )


def _bare(kind: Any) -> Any:
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


def _is_mapping(kind: Any) -> bool:
    bare = _bare(kind)
    return (isinstance(bare, type) and issubclass(bare, BaseModel)) or get_origin(bare) is dict


def with_value(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy of plain data with the value at a path replaced."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        return {**data, step: with_value(data[step], rest, value)}
    copy = list(data)
    copy[step] = with_value(copy[step], rest, value)
    return copy


def reordered(value: Any) -> Any:
    """Return a list reversed, or a mapping with its keys reversed at every depth."""
    return _with_other_keys(value) if isinstance(value, Mapping) else list(reversed(value))


def _with_other_keys(value: Any) -> Any:
    """Return JSON data with the keys of each mapping reversed; its lists keep their order."""
    if isinstance(value, Mapping):
        return {key: _with_other_keys(value[key]) for key in reversed(list(value))}
    return [_with_other_keys(one) for one in value] if isinstance(value, list | tuple) else value
