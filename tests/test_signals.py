"""Signal models: names, nested models opened up, marks, tools."""

from typing import Annotated, Any, Literal

import pytest
from promptdag.inputs.signals import (
    Drifts,
    Lives,
    SessionSignals,
    Signals,
    TurnSignals,
    canonical_json,
    canonical_tools,
    leaves,
    nested_model,
    plain_type,
)
from promptdag.inputs.text import Text
from pydantic import Field, ValidationError


class Branch(Signals):
    """A part of a part."""

    name: Text
    ahead: int = 0


class Folder(Signals):
    """A part."""

    path: Text
    branch: Branch | None = None
    tags: tuple[Text, ...] = ()


class Given(SessionSignals):
    """Every shape of field."""

    folder: Folder
    other_folder: Folder | None = None
    listed: tuple[Folder, ...] = ()
    mode: Annotated[Literal["a", "b"], Lives("process"), Field(description="which way")] = "a"
    note: Annotated[Text | None, Drifts("somebody edits it")] = None


class Turned(TurnSignals):
    """One turn signal."""

    said: Text


def test_nested_models_are_opened_up_and_optional_ones_make_optional_leaves() -> None:
    """Each leaf is named by its path; a list of models is one signal."""
    assert [(leaf.name, leaf.dotted, leaf.type) for leaf in leaves(Given)[1:]] == [
        ("folder_path", "folder.path", str),
        ("folder_branch_name", "folder.branch.name", str | None),
        ("folder_branch_ahead", "folder.branch.ahead", int | None),
        ("folder_tags", "folder.tags", tuple[str, ...]),
        ("other_folder_path", "other_folder.path", str | None),
        ("other_folder_branch_name", "other_folder.branch.name", str | None),
        ("other_folder_branch_ahead", "other_folder.branch.ahead", int | None),
        ("other_folder_tags", "other_folder.tags", tuple[str, ...] | None),
        ("listed", "listed", tuple[Folder, ...]),
        ("mode", "mode", Literal["a", "b"]),
        ("note", "note", str | None),
    ]


def test_marks_and_descriptions_are_read() -> None:
    """Why a source drifts, how long a value lives, and what a field is."""
    found = {leaf.name: leaf for leaf in (*leaves(Given), *leaves(Turned, turn=True))}
    assert (found["mode"].life, found["mode"].doc, found["mode"].drifts) == (
        "process",
        "which way",
        None,
    )
    assert (found["note"].life, found["note"].drifts) == ("session", "somebody edits it")
    assert (found["said"].life, found["said"].turn) == ("turn", True)
    assert (found["tools"].life, found["tools"].drifts is not None) == ("step", True)


def test_a_leaf_reads_its_value_and_none_where_a_model_above_it_is_absent() -> None:
    """At every depth."""
    found = {leaf.name: leaf for leaf in leaves(Given)}
    signals = Given.model_validate({"folder": {"path": "p", "branch": {"name": "n", "ahead": 2}}})
    assert found["folder_branch_ahead"].value(signals) == 2
    assert found["other_folder_branch_ahead"].value(signals) is None
    assert found["other_folder_path"].value(signals) is None


def test_signals_are_frozen_take_no_unknown_field_and_both_spellings() -> None:
    """The original's camelCase is an alias of ours."""
    signals = Given.model_validate({"folder": {"path": "p"}, "otherFolder": {"path": "q"}})
    assert signals.other_folder is not None
    with pytest.raises(ValidationError, match="frozen"):
        signals.mode = "b"
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Given.model_validate({"folder": {"path": "p", "paths": "q"}})


def test_texts_are_cleaned_at_every_depth() -> None:
    """Lone surrogates and invisible characters do not reach a prompt."""
    signals = Given.model_validate({"folder": {"path": "a\r\n\ud800", "tags": ["\u200bx"]}})
    assert signals.folder.path == "a\n\ufffd"
    assert signals.folder.tags == ("x",)


def test_errors_do_not_print_what_was_given() -> None:
    """A wrong signal can hold user text."""
    with pytest.raises(ValidationError) as caught:
        Given.model_validate({"folder": {"path": ["the secret"]}})
    assert "the secret" not in str(caught.value)


def test_tools_are_sorted_by_name_and_cleaned_at_every_depth() -> None:
    """Names, descriptions, schema keys and schema texts are outside text."""
    tools: Any = [
        {
            "name": "b",
            "inputSchema": {"z\u200b": [1, {"y": "\ud800", "x": None}], "a": (1.5, True)},
        },
        {"name": "a\u200b", "description": "x\r\ny"},
    ]
    signals = SessionSignals(tools=tools)
    assert canonical_json(canonical_tools(signals.tools)) == (
        '[{"description":"x\\ny","input_schema":{},"name":"a"},'
        '{"description":"","input_schema":{"a":[1.5,true],"z":[1,{"x":null,"y":"\ufffd"}]},'
        '"name":"b"}]'
    )


def test_a_tool_does_not_change_with_the_schema_that_it_was_made_from() -> None:
    """The host keeps its own dictionaries and may write into them."""
    schema: dict[str, Any] = {"properties": {"x": {"type": "string"}}}
    signals = SessionSignals.model_validate({"tools": [{"name": "a", "input_schema": schema}]})
    schema["properties"]["x"]["type"] = "number"
    assert canonical_tools(signals.tools)[0]["input_schema"]["properties"]["x"] == {
        "type": "string"
    }


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"x": {1, 2}}, "JSON holds no set"),
        ({"x": {1: "a"}}, "JSON holds no keys that are not text"),
        ({"x": [float("nan")]}, "JSON holds no number that is not finite"),
        ({"x": b"bytes"}, "JSON holds no bytes"),
    ],
)
def test_a_schema_that_is_not_json_is_a_wrong_signal(schema: Any, message: str) -> None:
    """It would fail later, when the fingerprint is computed, or send what no provider reads."""
    with pytest.raises(ValidationError) as caught:
        SessionSignals.model_validate({"tools": [{"name": "a", "input_schema": schema}]})
    (error,) = caught.value.errors()
    assert (error["loc"], error["msg"]) == (
        ("tools", 0, "input_schema"),
        f"Value error, {message}",
    )


def test_two_tools_of_one_name_are_refused_by_name() -> None:
    """A provider refuses them too, later and for the whole request."""
    tools: Any = [{"name": name} for name in ("b", "a", "b", "a", "c")]
    with pytest.raises(ValidationError, match="tools of one name: a, b; a tool stands once"):
        SessionSignals(tools=tools)


@pytest.mark.parametrize(
    ("annotation", "plain"),
    [
        (Text, str),
        (Annotated[Text | None, Drifts("x")], str | None),
        (tuple[Text, ...], tuple[str, ...]),
        (dict[str, tuple[Text, int]], dict[str, tuple[str, int]]),
        (Literal["a"], Literal["a"]),
        (tuple[Text, ...] | None, tuple[str, ...] | None),
    ],
)
def test_a_plain_type_is_without_metadata_at_every_depth(annotation: Any, plain: Any) -> None:
    """It is what a function's parameter declares."""
    assert plain_type(annotation) == plain


def test_a_nested_model_is_found_by_name_and_alias_and_in_a_list() -> None:
    """So that an error can name the nearest known field."""
    assert nested_model(Given, "folder") is Folder
    assert nested_model(Given, "otherFolder") is Folder
    assert nested_model(Given, "listed") is Folder
    assert nested_model(Given, "mode") is None
    assert nested_model(Given, "absent") is None
