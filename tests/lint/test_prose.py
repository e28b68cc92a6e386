"""Prose told twice, near duplicates, contradictions and tools out of place."""

import pytest
from promptdag.dataflows.lint import flow_rule, lint
from promptdag.dataflows.lint.sentences import sentences
from promptdag.dataflows.order import one_of
from promptdag.inputs.errors import FlowError, UnknownNameError
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import fact, gate

from .samples import COUNTER, findings, flow_of, named, said, subjects


def pair(one: str, other: str, code: str) -> list[str]:
    """Return the subjects of the findings in a flow of two sections."""
    return subjects(flow_of(said("one", one), said("other", other)), code)


EQUAL = [
    ("Always read a file before editing.", "Be brief. always READ a file, before editing!"),
    ("修改文件之前必须先读取文件。", "简短。修改文件之前, 必须先读取文件\uff01"),
    ("- Run `make check` when you are done.", "2. Run make check when you are done"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_an_equal_sentence_in_two_sections_is_an_error(one: str, other: str) -> None:
    """Case, punctuation, blanks, width and list marks do not make it another sentence."""
    assert pair(one, other, "PD050") == ["one+other"]


def test_short_and_different_sentences_are_no_repetition() -> None:
    """`Be brief.` twice is an accident; other words are other rules."""
    assert pair("Be brief.", "Be brief.", "PD050") == []
    assert pair("简短。", "简短。", "PD050") == []
    assert pair(EQUAL[0][0], "Always run the tests before committing.", "PD050") == []


def test_a_run_of_six_words_is_a_warning_and_five_are_not() -> None:
    """The run is shown as far as it goes."""
    one = "When in doubt, ask the user for one more example first."
    (found,) = findings(
        flow_of(said("one", one), said("other", "You may ask the user for one more example.")),
        "PD051",
    )
    assert "'ask the user for one more example'" in found.found
    assert found.severity == "warning"
    assert pair(one, "You may ask the user for one thing.", "PD051") == []


def test_a_run_of_eight_chinese_characters_is_a_warning_and_seven_are_not() -> None:
    """Words are not divided in Chinese, so characters count."""
    assert pair("先读取文件内容再修改。", "必须先读取文件内容再说。", "PD051") == ["one+other"]
    assert pair("先读取文件内容修改。", "必须先读取文件内容再说。", "PD051") == []


def test_sections_that_say_much_the_same_are_near_duplicates() -> None:
    """Two versions of one paragraph are one finding and not many."""
    text = "Plan the work in small steps and keep the list of open steps up to date while working"
    near = flow_of(said("one", f"{text} alone."), said("other", f"{text} with others."))
    assert subjects(near, "PD055") == ["one+other"]
    assert subjects(near, "PD051") == []
    assert pair(text, "Something else entirely is told here in as many other words.", "PD055") == []


def test_alternatives_may_say_the_same() -> None:
    """Exactly one of them stands in a prompt."""

    class Mode(SessionSignals):
        mode: Text = "plan"

    rule = "Always read a file before editing."
    from .alternatives import chosen, planning, working  # gates need a module of their own

    one = named("one", _nothing, rule, gate=planning)
    other = named("other", _nothing_too, rule, gate=working)
    flow = flow_of(one_of(one, other), session=Mode, facts=(chosen, planning, working))
    assert subjects(flow, "PD050") == []
    assert pair(rule, rule, "PD050") == ["one+other"]


def _nothing() -> None:
    """Prose."""


def _nothing_too() -> None:
    """Prose."""


VALUES = [
    ("Show at most 5 files at a time.", "Show at most 10 files at a time."),
    ("一次最多显示5个文件的内容。", "一次最多显示10个文件的内容。"),
]


@pytest.mark.parametrize(("one", "other"), VALUES)
def test_sentences_that_differ_in_a_number_alone_are_an_error(one: str, other: str) -> None:
    """One of the two is out of date."""
    assert pair(one, other, "PD053") == ["one+other"]
    assert pair(one, one, "PD053") == []
    assert subjects(flow_of(said("both", f"{one} {other}")), "PD053") == ["both"]


OPPOSITE = [
    ("You must commit the changes of a task.", "You must not commit the changes of a task."),
    ("Always ask before deleting any files.", "Never ask before deleting any files."),
    ("删除文件之前必须询问用户。", "删除文件之前不要询问用户。"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITE)
def test_opposite_demands_are_an_error(one: str, other: str) -> None:
    """No reader can obey both."""
    assert pair(one, other, "PD054") == ["one+other"]
    assert pair(one, one, "PD054") == []
    assert pair(other, other, "PD054") == []


def test_sentences_end_at_marks_of_both_scripts_and_at_lines() -> None:
    """A dot inside a name or number ends nothing."""
    text = "- Use v1.2 of a.py. Stop! 先读取。再修改\n3. Done?"
    assert [one.text for one in sentences(text)] == [
        "Use v1.2 of a.py.",
        "Stop!",
        "先读取。",
        "再修改",
        "Done?",
    ]


class Tools(SessionSignals):
    """Names of tools, as some flows take them."""

    tool_names: tuple[Text, ...] = ()


@gate
def has_bash(tool_names: tuple[str, ...]) -> bool:
    """Open when bash is there."""
    return "bash" in tool_names


def test_a_tool_named_where_it_may_not_be_there_is_an_error() -> None:
    """What holds without the tool stays; what does not is gated by the tools."""
    given = {"tools": [{"name": "web_search"}], "tool_names": ["bash", "read"]}
    for text in ("Look it up with web_search.", "Use the bash tool.", "Use `bash` at once."):
        assert subjects(flow_of(said("identity", text), session=Tools), "PD052", given) == [
            "identity"
        ]
    for text in ("You write bash scripts.", "Read first.", "web_searching is fun"):
        assert subjects(flow_of(said("identity", text), session=Tools), "PD052", given) == []
    gated = named("identity", _nothing, "Use `bash` at once.", gate=has_bash)
    flow = flow_of(gated, session=Tools, facts=(has_bash,))
    assert subjects(flow, "PD052", given) == []
    assert subjects(flow_of(said("identity", "Use `bash`."), session=Tools), "PD052") == []


class Skills(SessionSignals):
    """The texts of two sections."""

    user: Text = ""
    project: Text = ""


def test_equal_texts_of_two_sections_are_found_in_a_given_prompt() -> None:
    """One skill, read from two folders, is told twice."""

    def user_skill(user: str) -> None:
        """Of the user."""

    def project_skill(project: str) -> None:
        """Of the project."""

    flow = flow_of(
        named("user_skill", user_skill, "{{ user }}"),
        named("project_skill", project_skill, "{{ project }}"),
        session=Skills,
    )
    text = "Deploy with care. " * 14
    assert subjects(flow, "PD056", {"user": text, "project": text}) == ["user_skill+project_skill"]
    assert subjects(flow, "PD056", {"user": text, "project": text + "Now."}) == []


@fact
def loudness(user: str) -> int:
    """The number of exclamation marks."""
    return user.count(chr(33))  # a constant in the code would be tried as a value


def test_a_flow_brings_rules_of_its_own() -> None:
    """A rule is a function whose parameters are nodes, asked of every tried prompt."""

    @flow_rule("OWN001", severity="warning")
    def calm(loudness: int, user: str) -> str | None:
        """Nobody shouts."""
        return f"{loudness} marks in {user!r}: take them out" if loudness else None

    def part(user: str) -> None:
        """Of the user."""

    def flow(rule: object) -> object:
        shown = named("part", part, "{{ user }}")
        return flow_of(shown, session=Skills, facts=(loudness,), lint_rules=(rule,))

    def loud(user: str, loudness: int) -> None:
        """Of the user."""

    both = named("part", loud, "{{ user }} {{ loudness }}")
    made = flow_of(both, session=Skills, facts=(loudness,), lint_rules=(calm,))
    (found,) = findings(made, "OWN001", {"user": "Now!"}, {"user": "Later."})
    assert (found.subject, found.severity) == ("calm", "warning")
    assert found.found == "1 marks in 'Now!': take them out"
    assert "input 'given 1'" in found.where
    assert findings(made, "OWN001", {"user": "Later."}) == []
    with pytest.raises(UnknownNameError, match="OWN001: parameter 'loudness' names no node"):
        lint(flow(calm), counter=COUNTER, allow=())  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["PD001", "own1", "OWN1", ""])
def test_a_rule_of_a_flow_takes_no_general_code(code: str) -> None:
    """General codes never change their meaning."""
    with pytest.raises(FlowError, match="like 'OD001'"):
        flow_rule(code)
