"""Question forms: detection, types, and answers that come back as they were."""

import json
import sys
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from promptdag.dataflows.question_forms import (
    DirectionCard,
    FormDetector,
    FoundForm,
    Option,
    Question,
    QuestionForm,
    direction_question,
    find_forms,
    has_question_form,
    read_answers,
    read_form,
    read_header,
    write_answers,
    write_form,
)
from promptdag.inputs.javascript_text import trimmed

settings.register_profile("question_forms", max_examples=60, deadline=None)
settings.load_profile("question_forms")

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
FORM = '<question-form id="a">{"questions":[{"id":"x"}]}</question-form>'

PIECES = st.sampled_from(
    [
        *"<>{}[]\"'`\\:,=a1\n ~-/",
        "<question-form",
        "<ask-question",
        "<question-form>",
        "</question-form>",
        "</QUESTION-FORM\n>",
        "</ask-question>",
        ' id="',
        " title='a > b'",
        "```",
        "```json\n",
        "\n```\n",
        "~~~~\n",
        '{"questions":[{}]}',
        '{"a":"',
        '{"t":"\\"',
        "\u0130",
        "\u212a",
        "\u00a0",
        FORM,
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def scan(pieces: list[str]) -> tuple[list[FoundForm], tuple[object, ...]]:
    """Return the forms and findings of a text in pieces."""
    detector = FormDetector(max_body_chars=64)
    forms = [form for piece in pieces for form in detector.feed(piece)]
    assert detector.found == bool(forms)
    return forms, detector.finish()


@pytest.mark.parametrize("case", CASES["detection"], ids=lambda case: case["name"])
def test_a_text_holds_a_form_or_not(case: dict[str, object]) -> None:
    """The recorded rows hold; where the original lost a form, the right value does."""
    text = str(case["text"])
    assert has_question_form(text) is case["found"]
    assert bool(scan(list(text))[0]) is case["found"]


@given(TEXTS, st.lists(st.integers(0, 200), max_size=6))
def test_pieces_make_no_difference(text: str, cuts: list[int]) -> None:
    """Every way of cutting a text gives the same forms and the same findings."""
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(places)]
    whole = scan([text])
    assert scan(pieces) == whole
    assert scan(list(text)) == whole


@given(st.lists(PIECES, max_size=120))
def test_no_more_than_three_tags_are_followed(pieces: list[str]) -> None:
    """What bounds the time and the memory of a scan holds for every text."""
    detector = FormDetector()
    for piece in pieces:
        for character in piece:
            detector.feed(character)
            assert detector.followed <= 3


@given(TEXTS)
def test_a_form_is_found_behind_any_text_without_an_open_fence(text: str) -> None:
    """Whatever tags, quotes and brackets stand in front, a form that follows is not lost."""
    plain = text.replace("`", "'").replace("~", "-")
    forms = find_forms(plain + FORM).value
    assert forms[-1].end == len(plain + FORM) or forms[-1].start < len(plain)
    assert forms[-1].content["questions"]


@pytest.mark.parametrize(
    "pieces",
    [
        ["``", f"`\n{FORM}\n"],
        ["a", f"```\n{FORM}\n"],
        [" ", f"```\n{FORM}\n```", "\n" + FORM],
        ["<", "question-form", ">{", '"questions":[{}]}</', "question-form", " >"],
        ['<question-form>{"questions":[{}],"a":"\\', '"</question-form>"}', "</question-form>"],
        ["<question-form a=", "'>'", ' b = ">"', '>{"questions":[{}]}</question-form>'],
        ["<question-form>``", '`JSON\n{"questions":[{}]}', "\n``", "`</question-form>"],
    ],
    ids=repr,
)
def test_a_cut_may_stand_anywhere(pieces: list[str]) -> None:
    """Cuts inside a fence, a tag, a quote and an escape change nothing."""
    assert scan(pieces) == scan(["".join(pieces)])
    assert scan(pieces) == scan(list("".join(pieces)))


HARD_TO_SCAN = (
    *("<", "`", "\n", "```\n", "````\n~~~\n```json\n<question-form>{\n", "</question-form>"),
    *("<question-form>", "<question-form>{", '<question-form>{"', '<question-form a="'),
    *('<question-form>{"\\"\\"', '<question-form a=\'<question-form a="<question-form>{"'),
    *('<question-form>{"questions":[1]}</question-form>', "<question-form>{}</ask-question>", FORM),
)


def calls(text: str, piece: int) -> int:
    """Return how many calls and returns a scan in pieces makes, those into C included."""
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    detector, before = FormDetector(), sys.getprofile()
    sys.setprofile(count)
    for place in range(0, len(text), piece):
        detector.feed(text[place : place + piece])
    detector.finish()
    sys.setprofile(before)
    return counted


@pytest.mark.parametrize("piece", [1, 7, 10**6])
@pytest.mark.parametrize("unit", HARD_TO_SCAN)
def test_a_scan_makes_no_more_calls_for_a_longer_text(unit: str, piece: int) -> None:
    """Per character; counted, since times differ. The benchmark measures what a call takes."""
    small, large = (calls(unit * repeats, piece) for repeats in (60, 240))
    assert large <= 4.05 * small


HARD_TO_READ = {
    "name": f'<question-form {"a" * 4000}>{{"questions":[{{}}]}}</question-form>' * 20,
    "label": f"[form answers]\n- {' ' * 40_000}x",
    "mark": f"[form answers]\n- A: {'[value:' * 40_000}",
}


@pytest.mark.parametrize("kind", HARD_TO_READ)
def test_what_is_read_from_outside_takes_linear_time(kind: str) -> None:
    """Milliseconds each; a pattern that tries every beginning took seconds of the processor."""
    start = process_time()
    find_forms(HARD_TO_READ[kind])
    read_answers(HARD_TO_READ[kind], QuestionForm("f", "t", (Question("a", "A"),)))
    assert process_time() - start < 1


@pytest.mark.parametrize(
    ("line", "label", "shown"),
    [
        ("-  : x", "", "x"),
        ('-   "a: b": x', "a: b", "x"),
        ('- "a: b', '"a', "b"),
        ("- A: x [value: y] ", "A", "x"),
        ("- A: x [value: a]b]", "A", "x [value: a]b]"),
        ("- A: x [value: a[value: b]", "A", "x"),
        ("- A: x [value:]", "A", "x"),
        ("- A: x]", "A", "x]"),
    ],
)
def test_a_line_is_read_whoever_wrote_it(line: str, label: str, shown: str) -> None:
    """Blank labels, quotes that stay open, marks with brackets inside."""
    found = read_answers(f"[form answers]\n{line}").value
    assert found is not None
    assert found.lines == ((label, shown),)


def test_quotes_inside_quotes_are_not_followed_further() -> None:
    """An escaped quote of one tag's JSON opens no attribute of the next."""
    detector = FormDetector()
    detector.feed('<question-form>{"<question-form a=\\"<question-form a=\'<question-form a')
    assert detector.followed == 3


def test_a_form_in_a_code_fence_is_an_example() -> None:
    """It is passed over, and what follows the fence is found."""
    fenced = f"Like this:\n```html\n{FORM}\n```\n"
    assert not has_question_form(fenced)
    assert not has_question_form(f"- so:\n   ~~~~\n{FORM}\n~~~\n{FORM}")
    assert find_forms(fenced + FORM).value[0].start == len(fenced)


def test_a_fence_that_a_form_opens_ends_with_the_form() -> None:
    """The second form is found, though the first has an opening fence alone."""
    one = '<question-form>\n```json\n{"questions":[{}]}\n</question-form>'
    assert len(find_forms(one + FORM).value) == 2


def test_what_was_left_out_is_reported() -> None:
    """A form that is no JSON, one that is too large and one that is not closed."""
    text = '<question-form>{x}</question-form><question-form>{"a":"' + "y" * 80 + '"}'
    codes = [one.code for one in scan([text + "<ask-question>{"])[1]]  # type: ignore[attr-defined]
    assert codes == ["form-not-renderable", "form-too-large", "unclosed-form"]


def test_letters_that_only_look_alike_make_no_tag() -> None:
    """A long s is not an s, though Unicode folds it to one."""
    assert not has_question_form('<que\u017ftion-form>{"questions":[{}]}</que\u017ftion-form>')


def test_json_that_only_python_reads_is_no_form() -> None:
    """NaN is not JSON."""
    assert not has_question_form('<question-form>{"questions":[{}],"a":NaN}</question-form>')
    assert not has_question_form(f'<question-form>{{"a":{"[" * 9000}{"]" * 9000}}}</question-form>')


def test_a_form_is_read_into_types() -> None:
    """Aliases of types, defaults of ids, options as texts or objects, selections as numbers."""
    body = {
        "id": "body",
        "title": "T",
        "questions": [
            {"label": "One", "type": "choice", "options": ["A", {"label": "B", "value": "b"}]},
            {"id": " m ", "type": "multiple", "options": ["A"], "maxSelections": 2},
            {"id": "m", "type": "dropdown", "maxSelections": 2},
            [],
            "text",
            {"id": "z", "type": "slider", "required": True, "placeholder": "p"},
        ],
    }
    text = f"<ask-question id='tag'>{json.dumps(body)}</ask-question>"
    found = read_form(find_forms(text).value[0])
    assert (found.value.id, found.value.title) == ("tag", "T")
    one, many, again, empty, last = found.value.questions
    assert (one.id, one.type) == ("q1", "radio")
    assert one.options == (Option("A", "A"), Option("B", "b"))
    assert (many.id, many.label, many.type, many.max_selections) == ("m", "m", "checkbox", 2)
    assert (again.id, again.type, again.max_selections) == ("m_2", "select", None)
    assert (empty.id, empty.type) == ("q4", "text")
    assert (last.type, last.required, last.placeholder) == ("text", True, "p")
    assert [finding.code for finding in found.findings] == [
        "duplicate-question:m",
        "question-not-object:5",
        "unknown-question-type:z",
    ]


NAMES = st.text(min_size=1, max_size=12).map(trimmed).filter(bool)
LABELS = st.text(
    st.sampled_from('ab:, "\\[]()\n\u2028-x<>&'), min_size=1, max_size=10
).map(trimmed).filter(bool)  # fmt: skip
WORDS = st.one_of(
    LABELS,
    st.sampled_from(["(skipped)", "a [value: b]", "- b: forged", "[form answers]", '"q"', "a, b"]),
)
OPTIONS = st.lists(st.builds(Option, WORDS, WORDS), min_size=1, max_size=4).map(tuple)
CHOICE = st.builds(
    Question, NAMES, WORDS, st.sampled_from(["radio", "select", "checkbox"]), OPTIONS
)
WRITTEN = st.builds(Question, NAMES, WORDS, st.sampled_from(["text", "textarea"]))
QUESTIONS = st.lists(CHOICE | WRITTEN, min_size=1, max_size=5, unique_by=lambda one: one.id)
FORMS = st.builds(QuestionForm, NAMES, NAMES, QUESTIONS.map(tuple))


@st.composite
def answered(draw: st.DrawFn) -> tuple[QuestionForm, dict[str, str | tuple[str, ...]]]:
    """Return a form with answers of its types: values of choices, and other words too."""
    form = draw(FORMS)
    answers: dict[str, str | tuple[str, ...]] = {}
    for question in form.questions:
        values = {one.value for one in question.options}
        labels = {one.label for one in question.options} - values
        one = st.sampled_from(sorted(values)) if values else st.nothing()
        one |= WORDS.filter(lambda word, labels=labels: word not in labels)
        if question.type == "checkbox":
            answers[question.id] = draw(st.lists(one, min_size=1, max_size=3).map(tuple))
        elif draw(st.booleans()):
            answers[question.id] = draw(one)
    return form, answers


@given(answered())
def test_answers_come_back_as_they_were(case: tuple[QuestionForm, dict[str, object]]) -> None:
    """With the form nothing is lost, and every question is exactly one line."""
    form, answers = case
    text = write_answers(form, answers)  # type: ignore[arg-type]
    assert len(text.splitlines()) == 1 + len(form.questions)
    found = read_answers(text, form)
    assert found.value is not None
    assert found.value.answers == answers
    assert found.findings == ()


@given(answered())
def test_answers_are_read_without_the_form(case: tuple[QuestionForm, dict[str, object]]) -> None:
    """The labels come back in their order, those of skipped questions excepted."""
    form, answers = case
    found = read_answers(write_answers(form, answers)).value  # type: ignore[arg-type]
    assert found is not None
    labels = [question.label for question in form.questions if question.id in answers]
    assert [label for label, _ in found.lines] == labels


def test_an_answer_of_several_lines_forges_none() -> None:
    """A line that looks like another answer stays inside its own."""
    form = QuestionForm("f", "t", (Question("a", "Notes", "textarea"), Question("b", "Tone")))
    text = write_answers(form, {"a": "one\n- Tone: forged\n[form answers \u2014 discovery]"})
    assert text.count("\n") == 2
    assert text.endswith("\n- Tone: (skipped)")
    found = read_answers(text, form).value
    assert found is not None
    assert found.answers == {"a": "one\n- Tone: forged\n[form answers \u2014 discovery]"}


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ([Option("L", "x]y")], "L [value: x]y]"),
        ([Option("L", "v")], "L [value: v]"),
        ([Option("a [value: x]", "a [value: x]"), Option("a", "x")], "a [value: x]"),
        ([Option("a [value: x]", "a [value: x]"), Option("a", "x")], "x"),
        ([Option("b", "a"), Option("B", "b")], "b"),
        ([Option("one, two", "one, two"), Option("one", "one")], "one, two"),
        ([Option('"q"', "q")], "q"),
        ([Option("two\nlines", "v")], "v"),
        ([], "(skipped)"),
        ([], '"quoted"'),
        ([], "a\u2028- b: c\u0085d"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("kind", ["radio", "checkbox"])
def test_an_answer_that_looks_like_another_comes_back(
    options: list[Option], answer: str, kind: str
) -> None:
    """What is typed is told from what is chosen, and a comma in a choice from one of a list."""
    form = QuestionForm("f", "t", (Question("a", "A", kind, tuple(options)),))  # type: ignore[arg-type]
    given_answer = (answer, "other") if kind == "checkbox" else answer
    found = read_answers(write_answers(form, {"a": given_answer}), form).value
    assert found is not None
    assert found.answers == {"a": given_answer}


@pytest.mark.parametrize("case", CASES["answers"], ids=lambda case: str(case["answers"]))
def test_answers_are_written_as_recorded(case: dict[str, dict[str, object]]) -> None:
    """Ordinary answers stand as the original writes them, byte for byte."""
    body = json.dumps(case["form"])
    form = read_form(find_forms(f"<question-form>{body}</question-form>").value[0]).value
    assert write_answers(form, case["answers"]) == case["text"]  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES["headers"], ids=lambda case: case["text"])
def test_a_header_names_its_form(case: dict[str, str | None]) -> None:
    """One grammar: dashes of every length, a colon, no id, ids of any script."""
    header = read_header(case["text"])
    assert (header.key if header else None) == case["form_id"]
    assert (header.override if header else "none") == case["override"]


def test_a_header_keeps_the_case_of_its_id() -> None:
    """Only what decides is in lower case."""
    header = read_header("[form answers \u2014 Task-Type]\n- a: b")
    assert header is not None
    assert (header.form_id, header.override) == ("Task-Type", "build")


@given(FORMS)
def test_a_form_that_is_written_is_found_and_read(form: QuestionForm) -> None:
    """No text in a form can end its tag, its attributes or its JSON."""
    text = f"Before.\n{write_form(form)}\nAfter."
    assert text.count("<") == 2
    (found,) = find_forms(text).value
    assert read_form(found).value == QuestionForm(form.id, form.title, form.questions)


def test_directions_are_offered_as_cards() -> None:
    """A question of type `direction-cards` answers with the id of a card."""
    card = DirectionCard("ink", "Ink", "quiet", ("a book",), ("#111",), "Serif", "Sans")
    form = QuestionForm("direction", "Pick", (direction_question("Which?", cards=[card]),))
    (found,) = find_forms(write_form(form)).value
    assert found.content["questions"] == [
        {
            "id": "direction",
            "label": "Which?",
            "type": "direction-cards",
            "cards": [
                {
                    "id": "ink",
                    "label": "Ink",
                    "mood": "quiet",
                    "references": ["a book"],
                    "palette": ["#111"],
                    "displayFont": "Serif",
                    "bodyFont": "Sans",
                }
            ],
            "required": True,
        }
    ]
    assert read_form(found).value == form
    text = write_answers(form, {"direction": "ink"})
    assert text.endswith("- Which?: Ink [value: ink]")
