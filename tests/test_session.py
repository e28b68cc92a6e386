"""Sessions: what an update computes and says, saving and loading, and that nothing moves."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from promptdag.dataflows import PromptFlow, block, place, theway
from promptdag.inputs.errors import NodeError, UnknownNameError
from promptdag.inputs.signals import SessionSignals, Signals, TurnSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, gate, section
from pydantic import ValidationError

from .flows import built

CALLS: Counter[str] = Counter()


class Branch(Signals):
    """A model in a model."""

    name: Text
    ahead: int = 0


class Repository(Signals):
    """A nested model."""

    root: Text
    branch: Branch | None = None


class Fixed(SessionSignals):
    """Session signals."""

    words: Text = ""
    title: Text = "T"
    repository: Repository | None = None


class Turned(TurnSignals):
    """Turn signals."""

    said: Text = ""


@fact
def counted(words: str) -> int:
    """How many words; often the same for other words."""
    CALLS["counted"] += 1
    return len(words.split())


@fact
def doubled(counted: int) -> int:
    """Twice as many; fails on thirteen."""
    CALLS["doubled"] += 1
    if counted == 13:
        raise RuntimeError("thirteen")
    return 2 * counted


@fact
def loud_title(title: str) -> str:
    """The title in capitals."""
    CALLS["loud_title"] += 1
    return title.upper()


@gate
def has_words(counted: int) -> bool:
    """Open when there are words."""
    CALLS["has_words"] += 1
    return counted > 0


@fact
def branch_line(repository_branch_name: str | None, repository_root: str | None) -> str:
    """The branch, where there is one."""
    CALLS["branch_line"] += 1
    return f"{repository_root or ''}@{repository_branch_name or ''}"


@section(text="Ä {{ loud_title }}")
def heading(loud_title: str) -> None:
    """The title."""


@section(gate=has_words, text="{{ doubled }} times two")
def sum_of_words(doubled: int) -> None:
    """The number."""


@section(text="{{ branch_line }}")
def branch(branch_line: str) -> None:
    """The branch."""


@fact
def messages(said: str, counted: int) -> list[dict[str, Any]]:
    """The turn's message."""
    CALLS["messages"] += 1
    return [{"role": "user", "content": f"{said} ({counted})"}]


FLOW = PromptFlow(
    "counting",
    (block("one", heading, join="\n"), block("two", sum_of_words, branch, join="\n")),
    session=Fixed,
    turn=Turned,
    messages=messages,
)


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def calls() -> dict[str, int]:
    """Return the calls of facts since the last time."""
    found = dict(CALLS)
    CALLS.clear()
    return found


def test_a_session_computes_each_session_node_once_and_no_turn_node() -> None:
    """The stable part is composed once."""
    FLOW.session(words="a b")
    names = ("counted", "doubled", "loud_title", "has_words", "branch_line")
    assert calls() == dict.fromkeys(names, 1)


def test_a_turn_computes_only_what_turn_signals_reach() -> None:
    """However many turns there are."""
    session = FLOW.session(words="a b")
    calls()
    first, second = session.turn(said="hello"), session.turn(said="bye")
    assert calls() == {"messages": 2}
    assert first.messages == [{"role": "user", "content": "hello (2)"}]
    assert second.messages == [{"role": "user", "content": "bye (2)"}]
    assert first.blocks == second.blocks


def test_an_update_computes_only_what_the_changed_signals_reach() -> None:
    """And takes the rest as it is."""
    session = FLOW.session(words="a b")
    calls()
    session.update(title="X")
    assert calls() == {"loud_title": 1}
    session.update(words="a b c")
    assert calls() == {"counted": 1, "doubled": 1, "has_words": 1}


def test_an_update_goes_no_further_than_values_differ() -> None:
    """Two other words are still two words."""
    session = FLOW.session(words="a b")
    calls()
    updated = session.update(words="c d")
    assert calls() == {"counted": 1}
    assert updated.change is not None
    assert (updated.change.fields, updated.change.changed) == (("words",), False)
    assert str(updated.change) == "the prefix is the same (changed without effect: words)"


def test_an_update_with_equal_values_computes_nothing() -> None:
    """A host may read everything again."""
    session = FLOW.session(words="a b", repository={"root": "/r"})
    calls()
    updated = session.update(words="a b", title="T", repository={"root": "/r"})
    assert calls() == {}
    assert updated.change is not None
    assert updated.change.fields == ()
    assert str(updated.change) == "the prefix is the same"


def test_a_change_names_fields_sections_and_the_first_byte() -> None:
    """In UTF-8 bytes of the block texts one after another."""
    session = FLOW.session(words="a b", title="ab")
    text = session.turnless().text
    assert text == "Ä AB4 times two\n@"
    change = session.update(words="a b c", repository={"root": "/r"}).change
    assert change is not None
    assert change.fields == ("words", "repository.root")
    assert change.sections == ("sum_of_words", "branch")
    assert change.first_byte == len("Ä AB".encode())
    assert change.rewritten_bytes == len(b"6 times two\n/r@")
    assert change.fingerprint_before == session.fingerprint
    assert str(change) == (
        "words, repository.root changed sum_of_words, branch: 15 bytes are rewritten from byte 5"
    )


def test_a_first_byte_inside_a_character_is_a_byte() -> None:
    """`ä` and `å` share their first byte."""
    session = FLOW.session(title="ä")
    change = session.update(title="Å").change
    assert change is not None
    assert change.first_byte == len("Ä ".encode()) + 1


@pytest.mark.parametrize(
    ("before", "after", "first", "rewritten"),
    [
        ("ab", "abc", 5, 2),
        ("abc", "ab", 5, 1),
        ("abc", "xbc", 3, 4),
        ("a" * 99, "a" * 98, 101, 1),
    ],
)
def test_the_first_byte_is_found_wherever_it_is(
    before: str, after: str, first: int, rewritten: int
) -> None:
    """Also at the end of the shorter text."""
    change = FLOW.session(title=before).update(title=after).change
    assert change is not None
    assert (change.first_byte, change.rewritten_bytes) == (first, rewritten)


def test_a_change_of_tools_rewrites_all() -> None:
    """Tools stand before the system text."""
    session = FLOW.session(title="ab")
    change = session.update(tools=[{"name": "a"}]).change
    assert change is not None
    assert (change.fields, change.sections, change.first_byte) == (("tools",), (), 0)
    assert change.rewritten_bytes == len(session.turnless().text.encode())
    assert str(change) == "tools changed tools: 6 bytes are rewritten from byte 0"


@pytest.mark.parametrize("value", [True, 1.0])
def test_a_schema_that_python_calls_equal_is_another_on_the_wire(value: object) -> None:
    """`1 == True == 1.0` in Python, and three texts in JSON."""
    session = FLOW.session(tools=[{"name": "t", "input_schema": {"x": 1}}])
    tools = [{"name": "t", "input_schema": {"x": value}}]
    updated = session.update(tools=tools)
    assert updated.fingerprint == FLOW.session(tools=tools).fingerprint != session.fingerprint
    assert updated.change is not None
    assert updated.change.fields == ("tools",)
    assert len({*session.signals.tools, *updated.signals.tools}) == 2


def test_an_update_is_what_a_new_session_would_be() -> None:
    """Whatever was computed before."""
    session = FLOW.session(words="a b", repository={"root": "/r", "branch": {"name": "m"}})
    updated = session.update(title="Y", words="", repository_branch_name="dev").update(words="x")
    fresh = FLOW.session(words="x", title="Y", repository={"root": "/r", "branch": {"name": "dev"}})
    assert updated.values == fresh.values
    assert updated.signals == fresh.signals
    assert updated.turn(said="s").to_anthropic() == fresh.turn(said="s").to_anthropic()


def test_a_session_does_not_move_when_another_is_made_of_it() -> None:
    """Immutable: an update is a new session."""
    session = FLOW.session(words="a b", tools=[{"name": "t", "input_schema": {"a": {"b": 1}}}])
    before = (session.values, session.fingerprint, session.save())
    session.update(words="x", title="y")
    wire = session.turn(said="s").to_anthropic()
    wire["messages"][0]["content"] = "other"
    wire["tools"][0]["input_schema"]["a"]["b"] = 2
    wire["system"].clear()
    assert (session.values, session.fingerprint, session.save()) == before
    assert session.turn(said="s").to_anthropic()["tools"][0]["input_schema"] == {"a": {"b": 1}}
    with pytest.raises(ValidationError, match="frozen"):
        session.signals.words = "x"  # type: ignore[attr-defined]


def test_the_wire_of_a_prompt_is_not_its_messages() -> None:
    """A host appends to its request."""
    prompt = FLOW.session().turn(said="s")
    wire = prompt.to_anthropic()
    wire["messages"].append({"role": "assistant", "content": "x"})
    wire["messages"][0]["content"] = "other"
    assert prompt.messages == [{"role": "user", "content": "s (0)"}]


def test_a_nested_signal_is_changed_by_its_leaf() -> None:
    """At each depth, beside a change of the model that holds it, in either order."""
    session = FLOW.session(repository={"root": "/r", "branch": {"name": "m", "ahead": 2}})
    deep = session.update(repository_branch_name="dev").signals
    assert deep.model_dump()["repository"] == {
        "root": "/r",
        "branch": {"name": "dev", "ahead": 2},
    }
    for changes in (
        {"repository": {"root": "/x"}, "repository_root": "/y"},
        {"repository_root": "/y", "repository": {"root": "/x"}},
    ):
        both = session.update(**changes).signals
        assert both.model_dump()["repository"] == {"root": "/y", "branch": None}


@pytest.mark.parametrize(
    ("given", "leaf", "dotted", "absent"),
    [
        (None, "repository_root", "repository.root", "repository"),
        (None, "repository_branch_name", "repository.branch.name", "repository"),
        ({"root": "/r"}, "repository_branch_name", "repository.branch.name", "repository.branch"),
    ],
)
def test_a_leaf_of_an_absent_model_cannot_be_changed_alone(
    given: Any, leaf: str, dotted: str, absent: str
) -> None:
    """The whole model is needed, and the message says which."""
    with pytest.raises(UnknownNameError) as caught:
        FLOW.session(repository=given).update(**{leaf: "x"})
    assert str(caught.value) == (
        f"flow 'counting': {dotted!r} cannot be changed alone, since {absent!r} is absent; "
        "give the whole of 'repository'"
    )


def test_wrong_changes_are_listed_like_wrong_signals() -> None:
    """Unknown names, turn signals and wrong types; the session stays."""
    session = FLOW.session(repository={"root": "/r"})
    with pytest.raises(ValidationError) as caught:
        session.update(wrods="x", title=1, said="x", repository_root=2)
    places = sorted((one["loc"], one["msg"]) for one in caught.value.errors())
    assert places == [
        (("repository", "root"), "Input should be a valid string"),
        (("said",), "unknown signal; known are repository, title, tools, words"),
        (("title",), "Input should be a valid string"),
        (("wrods",), "unknown signal; did you mean 'words'?"),
    ]


def test_changes_take_the_original_names_too() -> None:
    """As a session does; a field under both its names is refused."""
    session = built("theway").session(cwd="/", tool_names=["a"])
    assert session.update(toolNames=["b"]).signals == session.update(tool_names=["b"]).signals
    with pytest.raises(ValidationError):
        session.update(toolNames=["b"], tool_names=["c"])


def test_a_node_that_fails_in_an_update_is_named() -> None:
    """As it is in a session."""
    session = FLOW.session(words="a")
    for call in (session.update, FLOW.session):
        with pytest.raises(NodeError) as caught:
            call(words="w " * 13)
        assert caught.value.node == "doubled"
        assert str(caught.value) == (
            "flow 'counting', node 'doubled': RuntimeError was raised; "
            "its cause is chained to this error"
        )
        assert isinstance(caught.value.__cause__, RuntimeError)
    assert session.turnless().text == "Ä T2 times two\n@"


def test_a_saved_session_comes_back_byte_for_byte() -> None:
    """Signals, blocks and fingerprint; not only the joined text."""
    session = FLOW.session(
        words="ä\ud800 \U0001f469\u200d\U0001f4bb",
        tools=[{"name": "t", "input_schema": {"b": [1, None, {"c": 1.5}]}}],
        repository={"root": "/r", "branch": {"name": "m"}},
    )
    loaded = FLOW.load(session.save())
    assert loaded.signals == session.signals
    assert loaded.values == session.values
    assert loaded.turnless().blocks == session.turnless().blocks
    assert loaded.save() == session.save()
    assert loaded.change is not None
    assert not loaded.change.changed
    assert str(loaded.change) == "the prefix is the same"


def test_a_saved_session_holds_no_prompt_text_of_ours() -> None:
    """Signals, hashes and numbers; a text is named by its hash."""
    saved = json.loads(built("theway").session(cwd="/").save())
    assert set(saved) == {
        "flow",
        "texts",
        "fingerprint",
        "bytes",
        "sections",
        "overrides",
        "signals",
    }
    assert "Session model:" not in json.dumps(saved)
    assert saved["bytes"] == len(built("theway").session(cwd="/").turnless().text.encode())


def test_a_session_of_another_flow_is_refused() -> None:
    """It would be validated against other signals."""
    with pytest.raises(UnknownNameError) as caught:
        built("theway").load(FLOW.session().save())
    assert str(caught.value) == (
        "flow 'theway': the session was saved by flow 'counting'; load it there"
    )


def test_signals_that_no_longer_fit_are_refused_on_load() -> None:
    """With the door's own error."""
    saved = json.loads(FLOW.session().save())
    saved["signals"]["wrods"] = "x"
    with pytest.raises(ValidationError, match="did you mean 'words'"):
        FLOW.load(json.dumps(saved))


def pack(folder: Path, intro: str) -> PromptFlow:
    """Return theway with another intro."""
    folder.mkdir()
    (folder / "harness.md.j2").write_text(
        '{% extends "harness.md.j2" %}{% block intro %}' + intro + "{% endblock %}"
    )
    return theway.flow(folder)


def test_a_text_pack_that_changed_is_named_by_section_on_load(tmp_path: Path) -> None:
    """After a resume the prefix is byte-identical, or the difference is named."""
    saved = pack(tmp_path / "old", "Old.").session(cwd="/", memory="m").save()
    loaded = pack(tmp_path / "new", "New.").load(saved)
    change = loaded.change
    assert change is not None
    assert (change.changed, change.fields, change.sections) == (True, (), ("harness",))
    assert change.fingerprint_before == json.loads(saved)["fingerprint"]
    assert change.fingerprint == loaded.fingerprint
    assert change.first_byte == 0
    assert change.rewritten_bytes == len(loaded.turnless().text.encode())
    assert str(change).startswith("texts changed harness: ")
    same = pack(tmp_path / "same", "Old.").load(saved).change
    assert same is not None
    assert not same.changed


def test_a_section_that_moved_away_is_named_on_load() -> None:
    """Sections of the saved session that the flow no longer has."""
    shorter = PromptFlow(
        "counting",
        (block("one", heading, join="\n"), block("two", place(sum_of_words))),
        session=Fixed,
        turn=Turned,
        messages=messages,
    )
    change = shorter.load(FLOW.session(words="a").save()).change
    assert change is not None
    assert change.changed
    assert change.sections == ("branch",)


def test_compose_is_a_session_and_a_turn() -> None:
    """One mapping for both."""
    composed = FLOW.compose({"words": "a b", "said": "hello"})
    turned = FLOW.session(words="a b").turn(said="hello")
    assert composed.to_anthropic() == turned.to_anthropic()
    assert composed.manifest == turned.manifest
    assert composed.session.save() == turned.session.save()


def test_a_manifest_is_data_and_a_table() -> None:
    """Plain data for JSON; a row for each section."""
    manifest = FLOW.session(words="a").turn(said="x").manifest
    data = json.loads(json.dumps(manifest.to_dict()))
    assert [one["name"] for one in data["sections"]] == ["heading", "sum_of_words", "branch"]
    frame = manifest.to_frame()
    assert list(frame.index) == [1, 2, 3]
    assert list(frame["gate"].fillna("-")) == ["-", "has_words", "-"]
    assert int(frame["end"].iloc[-1]) == len(FLOW.session(words="a").turnless().text.encode())


def test_a_flow_takes_a_call_of_the_original_system() -> None:
    """`original` turns its arguments into signals before they are validated, and only there."""

    def call(given: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"words": " ".join(given["argv"])} if "argv" in given else given

    flow = PromptFlow("called", (block("only", only_words),), session=Fixed, original=call)
    assert flow.compose({"argv": ["a", "b"]}).text == "a b"
    assert flow.compose({"words": "a b"}).text == "a b"
    with pytest.raises(ValidationError, match="argv"):
        flow.session(argv=["a"])


@section(text="{{ words }}")
def only_words(words: str) -> None:
    """The words."""
