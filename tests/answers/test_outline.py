"""A prompt without a session: placeholders for values, gates as given, and sizes."""

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner
from jinja2 import nodes
from promptdag.dataflows import Prompt, PromptFlow
from promptdag.dataflows.command_line import main
from promptdag.dataflows.outline import outline
from promptdag.dataflows.overrides import (
    append,
    disable,
    prepend,
    replace,
    replace_all,
    set_value,
    transform,
)
from promptdag.dataflows.placed import placed_sections
from promptdag.inputs.errors import UnknownNameError
from promptdag.inputs.tokens import counter_named, default_counter
from promptdag.sections.packs import section_template

from ..flows import FLOWS, built
from .cases import valid_cases
from .small import FULL, SMALL

BY: Any = {"who": "ops", "why": "a trial"}
CASES = [(SMALL, [FULL, {}])] + [(built(one.name), valid_cases(one.name)) for one in FLOWS]
OUTLINE = """Base prose.

Plan.

Act.

Desktop prose.

Both.

<where>
In {{ work_folder }} on a desktop.
</where>

<memory>
- {{ rule }}

{{ memory }}
</memory>

{{ added }}

Model {{ model }}."""


def test_every_value_is_a_placeholder_and_every_gate_is_open() -> None:
    """Glue and wrappers are those of the order; a loop and a list are shown once."""
    assert outline(SMALL).text == OUTLINE


def test_gates_are_given() -> None:
    """A closed gate takes its section, or turns a template to its other side."""
    found = outline(SMALL, closed=("desktop", "acts"))
    assert "Desktop prose." not in found.text
    assert "In {{ work_folder }}.\n" in found.text
    assert "Plan.\n\nBoth." in found.text
    with pytest.raises(UnknownNameError, match="no gate 'desktp'; did you mean 'desktop'"):
        outline(SMALL, closed=("desktp",))


@pytest.mark.parametrize(("flow", "cases"), CASES, ids=lambda one: getattr(one, "name", ""))
def test_an_outline_with_values_filled_in_is_the_prompt(flow: PromptFlow, cases: Any) -> None:
    """With the gates of a case, each open section without a loop is its text to the byte."""
    gates = [name for name, node in flow.graph.nodes.items() if node.kind == "gate"]
    compared = 0
    for signals in cases:
        prompt = flow.compose(signals)
        known = [name for name in gates if flow.graph.tier(name) != "turn"]
        closed = [name for name in known if not prompt.value(name)]
        rows = {row.name: row for row in outline(flow, closed=closed).rows}
        for one in placed_sections(prompt):
            section = one.position.place.section
            if section.many or section_template(section, flow.pack).tree.find(nodes.For):
                continue
            assert one.own in _filled(prompt, rows[section.name].text), section.name
            compared += 1
    assert compared > len(cases)


@pytest.mark.parametrize("signals", valid_cases("theway"))
def test_a_flow_without_loops_is_outlined_to_the_byte(signals: Any) -> None:
    """The whole prompt, from its first byte to its last."""
    prompt = built("theway").compose(signals)
    gates = ("has_memory", "has_lineage", "memory_is_cut", "custom_intro")
    closed = [name for name in gates if not prompt.value(name)]
    assert _filled(prompt, outline(built("theway"), closed=closed).text) == prompt.text


def _filled(prompt: Prompt, text: str) -> str:
    escape = prompt.session.flow.escape
    return re.sub(r"\{\{ ([\w.]+) \}\}", lambda one: escape(_value(prompt, one[1])), text)


def _value(prompt: Prompt, written: str) -> Any:
    name, *fields = written.split(".")
    value = prompt.value(name)
    for field in fields:
        value = getattr(value, field)
    return value


@pytest.mark.parametrize("flow", [flow for flow, _ in CASES], ids=lambda one: one.name)
def test_sizes_are_those_of_the_text_and_add_up(flow: PromptFlow) -> None:
    """Tokens, characters and bytes of each section; every section of the flow has a row."""
    found = outline(flow)
    assert {row.name for row in found.rows} == {p.place.section.name for p in flow.positions}
    assert found.total["characters"] == len(found.text)
    assert found.total["bytes"] == len(found.text.encode())
    for row in found.rows:
        assert (row.characters, row.bytes) == (len(row.text), len(row.text.encode()))
        assert row.tokens == default_counter().count(row.text)
    assert all(row.text for row in found.rows)


def test_overrides_and_the_text_pack_show_in_it() -> None:
    """What a section is made to say stands there, and what was taken away does not."""
    flow = SMALL.with_overrides(
        disable("base", **BY),
        replace("desk", "Other.", **BY),
        prepend("where", "A ", **BY),
        append("where", " B", **BY),
        transform("identity", str.upper, **BY),
        set_value("plans", False, **BY),
    )
    text = outline(flow).text
    assert text.startswith("Act.\n\nOther.\n\nBoth.")
    assert outline(flow).closed == ("plans",)
    assert "A In {{ work_folder }} on a desktop. B" in text
    assert "MODEL {{ MODEL }}." in text
    assert outline(SMALL.with_overrides(replace_all("X", **BY))).text == "X"
    skeleton = outline(built("theway", "skeleton"))
    assert "⟦body⟧" in skeleton.text
    assert skeleton.texts == "skeleton"


def test_an_outline_is_data_and_a_table() -> None:
    """JSON holds all; the counter can be another."""
    found = outline(SMALL, closed=("desktop",), counter=counter_named("bytes/4"))
    data = json.loads(json.dumps(found.to_dict()))
    assert data["closed"] == ["desktop"]
    assert data["total"] == found.total
    where = next(row for row in data["sections"] if row["name"] == "where")
    assert (where["values"], where["tier"], where["gate"]) == (["work_folder"], "session", "works")
    assert list(found.to_frame()["bytes"]) == [row.bytes for row in found.rows]
    assert found.total["tokens"] != outline(SMALL, closed=("desktop",)).total["tokens"]


def test_the_command_prints_text_table_and_json() -> None:
    """Without any signal."""
    run = CliRunner().invoke
    done = run(main, ["outline", "theway"])
    assert done.exit_code == 0, done.output
    assert "Current working directory: {{ cwd }}" in done.stdout
    table = run(main, ["outline", "theway", "--table"]).stdout.splitlines()
    assert (table[0].split() or table[1].split()) == [
        "order",
        "name",
        "block",
        "tier",
        "gate",
        "tokens",
        "characters",
        "bytes",
    ]
    total = outline(built("theway")).total
    assert next(line.split() for line in table if " total " in line)[-3:] == [
        *map(str, total.values())
    ]
    data = json.loads(run(main, ["outline", "theway", "--closed", "has_memory", "--json"]).stdout)
    assert next(row for row in data["sections"] if row["name"] == "memory")["bytes"] == 0
    wrong = run(main, ["outline", "theway", "--closed", "has_memry"])
    assert (wrong.exit_code, "did you mean 'has_memory'" in wrong.stderr) == (1, True)
