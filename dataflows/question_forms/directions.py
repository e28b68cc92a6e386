"""The visual directions as a question: the same data that the section of the library shows."""

from collections.abc import Iterable

from ...sections.open_design.core import DIRECTIONS, Direction
from .forms import DirectionCard, Question


def card_of(direction: Direction) -> DirectionCard:
    """Return a direction as a card; its colours in the order of `Palette`."""
    return DirectionCard(
        direction.id,
        direction.label,
        direction.mood,
        direction.references,
        tuple(direction.palette),
        direction.display_font,
        direction.body_font,
    )


DIRECTION_CARDS = tuple(card_of(one) for one in DIRECTIONS)


def direction_question(
    label: str, question_id: str = "direction", cards: Iterable[DirectionCard] = DIRECTION_CARDS
) -> Question:
    """Return the question that offers directions as cards; the five of the library by default."""
    return Question(question_id, label, "direction-cards", cards=tuple(cards), required=True)
