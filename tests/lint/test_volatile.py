"""Volatile text and signals in the cached prefix."""

from typing import Annotated

import pytest
from promptdag.dataflows.lint import lint, unbuildable
from promptdag.inputs.errors import TurnLeakError
from promptdag.inputs.signals import Drifts, SessionSignals, Tool, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import Section
from pydantic import BaseModel

from .samples import COUNTER, findings, flow_of, named, said, subjects


class Memory(BaseModel):
    """A memory with two fields that move."""

    text: Text
    compiled_at: Text
    n_messages: int


class Moving(SessionSignals):
    """Signals of which some move."""

    cwd: Text = "/srv/app"
    memory: Memory | None = None
    branch: Annotated[Text, Drifts("a checkout moves it")] = "main"


def cwd_section() -> Section:
    """Return a section that shows the folder."""

    def where(cwd: str) -> None:
        """Where."""

    return named("where", where, "In {{ cwd }}.")


TEXTS = [
    ("PD010", "It is 2026-03-01T10:00:00 now.", "Use dates like YYYY-MM-DD."),
    ("PD010", "It is 10:00:01.", "Ports such as 10:00 are no time of day."),
    ("PD010", "今天是2026年3月1日。", "今天的日期见下文。"),
    ("PD011", "Id 1b4e28ba-2fa1-11d2-883f-0016d3cca427.", "Ids are 1b4e28ba and so on."),
    ("PD011", "See https://x.example/session/123 for it.", "See https://x.example/docs for it."),
    ("PD012", "Write to /tmp/scratch-1.", "Write to the folder that you are given."),
    ("PD013", "Look into /home/alice first.", "Look into the home page first."),
]


@pytest.mark.parametrize(("code", "bad", "good"), TEXTS)
def test_prose_that_looks_volatile_is_an_error(code: str, bad: str, good: str) -> None:
    """The cached prefix of everybody holds what one machine said once."""
    (found,) = findings(flow_of(said("a", bad)), code)
    assert (found.severity, found.subject) == ("error", "a")
    assert "slot prose" in found.where
    assert subjects(flow_of(said("a", good)), code) == []


def test_a_volatile_value_is_found_in_a_given_prompt_and_names_its_signal() -> None:
    """What signals bring is known from cases alone; a home folder is a warning, a clock is not."""
    flow = flow_of(cwd_section(), session=Moving)
    (found,) = findings(flow, "PD013", {"cwd": "/home/alice/x"})
    assert found.severity == "warning"
    assert "signal 'cwd'" in found.found
    (temporary,) = findings(flow, "PD012", {"cwd": "/tmp/1b4e28ba"})
    assert temporary.severity == "error"
    assert findings(flow, "PD013", {"cwd": "/srv/app"}) == []
    session = flow_of(cwd_section(), session=Moving, cache="session")
    (less,) = findings(session, "PD012", {"cwd": "/tmp/1b4e28ba"})
    assert less.severity == "warning"


def test_volatile_text_in_tools_says_that_it_takes_everything_along() -> None:
    """Tools stand before the system text, so a change of theirs invalidates all."""
    flow = flow_of(said("a", "Be brief."))
    tool = {"name": "page", "description": "Opens https://x.example/session/123"}
    (found,) = findings(flow, "PD011", {"tools": [tool]})
    assert "system and messages too" in found.found
    assert Tool(**tool).name in found.subject
    assert findings(flow, "PD011", {"tools": [{**tool, "description": "Opens a page"}]}) == []


def test_all_clocks_of_a_section_are_named_at_once() -> None:
    """Who repairs one field wants to know of the others."""
    text = "{{ memory_text }} {{ memory_compiled_at }} {{ memory_n_messages }}"

    class Given(SessionSignals):
        memory: Memory

    def given(memory_text: str, memory_compiled_at: str, memory_n_messages: int) -> None:
        """Memory."""

    (found,) = findings(flow_of(named("remembered", given, text), session=Given), "PD002")
    assert found.subject == "remembered"
    assert "memory.compiled_at, memory.n_messages" in found.found


def test_a_signal_that_is_no_clock_is_not_named() -> None:
    """`cwd` may move, and is no clock."""
    assert findings(flow_of(cwd_section(), session=Moving), "PD002") == []


def test_a_drifting_signal_is_a_warning_with_the_tokens_behind_it() -> None:
    """The same field costs what follows it: much at the front, little at the end."""

    def head(branch: str) -> None:
        """Branch."""

    drifting = named("head", head, "On {{ branch }}.")
    rest = said("rest", "Word by word this says something. " * 100)
    costs = []
    for order in ((drifting, rest), (rest, drifting)):
        (found,) = findings(flow_of(*order, session=Moving), "PD003")
        assert found.severity == "warning"
        assert "a checkout moves it" in found.found
        costs.append(int(found.found.split("about ")[1].split()[0]))
    assert costs[0] > 800
    assert costs[1] < 10
    assert findings(flow_of(cwd_section(), session=Moving), "PD003") == []


def test_a_turn_signal_in_a_block_is_a_finding_of_the_flow_that_cannot_be_built() -> None:
    """The engine refuses such a flow, and the lint says so in its own form."""

    class Now(TurnSignals):
        now: Text

    def clock(now: str) -> None:
        """Now."""

    with pytest.raises(TurnLeakError) as refused:
        flow_of(named("clock", clock, "{{ now }}"), turn=Now)
    report = unbuildable("sample", refused.value)
    assert [one.code for one in report.findings] == ["PD001"]
    assert report.exit_code == 1
    assert "now -> clock_text -> only_block" in report.findings[0].where


def test_a_good_flow_has_no_error() -> None:
    """A flow with plain prose passes as it is."""
    assert lint(flow_of(said("a", "Be brief.")), counter=COUNTER, allow=()).exit_code == 0
