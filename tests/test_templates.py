"""Templates and text packs: what they may hold, their white space, and every error's wording."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.dataflows import PromptFlow, block, theway
from promptdag.inputs.errors import PackError, TemplateError
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.text import Text
from promptdag.sections import Section, gate, section
from promptdag.sections.packs import DefaultPack, SkeletonPack, section_text, text_pack
from promptdag.sections.templates import Render, compile_template, parse

from .flows import built
from .small_flows import framed


def rendered(source: str, **values: Any) -> str:
    """Return the text of a template."""
    template = parse(source, "t.md.j2")
    made = compile_template(template, template.slots, str)
    return made if isinstance(made, str) else made(**values)


SPACES: list[tuple[str, dict[str, Any], str]] = [
    ("a\n", {}, "a"),
    ("a", {}, "a"),
    ("a\n\n", {}, "a\n"),
    ("\na\n", {}, "\na"),
    ("", {}, ""),
    ("\n", {}, ""),
    ("a\r\nb\r\n", {}, "a\nb"),
    ("{{ x }}\n", {"x": "v"}, "v"),
    ("{{ x }}\n", {"x": "v\n"}, "v\n"),
    ("{{ x }}", {"x": "v\n"}, "v\n"),
    ("a\n{% if g %}\nb\n{% endif %}\nc\n", {"g": True}, "a\nb\nc"),
    ("a\n{% if g %}\nb\n{% endif %}\nc\n", {"g": False}, "a\nc"),
    ("a\n{% if g %}\nb\n{% endif %}\n", {"g": True}, "a\nb"),
    ("a\n{% if g %}\nb\n{% endif %}\n", {"g": False}, "a"),
    ("a{% if g %} b{% endif %} c\n", {"g": True}, "a b c"),
    ("a{% if g %} b{% endif %} c\n", {"g": False}, "a c"),
    ("{% if g %}\ny\n{% else %}\nn\n{% endif %}\n", {"g": True}, "y"),
    ("{% if g %}\ny\n{% else %}\nn\n{% endif %}\n", {"g": False}, "n"),
    ("{% if g %}y{% else %}n{% endif %}\n", {"g": False}, "n"),
    ("  {% if g %}  \n  b\n\t{% endif %}\t\nc", {"g": True}, "  b\nc"),
    ("{% for i in x %}\n- {{ i }}\n{% endfor %}\n", {"x": ("1", "2")}, "- 1\n- 2"),
    ("{% for i in x %}\n- {{ i }}\n{% endfor %}\n", {"x": ()}, ""),
    ("{% for i in x %}\n- {{ i }}\n{% endfor %}\nend\n", {"x": ("1",)}, "- 1\nend"),
    ("{% for i in x %}{{ i }},{% endfor %}\n", {"x": ("1", "2")}, "1,2,"),
    ("{% for a, b in x %}{{ a }}={{ b }};{% endfor %}", {"x": (("k", "v"),)}, "k=v;"),
    ("{# gone #}\na\n{# gone\ntoo #}\nb {# inline #}c\n", {}, "a\nb c"),
    ("{% block s %}prose{% endblock %}\n", {}, "prose"),
    ("{% block s %}\nprose\n{% endblock %}\n", {}, "prose"),
    ("{% block s %}\nprose\n{% endblock %}\n\nmore\n", {}, "prose\n\nmore"),
    ("a\n{% block s %}\n\nprose\n\n{% endblock %}\nb", {}, "a\n\nprose\n\nb"),
    ("{{ x }}\n{% block s %}\nprose\n{% endblock %}\n", {"x": "v"}, "v\nprose"),
    ("{% raw %}{{ x }}{% endraw %}\n", {}, "{{ x }}"),
    ("{{ text }}{{ values }}\n", {"text": "t", "values": "v"}, "tv"),
    ("{%- if g -%}\nb\n{%- endif %}\n", {"g": True}, "b"),
]


@pytest.mark.parametrize(("source", "values", "text"), SPACES, ids=[ascii(s[0]) for s in SPACES])
def test_white_space_of_a_template(source: str, values: dict[str, Any], text: str) -> None:
    """A line of one control tag goes, an inline tag eats nothing, one final newline is dropped."""
    assert rendered(source, **values) == text


@given(st.text("{}%# \n\tax", max_size=30))
def test_values_are_shown_verbatim_whatever_they_hold(value: str) -> None:
    """A value is never read as a template."""
    assert rendered("[{{ x }}]\n", x=value) == f"[{value}]"


def test_slots_variables_and_gates_are_read_from_the_syntax_tree() -> None:
    """A loop's own names are not variables."""
    template = parse(
        "{% block a__b %}\nProse.\n{% endblock %}\n{{ x }} {{ y.z }}\n"
        "{% for item in items %}{{ item.name }}{% if g %}{{ w }}{% endif %}{% endfor %}",
        "t.md.j2",
    )
    assert dict(template.slots) == {"a__b": "Prose."}
    assert template.variables == {"x", "y", "items", "w"}
    assert template.asked == {"g"}


ONLY_NAMES = "only a name or item.field may stand in {{ }}: compute it in a fact"
NO_CONDITION = "a loop takes no condition: compute the list in a fact"
ONE_GATE = "a template asks one gate by its bare name: declare a @gate"
PROSE_ONLY = "slot 's' holds more than prose; values stand beside"
ONLY_SLOTS = "a template that extends another holds nothing but slots"
REFUSED = [
    ("a\n\n{{ x | upper }}", 3, ONLY_NAMES),
    ("{{ x + 'y' }}", 1, ONLY_NAMES),
    ("{{ f() }}", 1, ONLY_NAMES),
    ("{{ x[0] }}", 1, ONLY_NAMES),
    ("{{ 'text' }}", 1, ONLY_NAMES),
    ("{{ x.__class__ }}", 1, ONLY_NAMES),
    ("{{ ''.__class__ }}", 1, ONLY_NAMES),
    ("{{ x._private }}", 1, ONLY_NAMES),
    ("{{ x.y.z }}", 1, ONLY_NAMES),
    ("{{ x if g else y }}", 1, ONLY_NAMES),
    ("\n{% for i in range(3) %}\n{% endfor %}", 2, ONLY_NAMES),
    (
        "{% for i in x if i %}{% endfor %}",
        1,
        NO_CONDITION,
    ),
    (
        "{% for i in x %}{% else %}a{% endfor %}",
        1,
        NO_CONDITION,
    ),
    (
        "{% if g and h %}{% endif %}",
        1,
        ONE_GATE,
    ),
    (
        "a\n{% if not g %}\n{% endif %}",
        2,
        ONE_GATE,
    ),
    (
        "{% if g %}{% elif h %}{% endif %}",
        1,
        ONE_GATE,
    ),
    ("{% if g == 1 %}{% endif %}", 1, ONE_GATE),
    (
        "a\n{% block s %}x{{ y }}{% endblock %}",
        2,
        PROSE_ONLY,
    ),
    (
        "{% block s %}{% block t %}{% endblock %}{% endblock %}",
        1,
        PROSE_ONLY,
    ),
    (
        "{% block s %}a{% endblock %}\n{% block s %}b{% endblock %}",
        2,
        "slot 's' stands twice; each slot has its own name",
    ),
    ("\n\n{% block s %}\na", 4, None),
    ("a {{ x", 1, None),
    ("a\n{% nonsense %}", 2, None),
    (
        "{% extends 'x' %}\ntext outside",
        2,
        ONLY_SLOTS,
    ),
]


@pytest.mark.parametrize(("source", "line", "message"), REFUSED, ids=[ascii(r[0]) for r in REFUSED])
def test_what_a_template_may_not_hold_is_refused_with_its_line(
    source: str, line: int, message: str | None
) -> None:
    """On Jinja's own syntax tree, so nothing slips through; the line numbers are the file's."""
    with pytest.raises(TemplateError) as caught:
        parse(source, "sections/t.md.j2")
    found = str(caught.value)
    if message is None:
        assert found.startswith(f"sections/t.md.j2:{line}: ")
    else:
        assert found == f"sections/t.md.j2:{line}: {message}"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("{% set x = 1 %}", "assign"),
        ("{% include 'x' %}", "include"),
        ("{% import 'x' as y %}", "import"),
        ("{% macro m() %}{% endmacro %}", "macro"),
        ("{% filter upper %}x{% endfilter %}", "filterblock"),
        ("{% with %}{% endwith %}", "with"),
        ("{% call m() %}{% endcall %}", "callblock"),
    ],
)
def test_statements_of_jinja_that_decide_or_reach_are_refused(source: str, kind: str) -> None:
    """A template can neither decide nor reach anything."""
    with pytest.raises(TemplateError) as caught:
        parse(f"a\n\n{source}", "t.md.j2")
    assert str(caught.value) == (
        f"t.md.j2:3: a template may not hold {kind!r}; it interpolates, loops, asks a gate and "
        "holds slots: compute the rest in a fact"
    )


class Values(SessionSignals):
    """Two signals."""

    root: Text = ""
    memory_root: Text = ""


@gate
def shown(root: str) -> bool:
    """Open when there is a root."""
    return root != ""


def flow_of(one: Section, **options: Any) -> PromptFlow:
    """Return a flow of one section."""
    return PromptFlow("small", (block("only", one),), session=Values, facts=[shown], **options)


def with_template(source: str | None, *, name: str = "memory") -> Section:
    """Return a section `memory(memory_root)` with this template."""

    def memory(memory_root: str) -> None:
        """Shows the root."""

    memory.__name__ = name
    return section(text=source)(memory)


UNDEFINED = "{!r} is undefined; memory() passes memory_root"
UNFIT = [
    ("{{ memory_rot }}", UNDEFINED.format("memory_rot") + "; did you mean 'memory_root'?"),
    ("{{ zzz }}", UNDEFINED.format("zzz")),
    ("{{ loop.index }}{{ memory_root }}", UNDEFINED.format("loop")),
    (
        "x",
        "'memory_root' is not used; memory() passes memory_root; take the parameter away or use it",
    ),
    (
        "{% if memory_root %}x{% endif %}",
        "{% if memory_root %} asks 'memory_root', which is not a gate; "
        "declare a @gate and ask that",
    ),
]


@pytest.mark.parametrize(("source", "message"), UNFIT)
def test_a_template_uses_exactly_its_sections_parameters(source: str, message: str) -> None:
    """Checked when the flow is built: where, what was found, what to do."""
    declared = with_template(source)
    with pytest.raises(TemplateError) as caught:
        flow_of(declared)
    assert str(caught.value) == f"{declared.place}: {message}"


def test_a_gate_is_asked_and_not_shown() -> None:
    """Its value would read `True`."""

    @section(text="{{ shown }}")
    def memory(shown: bool) -> None:
        """Shows a gate."""

    with pytest.raises(TemplateError) as caught:
        flow_of(memory)
    assert str(caught.value) == f"{memory.place}: 'shown' is a gate; ask it with {{% if %}}"


def test_a_section_without_parameters_says_so() -> None:
    """The message has no empty list."""

    @section(text="{{ x }}")
    def memory() -> None:
        """Nothing to show."""

    with pytest.raises(TemplateError) as caught:
        flow_of(memory)
    assert str(caught.value) == f"{memory.place}: 'x' is undefined; memory() passes nothing"


def test_a_missing_template_is_named_with_the_section_that_needs_it() -> None:
    """The path is where it belongs."""
    declared = with_template(None, name="no_such_text")
    with pytest.raises(TemplateError) as caught:
        flow_of(declared)
    assert str(caught.value) == (
        f"{'/'.join(Path(__file__).parts[-3:-1])}/texts/no_such_text.md.j2: "
        f"No such file or directory; {declared.place}: no_such_text needs this template, "
        "or text= in its decorator"
    )


def write(folder: Path, **files: str) -> Path:
    """Write the templates of a text pack."""
    for name, source in files.items():
        (folder / f"{name}.md.j2").write_text(source, encoding="utf-8")
    return folder


def test_a_pack_replaces_a_slot_or_a_whole_template(tmp_path: Path) -> None:
    """What it does not name stays."""
    write(
        tmp_path,
        harness='{% extends "harness.md.j2" %}\n{% block intro %}Short.{% endblock %}\n',
        tools="Tools:\n{{ tool_inventory }}\n",
    )
    default = built("theway").session(cwd="/").turnless()
    prompt = theway.flow(tmp_path).session(cwd="/").turnless()
    assert prompt.manifest.texts == tmp_path.name
    assert prompt.text.startswith("<harness>\nShort.\n")
    assert (
        prompt.text.split("Session model:")[1].split("</harness>")[0]
        == (default.text.split("Session model:")[1].split("</harness>")[0])
    )
    assert "<tools>\nTools:\nno tools registered\n</tools>" in prompt.text
    assert prompt.text.split("</tools>")[1] == default.text.split("</tools>")[1]


PACK_ERRORS = [
    (
        {"harnes": "x"},
        "harnes.md.j2: the flow has no section 'harnes'; did you mean 'harness'?",
    ),
    ({"zzz": "x"}, "zzz.md.j2: the flow has no section 'zzz'"),
    (
        {"harness": '{% extends "harness.md.j2" %}{% block itro %}x{% endblock %}'},
        "harness.md.j2: section 'harness' has no slot 'itro'; did you mean 'intro'?",
    ),
]


@pytest.mark.parametrize(("files", "message"), PACK_ERRORS)
def test_a_pack_that_overrides_what_does_not_exist_is_refused(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    """By file, with the nearest name."""
    write(tmp_path, **files)
    with pytest.raises(PackError) as caught:
        theway.flow(tmp_path)
    assert str(caught.value) == f"{tmp_path}/{message}"


def test_a_pack_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """A misspelt path is not the default pack."""
    with pytest.raises(PackError) as caught:
        text_pack(tmp_path / "none")
    assert str(caught.value) == (
        f"{tmp_path}/none: no such folder; a text pack is a folder of templates"
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a\n{{ x | upper }}", f":2: {ONLY_NAMES}"),
        ("{{ tools }}", ": 'tools' is undefined; tools() passes tool_inventory"),
    ],
)
def test_a_template_of_a_pack_is_checked_like_any_other(
    tmp_path: Path, source: str, message: str
) -> None:
    """The file of the pack is named, with its line."""
    write(tmp_path, tools=source)
    with pytest.raises(TemplateError) as caught:
        theway.flow(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/tools.md.j2{message}")


def test_packs_come_by_name_by_folder_and_as_they_are(tmp_path: Path) -> None:
    """`default`, `skeleton`, a folder, or an object."""
    own = SkeletonPack()
    assert type(text_pack("default")) is DefaultPack
    assert type(text_pack("skeleton")) is SkeletonPack
    assert text_pack(str(tmp_path)).name == text_pack(tmp_path).name == tmp_path.name
    assert text_pack(own) is own


def test_the_skeleton_pack_shows_slots_by_name_and_hides_all_prose() -> None:
    """A double underscore is shown as a dot; the white space around a slot stays."""
    source = "a {% block a__b %}prose{% endblock %}\n{% block c %}\nprose\n\n{% endblock %}\nd\n"
    made = section_text(framed(source), parse(source, "t"), SkeletonPack(), str)
    assert made == "a ⟦a.b⟧\n⟦c⟧\nd"


def test_a_template_is_compiled_once_and_asked_with_keywords() -> None:
    """The function shows what it is given, and misses what it is not."""
    template = parse("{{ x }}", "t")
    made = compile_template(template, {}, str)
    assert not isinstance(made, str)
    render: Render = made
    assert [render(x="1"), render(x="2")] == ["1", "2"]
    with pytest.raises(Exception, match="'x' was not provided"):
        render()
