"""The index of a memory folder."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from promptdag.inputs.findings import Found
from promptdag.inputs.memory_index import (
    TOO_LONG_HINT,
    WARNING_TAIL,
    memory_index_text,
    read_memory_index,
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users may enter, which `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("---\nname: a --- b\n---\n\n- [A](a.md)\n", "- [A](a.md)"),
        ("--- \na: b\n---", ""),
        ("---\n---\ntext", "text"),
        ("---\nnever closed\n", "---\nnever closed"),
        ("text\n---\na: b\n---\n", "text\n---\na: b\n---"),
        ("----\na\n----\n", "----\na\n----"),
        ("\n\n  text \n\n", "text"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("", ""),
    ],
)
def test_front_matter_goes_when_it_leads_and_is_closed(text: str, outcome: str) -> None:
    """A line of dashes alone closes it; the rest is trimmed."""
    assert memory_index_text(text) == Found(outcome)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("<!-- one -->\ntext", "text"),
        ("a\n\n<!-- two\n\nlines -->\n\nb", "a\n\nb"),
        ("a\n<!-- c -->\nb", "a\nb"),
        ("a\n<!-- c -->\n\nb", "a\n\nb"),
        ("   <!-- c -->\nb", "b"),
        ("<!-- a --> <!-- b -->\nc", "c"),
        ("<!-- a --> rest", "rest"),
        ("<!--\n```\n-->\n\nb\n\n<!-- c -->", "b"),
        ("<!-- a\n<!-->\nb", "b"),
        ("<!-->\nb", "<!-->\nb"),
        ("<!-- never closed\ntext", "<!-- never closed\ntext"),
        ("a <!-- inline --> b", "a <!-- inline --> b"),
        ("- item\n  <!-- nested -->\n- b", "- item\n  <!-- nested -->\n- b"),
        ("1. item\n\n   <!-- nested -->", "1. item\n\n   <!-- nested -->"),
        ("1. item\n\ntext\n\n   <!-- top -->\nb", "1. item\n\ntext\n\nb"),
        ("- item\nlazy\n  <!-- nested -->", "- item\nlazy\n  <!-- nested -->"),
        ("- item\n <!-- top -->\nb", "- item\nb"),
        ("> <!-- quoted -->", "> <!-- quoted -->"),
        ("a\n\n    <!-- code -->", "a\n\n    <!-- code -->"),
        ("```\n<!-- fenced -->\n```\n\n<!-- c -->", "```\n<!-- fenced -->\n```"),
    ],
)
def test_only_comments_at_the_top_level_go(text: str, outcome: str) -> None:
    """Nested, inline and fenced ones stay."""
    assert memory_index_text(text) == Found(outcome)


@given(st.text(st.sampled_from("<!-> \n-a`")))
def test_no_arrangement_of_comment_marks_raises(text: str) -> None:
    """Nor makes a text longer."""
    assert len(memory_index_text(text).value) <= len(text)


def test_comments_that_are_never_closed_take_no_time() -> None:
    """A text of nothing else, each followed to the end of the text, would take minutes."""
    text = "<!-- x\n" * 30_000
    assert memory_index_text(text).value.startswith("<!-- x\n" * 200 + "\n> WARNING")


def test_two_hundred_lines_fit_and_one_more_is_cut() -> None:
    """The warning stands after a blank line and tells the lines alone."""
    lines = [f"- [{number}]({number}.md)" for number in range(201)]
    assert memory_index_text("\n".join(lines[:200])).value == "\n".join(lines[:200])
    found = memory_index_text("\n".join(lines))
    warning = f"> WARNING: MEMORY.md is 201 lines (limit: 200).{WARNING_TAIL}"
    assert found.value == "\n".join([*lines[:200], "", warning])
    assert [(f.code, f.severity) for f in found.findings] == [("index-cut", "warning")]


def test_twenty_five_thousand_characters_fit_and_one_more_is_cut_at_a_line_end() -> None:
    """The warning tells the KB."""
    text = "\n".join(["a" * 249] * 100)
    assert len(text) == 24_999
    assert memory_index_text(text + "b").value == text + "b"
    found = memory_index_text(text + "bc")
    size = f"24.4KB (limit: 24.4KB) — {TOO_LONG_HINT}"
    assert found.value == f"{text[:-250]}\n\n> WARNING: MEMORY.md is {size}.{WARNING_TAIL}"
    assert memory_index_text("a" * 25_600).value.startswith("a" * 25_000 + "\n\n> WARNING: ")
    assert "MEMORY.md is 25KB (limit" in memory_index_text("a" * 25_600).value


def test_a_line_end_right_behind_the_limit_loses_nothing_of_its_line() -> None:
    """Exactly 25,000 characters stand before it; of 25,001 the last line goes."""
    found = memory_index_text("a" * 24_000 + "\n" + "b" * 999 + "\nc")
    assert found.value.partition("\n\n>")[0] == "a" * 24_000 + "\n" + "b" * 999
    found = memory_index_text("a" * 24_000 + "\n" + "b" * 1000 + "\nc")
    assert found.value.partition("\n\n>")[0] == "a" * 24_000


def test_too_many_lines_and_characters_are_told_together() -> None:
    """The lines are cut first."""
    found = memory_index_text("\n".join(["a" * 149] * 300))
    kept, warning = found.value.split("\n\n")
    assert kept == "\n".join(["a" * 149] * 166)
    assert warning == f"> WARNING: MEMORY.md is 300 lines and 43.9KB.{WARNING_TAIL}"


def test_characters_are_counted_as_code_points() -> None:
    """An emoji is one, and none is cut in two."""
    text = "\U0001f600" * 25_000
    assert memory_index_text(text) == Found(text)
    assert memory_index_text(text + "\U0001f600").value.startswith(text + "\n\n> WARNING")


def test_characters_that_no_prompt_may_hold_are_told() -> None:
    """They go before anything is counted."""
    found = memory_index_text("a\u200b" * 25_000)
    assert found.value == "a" * 25_000
    assert [f.code for f in found.findings] == ["removed-characters"]


TEXTS = st.lists(
    st.sampled_from(
        ["- [A](a.md)", "", "漢" * 400, "b" * 1100, "```", "<!-- c -->", "---", "\u200b"]
    ),
    max_size=300,
).map("\n".join)


@given(TEXTS)
def test_the_index_keeps_to_both_limits(text: str) -> None:
    """Apart from the warning; what was kept is the start of what was there."""
    found = memory_index_text(text)
    kept, warned, _ = found.value.partition("\n\n> WARNING: MEMORY.md is ")
    assert kept.count("\n") < 200
    assert len(kept) <= 25_000
    assert bool(warned) == any(finding.code == "index-cut" for finding in found.findings)
    if not warned:
        assert kept == kept.strip()


def test_the_index_is_read_from_its_folder(tmp_path: Path) -> None:
    """BOM, CRLF and bad bytes are dealt with, and told."""
    (tmp_path / "MEMORY.md").write_bytes(b"\xef\xbb\xbf---\r\na: b\r\n---\r\n- caf\xe9\r\n")
    found = read_memory_index(tmp_path)
    assert found.value == "- caf\ufffd"
    assert [(f.code, f.path, f.line) for f in found.findings] == [
        ("bom", str(tmp_path / "MEMORY.md"), None),
        ("bad-bytes", str(tmp_path / "MEMORY.md"), 4),
    ]


def test_a_cut_index_says_which_file_it_is(tmp_path: Path) -> None:
    """The finding names the path."""
    (tmp_path / "MEMORY.md").write_text("line\n" * 300)
    found = read_memory_index(tmp_path)
    assert [(f.code, f.path) for f in found.findings] == [
        ("index-cut", str(tmp_path / "MEMORY.md"))
    ]
    assert "300 lines (limit: 200)" in found.findings[0].message


def test_no_index_is_none_and_no_finding(tmp_path: Path) -> None:
    """Nor is a missing folder one; an empty index is an empty text."""
    assert read_memory_index(tmp_path) == Found(None)
    assert read_memory_index(tmp_path / "missing") == Found(None)
    (tmp_path / "MEMORY.md").touch()
    assert read_memory_index(tmp_path) == Found("")


@pytest.mark.parametrize("kind", ["folder", "dangling", "outside", "no folder"])
def test_an_index_that_cannot_be_had_is_told(tmp_path: Path, kind: str) -> None:
    """A folder of its name, a dangling link, a link to outside, a file in place of the folder."""
    root = tmp_path / "memory"
    root.mkdir()
    (tmp_path / "secret").write_text("TOP-SECRET")
    path = root / "MEMORY.md"
    if kind == "folder":
        path.mkdir()
    elif kind == "no folder":
        root = tmp_path / "secret"
    else:
        path.symlink_to("nowhere" if kind == "dangling" else "../secret")
    found = read_memory_index(root)
    codes = {"folder": "not-a-file", "dangling": "unreadable", "outside": "link-escape"}
    assert found.value is None
    assert [(f.code, f.severity) for f in found.findings] == [
        (codes.get(kind, "unreadable-folder"), "error")
    ]


def test_an_index_or_folder_that_may_not_be_read_is_told(folder: Path) -> None:
    """Root may read all, so its rights are given up for the moment."""
    (folder / "MEMORY.md").write_text("closed")
    (folder / "MEMORY.md").chmod(0)
    (folder / "closed").mkdir(mode=0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        found = [read_memory_index(folder), read_memory_index(folder / "closed")]
    finally:
        os.seteuid(user)
    assert [index.value for index in found] == [None, None]
    assert [f.code for index in found for f in index.findings] == [
        "unreadable",
        "unreadable-folder",
    ]
