"""The providers' prices and caching rules: a dated table, which users can override.

Source: `providers.json`, with the page of each provider.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..inputs.errors import PromptdagError, ReadError, UnknownNameError, did_you_mean

_DATED = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8}|-latest)$")


class UnknownPriceError(PromptdagError):
    """The table knows a model, and no price of it."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Lifetime(_Row):
    """How long what is written to a cache stays, and what writing costs.

    Attributes:
        seconds: Since the last use, which refreshes it.
        write_factor: What writing a token costs, as a part of its price.
    """

    seconds: Annotated[int, Field(gt=0)]
    write_factor: Annotated[float, Field(ge=0)]


class Provider(_Row):
    """The caching rules of a provider, or of one family of its models.

    Attributes:
        source: The page that they were read from.
        caching: `marks` where a request says up to where it is cached, `automatic` where the
            provider finds common prefixes by itself.
        max_marks: How many marks a request may hold; 0 where it can hold none.
        provider_marks: How many of these the provider takes for itself.
        lookback_positions: How far in front of a mark an entry is looked for, the mark included.
        granularity_tokens: What the length of a hit is rounded down to.
        lifetimes: By name, which is the TTL in a mark.
        default_lifetime: What holds where a mark names none.
        read_factor: What reading a token from the cache costs, as a part of its price.
    """

    source: str = ""
    caching: Literal["marks", "automatic"]
    max_marks: Annotated[int, Field(ge=0)] = 0
    provider_marks: Annotated[int, Field(ge=0)] = 0
    lookback_positions: Annotated[int, Field(gt=0)] = 20
    granularity_tokens: Annotated[int, Field(gt=0)] = 1
    lifetimes: dict[str, Lifetime]
    default_lifetime: str
    read_factor: Annotated[float, Field(ge=0)]


class ModelRow(_Row):
    """What the table says of a model.

    Attributes:
        provider: Whose caching rules hold.
        usd_per_million_tokens: The price of input without caching, times a million tokens.
        min_cache_tokens: A shorter prefix is not cached, without an error.
        read_factor: In place of the provider's.
    """

    provider: str
    usd_per_million_tokens: Annotated[float, Field(ge=0)] | None = None
    min_cache_tokens: Annotated[int, Field(ge=0)] = 0
    read_factor: Annotated[float, Field(ge=0)] | None = None


class Model(_Row):
    """A model with the rules that hold for it.

    Attributes:
        name: As the table has it, without a date.
        rules: The caching rules.
        usd_per_million_tokens: The price of input without caching, times a million tokens.
        min_cache_tokens: A shorter prefix may not be cached.
        read_factor: What reading a token from the cache costs, as a part of its price.
        prices_date: The date of the table.
    """

    name: str
    rules: Provider
    usd_per_million_tokens: float | None
    min_cache_tokens: int
    read_factor: float
    prices_date: str

    @property
    def usd_per_token(self) -> float:
        """The price of one token of input without caching.

        Raises:
            UnknownPriceError: The table has none.
        """
        if self.usd_per_million_tokens is None:
            override = {"models": {self.name: {"usd_per_million_tokens": 1.0}}}
            raise UnknownPriceError(
                f"model {self.name!r}: the table of {self.prices_date} has no price; override it, "
                f"as in {json.dumps(override)}"
            )
        return self.usd_per_million_tokens / 1_000_000

    def lifetime(self, name: str | None = None) -> Lifetime:
        """Return a lifetime; the default one for `None`.

        Raises:
            UnknownNameError: The model's provider has none of that name.
        """
        chosen = name or self.rules.default_lifetime
        if chosen not in self.rules.lifetimes:
            raise UnknownNameError(
                f"model {self.name!r}: no cache lifetime {chosen!r}; "
                f"there are {', '.join(self.rules.lifetimes)}"
            )
        return self.rules.lifetimes[chosen]


class ProviderTable(_Row):
    """Prices and caching rules of a date.

    Attributes:
        date: Of the newest source.
        note: What to think of it.
        providers: The caching rules by name.
        models: The models by name.
    """

    date: str
    note: str = ""
    providers: dict[str, Provider]
    models: dict[str, ModelRow]

    def model(self, name: str) -> Model:
        """Return a model; a date at the end of its name or a dot in it does not matter.

        Raises:
            UnknownNameError: The table has no such model; it names the nearest.
        """
        undated = _DATED.sub("", name)
        written = (name, undated, undated.replace(".", "-"))
        known = next((one for one in written if one in self.models), None)
        if known is None:
            near = did_you_mean(name, self.models)
            raise UnknownNameError(
                f"the table of {self.date} has no model {name!r}{near}; add it with an override"
            )
        row = self.models[known]
        rules = self.providers[row.provider]
        return Model(
            name=known,
            rules=rules,
            usd_per_million_tokens=row.usd_per_million_tokens,
            min_cache_tokens=row.min_cache_tokens,
            read_factor=rules.read_factor if row.read_factor is None else row.read_factor,
            prices_date=self.date,
        )


Override = Path | Mapping[str, Any] | ProviderTable | None
"""What replaces a part of the table: a JSON file, data of its shape, or a whole table in its place;
`None` for nothing."""


def load_providers(override: Override = None) -> ProviderTable:
    """Return the table, with what a user knows better in place of ours, field by field.

    Args:
        override: A JSON file of the table's shape, or such data; only what differs is needed.
            A table is returned as it is.

    Raises:
        ReadError: The file cannot be read, or what it says does not fit the table.
    """
    if override is None:
        return _shipped()
    if isinstance(override, ProviderTable):
        return override
    place, data = _override(override)
    try:
        table = ProviderTable.model_validate(_merged(_shipped().model_dump(), data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ReadError(f"{place}: {where}: {first['msg']}") from None
    for name, row in table.models.items():
        if row.provider not in table.providers:
            near = did_you_mean(row.provider, table.providers)
            raise ReadError(f"{place}: models.{name}: no provider {row.provider!r}{near}")
    for name, rules in table.providers.items():
        if rules.default_lifetime not in rules.lifetimes:
            raise ReadError(
                f"{place}: providers.{name}: no lifetime {rules.default_lifetime!r}; "
                f"there are {', '.join(rules.lifetimes)}"
            )
    return table


@cache
def _shipped() -> ProviderTable:
    data = files(__name__.rpartition(".")[0]).joinpath("providers.json").read_bytes()
    return ProviderTable.model_validate_json(data)


def _override(override: Path | Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    if isinstance(override, Mapping):
        return "the override of the provider table", override
    try:
        data = json.loads(override.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(f"{override}: {error.strerror}") from None
    except ValueError as error:
        raise ReadError(f"{override}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ReadError(f"{override}: a provider table is an object, not {type(data).__name__}")
    return str(override), data


def _merged(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    together = dict(below)
    for name, value in above.items():
        under = together.get(name)
        if isinstance(under, dict) and isinstance(value, Mapping):
            together[name] = _merged(under, value)
        else:
            together[name] = value
    return together
