"""Overrides: what they change, what they refuse, and what is kept of them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.overrides import (
    Override,
    OverrideError,
    append,
    disable,
    override_effect,
    prepend,
    replace,
    sections_by_name,
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


def _rounds(flow: PromptFlow) -> Iterator[set[str]]:
    """Yield every section once, never one together with a part of it or with its neighbour."""
    depths: dict[str, int] = {}
    for one in flow.positions:
        depths[one.place.section.name] = (
            0 if one.parent is None else depths[one.parent.section.name] + 1
        )
    for depth in set(depths.values()):
        names = [name for name, own in depths.items() if own == depth]
        yield from (set(names[start::2]) for start in (0, 1) if names[start::2])


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_section_of_every_flow_can_be_disabled(case: FlowCase) -> None:
    """Of a section and its parts, no byte is left."""
    flow = built(case.name)
    for names in _rounds(flow):
        changes = [disable(name, **BY) for name in names]
        prompt = flow.with_overrides(*changes).compose(full_case(case.name))
        gone = [row for row in prompt.manifest.sections if {row.name, row.parent} & names]
        assert [row.name for row in gone if row.open] == []
        assert {row.name for row in gone} >= names


def _quoted(text: str) -> str:
    return f"»{text}«"


def _open_section(flow: Any, signals: dict[str, Any]) -> str:
    """Return an open section of one text that no wrapper or list makes special."""
    prompt = flow.compose(signals)
    sections = sections_by_name(flow)
    names = [row.name for row in prompt.manifest.sections if row.open]
    return next(name for name in names if name in sections and not sections[name].many)


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_every_override_works_on_every_shipped_flow(case: FlowCase) -> None:
    """Each does what it is called, is recorded, and its effect on the fingerprint is shown."""
    flow, signals = built(case.name), full_case(case.name)
    name = _open_section(flow, signals)
    own = flow.compose(signals).value(f"{name}_text")
    for override, text in (
        (disable(name, **BY), ""),
        (replace(name, "Other.", **BY), "Other."),
        (prepend(name, "Before. ", **BY), "Before. " + own),
        (append(name, " After.", **BY), own + " After."),
        (transform(name, _quoted, **BY), _quoted(own)),
        (set_value(f"{name}_text", "Set.", **BY), "Set."),
    ):
        prompt = flow.with_overrides(override).compose(signals)
        assert prompt.value(f"{name}_text") == text
        (record,) = prompt.manifest.overrides
        assert (record.kind, record.who, record.why) == (override.kind, "ops", "a trial")
        effect = override_effect(prompt)
        assert effect.fingerprint_before == flow.compose(signals).fingerprint != effect.fingerprint
        assert [one.kind for one in effect.causes] == ["overrides"]
        assert name in effect.causes[0].sections
    with pytest.raises(UnknownNameError, match=f"did you mean {name!r}"):
        flow.with_overrides(append(f"{name}x", "!", **BY))
    with pytest.raises(UnknownNameError, match=f"did you mean '{name}_text'"):
        flow.with_overrides(set_value(f"{name}_textt", "!", **BY))


@pytest.mark.parametrize("case", FLOWS, ids=str)
def test_a_gate_of_a_shipped_flow_can_be_set(case: FlowCase) -> None:
    """A section closes whatever its signals say, and the fingerprint moves."""
    flow, signals = built(case.name), full_case(case.name)
    prompt = flow.compose(signals)
    name, gate = next(
        (row.name, flow.gates_of(row.name)[0].name)
        for row in prompt.manifest.sections
        if row.open and row.gate and row.name in sections_by_name(flow)
    )
    closed = flow.with_overrides(set_value(gate, False, **BY)).compose(signals)
    assert not any(row.open for row in closed.manifest.sections if row.name == name)
    assert override_effect(closed).stable_changed
