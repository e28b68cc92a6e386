"""The constants that a function's code holds: what its signals are compared with."""

from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any

MAX_CHARS = 80
"""A longer text is prose and nothing that a signal is compared with."""


def code_constants(function: Callable[..., Any]) -> Iterator[str | int]:
    """Yield the short texts and whole numbers of a function's code, its docstring left out.

    Those of the constants of its module that it names are among them; of a table the keys. The
    order is the same in every process.
    """
    code = getattr(function, "__code__", None)
    waiting: list[CodeType] = [code] if isinstance(code, CodeType) else []
    while waiting:
        code = waiting.pop()
        named = [getattr(function, "__globals__", {}).get(name) for name in code.co_names]
        tables = [one for one in named if isinstance(one, Mapping | tuple | frozenset | str | int)]
        for one in (*code.co_consts, *tables):
            match one:
                case CodeType():
                    waiting.append(one)
                case Mapping():
                    yield from (key for key in one if _is_compared(key))
                case tuple() | frozenset():
                    # A set of texts has an order that differs from process to process.
                    yield from sorted((x for x in one if _is_compared(x)), key=repr)
                case _ if one != function.__doc__ and _is_compared(one):
                    yield one


def _is_compared(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_CHARS
    return isinstance(value, int) and not isinstance(value, bool)
