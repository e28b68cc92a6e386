"""Sessions out of sessions: signals read again, and sessions that were saved."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..inputs.errors import NodeError, ReadError, UnknownNameError
from ..inputs.signals import Leaf, SessionSignals
from .change import Change
from .node_functions import block_node, text_node
from .overrides import OverrideRecord
from .session import Session
from .validation import validated

if TYPE_CHECKING:
    from .flow import PromptFlow


def updated(session: Session, changes: dict[str, Any]) -> Session:
    """Return a session with some signals changed; see `Session.update`."""
    flow, before = session.flow, session.signals
    signals = validated(flow.session_model, dict(before) | _leaf_changes(flow, before, changes))
    fields = [
        leaf.name
        for leaf in flow.graph.signals.values()
        if not leaf.turn and leaf.value(signals) != leaf.value(before)
    ]
    values = _updated_values(session, signals, fields)
    dotted = tuple(flow.graph.signals[name].dotted for name in fields)
    return Session(flow, signals, values, _change(flow, dotted, session.values, values))


def _updated_values(
    session: Session, signals: SessionSignals, fields: list[str]
) -> tuple[Any, ...]:
    """Compute again what changed signals reach, and no further than values differ."""
    flow, values = session.flow, list(session.values)
    index, moved = flow.session_index, set(fields)
    reached = {name for field in fields for name in flow.graph.downstream[field]}
    for name in sorted(reached & index.keys(), key=index.__getitem__):
        step = flow.session_steps[name]
        if moved.isdisjoint(step.parameters):
            continue
        given = {
            parameter: values[index[parameter]]
            if parameter in index
            else flow.graph.signals[parameter].value(signals)
            for parameter in step.parameters
        }
        try:
            value = step.function(**given)
        except Exception as error:
            raise NodeError(flow.name, name, error) from error
        if value != values[index[name]]:
            values[index[name]] = value
            moved.add(name)
    return tuple(values)


def _change(
    flow: "PromptFlow", fields: tuple[str, ...], before: tuple[Any, ...], after: tuple[Any, ...]
) -> Change:
    index = flow.session_index
    texts = ((p.place.section.name, index[text_node(p.place.section)]) for p in flow.positions)
    sections = tuple(name for name, number in texts if before[number] != after[number])
    old, new = (
        "".join(values[index[block_node(block.name)]].text for block in flow.blocks).encode()
        for values in (before, after)
    )
    first = first_difference(old, new)
    if before[index["tools_fingerprint"]] != after[index["tools_fingerprint"]]:
        first = 0  # tools stand before the system text
    rewritten = 0 if first is None else len(new) - first
    last = index[flow.last_fingerprint]
    return Change(fields, sections, first, rewritten, before[last], after[last])


def first_difference(before: bytes, after: bytes) -> int | None:
    """Return the first offset at which two texts differ, by bisection over equal prefixes."""
    if before == after:
        return None
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if before[:middle] == after[:middle] else (low, middle - 1)
    return low


def loaded(flow: "PromptFlow", saved: str) -> Session:
    """Return a session from what `Session.save` gave; see `PromptFlow.load`."""
    try:
        stored = json.loads(saved)
        saved_flow, *_ = (stored[name] for name in ("flow", "fingerprint", "sections", "signals"))
        overrides = saved_overrides(stored)
    except (ValueError, KeyError, TypeError) as error:
        raise ReadError(
            f"flow {flow.name!r}: this is no saved session ({type(error).__name__}: {error}); "
            "give what session.save() returned"
        ) from None
    if saved_flow != flow.name:
        raise UnknownNameError(
            f"flow {flow.name!r}: the session was saved by flow {stored['flow']!r}; load it there"
        )
    session = flow.session(**stored["signals"])
    rows = session.turnless().manifest.sections
    hashes = {row.name: row.sha256 for row in rows}
    names = dict.fromkeys((*stored["sections"], *hashes))
    differ = tuple(name for name in names if hashes.get(name) != stored["sections"].get(name))
    first = min((row.start for row in rows if row.name in differ), default=0)
    over = moved_overrides(overrides, session)
    if session.fingerprint == stored["fingerprint"]:
        change = Change((), (), None, 0, session.fingerprint, session.fingerprint, over)
    else:
        size = rows[-1].end if rows else 0
        prints = stored["fingerprint"], session.fingerprint
        change = Change((), differ, first, size - first, *prints, over)
    return Session(flow, session.signals, session.values, change)


def saved_overrides(stored: Mapping[str, Any]) -> tuple[OverrideRecord, ...]:
    """Return what a saved session keeps of its overrides."""
    return tuple(OverrideRecord(**one) for one in stored.get("overrides", ()))


def moved_overrides(before: tuple[OverrideRecord, ...], session: Session) -> tuple[str, ...]:
    """Return in words the overrides that only one side has; all where their order differs."""
    now = tuple(one.record() for one in session.flow.overrides)
    if before == now:
        return ()
    differ = [one for one in (*before, *now) if (one in before) != (one in now)] or now
    return tuple(dict.fromkeys(f"{one.kind} {one.name} by {one.who}" for one in differ))


def _leaf_changes(
    flow: "PromptFlow", signals: SessionSignals, changes: dict[str, Any]
) -> dict[str, Any]:
    """Return changes of top-level fields, given changes that may name leaves of nested models.

    Raises:
        UnknownNameError: A leaf is named whose model is absent; the whole model is needed.
    """
    fields = type(signals).model_fields
    names = {field.alias: name for name, field in fields.items() if field.alias} | {
        name: name for name in fields
    }
    whole: dict[str, Any] = {}
    parts: list[tuple[Leaf, Any]] = []
    for key, value in changes.items():
        leaf = flow.graph.signals.get(key)
        if leaf is not None and not leaf.turn and not leaf.presence and key not in names:
            parts.append((leaf, value))
        else:
            name = names.get(key, key)
            # A field that is given under both its names stays under both: pydantic refuses it.
            whole[fields[name].alias or name if name in whole else name] = value
    for leaf, value in parts:  # behind the models that they change, wherever they were given
        top = leaf.path[0]
        whole[top] = _with_leaf(flow, leaf, 1, whole.get(top, getattr(signals, top)), value)
    return whole


def _with_leaf(
    flow: "PromptFlow", leaf: Leaf, depth: int, model: Any, value: Any
) -> dict[str, Any]:
    """Return the fields of the model at a depth of a leaf's path, with the leaf's new value."""
    if model is None:
        above = ".".join(leaf.path[:depth])
        raise UnknownNameError(
            f"flow {flow.name!r}: {leaf.dotted!r} cannot be changed alone, since {above!r} is "
            f"absent; give the whole of {leaf.path[0]!r}"
        )
    fields, field = dict(model), leaf.path[depth]
    if depth < len(leaf.path) - 1:
        value = _with_leaf(flow, leaf, depth + 1, fields.get(field), value)
    return fields | {field: value}
