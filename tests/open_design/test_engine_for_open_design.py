"""What the engine does for a flow with optional nested signals and variants of its facts."""

from types import ModuleType
from typing import Annotated

import pytest
from promptdag.dataflows import PromptFlow, block
from promptdag.inputs.errors import UnknownNameError
from promptdag.inputs.signals import Presence, SessionSignals, Signals, leaves
from promptdag.sections import fact, section
from pydantic import BaseModel


class Page(Signals):
    """A nested model in which every field may be absent."""

    title: str | None = None


class PageSignals(SessionSignals):
    """Signals whose nested model may be absent or empty."""

    page: Annotated[Page | None, Presence("a page is there")] = None


@fact
def shown(page_given: bool, page_title: str | None) -> str:
    """What is known of the page."""
    return f"{page_given} {page_title}"


@section(text="{{ shown }}")
def page_line(shown: str) -> None:
    """One line about the page."""


def _flow(*instead: ModuleType) -> PromptFlow:
    return PromptFlow("pages", (block("b", page_line),), session=PageSignals, instead=instead)


def _module(name: str) -> ModuleType:
    module = ModuleType("variant")
    exec(
        f"from promptdag.sections import fact\n@fact\ndef {name}(page_given: bool) -> str:\n"
        "    return 'other'\n",
        vars(module),
    )
    return module


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({}, "False None"),
        ({"page": None}, "False None"),
        ({"page": {}}, "True None"),
        ({"page": {"title": "x"}}, "True x"),
    ],
)
def test_an_empty_nested_model_is_told_from_an_absent_one(given: dict, text: str) -> None:
    """The presence of a marked model is a signal, in the plan as in the leaf itself."""
    flow = _flow()
    assert flow.compose(given).text == text
    leaf = next(leaf for leaf in leaves(PageSignals) if leaf.name == "page_given")
    signals: BaseModel = PageSignals(**given)
    assert leaf.value(signals) is text.startswith("True")
    assert flow.driver.execute(["shown"], inputs=flow.inputs(**given))["shown"] == text


def test_an_update_sees_that_a_model_came() -> None:
    """The change names the model, and the text follows."""
    session = _flow().session().update(page={})
    assert session.change is not None
    assert session.change.fields == ("page",)
    assert session.turnless().text == "True None"


def test_a_fact_stands_in_place_of_another() -> None:
    """A variant gives a fact of the same name; the section that uses it does not change."""
    assert _flow(_module("shown")).compose({}).text == "other"
    assert _flow().compose({}).text == "False None"


def test_a_fact_in_place_of_nothing_is_refused() -> None:
    """A misspelt variant would silently do nothing."""
    with pytest.raises(UnknownNameError, match="did you mean 'shown'"):
        _flow(_module("shwon"))
