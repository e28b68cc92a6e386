"""The order of inputs, impure functions, odd characters and values that escape."""

import random
import time
from typing import Any

from promptdag.dataflows.order import Wrap, place, tag
from promptdag.inputs.signals import SessionSignals, Tool
from promptdag.inputs.text import Text
from promptdag.sections import fact
from pydantic import Field

from .samples import findings, flow_of, named, said, subjects


class Lists(SessionSignals):
    """Signals with an order."""

    names: tuple[Text, ...] = ()
    pairs: tuple[tuple[Text, Text], ...] = ()
    config: dict[str, Any] = Field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    title: Text = "t"
    raw: str = "r"


@fact
def joined(names: tuple[str, ...]) -> str:
    """In the order that they came in."""
    return ", ".join(names)


@fact
def in_order(names: tuple[str, ...]) -> str:
    """Sorted."""
    return ", ".join(sorted(names))


@fact
def first_pair(pairs: tuple[tuple[str, str], ...]) -> str:
    """Pairs, sorted: the two texts of one pair have their own places."""
    return ", ".join(f"{a}={b}" for a, b in sorted(pairs))


@fact
def keys(config: dict[str, Any]) -> str:
    """In the order that they came in."""
    return ", ".join(config)


@fact
def sorted_keys(config: dict[str, Any]) -> str:
    """Sorted."""
    return ", ".join(sorted(config))


@fact
def all_kinds(kinds: frozenset[str]) -> str:
    """Of a set."""
    return ", ".join(kinds)


@fact
def stamped(title: str) -> str:
    """Reads the clock."""
    return f"{title} {time.time_ns()}"


def _zone() -> str:
    return time.strftime("%A", time.localtime(0))


@fact
def weekday(title: str) -> str:
    """Formats by locale and zone, in a function that it calls."""
    return title + _zone()


@fact
def diced(title: str) -> str:
    """Throws dice."""
    return f"{title} {random.random()}"


def shows(name: str) -> Any:
    """Return a section that shows a fact or signal that is text."""
    scope: dict[str, Any] = {}
    exec(f"def part({name}: str) -> None:\n    'Shows one value.'\n", scope)
    return named("part", scope["part"], f"{{{{ {name} }}}}")


def flow(name: str, **options: Any) -> Any:
    """Return a flow that shows one value."""
    facts = (joined, in_order, first_pair, keys, sorted_keys, all_kinds, stamped, weekday, diced)
    return flow_of(shows(name), session=Lists, facts=facts, **options)


def test_a_list_whose_order_reaches_the_bytes_is_found_by_permuting_it() -> None:
    """A server that connects late must not change the prefix."""
    given = {"names": ["b", "a"], "pairs": [["b", "1"], ["a", "2"]]}
    (found,) = findings(flow("joined"), "PD030", given)
    assert found.subject == "names"
    assert "sections part" in found.found
    assert subjects(flow("in_order"), "PD030", given) == []
    assert subjects(flow("first_pair"), "PD030", given) == []


def test_a_list_is_permuted_without_any_given_case_too() -> None:
    """The made inputs hold two items of each list."""
    assert subjects(flow("joined"), "PD030") == ["names"]


def test_the_order_of_keys_is_permuted_too() -> None:
    """Equal JSON objects are equal input."""
    given = {"config": {"b": 1, "a": {"d": 1, "c": [2, 1]}}}
    assert subjects(flow("keys"), "PD030", given) == ["config"]
    assert subjects(flow("sorted_keys"), "PD030", given) == []


def test_a_set_in_the_prefix_is_an_error() -> None:
    """Its order differs between processes, which no run of one process shows."""
    assert subjects(flow("all_kinds"), "PD031") == ["kinds"]
    assert subjects(flow("joined"), "PD031") == []


class LooseTools(SessionSignals):
    """Tools as they came, in place of sorted ones."""

    tools: tuple[Tool, ...] = ()


def test_tools_in_the_callers_order_are_an_error() -> None:
    """The base model sorts them; a model that declares them anew may not."""
    part = said("part", "Be brief.")
    assert subjects(flow_of(part, session=LooseTools), "PD032") == ["tools"]
    assert subjects(flow_of(part), "PD032") == []


def test_facts_that_read_the_world_are_named() -> None:
    """A clock in a fact is a turn signal in disguise."""
    assert subjects(flow("stamped"), "PD033") == ["stamped"]
    assert subjects(flow("diced"), "PD033") == ["diced"]
    assert subjects(flow("joined"), "PD033") == []


def test_facts_that_format_by_locale_are_named_through_their_functions() -> None:
    """What is read is the code of the fact and of the package's functions that it calls."""
    (found,) = findings(flow("weekday"), "PD035")
    assert found.subject == "weekday"
    assert "strftime, localtime" in found.found
    assert subjects(flow("joined"), "PD035") == []


def test_runs_that_differ_are_found_by_running() -> None:
    """What the code does not show, twenty runs may."""
    assert subjects(flow("diced"), "PD034") == ["part"]
    assert subjects(flow("joined"), "PD034") == []


def test_invisible_characters_in_prose_are_an_error() -> None:
    """Byte order mark, zero-width space, tag characters; an emoji's joiner is none of them."""
    for odd, shown in (("\ufeff", "U+FEFF"), ("\u200b", "U+200B"), ("\U000e0041", "U+E0041")):
        (found,) = findings(flow_of(said("a", f"Be{odd} brief.")), "PD040")
        assert shown in found.found
        assert found.severity == "error"
    assert findings(flow_of(said("a", "Be brief. \U0001f469\u200d\U0001f52c")), "PD040") == []
    (wide,) = findings(flow_of(said("a", "Be\u00a0brief.")), "PD040")
    assert wide.severity == "warning"


def test_odd_blanks_in_prose_are_a_warning() -> None:
    """Trailing blanks and two empty lines in a row cost tokens and drift."""
    assert "trailing" in findings(flow_of(said("a", "Be brief.  \nSo.")), "PD042")[0].found
    assert "empty lines" in findings(flow_of(said("a", "Be.\n\n\nSo.")), "PD042")[0].found
    assert findings(flow_of(said("a", "Be brief.\n\nSo.")), "PD042") == []


def test_a_signal_that_is_not_cleaned_is_an_error() -> None:
    """`str` passes on what `Text` takes out."""
    assert subjects(flow("raw"), "PD041") == ["raw"]
    assert subjects(flow("title"), "PD041") == []


def titled(text: str, **options: Any) -> Any:
    """Return a flow of one section that shows `title` in this template."""

    def part(title: str) -> None:
        """A title."""

    return flow_of(place(named("part", part, text), **options), session=Lists)


def test_a_value_that_closes_a_hand_written_tag_is_an_error() -> None:
    """A tag of the order is escaped in values, a tag of a template or a bare wrapper is not."""
    assert subjects(titled("<memory>\n{{ title }}\n</memory>"), "PD060") == ["title"]
    assert subjects(titled("{{ title }}", wrap=Wrap("<m>\n", "\n</m>")), "PD060") == ["title"]
    assert subjects(titled("{{ title }}", wrap=tag("m")), "PD060") == []
    assert subjects(titled("Write `/run <id>` to start.\n{{ title }}"), "PD060") == []


def test_a_value_that_closes_its_fence_is_an_error() -> None:
    """A value with a fence of its own leaves the code block."""
    assert subjects(titled("```\n{{ title }}\n```"), "PD061") == ["title"]
    assert subjects(titled("~~~~\n{{ title }}\n~~~~"), "PD061") == ["title"]
    assert subjects(titled("```\nx\n```\n{{ title }}"), "PD061") == []


def test_a_fence_that_grows_with_its_value_is_none() -> None:
    """What the finding tells to do is not found again."""

    @fact
    def long_fence(title: str) -> str:
        """Four backticks, or more than the value has."""
        return "`" * max(4, title.count("`") + 1)

    def part(title: str, long_fence: str) -> None:
        """A title."""

    shown = named("part", part, "{{ long_fence }}\n{{ title }}\n{{ long_fence }}")
    assert subjects(flow_of(shown, session=Lists, facts=(long_fence,)), "PD061") == []


def test_a_value_that_ends_its_attribute_is_an_error() -> None:
    """A quote in a value ends the attribute."""
    assert subjects(titled('<file name="{{ title }}">'), "PD062") == ["title"]
    assert subjects(titled('<file name="x"> {{ title }}'), "PD062") == []
