"""The signals of theway, and how a real folder fills them."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from .findings import Found
from .signals import Drifts, Lives, SessionSignals
from .text import Line, Text
from .theway_memory import read_theway_memory

MEMORY_FOLDER = Path(".theway", "memory")


class ThewaySignals(SessionSignals):
    """What theway's prompt is made from; nothing in it changes from turn to turn."""

    cwd: Line = Field(description="the working directory of the harness")
    memory: Annotated[
        Text,
        Field(description="what was remembered; empty for nothing"),
        Lives("process"),
        Drifts("a memory saved in the middle of a session changes the folder that it is read from"),
    ] = ""
    tool_names: Annotated[
        tuple[Line, ...],
        Field(description="the registered tools, in the order of their registration"),
        Drifts("an extension can publish its tools again while a session runs"),
    ] = ()
    lineage: Text | None = Field(None, description="the ids of the collapse that began the session")
    harness_intro: Text | None = Field(None, description="stands in place of the default intro")
    tool_order: Literal["first_seen", "canonical"] = Field(
        "first_seen",
        description="order of the tool groups: as tools were registered, or as the rules stand",
    )
    max_memory_chars: Annotated[int, Field(ge=0)] | None = Field(
        None, description="how many characters of memory are shown, in whole lines; null for all"
    )


def read_theway(directory: Path, *, trusted: bool = True) -> Found[dict[str, Any]]:
    """Return the signals that a folder gives: `cwd`, and `memory` from `.theway/memory`.

    Args:
        directory: The folder that the harness would work in.
        trusted: Not used: nothing in the folder is run.
    """
    memory = read_theway_memory(directory / MEMORY_FOLDER)
    return Found({"cwd": str(directory.resolve()), "memory": memory.value}, memory.findings)
