"""Composes prompts in a process of its own, so that nothing of this one can help."""

import json
import os
import subprocess
import sys
from typing import Any

_CODE = """
import json, sys
from importlib import import_module
from pydantic import ValidationError
for name, sets in json.load(sys.stdin).items():
    flow = import_module("promptdag.dataflows." + name).flow()
    for signals in sets:
        try:
            prompt = flow.compose(signals)
            print(name, prompt.fingerprint, json.dumps([prompt.text, prompt.messages]))
        except ValidationError:
            print(name, "invalid")
"""


def composed_elsewhere(
    sets: dict[str, list[dict[str, Any]]], hash_seed: int, locale: str
) -> list[str]:
    """Return a line for each set of signals: the flow, the fingerprint and the texts."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _CODE],
        input=json.dumps(sets),
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed), "LC_ALL": locale},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
