"""Signals from files, folders and the command line, merged field by field."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ..inputs.errors import ReadError, UnknownNameError, did_you_mean
from ..inputs.signals import nested_model
from .flow import PromptFlow


def parse_signals(text: str, place: str) -> dict[str, Any]:
    """Return the object that a signals file holds; an `input` key is unwrapped.

    Args:
        text: JSON.
        place: Where it comes from, for messages.

    Raises:
        ReadError: It is not JSON, or not an object.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ReadError(f"{place}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    if isinstance(found, dict) and isinstance(found.get("input"), dict):
        found = found["input"]
    if not isinstance(found, dict):
        raise ReadError(f"{place}: signals are one JSON object, not {type(found).__name__}")
    return found


def read_signals(path: Path) -> dict[str, Any]:
    """Return the signals of a file; see `parse_signals`.

    Raises:
        ReadError: It cannot be read, is not UTF-8, not JSON, or not an object.
    """
    try:
        return parse_signals(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ReadError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None


def merged(flow: PromptFlow, *layers: Mapping[str, Any]) -> dict[str, Any]:
    """Return layers of signals as one; a later layer wins, leaf by leaf of nested models."""
    together: dict[str, Any] = {}
    for layer in layers:
        _merge(together, _own_names(flow.signals_model, layer))
    return together


def assigned(flow: PromptFlow, assignment: str) -> dict[str, Any]:
    """Return the layer that `name=value` makes.

    The name may be dotted or camelCase. For a signal that is text the value is taken as it is, but
    for `null` where the signal may be absent; for the others it is JSON.

    Raises:
        UnknownNameError: There is no such signal; it names the nearest.
        ReadError: There is no `=`, or the value is not JSON.
    """
    name, equals, value = assignment.partition("=")
    if not equals:
        raise ReadError(f"--set {assignment}: write name=value")
    path = tuple(name.split("."))
    names = _dotted_names(flow.signals_model)
    if path not in names:
        known = {".".join(one) for one in names}
        raise UnknownNameError(f"--set {name}: no such signal{did_you_mean(name, known)}")
    leaf = next((one for one in flow.graph.signals.values() if one.path == names[path]), None)
    parsed = _parsed(name, value, None if leaf is None else leaf.type)
    for field in reversed(names[path]):
        parsed = {field: parsed}
    layer: dict[str, Any] = parsed
    return layer


def _parsed(name: str, value: str, kind: Any) -> Any:
    """Return the value of an assignment for a signal of a type; `None` stands for a model."""
    if kind is str or value in getattr(kind, "__args__", ()):
        return value
    if kind == str | None:
        return None if value == "null" else value
    try:
        return json.loads(value)
    except json.JSONDecodeError as error:
        if str in getattr(kind, "__args__", ()):
            return value
        raise ReadError(f"--set {name}: not JSON: {error.msg}; write a JSON value") from None


def _merge(into: dict[str, Any], layer: Mapping[str, Any]) -> None:
    for name, value in layer.items():
        if isinstance(value, Mapping) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value


def _own_names(model: type[BaseModel], layer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer with aliases replaced by field names; unknown names stay as they are."""
    names = {field.alias: name for name, field in model.model_fields.items()}
    own: dict[str, Any] = {}
    for key, value in layer.items():
        name = names.get(key) or key
        inner = nested_model(model, name)
        own[name] = _own_names(inner, value) if inner and isinstance(value, Mapping) else value
    return own


def _dotted_names(model: type[BaseModel]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the path of each field by every way to write it."""
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, field in model.model_fields.items():
        for written in {name, field.alias or name}:
            names[(written,)] = (name,)
            inner = nested_model(model, name)
            for below, path in (_dotted_names(inner) if inner else {}).items():
                names[(written, *below)] = (name, *path)
    return names
