"""What composing costs, as ratios in one run: ours, the floor, f-strings, Hamilton's execute.

Run it with `make bench`. The floor is one hand-written function of plain ifs over the same compiled
templates, with the same cleaning, validation and sha256; it makes the same bytes. Variants are
interleaved in one process, and a ratio is the median of the ratios of the rounds.
"""

import gc
import json
import statistics
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from promptdag.dataflows import PromptFlow, block, theway
from promptdag.dataflows.escape import Escape
from promptdag.inputs.signals import SessionSignals, TurnSignals, canonical_json
from promptdag.inputs.text import Text
from promptdag.inputs.theway import ThewaySignals
from promptdag.sections import Section, fact, section
from promptdag.sections import theway as theway_sections
from promptdag.sections.packs import DefaultPack, section_template, section_text

EXAMPLE = Path(__file__).parents[2] / "inputs" / "examples" / "theway.json"
SIGNALS = json.loads(EXAMPLE.read_text()) | {
    "cwd": "/home/me/project",
    "memory": "Remember: the tests need the database.\n" * 20,
    "lineage": "## Session lineage\n\nCollapse event:\n  node id: node-1\n",
}


def medians(variants: dict[str, Callable[[], Any]], rounds: int, calls: int) -> dict[str, float]:
    """Return seconds a call by variant, the variants interleaved in every round."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    gc.disable()
    for _ in range(rounds):
        for name, call in variants.items():
            start = time.perf_counter()
            for _ in range(calls):
                call()
            times[name].append((time.perf_counter() - start) / calls)
    gc.enable()
    return {name: statistics.median(found) for name, found in times.items()}


def show(title: str, found: dict[str, float], base: str) -> None:
    """Print one line a variant: microseconds, and the multiple of the base."""
    print(f"\n{title}")
    for name, seconds in found.items():
        print(f"  {name:<44}{seconds * 1e6:>10.1f} us{seconds / found[base]:>9.2f} x")


def chained(before: str, target: str, mark: dict[str, str] | None, text: str) -> str:
    """Return the fingerprint of a block behind another, as the flow makes it."""
    shape = canonical_json([target, mark]).encode()
    data = text.encode()
    head = b"%s\n%d\n%s\n%d\n" % (before.encode(), len(shape), shape, len(data))
    return sha256(head + data).hexdigest()


def rendered(one: Section) -> Any:
    """Return a section's compiled template, as the flow uses it."""
    pack = DefaultPack()
    escape = Escape(("harness", "tools", "environment", "memory", "lineage"))
    return section_text(one, section_template(one, pack), pack, escape)


HARNESS, TOOLS = rendered(theway_sections.harness), rendered(theway_sections.tools)
ENVIRONMENT, LINEAGE = rendered(theway_sections.environment), rendered(theway_sections.lineage)
MEMORY = rendered(theway_sections.memory)
NO_TOOLS = sha256(b"[]").hexdigest()


def theway_floor(signals: dict[str, Any], templates: bool = True) -> tuple[str, str]:
    """Compose theway by hand: plain ifs, the same templates (or f-strings), the same hash."""
    s = ThewaySignals(**signals)
    intro = s.harness_intro
    inventory = theway_sections.inventory(s.tool_names, s.tool_order)
    if templates:
        harness = HARNESS(custom_intro=intro is not None, harness_intro=intro)
        tools, environment = TOOLS(tool_inventory=inventory), ENVIRONMENT(cwd=s.cwd)
    else:
        harness, tools = BODY, inventory
        environment = f"Current working directory: {s.cwd}"
    text = f"<harness>\n{harness}\n</harness>\n\n<tools>\n{tools}\n</tools>\n\n"
    text += f"<environment>\n{environment}"
    if s.memory != "":
        shown = theway_sections.shown_memory(s.memory, s.max_memory_chars)
        cut = shown.left_out_chars > 0
        memory = MEMORY(shown_memory=shown, memory_is_cut=cut) if templates else s.memory
        text += f"\n<memory>\n{memory}\n</memory>"
    text += "\n</environment>"
    if s.lineage is not None and s.lineage.strip() != "":
        lineage = LINEAGE(lineage=s.lineage) if templates else s.lineage
        text += f"\n\n<lineage>\n{lineage}\n</lineage>"
    return text, chained(NO_TOOLS, "system", {"type": "ephemeral"}, text)


BODY = HARNESS(custom_intro=False, harness_intro=None)


def first_prompt() -> None:
    """A whole first prompt of theway, from raw signals to the fingerprint."""
    flow = theway.flow()
    inputs = flow.inputs(**SIGNALS)
    wanted = ["system_block", "system_fingerprint"]

    def ours() -> tuple[str, str]:
        prompt = flow.session(**SIGNALS).turn()
        return prompt.text, prompt.fingerprint

    assert ours() == theway_floor(SIGNALS) == theway_floor(SIGNALS, templates=False)
    assert flow.driver.execute(wanted, inputs=inputs)["system_fingerprint"] == ours()[1]
    variants: dict[str, Callable[[], Any]] = {
        "floor": lambda: theway_floor(SIGNALS),
        "ours": ours,
        "pure f-strings": lambda: theway_floor(SIGNALS, templates=False),
        "Driver.execute (no validation, no cleaning)": lambda: flow.driver.execute(
            wanted, inputs=inputs
        ),
    }
    show("a whole first prompt of theway (bar: 3)", medians(variants, 60, 20), "floor")


class DemoTurn(TurnSignals):
    """Turn signals of the small flow."""

    user_input: Text
    current_date: Text


class DemoSession(SessionSignals):
    """Session signals of the small flow."""

    cwd: Text


@section(text="You work in {{ cwd }}.")
def workplace(cwd: str) -> None:
    """Where the agent works."""


@fact
def date_line(current_date: str) -> str:
    """The reminder that travels with this turn."""
    return f"<system-reminder>\nToday's date is {current_date}.\n</system-reminder>\n"


@fact
def messages(date_line: str, user_input: str) -> list[dict[str, Any]]:
    """This turn's messages."""
    content = [{"type": "text", "text": date_line}, {"type": "text", "text": user_input}]
    return [{"role": "user", "content": content}]


def known_session() -> None:
    """A turn on a session that is known."""
    flow = PromptFlow(
        "demo",
        (block("system", workplace, cache_control="ephemeral"),),
        session=DemoSession,
        turn=DemoTurn,
        messages=messages,
    )
    session = flow.session(cwd="/home/me/project")
    turn = {"user_input": "please fix the failing test", "current_date": "2026-05-04"}
    blocks = session.turn(**turn).blocks

    def floor() -> tuple[Any, list[dict[str, Any]]]:
        given = DemoTurn(**turn)
        line = f"<system-reminder>\nToday's date is {given.current_date}.\n</system-reminder>\n"
        content = [{"type": "text", "text": line}, {"type": "text", "text": given.user_input}]
        return blocks, [{"role": "user", "content": content}]

    def ours() -> tuple[Any, list[dict[str, Any]]]:
        prompt = session.turn(**turn)
        return prompt.session, prompt.messages

    assert floor()[1] == ours()[1]
    inputs = flow.inputs(cwd="/home/me/project", **turn)
    variants: dict[str, Callable[[], Any]] = {
        "floor": floor,
        "ours": ours,
        "Driver.execute (no validation, no cleaning)": lambda: flow.driver.execute(
            ["messages"], inputs=inputs
        ),
    }
    show("a turn on a known session (bar: 1.5)", medians(variants, 60, 200), "floor")


def synthetic(count: int) -> PromptFlow:
    """Return a flow of many small sections, each with a variable."""

    def declared(number: int) -> Section:
        scope: dict[str, Any] = {}
        exec(f"def part_{number}(cwd: str) -> None:\n    'A part.'", scope)
        return section(text="Part " + str(number) + " in {{ cwd }}.")(scope[f"part_{number}"])

    parts = [declared(number) for number in range(count)]
    return PromptFlow(
        f"synthetic_{count}", (block("system", *parts, join="\n\n"),), session=DemoSession
    )


def growth() -> None:
    """First prompts of 10, 100 and 1,000 sections."""
    print("\ngrowth: first prompt by number of sections")
    before = 0.0
    for count in (10, 100, 1000):
        start = time.perf_counter()
        flow = synthetic(count)
        built = time.perf_counter() - start
        found = medians({"ours": lambda flow=flow: flow.session(cwd="/x").turn()}, 15, 3)["ours"]
        times = f"{found / before:.1f} x the one before" if before else ""
        print(f"  {count:>5} sections {found * 1e6:>10.1f} us  {times:<22} built in {built:.2f} s")
        before = found


if __name__ == "__main__":
    first_prompt()
    known_session()
    growth()
