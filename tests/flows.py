"""The flows under test: what every flow must hold is asked of each flow in this list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from promptdag.dataflows import (
    PromptFlow,
    minimal_agent,
    open_design,
    open_design_turn,
    theway,
    zcode,
)
from promptdag.sections import minimal_agent as minimal_agent_sections
from promptdag.sections import open_design as open_design_sections
from promptdag.sections import open_design_turn as open_design_turn_sections
from promptdag.sections import theway as theway_sections
from promptdag.sections import zcode as zcode_sections

from .minimal_agent import gate_tables as minimal_agent_gates
from .minimal_agent import values as minimal_agent_values
from .open_design import gate_tables as open_design_gates
from .open_design import pages as open_design_pages
from .open_design import values as open_design_values
from .open_design_turn import gate_tables as open_design_turn_gates
from .open_design_turn import values as open_design_turn_values
from .readme_tables import section_table
from .theway import gate_tables as theway_gates
from .theway.reference import startup_prompt
from .zcode import gate_tables as zcode_gates
from .zcode import values as zcode_values


@dataclass(frozen=True)
class FlowCase:
    """What the general tests need to know of a flow.

    Attributes:
        name: The flow's name; its golden cases are in `tests/golden/{name}`.
        build: Builds the flow under a text pack.
        sections: The package whose sections and gates the flow is made of.
        gate_tables: The module with `TABLES`, a truth table for each gate.
        pools: For a signal, by its node name, values that random sets draw from beside nasty ones.
        only: For a field of a form of its own, the values that alone random sets draw from.
        reference: The prompt as straight code writes it, from the validated signals and the slots
            of the default texts; `None` where there is none.
        unplaced: Sections that stand in no order, and why.
        least_share: In how many of the random sets each gate is open at least, and closed.
        page_table: Writes the table of sections on the flow's page.
    """

    name: str
    build: Callable[..., PromptFlow]
    sections: ModuleType
    gate_tables: ModuleType
    pools: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    reference: Callable[[Any], str] | None = None
    unplaced: Mapping[str, str] = field(default_factory=dict)
    least_share: float = 0.05
    page_table: Callable[[PromptFlow], str] = section_table

    def __str__(self) -> str:
        return self.name


FLOWS = (
    FlowCase(
        name="minimal_agent",
        build=minimal_agent.flow,
        sections=minimal_agent_sections,
        gate_tables=minimal_agent_gates,
        pools=minimal_agent_values.POOLS,
        only=minimal_agent_values.ONLY,
    ),
    FlowCase(
        name="theway",
        build=theway.flow,
        sections=theway_sections,
        gate_tables=theway_gates,
        pools={
            "tool_names": (
                *("bash", "read", "write", "grep", "web_search", "dag_plan", "session_graph_read"),
                *("new_cron_job", "skill_builder", "micron", "", "Read", "a\nb"),
            ),
            "memory": ("", "", "be concise", "one\ntwo\nthree\n" * 20),
            "max_memory_chars": (0, 3, 9, 400),
        },
        reference=startup_prompt,
    ),
    FlowCase(
        name="zcode",
        build=zcode.flow,
        sections=zcode_sections,
        gate_tables=zcode_gates,
        pools=zcode_values.POOLS,
        only=zcode_values.ONLY,
        unplaced=zcode_values.UNPLACED,
    ),
    FlowCase(
        name="open_design",
        build=open_design.flow,
        sections=open_design_sections,
        gate_tables=open_design_gates,
        pools=open_design_values.POOLS,
        only=open_design_values.ONLY,
        least_share=0.01,
        page_table=lambda _: open_design_pages.section_table(),
    ),
    FlowCase(
        name="open_design_turn",
        build=open_design_turn.flow,
        sections=open_design_turn_sections,
        gate_tables=open_design_turn_gates,
        pools=open_design_turn_values.POOLS,
        only=open_design_turn_values.ONLY,
    ),
)


@cache
def built(name: str, texts: str = "default") -> PromptFlow:
    """Return a flow, built once in the test process."""
    return next(one for one in FLOWS if one.name == name).build(texts)


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Return the modules of a package; its attributes may be named like them."""
    found = walk_packages(package.__path__, f"{package.__name__}.")
    return [import_module(module.name) for module in found]
