"""Small changes of a prompt: other values of its signals, and the prompt with them.

The lists are short on purpose: a search over them is bounded, and says how many it tried.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..inputs.errors import PromptdagError
from ..inputs.signals import Leaf, model_at
from .signal_values import leaf_takes, leaf_values, least, with_leaf
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
    values = tuple(tuple(one) if isinstance(one, list) else one for one in leaf_values(flow, leaf))
    near = (one for one in _near(current, values) if leaf_takes(flow, leaf, one))
    for value in (*given, *values, *near):
        known = (current, *found)
        if not any(value == one and type(value) is type(one) for one in known):
            found.append(value)
    return tuple(found)


def _near(current: Any, values: tuple[Any, ...]) -> Iterator[Any]:
    """Yield values that differ from the current one in a little."""
    match current:
        case bool() | None:
            return
        case str() if current:
            yield f"{current}{_MARKER}"
        case int() | float():
            yield from (current + 1, current - 1)
        case tuple() if current:
            yield current[:-1]
            yield current[::-1]
            yield from ((*current, *one) for one in values if isinstance(one, tuple) and one)


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
            value = least(model_at(kind, leaf.path)) if value else None
        side[top] = with_leaf(kind, {top: before}, leaf.path, value)[top]
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


def signal_values(prompt: "Prompt") -> dict[str, Any]:
    """Return the values of a prompt's signals by node name; those of a turn when it has one."""
    models = {False: prompt.session.signals, True: prompt.turn}
    return {
        leaf.name: leaf.value(model)
        for leaf in prompt.session.flow.graph.signals.values()
        if (model := models[leaf.turn]) is not None
    }
