"""Outside text is cleaned once, at the boundary."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from promptdag.inputs.text import clean, removed_characters

ANY_CHARACTER = st.one_of(
    st.characters(codec=None),
    st.integers(0, 0x10FFFF).map(chr),
    st.integers(0xD800, 0xDFFF).map(chr),
    st.sampled_from("\r\n\t\x00\x7f\x85\xad\u200b\u200c\u200d\u200e\u202a\u202e\u2066\u2069\ufe0f"),
    st.sampled_from(
        "\ufe00\ufeff\ufffe\uffff\ufff9\U000e0001\U000e007f\U000e0100\u180e\u2060\u206a"
    ),
)
ANY_TEXT = st.text(ANY_CHARACTER, max_size=60)

RULES = [
    ("plain ASCII\tand\nlines", "plain ASCII\tand\nlines"),
    ("a\r\nb\rc\n\rd", "a\nb\nc\n\nd"),
    ("lone \ud800 and \udfff", "lone \ufffd and \ufffd"),
    ("pair \ud83d\ude00 of surrogates", "pair \ufffd\ufffd of surrogates"),
    ("\x00a\x08b\x0bc\x0cd\x0ee\x1ff\x7fg", "abcdefg"),
    ("a\x80b\x85c\x9fd", "abcd"),
    ("a\xadb\u180ec\u200bd\u2060e\u2064f\u206ag\u206fh\ufeffi", "abcdefghi"),
    ("a\ufff9b\ufffbc\ufdd0d\ufdeee\ufffef\uffffg", "abcdefg"),
    ("hi\U000e0041\U000e0042\U000e0fff\U000e0000", "hi"),
    ("a\u202ab\u202ec\u2066d\u2069e", "a[U+202A]b[U+202E]c[U+2066]d[U+2069]e"),
    ("\u26a0\ufe0f x\ufe0f\ufe0e\ufe00y", "\u26a0\ufe0f x\ufe0fy"),
    ("x\ufe0f\u200b\ufe0fy", "x\ufe0fy"),
]
KEPT = [
    "",
    "trailing  \n\n\n",
    "\U0001f469\u200d\U0001f4bb \u06cc\u200c\u200e\u200f",
    "cafe\u0301 caf\u00e9 \uff21 \u2028\u2029 \u00a0\u3000",
]


@pytest.mark.parametrize(("given_text", "expected"), RULES, ids=[ascii(one) for one, _ in RULES])
def test_each_rule_of_cleaning(given_text: str, expected: str) -> None:
    """What goes, what is replaced, what is made visible and what stays."""
    assert clean(given_text) == expected


@pytest.mark.parametrize("text", KEPT, ids=ascii)
def test_what_people_write_stays(text: str) -> None:
    """Joiners, direction marks, both normal forms, wide blanks and trailing blanks."""
    assert clean(text) == text


def straight(text: str) -> str:
    """Clean character by character, by category and number."""
    out: list[str] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for one in text:
        point = ord(one)
        if 0xD800 <= point <= 0xDFFF:
            out.append("\ufffd")
        elif unicodedata.category(one) == "Cc" and one not in "\t\n":
            continue
        elif 0x202A <= point <= 0x202E or 0x2066 <= point <= 0x2069:
            out.append(f"[U+{point:X}]")
        elif (
            point in (0xAD, 0x180E, 0x200B, 0xFEFF, 0xFFFE, 0xFFFF)
            or any(
                low <= point <= high
                for low, high in (
                    (0x2060, 0x2064),
                    (0x206A, 0x206F),
                    (0xFFF9, 0xFFFB),
                    (0xFDD0, 0xFDEF),
                    (0xE0000, 0xE0FFF),
                )
            )
            or (0xFE00 <= point <= 0xFE0F and out and 0xFE00 <= ord(out[-1][-1]) <= 0xFE0F)
        ):
            continue
        else:
            out.append(one)
    return "".join(out)


@given(ANY_TEXT)
@example("\ud83d\ude00")
@example("\r\u200b\n")
@example("\ufe0f\u200b\ufe0f\u202e\ufe0f")
def test_cleaning_is_what_straight_code_does_and_is_idempotent(text: str) -> None:
    """The quick way out for ordinary text never lets anything through."""
    cleaned = clean(text)
    assert cleaned == straight(text)
    assert clean(cleaned) == cleaned
    assert removed_characters(cleaned) == {}
    cleaned.encode()


@given(ANY_TEXT)
def test_what_was_taken_out_is_counted(text: str) -> None:
    """The counts add up: nothing goes without being named, line ends apart."""
    lines = re.sub("\r\n?", "\n", text)
    counts = removed_characters(text)
    visible = {f"U+{point:04X}" for point in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    replaced = sum(count for name, count in counts.items() if 0xD800 <= int(name[2:], 16) < 0xE000)
    shown = sum(count for name, count in counts.items() if name in visible)
    assert len(clean(text)) == len(lines) - sum(counts.values()) + replaced + shown * len(
        "[U+0000]"
    )


def test_the_counts_name_the_code_points() -> None:
    """By code point, ascending."""
    assert removed_characters("a\u200b\u200b\x00\ud800\u202e\ufe0f\ufe0f") == {
        "U+0000": 1,
        "U+200B": 2,
        "U+202E": 1,
        "U+D800": 1,
        "U+FE0F": 1,
    }
