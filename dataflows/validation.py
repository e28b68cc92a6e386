"""Signals at the door: one pydantic error that lists everything, with the nearest known names."""

from collections.abc import Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from ..inputs.errors import did_you_mean
from ..inputs.signals import nested_model

Model = TypeVar("Model", bound=BaseModel)


def validated(model: type[Model], signals: Mapping[str, Any]) -> Model:
    """Return the signals as a model.

    Raises:
        pydantic.ValidationError: Lists every signal that is unknown, missing or of a wrong type;
            for an unknown one it names the nearest known.
    """
    try:
        return model(**signals)
    except ValidationError as error:
        raise _with_nearest(error, model) from None


def part_of(together: BaseModel, model: type[Model]) -> Model:
    """Return the signals of one side out of those of both, which are validated already."""
    fields = {name: getattr(together, name) for name in model.model_fields}
    return model.model_construct(together.model_fields_set & set(fields), **fields)


def _with_nearest(error: ValidationError, model: type[BaseModel]) -> ValidationError:
    from pydantic_core.core_schema import ErrorType  # costs 20 ms, and only errors need it

    standard = get_args(ErrorType)
    details: list[InitErrorDetails] = []
    for found in error.errors(include_url=False):
        detail = InitErrorDetails(type=found["type"], loc=found["loc"], input=None)
        if found["type"] == "extra_forbidden":
            detail["type"] = _unknown(model, found["loc"])
        elif found["type"] not in standard:
            text = {"text": found["msg"]}
            detail["type"] = PydanticCustomError("signal_error", "{text}", text)
        elif "ctx" in found:
            detail["ctx"] = found["ctx"]
        details.append(detail)
    return ValidationError.from_exception_data(error.title, details, hide_input=True)


def _unknown(model: type[BaseModel], location: tuple[int | str, ...]) -> PydanticCustomError:
    known = _names(model, location[:-1])
    nearest = did_you_mean(str(location[-1]), known).removeprefix("; ")
    return PydanticCustomError(
        "unknown_signal",
        "unknown signal{hint}",
        {
            "hint": f"; {nearest}"
            if nearest
            else f"; known are {', '.join(sorted(known)) or 'none'}"
        },
    )


def _names(model: type[BaseModel], above: tuple[int | str, ...]) -> dict[str, str]:
    """Return each field name and alias of the model at a location, with the field that it means."""
    inner: type[BaseModel] | None = model
    for step in above:
        if isinstance(step, str) and inner is not None:
            inner = nested_model(inner, step)
    fields = inner.model_fields if inner is not None else {}
    return {field.alias or name: name for name, field in fields.items()} | {n: n for n in fields}
