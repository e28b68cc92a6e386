"""Which facts and gates a flow knows: those of its sections' modules, and those it is given."""

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from ..inputs.errors import NameClashError, UnknownNameError, did_you_mean
from ..sections.declare import Fact, Gate


def declared_facts(
    flow: str,
    functions: Iterable[Callable[..., Any]],
    given: Iterable[ModuleType | Fact[..., Any]],
    instead: Iterable[ModuleType],
    messages: Fact[..., Any] | None,
) -> dict[str, Fact[..., Any]]:
    """Return the facts and gates that parameters may name, by name.

    Args:
        flow: The flow's name, for messages.
        functions: Their modules are searched, and those of the facts that are found.
        given: Further modules and facts.
        instead: Modules whose facts stand in place of the declared ones of the same names.
        messages: The fact of the messages, which no parameter names.

    Raises:
        NameClashError: Two facts have one name.
        UnknownNameError: A fact stands in place of none.
    """
    waiting: list[Mapping[str, Any]] = [function.__globals__ for function in functions]
    waiting += [vars(one) if isinstance(one, ModuleType) else {"": one} for one in given]
    found: dict[str, Fact[..., Any]] = {}
    seen: set[int] = set()
    while waiting:
        names = waiting.pop(0)
        if id(names) in seen:
            continue
        seen.add(id(names))
        for one in list(names.values()):
            if not isinstance(one, Fact) or one is messages:
                continue
            if found.setdefault(one.name, one) is not one:
                raise NameClashError(
                    f"flow {flow!r}: {found[one.name].place} and {one.place} both make a "
                    f"node {one.name!r}; rename one of them"
                )
            waiting.append(one.function.__globals__)
    return found | _replacements(flow, found, instead)


def _replacements(
    flow: str, declared: Mapping[str, Fact[..., Any]], instead: Iterable[ModuleType]
) -> dict[str, Fact[..., Any]]:
    """Return the facts that stand in place of declared ones."""
    found: dict[str, Fact[..., Any]] = {}
    for module in instead:
        for name, one in vars(module).items():
            if not isinstance(one, Fact) or one.function.__globals__ is not vars(module):
                continue
            if name not in declared or isinstance(one, Gate):
                raise UnknownNameError(
                    f"flow {flow!r}: {one.place}: there is no fact {name!r} for this one "
                    f"to stand in place of{did_you_mean(name, declared)}"
                )
            found[name] = one
    return found
