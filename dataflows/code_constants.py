"""The constants that a function's code holds: what its signals are compared with."""

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

MAX_CHARS = 80
"""A longer text is prose and nothing that a signal is compared with."""


def code_constants(function: Callable[..., Any]) -> Iterator[str | int]:
    """Yield the short texts and whole numbers in a function's code, its docstring left out.

    The order is the same in every process.
    """
    code = getattr(function, "__code__", None)
    waiting: list[CodeType] = [code] if isinstance(code, CodeType) else []
    while waiting:
        for one in waiting.pop().co_consts:
            match one:
                case CodeType():
                    waiting.append(one)
                case tuple() | frozenset():
                    # A set of texts has an order that differs from process to process.
                    yield from sorted((x for x in one if isinstance(x, str | int)), key=repr)
                case str() if one != function.__doc__ and len(one) <= MAX_CHARS:
                    yield one
                case int() if not isinstance(one, bool):
                    yield one
