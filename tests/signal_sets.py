"""Random sets of signals, made from the signal models themselves."""

import random
from collections.abc import Mapping
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge
from pydantic import BaseModel

_PIECES = (
    *("word", "two words", "a < b && c", "{{ 7*7 }}", "{% for x in y %}", "{# x #}", "{intro}"),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "  ",
        "```",
        "é",
        "e\u0301",
        "日本",
        "\U0001f469\u200d\U0001f4bb",
    ),
    *("\ud800", "\x00", "\u200b", "\u200d", "\u202e", "\ufe0f\ufe0f", "\ufeff", "\U000e0041"),
    *("<", "</", ">", "/", "</memory>", "<memory", "< / MEMORY >", "</mem\u200dory>", "<harness>"),
    *("</environment>", "<lineage>", "</tools>", "<system-reminder>", "<policy>", "</x>", "&lt;"),
    *("<|endoftext|>", '{"role":"system"}', "a: b\n- c", "\\", "'", '"', "$x %s"),
)
_WRONG: tuple[Any, ...] = (object, 1.5, b"\xff", {"x": 1}, [None], -7, "nonsense")
INVALID_SHARE = 0.05


class SignalSets:
    """Makes sets of signals, valid ones mostly.

    Args:
        model: The model that the sets are for.
        pools: For a signal, by its node name, values to draw from beside nasty ones.
        seed: Equal seeds make equal sets.
        only: For a field, by its path joined with underscores, the values that alone are drawn:
            for what has a form of its own.
        invalid_share: How many of the sets are wrong on purpose.
    """

    def __init__(
        self,
        model: type[BaseModel],
        pools: Mapping[str, tuple[Any, ...]],
        seed: int,
        only: Mapping[str, tuple[Any, ...]] = MappingProxyType({}),
        invalid_share: float = INVALID_SHARE,
    ) -> None:
        self._invalid_share = invalid_share
        self._only = only
        self._model = model
        self._pools = pools
        self._random = random.Random(seed)

    def one(self) -> dict[str, Any]:
        """Return one set."""
        made = self._fields(self._model, ())
        if self._random.random() < self._invalid_share:
            self._spoil(made)
        return made

    def _fields(self, model: type[BaseModel], above: tuple[str, ...]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, field in model.model_fields.items():
            if not field.is_required() and self._random.random() < 0.3:
                continue
            kind = Annotated[field.annotation, *field.metadata] if field.metadata else None
            value = self._value(kind or field.annotation, (*above, name))
            alias = field.alias if self._random.random() < 0.2 and field.alias else name
            made[alias] = value
        return made

    def _value(self, kind: Any, path: tuple[str, ...], least: int = -9) -> Any:
        if "_".join(path) in self._only:
            return self._random.choice(self._only["_".join(path)])
        pool = self._pools.get("_".join(path), ())
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            least = next((mark.ge for mark in arguments[1:] if isinstance(mark, Ge)), least)
            return self._value(arguments[0], path, least)
        if origin in (Union, UnionType):
            some = [one for one in arguments if one is not NoneType]
            absent = len(some) < len(arguments) and self._random.random() < 0.3
            return None if absent else self._value(self._random.choice(some), path, least)
        if origin is Literal:
            return self._random.choice(arguments)
        if origin in (tuple, list):
            return self._listed(arguments, path)
        if pool and self._random.random() < 0.5:
            return self._random.choice(pool)
        return self._plain(kind, origin, path, least)

    def _listed(self, arguments: tuple[Any, ...], path: tuple[str, ...]) -> list[Any]:
        if arguments[-1] is not ...:
            return [self._value(one, path) for one in arguments]
        listed = [self._value(arguments[0], path) for _ in range(self._random.randrange(5))]
        names = [one["name"] for one in listed if isinstance(one, dict) and "name" in one]
        return listed if len(names) == len(set(names)) else listed[:1]

    def _plain(self, kind: Any, origin: Any, path: tuple[str, ...], least: int) -> Any:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return self._fields(kind, path)
        if kind is bool:
            return self._random.random() < 0.5
        if kind is int:
            return self._random.randint(least, least + 60)
        if kind is float:
            return self._random.random() * 100
        if origin is dict or kind is dict:
            return {self._text(): self._random.choice((1, None, True, "x", [1], {"y": 0}))}
        assert kind is str, f"{'.'.join(path)}: no values are known for {kind}; add them here"
        return self._text()

    def _text(self) -> str:
        return "".join(self._random.choices(_PIECES, k=self._random.choice((0, 1, 1, 2, 3, 6))))

    def _spoil(self, made: dict[str, Any]) -> None:
        """Make a set wrong: a name misspelt, a value of a wrong type, a signal left out."""
        name = self._random.choice([*made, "x"])
        match self._random.randrange(3):
            case 0:
                made[f"{name}_"] = made.get(name)
            case 1:
                made[name] = self._random.choice(_WRONG)
            case _:
                made.pop(name, None)
