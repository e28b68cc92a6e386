"""Overrides: what they change, what they refuse, and what is kept of them."""

import json
from typing import Any

import pytest
from promptdag.dataflows.overrides import (
    Override,
    OverrideError,
    append,
    disable,
    override_effect,
    prepend,
    replace,
    set_value,
    transform,
)
from promptdag.inputs.errors import NodeError, UnknownNameError

from ..flows import FLOWS, FlowCase, built
from .cases import full_case
from .small import FULL, SMALL

BY: Any = {"who": "ops", "why": "a trial"}


def _section(override: Override, name: str) -> str:
    prompt = SMALL.with_overrides(override).compose(FULL)
    return "".join(row.text for row in prompt.manifest.sections if row.name == name)


def test_a_disabled_section_yields_no_bytes_and_the_rest_stays() -> None:
    """Its neighbours keep their text, and no separator is doubled."""
    plain = SMALL.compose(FULL)
    prompt = SMALL.with_overrides(disable("desk", **BY)).compose(FULL)
    assert prompt.text == plain.text.replace("Desktop prose.\n\n", "")
    assert "surface" not in prompt.session.flow.graph.upstream["desk_text"]


@pytest.mark.parametrize(
    ("override", "text"),
    [
        (replace("desk", "Other {{ prose }}", **BY), "\n\nOther {{ prose }}"),
        (prepend("desk", "A ", **BY), "\n\nA Desktop prose."),
        (append("desk", " B", **BY), "\n\nDesktop prose. B"),
        (transform("desk", str.upper, **BY), "\n\nDESKTOP PROSE."),
        (set_value("desk_text", "C", **BY), "\n\nC"),
        (set_value("desktop", False, **BY), ""),
        (replace("desk", " \n", **BY), ""),
    ],
    ids=lambda one: one.kind if isinstance(one, Override) else "",
)
def test_an_override_does_what_it_is_called(override: Override, text: str) -> None:
    """Text of an override is data: it is no template."""
    assert _section(override, "desk") == text


@pytest.mark.parametrize("change", [replace, prepend, append])
def test_text_overrides_leave_a_closed_section_closed(change: Any) -> None:
    """The gate still decides."""
    flow = SMALL.with_overrides(change("desk", "never", **BY))
    assert "never" not in flow.compose(FULL | {"surface": None}).text


def test_overrides_are_applied_in_their_order() -> None:
    """The second works on what the first made; a second call adds to the first."""
    flow = SMALL.with_overrides(append("desk", "1", **BY)).with_overrides(
        prepend("desk", "2", **BY)
    )
    assert "2Desktop prose.1" in flow.compose(FULL).text
    assert flow.base is SMALL


def test_plan_and_driver_agree_on_overrides() -> None:
    """The nodes are replaced, so nothing can run without them."""
    flow = SMALL.with_overrides(
        append("desk", "!", **BY),
        disable("ruled", **BY),
        set_value("plans", True, **BY),
        set_value("acts", False, **BY),
        replace("identity", "Me", **BY),
    )
    names = [*flow.graph.nodes]
    values = flow.driver.execute(names, inputs=flow.inputs(**FULL))
    prompt = flow.compose(FULL)
    assert {name: prompt.value(name) for name in names} == values


def test_the_manifest_records_who_and_why_and_no_text() -> None:
    """Provenance is data for JSON."""
    manifest = SMALL.with_overrides(append("desk", "secret words", **BY)).compose(FULL).manifest
    (record,) = json.loads(json.dumps(manifest.to_dict()))["overrides"]
    assert {name: record[name] for name in ("kind", "name", "who", "why")} == {
        "kind": "append",
        "name": "desk",
        "who": "ops",
        "why": "a trial",
    }
    assert "secret" not in json.dumps(record)


def test_the_effect_on_the_fingerprint_is_shown() -> None:
    """The cause is the override, and the section is named."""
    flow = SMALL.with_overrides(append("desk", "!", **BY))
    effect = override_effect(flow.compose(FULL))
    assert effect.stable_changed
    assert [(one.kind, one.sections) for one in effect.causes] == [("overrides", ("desk",))]
    assert not override_effect(flow.compose(FULL | {"surface": None})).stable_changed


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: disable("deskk", **BY), UnknownNameError, "did you mean 'desk'"),
        (lambda: set_value("desktp", True, **BY), UnknownNameError, "did you mean 'desktop'"),
        (lambda: set_value("memory", "x", **BY), OverrideError, "is a signal; pass it to"),
        (lambda: set_value("desktop", "yes", **BY), OverrideError, "returns bool"),
        (lambda: set_value("chosen", "rest", **BY), OverrideError, "Literal"),
        (lambda: set_value("first_block", "x", **BY), OverrideError, "is a block"),
        (lambda: append("added", "x", **BY), OverrideError, "is a list of texts"),
        (lambda: disable("desk", who="", why="x"), OverrideError, "say who wants it and why"),
    ],
)
def test_a_wrong_override_is_an_error_that_says_what_to_do(
    make: Any, error: type[Exception], words: str
) -> None:
    """Nothing is ignored in silence."""
    with pytest.raises(error, match=words):
        SMALL.with_overrides(make())


def test_text_for_a_disabled_section_is_refused() -> None:
    """It would have no effect."""
    with pytest.raises(OverrideError, match="an override disables"):
        SMALL.with_overrides(disable("desk", **BY), append("desk", "x", **BY))


def test_a_transform_that_returns_no_text_fails_with_the_node() -> None:
    """The failure names the section's node."""
    flow = SMALL.with_overrides(transform("desk", lambda text: None, **BY))  # type: ignore
    with pytest.raises(NodeError, match="desk_text"):
        flow.compose(FULL)


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_section_of_every_flow_can_be_disabled(case: FlowCase) -> None:
    """Of a section and its parts, no byte is left."""
    flow = built(case.name)
    for position in flow.positions:
        name = position.place.section.name
        prompt = flow.with_overrides(disable(name, **BY)).compose(full_case(case.name))
        gone = [row for row in prompt.manifest.sections if name in (row.name, row.parent)]
        assert not any(row.open for row in gone), name
