"""Facts and gates that read the world in place of signals, or format by locale or time zone."""

from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .finding import LintFinding
from .study import Study

_IMPURE = frozenset(
    {"now", "utcnow", "today", "time_ns", "perf_counter", "monotonic", "getcwd", "environ"}
    | {"getenv", "urandom", "uuid1", "uuid4", "randint", "shuffle", "token_hex", "gethostname"}
    | {"read_text", "read_bytes", "open", "urlopen", "check_output", "getuser", "expanduser"}
)
_MODULES = frozenset(("random", "secrets", "subprocess", "socket"))
_LOCAL = frozenset(("strftime", "localtime", "setlocale", "format_string", "strcoll", "astimezone"))


def impure_functions(study: Study) -> Iterator[LintFinding]:
    """Yield the facts and gates whose code, or a function of theirs, names a source of the world.

    Only what can be read in the code is found: a call by another name is not.
    """
    for node in study.flow.graph.nodes.values():
        if node.kind not in ("fact", "gate"):
            continue
        function = getattr(node.function, "function", node.function)
        names = dict.fromkeys(_names(function, set())) if isinstance(function, FunctionType) else {}
        where = f"{node.place}, {node.kind} {node.name!r}"
        for found, code, what, do in (
            (
                [name for name in names if name in _IMPURE or name in _MODULES],
                "PD033",
                "reads the world by",
                "make it a signal that a reader fills",
            ),
            (
                [name for name in names if name in _LOCAL],
                "PD035",
                "may format by locale or time zone with",
                "format with fixed words and an explicit zone",
            ),
        ):
            if found:
                severity = "error" if code == "PD033" else "warning"
                listed = ", ".join(found)
                yield LintFinding(code, severity, node.name, where, f"it {what} {listed}", do)  # type: ignore[arg-type]


def _names(function: FunctionType, seen: set[CodeType]) -> Iterator[str]:
    code = function.__code__
    if code in seen:
        return
    seen.add(code)
    for name in _names_in(code):
        value: Any = function.__globals__.get(name)
        value = getattr(value, "function", value)
        if isinstance(value, ModuleType):
            yield value.__name__.split(".")[0]
        elif isinstance(value, FunctionType) and _is_own(value, function):
            yield from _names(value, seen)
        else:
            yield name


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _is_own(value: FunctionType, function: FunctionType) -> bool:
    """Return whether a function belongs to the package of the one that calls it."""
    mine, theirs = function.__module__ or "", value.__module__ or ""
    return theirs.split(".")[0] == mine.split(".")[0]
