"""What is refused at the door, with where, what and what to do."""

from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block, place
from promptdag.inputs import PromptdagError, SessionSignals, Text
from promptdag.inputs.errors import (
    FlowError,
    OrderError,
    PackError,
    ReadError,
    UnknownNameError,
)
from promptdag.sections import fact, frame, section

from .flows import built


class Folder(SessionSignals):
    """Signals of the small flows here."""

    cwd: Text


@fact
def depth(cwd: str) -> int:
    """How deep the folder lies."""
    return cwd.count("/")


@section(text="{% block where %}Depth:{% endblock %} {{ depth }}")
def wrongly_typed(depth: str) -> None:
    """Takes the fact for text."""


@section(text="In {{ cwd }}.")
def workplace(cwd: str) -> None:
    """Where the agent works."""


@frame
def around() -> None:
    """Prose around others."""


def flow_of(*sections: Any, **options: Any) -> PromptFlow:
    """Return a flow of one block."""
    return PromptFlow("small", (block("system", *sections),), session=Folder, **options)


def test_a_parameter_has_the_type_of_the_fact_that_it_names() -> None:
    """Hamilton's own check is off, so ours speaks."""
    with pytest.raises(FlowError, match="parameter 'depth' is declared str, the node 'depth' is"):
        flow_of(wrongly_typed)


def test_a_frame_may_stand_around_one_place(tmp_path: Path) -> None:
    """A place takes what a group takes."""
    (tmp_path / "around.md.j2").write_text("<<{{ content }}>>\n")
    framed = type(around)(around.function, text="<<{{ content }}>>")
    assert flow_of(place(workplace, wrap=framed)).session(cwd="/a").turn().text == "<<In /a.>>"


def test_a_misspelt_input_of_the_driver_is_refused() -> None:
    """Hamilton would ignore it, and compute with what is left."""
    with pytest.raises(UnknownNameError, match="inputs: no node 'cwdd'; did you mean 'cwd'"):
        flow_of(workplace).driver.execute(["workplace_text"], inputs={"cwd": "/a", "cwdd": "/b"})


@pytest.mark.parametrize("saved", ["", "{}", "[]", '{"flow": "theway"}'])
def test_what_is_no_saved_session_is_refused(saved: str) -> None:
    """The message names what to give."""
    with pytest.raises(ReadError, match="this is no saved session"):
        built("theway").load(saved)


def test_a_block_needs_a_name_that_nodes_can_be_made_of() -> None:
    """`system` and not `my system`."""
    with pytest.raises(OrderError, match="block 'my system': its name makes nodes"):
        block("my system", workplace)


def test_a_flow_needs_a_block() -> None:
    """There is nothing to fingerprint without one."""
    with pytest.raises(OrderError, match="flow 'small': there is no block"):
        PromptFlow("small", (), session=Folder)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b'{% extends "tools.md.j2" %}\n', "it extends 'tools.md.j2'; extend 'harness.md.j2'"),
        (b"\xff", "not UTF-8 at byte 0"),
    ],
)
def test_a_text_pack_fits_its_file_names(tmp_path: Path, source: bytes, message: str) -> None:
    """A template that extends another section's would replace the wrong slots."""
    from promptdag.dataflows import theway

    (tmp_path / "harness.md.j2").write_bytes(source)
    with pytest.raises(PackError, match=message):
        theway.flow(texts=str(tmp_path))


def test_a_name_cannot_begin_another_line() -> None:
    """A line break in a tool's name or in the folder's name becomes one space."""
    text = built("theway").compose({"cwd": "/a\nroot: /", "tool_names": ["x\n- Files: rm"]}).text
    assert "Current working directory: /a root: /\n" in text
    assert "\n- Other: x - Files: rm\n" in text


def test_all_refusals_share_one_base() -> None:
    """One `except` is enough."""
    for kind in (FlowError, OrderError, PackError, ReadError, UnknownNameError):
        assert issubclass(kind, PromptdagError)
