"""Question forms: found in a streamed reply, read into types, answered and read back."""

from ...inputs.answer_header import (
    AnswerHeader,
    OverrideKind,
    override_of,
    read_header,
    write_header,
)
from .answers import Answer, FormAnswers, read_answers, write_answers
from .detection import FormDetector, FoundForm, find_forms, has_question_form
from .directions import DIRECTION_CARDS, direction_question
from .fences import Fences
from .forms import DirectionCard, Option, Question, QuestionForm, QuestionType
from .reading import direction_card, question_json, read_form, write_form

__all__ = [
    "DIRECTION_CARDS",
    "Answer",
    "AnswerHeader",
    "DirectionCard",
    "Fences",
    "FormAnswers",
    "FormDetector",
    "FoundForm",
    "Option",
    "OverrideKind",
    "Question",
    "QuestionForm",
    "QuestionType",
    "direction_card",
    "direction_question",
    "find_forms",
    "has_question_form",
    "override_of",
    "question_json",
    "read_answers",
    "read_form",
    "read_header",
    "write_answers",
    "write_form",
    "write_header",
]
