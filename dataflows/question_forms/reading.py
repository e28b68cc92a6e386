"""Reads found forms into types, and writes forms as a model writes them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...inputs.findings import Finding, Found, Severity
from ...inputs.javascript_text import finite, text_or_empty
from .attributes import write_attribute
from .detection import FoundForm
from .forms import DirectionCard, Option, Question, QuestionForm, QuestionType

DEFAULT_ID = "discovery"
DEFAULT_TITLE = "A few questions"

_TYPES: Mapping[str, QuestionType] = {
    **dict.fromkeys(("radio", "single", "choice"), "radio"),
    **dict.fromkeys(("checkbox", "multi", "multiple"), "checkbox"),
    **dict.fromkeys(("select", "dropdown"), "select"),
    **dict.fromkeys(("textarea", "long", "paragraph"), "textarea"),
    **dict.fromkeys(("direction-cards", "directions", "cards", "direction"), "direction-cards"),
    "text": "text",
}


@dataclass(slots=True)
class _Reader:
    """Reads one form and collects what it could not take as it is."""

    findings: list[Finding] = field(default_factory=list)

    def report(self, code: str, message: str, severity: Severity = "warning") -> None:
        self.findings.append(Finding(code, message, severity=severity))

    def questions(self, listed: Iterable[Any]) -> tuple[Question, ...]:
        found: dict[str, Question] = {}
        for number, raw in enumerate(listed, 1):
            if not isinstance(raw, dict | list):
                self.report(
                    f"question-not-object:{number}", f"question {number} was left out", "error"
                )
                continue
            fields = raw if isinstance(raw, dict) else {}
            own = text_or_empty(fields.get("id")) or f"q{number}"
            unique, again = own, 1
            while unique in found:
                again += 1
                unique = f"{own}_{again}"
            if unique != own:
                self.report(
                    f"duplicate-question:{own}",
                    f"question {number} has the id of another; it was named {unique!r}",
                )
            found[unique] = self.question(unique, fields)
        return tuple(found.values())

    def question(self, own_id: str, fields: Mapping[str, Any]) -> Question:
        written = text_or_empty(fields.get("type")).lower()
        kind = _TYPES.get(written, "text")
        if written and written not in _TYPES:
            self.report(
                f"unknown-question-type:{own_id}",
                f"question {own_id!r} has a type that is not known; it is asked as text",
            )
        most = finite(fields.get("maxSelections")) if kind == "checkbox" else None
        return Question(
            own_id,
            text_or_empty(fields.get("label")) or own_id,
            kind,
            tuple(self.options(own_id, _listed(fields.get("options")))),
            tuple(self.cards(own_id, fields)) if kind == "direction-cards" else (),
            text_or_empty(fields.get("placeholder")),
            fields.get("required") is True,
            int(most) if most is not None and most >= 1 and most == int(most) else None,
        )

    def options(self, own_id: str, listed: Iterable[Any]) -> Iterable[Option]:
        for raw in listed:
            fields = raw if isinstance(raw, dict) else {"label": raw}
            label = text_or_empty(fields.get("label"))
            value = fields.get("value")
            if not label and not text_or_empty(value):
                self.report(
                    f"option-without-label:{own_id}",
                    f"a choice of question {own_id!r} has no label; it was left out",
                    "error",
                )
                continue
            value = value if isinstance(value, str) else label
            yield Option(label or value, value, text_or_empty(fields.get("description")))

    def cards(self, own_id: str, fields: Mapping[str, Any]) -> Iterable[DirectionCard]:
        for raw in _listed(fields.get("cards")):
            card = direction_card(raw) if isinstance(raw, dict) else None
            if card is None:
                self.report(
                    f"card-without-id:{own_id}",
                    f"a card of question {own_id!r} has no id; it was left out",
                    "error",
                )
            else:
                yield card


def direction_card(fields: Mapping[str, Any]) -> DirectionCard | None:
    """Return a card from its JSON; `None` without an id."""
    own_id = text_or_empty(fields.get("id"))
    if not own_id:
        return None
    lists = [
        tuple(text for one in _listed(fields.get(name)) if (text := text_or_empty(one)))
        for name in ("references", "palette")
    ]
    texts = (text_or_empty(fields.get(name)) for name in ("mood", "displayFont", "bodyFont"))
    mood, display_font, body_font = texts
    label = text_or_empty(fields.get("label")) or own_id
    return DirectionCard(own_id, label, mood, lists[0], lists[1], display_font, body_font)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def read_form(found: FoundForm) -> Found[QuestionForm]:
    """Return a found form in types.

    The id and the title of the tag come before those of the body. A question without an id is
    `q1`, `q2` … by its place. What has no type of ours is asked as text.
    """
    reader = _Reader()
    content, attributes = found.content, found.attributes
    form_id, title = (
        text_or_empty(attributes.get(name)) or text_or_empty(content.get(name)) or default
        for name, default in (("id", DEFAULT_ID), ("title", DEFAULT_TITLE))
    )
    questions = reader.questions(content["questions"])
    description = text_or_empty(content.get("description"))
    form = QuestionForm(form_id, title, questions, description)
    return Found(form, tuple(reader.findings))


def write_form(form: QuestionForm) -> str:
    """Return a form as a model writes it, so that no text in it can end the tag."""
    content: dict[str, Any] = {"description": form.description} if form.description else {}
    content["questions"] = [question_json(one) for one in form.questions]
    body = json.dumps(content, ensure_ascii=False, indent=2).replace("<", "\\u003c")
    opening = write_attribute("id", form.id) + write_attribute("title", form.title)
    return f"<question-form{opening}>\n{body}\n</question-form>"


def question_json(question: Question) -> dict[str, Any]:
    """Return a question as JSON holds it; what is empty is left out."""
    options = [
        {"label": one.label, "value": one.value}
        | ({"description": one.description} if one.description else {})
        for one in question.options
    ]
    cards = [
        {
            "id": card.id,
            "label": card.label,
            "mood": card.mood,
            "references": list(card.references),
            "palette": list(card.palette),
            "displayFont": card.display_font,
            "bodyFont": card.body_font,
        }
        for card in question.cards
    ]
    optional = {
        "options": options,
        "cards": cards,
        "placeholder": question.placeholder,
        "required": question.required,
        "maxSelections": question.max_selections,
    }
    asked = {"id": question.id, "label": question.label, "type": question.type}
    return asked | {name: value for name, value in optional.items() if value}
