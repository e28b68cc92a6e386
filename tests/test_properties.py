"""What holds of every flow for any signals: sets made at random from the signal models.

300 sets a flow; 10,000 with `CI=true` or `PROMPTDAG_SETS=10000`.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from promptdag.dataflows import Prompt, PromptFlow
from promptdag.dataflows.order import wraps_of
from promptdag.sections import Frame
from pydantic import ValidationError

from .flows import FLOWS, FlowCase, built
from .other_process import composed_elsewhere
from .signal_sets import SignalSets

SETS = int(os.environ.get("PROMPTDAG_SETS") or (10_000 if os.environ.get("CI") == "true" else 300))
SEED = 20260301

pytestmark = pytest.mark.parametrize("case", FLOWS, ids=str)


def sets_of(case: FlowCase, count: int, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """Yield random sets of signals."""
    source = SignalSets(built(case.name).signals_model, case.pools, seed, case.only)
    for _ in range(count):
        yield source.one()


def valid_prompts(case: FlowCase, count: int) -> Iterator[tuple[dict[str, Any], Prompt]]:
    """Yield the sets that are valid, with their prompts."""
    for signals in sets_of(case, count):
        try:
            yield signals, built(case.name).compose(signals)
        except ValidationError:
            continue


# Independent of the library's own pattern: what nobody sees is taken out, then tags are read.
_UNSEEN = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f]"
)


@cache
def _tag_pattern(tags: frozenset[str]) -> re.Pattern[str]:
    names = "|".join(sorted(tags, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"<\s*(/?)\s*({names})(?![\w-])", re.IGNORECASE)


def tags_of(flow: PromptFlow) -> frozenset[str]:
    """Return the tags of the flow's wrappers."""
    wraps = (wrap for wrap in wraps_of(flow.blocks) if not isinstance(wrap, Frame))
    return frozenset(wrap.tag for wrap in wraps if wrap.tag)


def check_wrappers(prompt: Prompt, tags: frozenset[str]) -> None:
    """Each block's tags nest, and each that is opened is closed."""
    if not tags:
        return
    for block in prompt.blocks:
        opened: list[str] = []
        for closing, name in _tag_pattern(tags).findall(_UNSEEN.sub("", block.text)):
            if closing:
                assert opened, f"{name} is closed and was not open"
                assert opened.pop() == name.lower()
            else:
                opened.append(name.lower())
        assert opened == []


def check_order(prompt: Prompt) -> None:
    """The rows tile the text in the order of the list, and glue belongs to what has text."""
    names = [position.place.section.name for position in prompt.session.flow.positions]
    listed = [row.name for row in prompt.manifest.sections if row.name in names]
    assert listed == sorted(listed, key=names.index)
    position = 0
    for row in prompt.manifest.sections:
        assert row.start == position
        position = row.end
        if not row.open:
            assert row.text == ""
    assert "".join(row.text for row in prompt.manifest.sections) == prompt.text
    assert position == len(prompt.text.encode())


def check_separators(prompt: Prompt) -> None:
    """No glue stands without a text behind it, at the end of a block, or twice in a row."""
    for block in prompt.session.flow.blocks:
        segments = prompt.value(f"{block.name}_block").segments
        assert not segments or segments[-1].kind != "opening"
        assert not segments or segments[0].kind != "closing"
        join = block.content.join
        kinds = [(one.kind, one.text) for one in segments]
        for one, other in pairwise(kinds):
            assert one[0] != "opening" or other[0] != "closing", "a wrapper frames nothing"
            assert not (join and one == other == ("opening", join)), "a separator is doubled"


def test_random_signals_give_a_prompt_or_a_clear_validation_error(case: FlowCase) -> None:
    """Nothing else is raised; most sets are valid; every gate is seen open and closed."""
    flow, tags = built(case.name), tags_of(built(case.name))
    gates = [name for name, node in flow.graph.nodes.items() if node.kind == "gate"]
    opened: Counter[str] = Counter()
    said: list[str] = []
    valid = 0
    for signals in sets_of(case, SETS):
        try:
            prompt = flow.compose(signals)
        except ValidationError as error:
            said.append(str(error))
            continue
        valid += 1
        opened.update(gate for gate in gates if prompt.value(gate))
        if case.reference is not None:
            assert prompt.text == case.reference(prompt.session.signals)
        check_wrappers(prompt, tags)
        check_order(prompt)
        check_separators(prompt)
        prompt.text.encode()
        json.dumps(prompt.to_anthropic(), allow_nan=False).encode()
    assert said, "no set was wrong, so the door was not tried"
    assert all(" for " in one and "object at 0x" not in one for one in said)
    assert valid >= 0.9 * SETS, f"only {valid} of {SETS} sets are valid"
    shares = {gate: opened[gate] / valid for gate in gates}
    least = case.least_share
    assert {gate: share for gate, share in shares.items() if not least <= share <= 1 - least} == {}


def test_the_plan_gives_what_hamiltons_driver_gives(case: FlowCase) -> None:
    """Every node of both sides, for each of some random sets."""
    flow = built(case.name)
    for signals, prompt in valid_prompts(case, 40):
        names = list(flow.graph.nodes)
        given = flow.driver.execute(names, inputs=flow.inputs(**signals))
        assert given == {name: prompt.value(name) for name in names}


def test_processes_with_other_hash_seeds_and_locales_give_the_same_bytes(case: FlowCase) -> None:
    """Same input, same bytes, wherever it is composed."""
    sets = [json.loads(json.dumps(one)) for one, _ in valid_prompts(case, 60)]
    tools = [{"name": name, "input_schema": {"z": {name: 1}, "a": 2}} for name in ("b", "é", "a")]
    sets += [one | {"tools": tools} for one in sets[:5]]
    here = []
    for signals in sets:
        prompt = built(case.name).compose(signals)
        texts = json.dumps([prompt.text, prompt.messages])
        here.append(f"{case.name} {prompt.fingerprint} {texts}")
    for seed, locale in ((0, "C"), (1, "de_DE.UTF-8")):
        elsewhere = composed_elsewhere({case.name: [*sets, {"no_such": 1}]}, seed, locale)
        assert elsewhere == [*here, f"{case.name} invalid"]


def test_turn_signals_move_no_byte_of_the_blocks(case: FlowCase) -> None:
    """Two turns of one session share blocks, fingerprints and manifest."""
    flow = built(case.name)
    turns = [
        {name: value for name, value in signals.items() if _is_turn(flow, name)}
        for signals, _ in valid_prompts(case, 60)
    ]
    for (_, prompt), turn in zip(valid_prompts(case, 60), reversed(turns), strict=True):
        other = prompt.session.turn(**turn)
        assert other.blocks == prompt.blocks
        assert other.manifest == prompt.manifest


def _is_turn(flow: PromptFlow, name: str) -> bool:
    fields = flow.turn_model.model_fields
    return name in fields or name in {field.alias for field in fields.values()}


def test_an_update_gives_what_a_new_session_gives(case: FlowCase) -> None:
    """From any signals to any others: values, fingerprint, and the bytes that the change names."""
    flow = built(case.name)
    prompts = [prompt for _, prompt in valid_prompts(case, 60)]
    for before, after in pairwise(prompts):
        updated = before.session.update(**dict(after.session.signals))
        assert updated.values == after.session.values
        change = updated.change
        assert change is not None
        assert change.changed == (before.fingerprint != after.fingerprint)
        old, new = before.text.encode(), after.text.encode()
        if change.first_byte is not None:
            assert old[: change.first_byte] == new[: change.first_byte]
            assert change.rewritten_bytes == len(new) - change.first_byte
        else:
            assert old == new
        texts = [flow.session_index[f"{one.place.section.name}_text"] for one in flow.positions]
        moved = [before.session.values[one] != after.session.values[one] for one in texts]
        assert len(change.sections) == sum(moved)


def test_a_saved_session_comes_back_the_same(case: FlowCase) -> None:
    """Any signals survive the way through JSON."""
    for _, prompt in valid_prompts(case, 60):
        loaded = built(case.name).load(prompt.session.save())
        assert loaded.values == prompt.session.values
        assert loaded.change is not None
        assert not loaded.change.changed
