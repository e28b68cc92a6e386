"""The example loop: form out, answers in, the stable part once."""

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "an_agent_loop.ipynb"


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The names of the notebook, run once."""
    found: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), found)
    return found


def test_the_form_goes_out_and_the_made_up_turn_does_not(names: dict[str, Any]) -> None:
    """The reply is cut behind the form, which is found although it came in pieces."""
    assert names["asked"].questions == names["form"].questions
    assert names["guard"].cut.code == "fabricated-turn"
    assert "whatever you like" not in names["shown"]


def test_the_answers_come_in_and_call_for_the_build(names: dict[str, Any]) -> None:
    """They stand once in the second message, and say that the form is done."""
    assert names["second"].value("form_override_kind") == "build"
    assert names["sent_second"].count(names["answers"]) == 1
    assert names["sent_second"].count("modern-minimal") == 1


def test_the_second_turn_leaves_out_exactly_the_stable_part(names: dict[str, Any]) -> None:
    """All three texts are in the first message; sent anew, the second differs by them alone."""
    stable = [names["shared"][one] for one in list(names["shared"])[:3]]
    assert all(part in names["sent_first"] for part in stable)
    assert not any(part in names["sent_second"] for part in stable)
    assert names["second"].value("stable_cache").hit
    signals = names["second"].session.signals.model_dump()
    again = names["turns"].compose(signals | {"stored_stable_prompt_hash": None})
    sent = again.messages[0]["content"]
    joined = "\n\n---\n\n".join(part.strip() for part in stable)
    assert joined in sent
    without = sent.replace(joined, "", 1).replace(
        "# Instructions (read first)", "# Instructions", 1
    )
    assert without.split() == names["sent_second"].split()
