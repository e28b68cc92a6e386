"""theway: the startup prompt of a terminal harness, one cached block."""

from ..inputs.theway import ThewaySignals, read_theway
from ..sections import theway as sections
from ..sections.packs import Texts
from .flow import PromptFlow
from .order import block, group, place, tag

BLOCKS = (
    block(
        "system",
        place(sections.harness, wrap=tag("harness"), cache="stable"),
        place(sections.tools, wrap=tag("tools")),
        group(
            sections.environment,
            place(sections.memory, wrap=tag("memory")),
            join="\n",
            wrap=tag("environment"),
        ),
        place(sections.lineage, wrap=tag("lineage")),
        join="\n\n",
        cache="session",
        cache_control="ephemeral",
    ),
)


def flow(texts: Texts = "default") -> PromptFlow:
    """A terminal harness with a graph of sessions: one cached block, nothing that changes a turn.

    Build it once in a process.

    Args:
        texts: The text pack: `default`, `skeleton`, or a folder of templates.
    """
    return PromptFlow(
        "theway",
        BLOCKS,
        session=ThewaySignals,
        all_of=(sections,),
        texts=texts,
        reader=read_theway,
        doc="a terminal harness with a graph of sessions",
    )
