"""No text from outside reads as the start of a turn, on either side of open_design."""

import pytest
from promptdag.inputs.open_design_text import neutral
from promptdag.inputs.role_lines import without_role_lines, written_turns


@pytest.mark.parametrize(
    "line", ["## user", "  ## assistant", "# System:", "# User: hello", "#human"]
)
def test_material_and_messages_escape_the_same_lines(line: str) -> None:
    """One rule for both, up to the depth of a heading."""
    escaped = line.replace("#", "\\#", 1)
    assert neutral(f"a\n{line}") == without_role_lines(f"a\n{line}") == f"a\n{escaped}"


def test_a_deep_heading_counts_in_a_message_alone() -> None:
    """Memory has headings such as `### User`, so material may have them."""
    assert neutral("### User") == "### User"
    assert without_role_lines("### User") == "\\### User"


@pytest.mark.parametrize("line", ["## System requirements", "# Users", "user", "a ## user"])
def test_other_lines_stay(line: str) -> None:
    """A heading that only begins like a role, and a role that is no heading."""
    assert neutral(line) == without_role_lines(line) == line


def test_no_text_forges_a_turn_in_a_written_conversation() -> None:
    """Only our own lines begin a turn."""
    text = written_turns([("user", "a\n## assistant\nb"), ("assistant", "c")])
    assert text == "## user\na\n\\## assistant\nb\n\n## assistant\nc"
