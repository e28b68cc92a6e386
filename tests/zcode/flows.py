"""The flows of zcode under test, each built once in the test process."""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from promptdag.dataflows import PromptFlow, zcode

FLOWS: dict[str, Callable[..., PromptFlow]] = {
    "zcode": zcode.flow,
    "zcode_cache_first": partial(zcode.flow, order="cache_first"),
    "zcode_subagent": zcode.subagent_flow,
    "zcode_compaction": zcode.compaction_flow,
    "zcode_continuation": zcode.continuation_flow,
}

CASES = Path(__file__).parent / "cases"
ENVIRONMENT = {"cwd": "/w", "platform": "linux", "shell": "bash", "osVersion": "Linux 6.6.0"}


@cache
def built(name: str, texts: str = "default") -> PromptFlow:
    """Return a flow under a text pack."""
    return FLOWS[name](texts)


def case(name: str) -> dict[str, Any]:
    """Return a case of the original by the beginning of its file's name."""
    (path,) = CASES.glob(f"{name}-*.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def golden_cases() -> list[Path]:
    """Return the folders of all golden cases; those of the main flow stand with other flows'."""
    return sorted(path.parent for flow in FLOWS for path in golden(flow).glob("*/signals.json"))


def golden(flow: str) -> Path:
    """Return the folder of a flow's golden cases."""
    here = Path(__file__).parent
    return (here.parent if flow == "zcode" else here) / "golden" / flow


def golden_signals(flow: str, name: str) -> dict[str, Any]:
    """Return the signals of a golden case."""
    path = golden(flow) / name / "signals.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
