"""The order of sections, and cache marks."""

from typing import Annotated, Any

import pytest
from promptdag.dataflows import PromptFlow, block, group
from promptdag.dataflows.lint import unbuildable
from promptdag.dataflows.mark_order import MarkOrderError
from promptdag.inputs.errors import UnknownNameError
from promptdag.inputs.signals import Drifts, Lives, SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import Section, fact

from .samples import Empty, findings, flow_of, named, said, subjects


class Signals(SessionSignals):
    """One signal for each tier."""

    lasting: Annotated[Text, Lives("process")] = "v1"
    fixed: Text = "x"
    moving: Annotated[Text, Drifts("it moves")] = "m"
    stepping: Annotated[Text, Lives("step")] = "s"


def of(signal: str) -> Section:
    """Return a section that shows one signal."""
    scope: dict[str, Any] = {}
    exec(f"def {signal}_part({signal}: str) -> None:\n    'Shows a signal.'\n", scope)
    return named(f"{signal}_part", scope[f"{signal}_part"], f"{{{{ {signal} }}}}")


RULES = said("rules", "Always read a file before you edit it.")


def test_what_moves_before_what_stays_is_an_error_with_a_better_order() -> None:
    """The order goes by tier, and equal tiers stay as they stand."""
    bad = flow_of(of("moving"), of("fixed"), RULES, said("more", "Be brief."), session=Signals)
    error, warning = findings(bad, "PD004")
    assert (error.subject, error.severity) == ("moving_part", "error")
    assert error.do == "prefer the order rules, more, fixed_part, moving_part"
    assert (warning.subject, warning.severity) == ("fixed_part", "warning")
    good = flow_of(RULES, of("lasting"), of("fixed"), of("moving"), of("stepping"), session=Signals)
    assert findings(good, "PD004") == []


def test_the_tokens_that_a_better_order_saves_are_those_behind() -> None:
    """A constant of 100 tokens behind a moving section could have stayed cached."""
    rest = said("rest", "abcd" * 100)
    (found,) = findings(flow_of(of("moving"), rest, session=Signals), "PD004")
    saved = int(found.found.split("about ")[1].split()[0])
    assert saved in (100, 101)  # the separator belongs to the section behind it


def test_groups_and_blocks_are_compared_as_wholes() -> None:
    """A section leaves neither its group nor its block."""
    inner = group(of("moving"), RULES, join="\n")
    (found,) = findings(flow_of(inner, session=Signals), "PD004")
    assert "a group" in found.where
    blocks = (block("first", of("moving")), block("second", RULES))
    (found,) = findings(PromptFlow("two", blocks, session=Signals), "PD004")
    assert (found.subject, found.do) == ("first", "prefer the order second, first")


def blocks_of(*marks: Any) -> PromptFlow:
    """Return a flow of one constant block for each mark."""
    listed = tuple(
        block(f"b{n}", said(f"s{n}", f"Rule number {'x' * n} holds."), cache_control=mark)
        for n, mark in enumerate(marks)
    )
    return PromptFlow("marks", listed, session=Empty)


def test_more_marks_than_a_request_takes_are_an_error_with_the_callers() -> None:
    """Three of ours and two of the caller's are one too many."""
    flow = blocks_of("ephemeral", "ephemeral", "ephemeral")
    assert findings(flow, "PD021") == []
    assert findings(flow, "PD021", caller_marks=1) == []
    (found,) = findings(flow, "PD021", caller_marks=2)
    assert found.severity == "error"
    assert findings(blocks_of(*["ephemeral"] * 5), "PD021")


HOUR = {"type": "ephemeral", "ttl": "1h"}


def test_an_hour_behind_five_minutes_is_an_error() -> None:
    """Longer-lived marks come first."""
    with pytest.raises(MarkOrderError) as refused:
        blocks_of("ephemeral", None, HOUR)
    (finding,) = unbuildable("sample", refused.value).findings
    assert (finding.code, finding.subject) == ("PD022", "b2")
    assert "3600 seconds and stands behind the 300 of block 'b0'" in finding.found
    assert subjects(blocks_of(HOUR, None, "ephemeral"), "PD021") == []


def test_a_mark_on_a_block_that_may_be_empty_is_found() -> None:
    """An empty block is not sent, and its mark goes with it."""
    flow = PromptFlow(
        "empty",
        (block("rules", RULES), block("own", of("fixed"), cache_control="ephemeral")),
        session=Signals,
    )
    (found,) = findings(flow, "PD023")
    assert (found.subject, found.severity) == ("own", "warning")
    assert findings(blocks_of(None, "ephemeral"), "PD023") == []


def test_a_mark_on_a_varying_tail_wants_one_before_it() -> None:
    """The stable part is written anew with each change unless a mark ends it."""
    one = flow_of(RULES, of("moving"), session=Signals, cache_control="ephemeral")
    assert subjects(one, "PD024") == ["only"]
    tail = block("tail", of("moving"), cache_control="ephemeral")
    unmarked = PromptFlow("t", (block("head", RULES), tail), session=Signals)
    assert subjects(unmarked, "PD024") == []
    mixed = flow_of(RULES, of("fixed"), session=Signals, cache_control="ephemeral")
    assert subjects(mixed, "PD024") == []


def test_what_lives_for_a_step_is_not_worth_a_mark() -> None:
    """It is written at every step and never read."""
    stepping = flow_of(RULES, of("stepping"), session=Signals, cache_control="ephemeral")
    (found,) = findings(stepping, "PD026")
    assert "21.7%" in found.found
    moving = flow_of(RULES, of("moving"), session=Signals, cache_control="ephemeral")
    assert findings(moving, "PD026") == []


def test_a_prefix_under_the_minimum_may_not_be_cached() -> None:
    """Without a model it is a note on all of them, with one a warning."""
    flow = flow_of(said("long", "abcd" * 900), cache_control="ephemeral")
    (note,) = findings(flow, "PD020")
    assert note.severity == "info"
    assert "may" in note.found
    (warning,) = findings(flow, "PD020", model="claude-sonnet-4.5")
    assert "900 tokens" in warning.found
    assert "1024" in warning.found
    assert findings(flow, "PD020", model="claude-opus-5") == []
    assert findings(flow_of(said("long", "abcd" * 900)), "PD020") == []
    with pytest.raises(UnknownNameError, match="did you mean 'claude-opus-5'"):
        findings(flow, "PD020", model="claude-opus5")
    smaller = {"models": {"claude-sonnet-4-5": {"min_cache_tokens": 800}}}
    assert findings(flow, "PD020", model="claude-sonnet-4.5", table=smaller) == []


class Talk(SessionSignals):
    """How many messages there are."""

    count: int = 1


@fact
def talk(count: int) -> list[dict[str, Any]]:
    """That many messages."""
    return [{"role": "user", "content": "x"} for _ in range(count)]


def test_content_out_of_reach_of_the_last_mark_is_found() -> None:
    """A mark looks back 20 positions."""
    flow = flow_of(RULES, session=Talk, messages=talk)
    assert findings(flow, "PD025", {"count": 20}) == []
    (found,) = findings(flow, "PD025", {"count": 21})
    assert "21 positions" in found.found
