"""The README's code runs and prints what it says."""

import contextlib
import io
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PYTHON = [
    (code, output)
    for (kind, code), (after, output) in pairwise(BLOCKS)
    if kind == "python" and after == "text"
]
CONSOLE = [code for kind, code in BLOCKS if kind == "console"]


def test_every_python_block_says_what_it_prints() -> None:
    """A block without its output would run unchecked."""
    assert len(PYTHON) == sum(kind == "python" for kind, _ in BLOCKS) > 0


@pytest.mark.parametrize(("code", "output"), PYTHON)
def test_a_python_block_prints_what_stands_under_it(code: str, output: str) -> None:
    """Each block is a program of its own."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert printed.getvalue() == output


@pytest.mark.parametrize("session", CONSOLE)
def test_a_console_block_prints_what_stands_under_each_command(session: str) -> None:
    """A line that begins with a dollar sign is a command; its output stands under it."""
    commands = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    assert commands
    for command in commands:
        line, _, expected = command.partition("\n")
        found = subprocess.run(
            ["bash", "-c", line],
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        )
        assert found.stdout == expected
