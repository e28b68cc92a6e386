"""A call of the original minimal_agent, turned into signals."""

from collections.abc import Mapping
from typing import Any

_CALL = ("fn", "options", "fix", "fails")
_SOURCES = {
    "advisor": "advisor",
    "skills": "skills",
    "plugins": "plugins",
    "project": "project_instructions",
    "tasks": "tasks",
    "memory": "memory",
}


def signals_of_call(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return signals for a call `{"fn": …, "options": {…, "runtime": {…}}, "fix": {…}}`.

    `options` are the arguments of the original's function, and `runtime` wins over them but for
    the working directory, of which `runtime.cwd` only tells the original where to scan. What the
    user says now is also what memory is searched for. `fix` holds what each source gives, and
    `fails` names the source that fails. What is not part of a call is taken as signals, and wins.
    Whatever `fn` is, all is composed: ask for the node that it made.

    A mapping without `options` is no call, and comes back as it is.
    """
    options = given.get("options")
    if not isinstance(options, Mapping):
        return given
    runtime = _mapping(options.get("runtime"))
    named = {name: value for name, value in options.items() if name not in ("runtime", "tools")}
    named |= {name: value for name, value in runtime.items() if name != "cwd"}
    signals = {_own_name(name): value for name, value in named.items() if value is not None}
    if options.get("tools") is not None:
        signals["tool_names"] = [_tool_name(one) for one in options["tools"]]
    if "current_user_input" in signals:
        signals["user_input"] = signals["current_user_input"]
    signals |= _sources(given)
    return signals | {name: value for name, value in given.items() if name not in _CALL}


def _sources(given: Mapping[str, Any]) -> dict[str, Any]:
    fix = dict(_mapping(given.get("fix")))
    fails = given.get("fails", fix.pop("fails", None))
    found = {_SOURCES.get(name, name): value for name, value in fix.items() if value is not None}
    if isinstance(fails, str) and fails:
        source = fails.split()[0]
        found[_SOURCES.get(source, source)] = {"failed": fails}
    return found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _tool_name(tool: Any) -> Any:
    return tool["name"] if isinstance(tool, Mapping) and "name" in tool else tool


def _own_name(name: str) -> str:
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in name)
