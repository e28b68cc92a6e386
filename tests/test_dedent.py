"""Taking off shared indentation, as theway does it, without its panic."""

import pytest
from promptdag.sections import section
from promptdag.sections.dedent import dedent

from .flows import built

ROWS = [
    ("  a\n    b\n\n  c", "a\n  b\n\nc"),
    ("a\n  b", "a\n  b"),
    ("   \n  a\n ", " \na\n"),
    ("\ta\n\t\tb", "\ta\n\t\tb"),
    ("  a\r\n  b\r\n", "a\nb"),
    ("", ""),
    ("x\n", "x"),
    ("    \n", "    "),
    ("  \u00e9\n   \u00fc", "\u00e9\n \u00fc"),
    ("  a\n\u3000", "a\n"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_dedent_gives_what_the_original_gives(text: str, expected: str) -> None:
    """The last row makes the original panic; a line of wider blanks is cut by characters."""
    assert dedent(text) == expected


def test_dedent_changes_nothing_in_the_prompt_of_theway() -> None:
    """The harness stands in column 0, so the flow leaves the pass out."""
    text = built("theway").compose({"cwd": "/a", "harness_intro": "a\n    b\n  c"}).text
    assert dedent(text) == text


def test_an_inline_template_loses_its_indentation() -> None:
    """A text that begins on a line of its own may be indented like the code around it."""

    @section(
        text="""
        one
          two
        """
    )
    def indented() -> None:
        """A section."""

    assert indented.text == "one\n  two"
