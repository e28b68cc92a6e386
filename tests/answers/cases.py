"""The golden cases as inputs of the answers."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..flows import built

GOLDEN = Path(__file__).parents[1] / "golden"


def full_case(flow: str) -> dict[str, Any]:
    """Return the signals of the case that opens every gate."""
    found: dict[str, Any] = json.loads((GOLDEN / flow / "full" / "signals.json").read_text("utf-8"))
    return found


@cache
def valid_cases(flow: str) -> list[dict[str, Any]]:
    """Return the signals of every golden case that is valid."""
    found = []
    for path in sorted((GOLDEN / flow).glob("*/signals.json")):
        signals = json.loads(path.read_text("utf-8"))
        try:
            built(flow).compose(signals)
        except ValidationError:
            continue
        found.append(signals)
    return found
