"""Differences of texts, and values in words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.dataflows.review.wording import Piece, line_pieces, value_words, word_pieces

TEXTS = st.text(st.sampled_from("ab \n"), max_size=30)


@pytest.mark.parametrize("pieces", [word_pieces, line_pieces])
@given(before=TEXTS, after=TEXTS)
def test_both_texts_can_be_read_off_a_difference(pieces: Any, before: str, after: str) -> None:
    """Nothing is lost and nothing added, whatever is folded together."""
    found = pieces(before, after)
    assert "".join(one.text for one in found if one.kind != "new") == before
    assert "".join(one.text for one in found if one.kind != "gone") == after


def test_a_changed_word_is_told_alone() -> None:
    """The words around it stand as they are."""
    assert word_pieces("have a nice day, all\n", "have a good day, all\n") == (
        Piece("same", "have a "),
        Piece("gone", "nice"),
        Piece("new", "good"),
        Piece("same", " day, all\n"),
    )


def test_texts_with_little_in_common_stand_one_after_another() -> None:
    """Word by word nobody could read them."""
    found = word_pieces("Plan the video of it.\n", "Nothing is generated here.\n")
    assert [one.kind for one in found] == ["gone", "new"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "absent"),
        ("", "empty"),
        (" \n", "blank"),
        ("plan", '"plan"'),
        ("x" * 41, "a long text"),
        (True, "true"),
        (3, "3"),
        ([], "empty"),
        ([1], "1 entry"),
        ((1, 2), "2 entries"),
        ({}, "empty"),
        ({"a": 1}, "given"),
    ],
)
def test_a_value_is_told_in_few_words(value: Any, words: str) -> None:
    """Alike values in the same words."""
    assert value_words(value) == words
