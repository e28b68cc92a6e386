"""The override that replaces a whole prompt, and what a saved session keeps of overrides."""

import json
from typing import Any, Literal

import pytest
from promptdag.dataflows import PromptFlow, block, group, one_of, place, tag
from promptdag.dataflows.explain import explain
from promptdag.dataflows.lint import lint
from promptdag.dataflows.overrides import (
    OverrideError,
    append,
    disable,
    override_effect,
    prepend,
    replace,
    replace_all,
    set_value,
    transform,
)
from promptdag.inputs.errors import ReadError
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, frame, gate, section

from ..flows import FLOWS, FlowCase, built
from .cases import full_case
from .small import FULL, SMALL

BY: Any = {"who": "ops", "why": "a trial"}
WORDS = "Only {{ this }} <memory> & no\n\nmore."


class Guarded(SessionSignals):
    """A mode, and a user's rule."""

    mode: Literal["plan", "act"] = "act"
    rule: Text = "Be kind."


@gate
def planning(mode: Literal["plan", "act"]) -> bool:
    """Open when the agent plans."""
    return mode == "plan"


@fact
def choice(mode: Literal["plan", "act"]) -> Literal["plan", "act"]:
    """The way of working."""
    return mode


@gate
def chooses_plan(choice: Literal["plan", "act"]) -> bool:
    """Open when a plan is chosen."""
    return choice == "plan"


@gate
def chooses_act(choice: Literal["plan", "act"]) -> bool:
    """Open when acting is chosen."""
    return choice == "act"


@section(gate=chooses_plan, text="Chosen plan.")
def chosen_plan() -> None:
    """An alternative."""


@section(gate=chooses_act, text="Chosen act.")
def chosen_act() -> None:
    """The other."""


@section(text="Intro.")
def intro() -> None:
    """Goes with the prompt."""


@section(text="Never delete.")
def safety() -> None:
    """Always kept."""


@section(text="Detail.")
def detail() -> None:
    """A part of safety."""


@section(text="Plan.", gate=planning)
def plan() -> None:
    """Always kept, while it is open."""


@section(text="{{ rule }}")
def ruled(rule: str) -> None:
    """A user's rule, in a block of its own."""


@frame
def framed() -> None:
    """Prose around others."""


FRAME = type(framed)(framed.function, "[{{ content }}]")


def guarded(*, always: bool = True) -> PromptFlow:
    """Return a flow that keeps three sections in three ways."""
    return PromptFlow(
        "guarded",
        (
            block("meta", place(ruled, always=always), target="meta_user", wrap=FRAME),
            block(
                "first",
                intro,
                group(place(safety, detail, always=always, wrap=tag("safety")), join=" "),
                place(plan, always=always),
                join="\n\n",
                lead="> ",
                cache_control="ephemeral",
            ),
        ),
        session=Guarded,
    )


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_no_built_in_text_leaks_through_a_replaced_prompt(case: FlowCase) -> None:
    """Exactly the given words are left of every shipped flow, in plan and driver alike."""
    plain = built(case.name)
    flow = plain.with_overrides(replace_all(WORDS, **BY))
    prompt = flow.compose(full_case(case.name))
    assert prompt.text == WORDS
    assert [(row.name, row.tier, row.text) for row in prompt.manifest.sections] == [
        ("replace_all", "constant", WORDS)
    ]
    assert plain.compose(full_case(case.name)).text != WORDS


def test_what_the_order_declares_as_always_there_stays_with_its_glue() -> None:
    """Wrapper, frame, parts and gates of what is kept are as they were."""
    flow = guarded().with_overrides(replace_all("X", **BY))
    prompt = flow.compose({"mode": "plan"})
    assert [(one.name, one.text) for one in prompt.blocks] == [
        ("meta", "[Be kind.]"),
        ("first", "X\n\n> <safety>\nNever delete.\nDetail.\n</safety>\n\nPlan."),
    ]
    assert "Plan." not in flow.compose({}).text
    assert prompt.blocks[1].cache_control == {"type": "ephemeral"}
    assert guarded(always=False).with_overrides(replace_all("X", **BY)).compose({}).text == "X"


def test_alternatives_are_kept_as_far_as_they_are_declared() -> None:
    """Of a choice, the kept one stands where it is open."""
    flow = PromptFlow(
        "choice",
        (block("only", one_of(place(chosen_plan, always=True), chosen_act), join="\n"),),
        session=Guarded,
    ).with_overrides(replace_all("X", **BY))
    assert flow.compose({"mode": "plan"}).text == "X\nChosen plan."
    assert flow.compose({"mode": "act"}).text == "X"


def test_plan_and_driver_agree_on_a_replaced_prompt() -> None:
    """What is replaced is no node any more, so nothing of it is computed."""
    flow = guarded().with_overrides(replace_all("X", **BY), append("safety", "!", **BY))
    names = [*flow.graph.nodes]
    prompt = flow.compose({"mode": "plan"})
    values = flow.driver.execute(names, inputs=flow.inputs(mode="plan"))
    assert {name: prompt.value(name) for name in names} == values
    assert "intro_text" not in names
    assert "Never delete.!" in prompt.text


def test_a_replaced_prompt_says_who_and_why_in_manifest_effect_and_explanation() -> None:
    """The record holds no text; the effect names what went."""
    flow = SMALL.with_overrides(replace_all("secret words", **BY))
    prompt = flow.compose(FULL)
    (record,) = json.loads(json.dumps(prompt.manifest.to_dict()))["overrides"]
    assert (record["kind"], record["who"], record["why"]) == ("replace_all", "ops", "a trial")
    assert "secret" not in json.dumps(record)
    effect = override_effect(prompt)
    (cause,) = effect.causes
    assert (cause.kind, effect.stable_changed) == ("overrides", True)
    changes = {one.name: one.change for one in effect.sections}
    assert (changes["replace_all"], changes["desk"]) == ("added", "removed")
    found = explain(flow, "replace_all", FULL)
    assert [(one.kind, one.text) for one in found.spans] == [("override", "secret words")]
    assert prompt.messages == SMALL.compose(FULL).messages
    errors = [one for one in lint(flow, [FULL], allow=()).findings if one.severity == "error"]
    assert [(one.code, one.subject) for one in errors] == [("PD023", "second")]


def test_a_blank_replacement_leaves_no_byte() -> None:
    """Blanks are no text, here as elsewhere."""
    assert SMALL.with_overrides(replace_all(" \n", **BY)).compose(FULL).text == ""


@pytest.mark.parametrize("change", [append("desk", "x", **BY), disable("desk", **BY)])
def test_a_section_that_is_replaced_with_all_takes_no_override(change: Any) -> None:
    """In one call and in a later one: it would have no effect."""
    for flow, changes in (
        (SMALL, (replace_all("X", **BY), change)),
        (SMALL, (change, replace_all("X", **BY))),
        (SMALL.with_overrides(replace_all("X", **BY)), (change,)),
    ):
        with pytest.raises(OverrideError, match="went when an override replaced the whole prompt"):
            flow.with_overrides(*changes)


def test_a_value_that_nothing_needs_any_more_is_refused() -> None:
    """Nothing is ignored in silence."""
    with pytest.raises(OverrideError, match="'plans', which nothing needs"):
        SMALL.with_overrides(replace_all("X", **BY), set_value("plans", True, **BY))


ONE_EACH = {
    "disable": disable("desk", **BY),
    "replace": replace("desk", "Other", **BY),
    "prepend": prepend("desk", "A ", **BY),
    "append": append("desk", " B", **BY),
    "transform": transform("desk", str.upper, **BY),
    "set": set_value("desktop", False, **BY),
    "replace_all": replace_all("X", **BY),
}


@pytest.mark.parametrize("kind", ONE_EACH)
def test_a_saved_session_with_overrides_comes_back_or_names_the_difference(kind: str) -> None:
    """With the same overrides byte for byte; without them, the missing one is named."""
    one = ONE_EACH[kind]
    flow = SMALL.with_overrides(one)
    signals = {name: value for name, value in FULL.items() if name not in ("now", "said")}
    session = flow.session(**signals)
    again = flow.load(session.save())
    assert again.turnless().blocks == session.turnless().blocks
    assert (again.change is not None, again.change and again.change.overrides) == (True, ())
    assert str(again.change) == "the prefix is the same"
    missing = SMALL.load(session.save()).change
    assert missing is not None
    assert missing.changed
    assert missing.overrides == (f"{kind} {one.name} by ops",)
    assert str(missing).startswith(f"override {kind} {one.name} by ops changed ")
    resumed = SMALL.session(**signals).resume(session.save())
    assert resumed.change is not None
    assert resumed.change.overrides == missing.overrides


def test_a_saved_override_without_effect_is_named_too() -> None:
    """Of a closed section: the prefix is the same, the flow is not."""
    flow = SMALL.with_overrides(append("desk", "!", **BY))
    change = SMALL.load(flow.session().save()).change
    assert str(change) == (
        "the prefix is the same (changed without effect: override append desk by ops)"
    )


def test_a_saved_session_keeps_no_text_of_an_override_and_older_ones_load() -> None:
    """Who, why and a hash; a session that was saved without overrides has none."""
    flow = SMALL.with_overrides(append("desk", "secret words", **BY))
    saved = json.loads(flow.session(surface="desktop_app").save())
    assert "secret" not in json.dumps(saved)
    del saved["overrides"]
    change = flow.load(json.dumps(saved)).change
    assert change is not None
    assert change.overrides == ("append desk by ops",)
    with pytest.raises(ReadError, match="no saved session"):
        flow.load(json.dumps(saved | {"overrides": [{"kind": "append"}]}))
