"""Plans: straight-line code, generated from Hamilton's graph, that runs the hot path.

A plan calls the nodes' own callables in topological order, with keywords, one node a line; it does
nothing else. `Driver.execute` gives the same values and costs several times as much.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from linecache import cache as _line_cache
from types import CodeType
from typing import Any

from ..inputs.errors import NodeError

_serial = count(1)


@dataclass(frozen=True, slots=True)
class Step:
    """One node of a plan.

    Attributes:
        name: The node's name.
        function: The callable of Hamilton's node.
        parameters: The names that it needs.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]


def compile_plan(
    flow: str, steps: Sequence[Step], known: Mapping[str, str], arguments: str
) -> Callable[..., tuple[Any, ...]]:
    """Return a function that computes the steps and returns their values as a tuple.

    Args:
        flow: The flow's name, for messages.
        steps: In topological order.
        known: For each name that is not a step, the expression that reads it from the arguments.
        arguments: The function's parameters, such as `signals`.

    Raises:
        NodeError: By the function, when a node raises; it names the node and chains the cause.
    """
    names = {name: f"s{number}" for number, name in enumerate(known)}
    names |= {step.name: f"n{number}" for number, step in enumerate(steps)}
    lines = [f"def plan({arguments}):"]
    used = {parameter for step in steps for parameter in step.parameters}
    reads = [name for name in known if name in used]
    lines += [f"    {names[name]} = {known[name]}" for name in reads]
    first_step = len(lines) + 1
    for number, step in enumerate(steps):
        passed = ", ".join(f"{name}={names[name]}" for name in step.parameters)
        lines.append(f"    {names[step.name]} = f{number}({passed})")
    values = "".join(f"{names[step.name]}, " for step in steps)
    lines.append(f"    return ({values})")
    functions = {f"f{number}": step.function for number, step in enumerate(steps)}
    filename = f"<plan {next(_serial)} of {flow}>"
    plan: Callable[..., tuple[Any, ...]] = define("\n".join(lines), "plan", functions, filename)
    code = plan.__code__  # type: ignore[attr-defined]

    def run(*given: Any) -> tuple[Any, ...]:
        try:
            return plan(*given)
        except Exception as error:
            node = _failed_step(error, code, steps, first_step)
            raise NodeError(flow, node, error) from error

    return run


def _failed_step(
    error: BaseException, code: CodeType, steps: Sequence[Step], first_step: int
) -> str:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is code:
            return steps[trace.tb_lineno - first_step].name
        trace = trace.tb_next
    return "?"


def define(source: str, name: str, namespace: Mapping[str, Any], filename: str) -> Any:
    """Return what generated source defines, with its lines known to tracebacks and `inspect`."""
    # `inspect.getsource` finds generated code by this entry; Hamilton asks it for node versions.
    _line_cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope: dict[str, Any] = dict(namespace)
    exec(compile(source, filename, "exec"), scope)
    return scope[name]
