r"""Answers as one message of the user: written, and read back without loss.

Each question is one line, whatever was typed. An answer that a reader could take for something
else (several lines, `(skipped)`, an option's display, a comma in a list) is written as a JSON
string, and so is a label with a colon in it: `- Notes: "first\n- Tone: forged"`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...inputs.answer_header import read_header, write_header
from ...inputs.findings import Finding, Found
from ...inputs.javascript_text import trimmed
from .forms import Question, QuestionForm

Answer = str | tuple[str, ...]

_SKIPPED = "(skipped)"
# Ends of lines for some reader or other.
_LINE_ENDS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Blanks in front of a label belong to it: given back one by one, they would take quadratic time.
_LINE = re.compile(r"[^\S\n]*+-[^\S\n]([^\S\n]*+\"(?:[^\"\\]|\\.)*+\"|[^:\n]++):[^\S\n]*+(.*)")


@dataclass(frozen=True, slots=True)
class FormAnswers:
    """Answers as they were read.

    Attributes:
        form_id: The form's id, from the header.
        lines: Each label with its answer as it is shown, in their order; skipped ones are not here.
        answers: The answers by question id, values in place of labels; empty without a form.
    """

    form_id: str
    lines: tuple[tuple[str, str], ...]
    answers: Mapping[str, Answer]


def write_answers(form: QuestionForm, answers: Mapping[str, str | Sequence[str]]) -> str:
    """Return a form's answers as a message: a header, and one line for each question.

    Args:
        form: The form.
        answers: A text or a list of texts by question id; a choice by its value or label.
    """
    lines = [write_header(form.id)]
    for question in form.questions:
        shown = _shown(question, answers.get(question.id))
        lines.append(f"- {_label(question.label)}: {shown}")
    return "\n".join(lines)


def read_answers(text: str, form: QuestionForm | None = None) -> Found[FormAnswers | None]:
    """Read what `write_answers` wrote, or what another writer of the same lines did.

    Args:
        text: A message of the user.
        form: The form, so that answers come back by question id and choices by value.

    Returns:
        The answers, or `None` where the text does not begin with their header.
    """
    header = read_header(text)
    if header is None:
        return Found(None)
    findings: list[Finding] = []
    lines: list[tuple[str, str]] = []
    for number, line in enumerate(text[header.end :].split("\n"), 1):
        match = _LINE.fullmatch(trimmed(line))
        if match is not None:
            lines.append((_unquoted(trimmed(match[1])), trimmed(match[2])))
        elif line.strip():
            findings.append(Finding("not-an-answer", "a line is no answer", line=number))
    answers = {} if form is None else _by_question(form, lines, findings)
    shown = tuple((label, _plain(answer)) for label, answer in lines if answer != _SKIPPED)
    return Found(FormAnswers(header.form_id, shown, answers), tuple(findings))


def _by_question(
    form: QuestionForm, lines: Sequence[tuple[str, str]], findings: list[Finding]
) -> dict[str, Answer]:
    waiting = list(form.questions)
    answers: dict[str, Answer] = {}
    for label, shown in lines:
        question = next((one for one in waiting if one.label == label), None)
        if question is None:
            findings.append(Finding("unknown-question", "a line answers no question of the form"))
            continue
        waiting.remove(question)
        if shown not in (_SKIPPED, ""):
            answers[question.id] = _read(question, shown)
    return answers


def _shown(question: Question, answer: str | Sequence[str] | None) -> str:
    if isinstance(answer, str):
        text = trimmed(answer)
        return _display(question, text, listed=False) if text else _SKIPPED
    items = [_display(question, one, listed=True) for one in answer or ()]
    return ", ".join(items) or _SKIPPED


def _display(question: Question, answer: str, *, listed: bool) -> str:
    """Return how one answer is shown: an option by its label, the rest as it is or quoted."""
    displays = _displays(question)
    value = _value(question, answer)
    if value is not None:
        shown = next((text for text, own in displays.items() if own == value), None)
        plain = shown is not None and _is_plain(shown, listed, marked=True)
        return shown if shown is not None and plain else _quoted(value)
    plain = _is_plain(answer, listed) and answer not in displays
    return answer if plain else _quoted(answer)


def _value(question: Question, answer: str) -> str | None:
    """Return the value of the option that is meant; a value counts before a label."""
    for one in question.choices:
        if one.value == answer:
            return one.value
    return next((one.value for one in question.choices if one.label == answer), None)


def _displays(question: Question) -> dict[str, str]:
    """Return the value of each display; of two that look alike one, the other is quoted."""
    return {
        one.label if one.label == one.value else f"{one.label} [value: {one.value}]": one.value
        for one in question.choices
    }


def _is_plain(text: str, listed: bool, marked: bool = False) -> bool:
    return (
        text == trimmed(text)
        and text not in ("", _SKIPPED)
        and not text.startswith('"')
        and not _LINE_ENDS.search(text)
        and not (listed and ", " in text)
        and (marked or _mark_start(text) is None)
    )


def _read(question: Question, shown: str) -> Answer:
    displays = _displays(question)
    if question.type == "checkbox":
        return tuple(_answer(one, displays) for one in _items(shown))
    return _answer(shown, displays)


def _answer(shown: str, displays: Mapping[str, str]) -> str:
    return _unquoted(shown) if shown.startswith('"') else displays.get(shown, shown)


def _items(shown: str) -> list[str]:
    """Split a list at its commas, those in quotes excepted."""
    items: list[str] = []
    place = 0
    while place < len(shown):
        end = shown.find(", ", place)
        if shown[place] == '"':
            with suppress(ValueError):
                _, end = json.JSONDecoder().raw_decode(shown, place)
        end = len(shown) if end < 0 else end
        items.append(shown[place:end])
        place = end + 2
    return items


def _label(label: str) -> str:
    plain = _is_plain(label, listed=False, marked=True) and ":" not in label
    return label if plain else _quoted(label)


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _LINE_ENDS.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return found if isinstance(found, str) else text


def _plain(shown: str) -> str:
    """Return an answer without the mark of its value, quotes undone."""
    return _unquoted(shown) if shown.startswith('"') else shown[: _mark_start(shown)].rstrip()


def _mark_start(shown: str) -> int | None:
    """Return where the mark `[value: …]` at the end begins, or `None` where there is none."""
    ended = shown.rstrip()
    if not ended.endswith("]"):
        return None
    start = ended.find("[value:", ended.rfind("]", 0, -1) + 1)
    return start if start >= 0 else None
