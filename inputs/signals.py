"""Signals: the input fields of a flow, as frozen pydantic models.

A nested model is opened up: each of its fields is a signal of its own, named by its path
(`env_info.cwd` is the node `env_info_cwd`), so that lineage speaks of the field that moved.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import isfinite
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from .text import Text, clean

Life = Literal["process", "session", "step", "turn"]


@dataclass(frozen=True, slots=True)
class Drifts:
    """Marks a session signal whose source can move between turns.

    The value is fixed in a session object; the host reads it again and calls `update`.

    Attributes:
        why: What can move it, as half a sentence.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Lives:
    """Marks how long a signal stays as it is, where that is not the whole session."""

    life: Life


@dataclass(frozen=True, slots=True)
class Presence:
    """Marks an optional nested model whose presence is itself a signal, `{path}_given`.

    Its leaves cannot tell an empty model from an absent one: both are all `None`.

    Attributes:
        doc: What it means that the model is there.
    """

    doc: str


class Signals(BaseModel):
    """The base of signal models: frozen, without unknown fields, in our names or camelCase."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        hide_input_in_errors=True,
    )


def _plain_json(value: Any) -> Any:
    """Return a copy that JSON can hold, its texts cleaned."""
    match value:
        case str():
            return clean(value)
        case None | bool() | int():
            return value
        case float() if isfinite(value):
            return value
        case dict() if all(isinstance(key, str) for key in value):
            return {clean(key): _plain_json(one) for key, one in value.items()}
        case list() | tuple():
            return [_plain_json(one) for one in value]
    kind = type(value).__name__
    special = {"dict": "keys that are not text", "float": "number that is not finite"}
    raise ValueError(f"JSON holds no {special.get(kind, kind)}")


class Tool(Signals):
    """A tool as the provider's `tools` field takes it.

    Attributes:
        name: The tool's name.
        description: What it does and when to use it.
        input_schema: The JSON schema of its input; its keys are sorted on the wire.
    """

    name: Text
    description: Text = ""
    input_schema: Annotated[dict[str, Any], AfterValidator(_plain_json)] = Field(
        default_factory=dict
    )

    def __eq__(self, other: object) -> bool:
        """Compare as the wire does: Python's `1 == True == 1.0` are three texts in JSON."""
        if not isinstance(other, Tool):
            return NotImplemented
        return canonical_json(self.model_dump()) == canonical_json(other.model_dump())

    def __hash__(self) -> int:
        return hash(canonical_json(self.model_dump()))


def _sorted_tools(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
    names = [tool.name for tool in tools]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"tools of one name: {', '.join(twice)}; a tool stands once")
    return tuple(sorted(tools, key=lambda tool: tool.name))


Tools = Annotated[
    tuple[Tool, ...],
    AfterValidator(_sorted_tools),
    Drifts("an extension or MCP server can connect late or republish its tools"),
    Lives("step"),
]


class SessionSignals(Signals):
    """The base of a flow's session signals: what is fixed when a session starts.

    Attributes:
        tools: The tool table, sorted by name. Providers put it before the system text, so it is
            the first thing in the fingerprint.
    """

    tools: Tools = ()


class TurnSignals(Signals):
    """The base of a flow's turn signals: what may differ every turn."""


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, no spaces and no escapes, equal for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_tools(tools: tuple[Tool, ...]) -> list[dict[str, Any]]:
    """Return the tools as the wire holds them: sorted by name, keys sorted at every depth."""
    listed: list[dict[str, Any]] = json.loads(canonical_json([tool.model_dump() for tool in tools]))
    return listed


@dataclass(frozen=True, slots=True)
class Leaf:
    """One signal.

    Attributes:
        name: The node's name: the path joined by underscores.
        path: The field names from the model down.
        type: The type that a function's parameter declares; `None` is added where the field or a
            model above it may be absent.
        turn: Whether it is a turn signal.
        drifts: Why its source can move within a session, or `None`.
        life: How long it stays as it is.
        doc: The field's description.
        presence: Whether its value is that the model at the path is there at all.
    """

    name: str
    path: tuple[str, ...]
    type: Any
    turn: bool
    drifts: str | None
    life: Life
    doc: str
    presence: bool = False

    @property
    def dotted(self) -> str:
        """The path as people write it: `env_info.cwd`."""
        return ".".join(self.path)

    def value(self, signals: BaseModel) -> Any:
        """Return the signal's value; `None` where a model above it is absent."""
        value: Any = signals
        for field in self.path:
            value = None if value is None else getattr(value, field)
        return value is not None if self.presence else value


def leaves(model: type[Signals], *, turn: bool = False) -> tuple[Leaf, ...]:
    """Return the signals of a model in the order of its fields, nested models opened up."""
    return tuple(_leaves(model, (), False, turn))


def _leaves(
    model: type[BaseModel], above: tuple[str, ...], absent: bool, turn: bool
) -> Iterator[Leaf]:
    for name, field in model.model_fields.items():
        path = (*above, name)
        kind, optional = _without_none(plain_type(field.annotation))
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _presence(field, path, turn)
            yield from _leaves(kind, path, absent or optional, turn)
        else:
            shown = kind | None if absent or optional else kind
            yield Leaf(
                "_".join(path),
                path,
                shown,
                turn,
                next((mark.why for mark in field.metadata if isinstance(mark, Drifts)), None),
                _life(field, turn),
                field.description or "",
            )


def _presence(field: FieldInfo, path: tuple[str, ...], turn: bool) -> Iterator[Leaf]:
    for mark in field.metadata:
        if isinstance(mark, Presence):
            name = "_".join((*path, "given"))
            life = _life(field, turn)
            yield Leaf(name, path, bool, turn, None, life, mark.doc, presence=True)


def nested_model(model: type[BaseModel], field: str) -> type[BaseModel] | None:
    """Return the model of a field, given by its name or alias; of a list, its items' model."""
    for name, info in model.model_fields.items():
        if field in (name, info.alias):
            kind, _ = _without_none(plain_type(info.annotation))
            kinds = [kind, *get_args(kind)]
            return next(
                (k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None
            )
    return None


def model_at(model: type[BaseModel], path: Iterable[str]) -> type[BaseModel]:
    """Return the nested model at the end of a path; the last one on it where a step holds none."""
    for step in path:
        model = nested_model(model, step) or model
    return model


def _life(field: FieldInfo, turn: bool) -> Life:
    for mark in field.metadata:
        if isinstance(mark, Lives):
            return mark.life
    return "turn" if turn else "session"


def plain_type(annotation: Any) -> Any:
    """Return a type without the metadata of `Annotated`, at every depth."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return plain_type(arguments[0])
    if origin is None or origin is Literal:
        return annotation
    plain: list[Any] = [one if one is ... else plain_type(one) for one in arguments]
    if origin in (Union, UnionType):
        return reduce(or_, plain)
    return origin[tuple(plain)]


def _without_none(kind: Any) -> tuple[Any, bool]:
    """Split `X | None` into `X` and whether `None` was in it."""
    if get_origin(kind) not in (Union, UnionType):
        return kind, False
    rest = [one for one in get_args(kind) if one is not NoneType]
    return reduce(or_, rest), len(rest) < len(get_args(kind))
