"""The flows that are installed: ours and everybody else's, found by entry point."""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from traceback import extract_tb

from ..inputs.errors import PromptdagError, UnknownNameError, did_you_mean
from .flow import PromptFlow

GROUP = "promptdag.flows"


class LoadError(PromptdagError):
    """A flow whose module cannot be imported."""


def flow_builders() -> dict[str, Callable[..., PromptFlow]]:
    """Return the function that builds each installed flow, by name.

    A package offers a flow with an entry point of the group `promptdag.flows` that names a
    function; it takes `texts=` and returns a `PromptFlow`, and its docstring says what the flow is.

    Raises:
        LoadError: A module cannot be imported; it names the line.
    """
    return {entry.name: _loaded(entry) for entry in sorted(entry_points(group=GROUP))}


def flow_named(name: str) -> Callable[..., PromptFlow]:
    """Return the function that builds a flow.

    Raises:
        UnknownNameError: No such flow is installed; it names the nearest.
        LoadError: Its module cannot be imported; it names the line.
    """
    return _loaded(_entry(name))


def flow_reference(name: str) -> str:
    """Return where a flow's builder is, as `module:function`.

    Raises:
        UnknownNameError: No such flow is installed; it names the nearest.
    """
    return _entry(name).value


def _loaded(entry: EntryPoint) -> Callable[..., PromptFlow]:
    try:
        builder: Callable[..., PromptFlow] = entry.load()
    except (ImportError, AttributeError, NameError, SyntaxError) as error:
        place = extract_tb(error.__traceback__)[-1]
        raise LoadError(
            f"flow {entry.name!r}: {entry.value} cannot be loaded: {type(error).__name__}: "
            f"{error}; mend {place.filename}, line {place.lineno}"
        ) from error
    return builder


def _entry(name: str) -> EntryPoint:
    entries = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in entries:
        hint = did_you_mean(name, entries) or f"; there are {', '.join(sorted(entries))}"
        raise UnknownNameError(f"no flow {name!r}{hint}")
    return entries[name]
