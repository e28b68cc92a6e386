"""Plans: straight-line code, generated from Hamilton's graph, that runs the hot path.

A plan calls the nodes' own callables in topological order, with keywords, one node a line; it does
nothing else. `Driver.execute` gives the same values and costs several times as much.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from linecache import cache as _line_cache
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
    used = {parameter for step in steps for parameter in step.parameters}
    lines = [f"def plan({arguments}):", "  try:"]
    lines += [f"    {names[name]} = {known[name]}" for name in known if name in used]
    first_step = len(lines) + 1
    for number, step in enumerate(steps):
        passed = ", ".join(f"{name}={names[name]}" for name in step.parameters)
        lines.append(f"    {names[step.name]} = f{number}({passed})")
    values = "".join(f"{names[step.name]}, " for step in steps)
    lines += [f"    return ({values})", "  except Exception as error:", "    raise _failed(error)"]

    def failed(error: Exception) -> NodeError:
        error_from_node = NodeError(flow, _failed_step(error, filename, steps, first_step), error)
        error_from_node.__cause__ = error
        return error_from_node

    namespace: dict[str, Any] = {f"f{number}": step.function for number, step in enumerate(steps)}
    filename = f"<plan {next(_serial)} of {flow}>"
    plan: Callable[..., tuple[Any, ...]] = define(
        "\n".join(lines), "plan", namespace | {"_failed": failed}, filename
    )
    return plan


def _failed_step(
    error: BaseException, filename: str, steps: Sequence[Step], first_step: int
) -> str:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
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
