"""Typed question forms: what a card shows."""

from dataclasses import dataclass
from typing import Literal

QuestionType = Literal["radio", "checkbox", "select", "textarea", "text", "direction-cards"]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice.

    Attributes:
        label: What is shown.
        value: What is answered.
        description: A line under it; empty for none.
    """

    label: str
    value: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class DirectionCard:
    """One visual direction to choose.

    Attributes:
        id: What is answered.
        label: What is shown.
        mood: What it feels like.
        references: What it is like.
        palette: Its colours, as CSS writes them.
        display_font: The font stack of headings.
        body_font: The font stack of text.
    """

    id: str
    label: str
    mood: str = ""
    references: tuple[str, ...] = ()
    palette: tuple[str, ...] = ()
    display_font: str = ""
    body_font: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        id: Its id, of which a form has only one.
        label: What is asked.
        type: How it is answered.
        options: The choices; empty where one writes.
        cards: The choices of a question of type `direction-cards`.
        placeholder: Shown in an empty field.
        required: Whether the card asks for an answer.
        max_selections: The most choices of a checkbox question; `None` for any number.
    """

    id: str
    label: str
    type: QuestionType = "text"
    options: tuple[Option, ...] = ()
    cards: tuple[DirectionCard, ...] = ()
    placeholder: str = ""
    required: bool = False
    max_selections: int | None = None

    @property
    def choices(self) -> tuple[Option, ...]:
        """The options, cards among them."""
        return self.options + tuple(Option(card.label, card.id) for card in self.cards)


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A form.

    Attributes:
        id: Its id; the header of the answers names it.
        title: Shown above the questions.
        questions: In the order in which they are shown.
        description: A line under the title; empty for none.
    """

    id: str
    title: str
    questions: tuple[Question, ...]
    description: str = ""
