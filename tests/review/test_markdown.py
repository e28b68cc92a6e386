"""The comment for a pull request."""

import re

from markdown_it import MarkdownIt
from promptdag.dataflows import PromptFlow
from promptdag.dataflows.review import OtherFlow, Review, markdown, review_flow, summary

from .conftest import SCENARIOS


def test_the_summary_comes_first_and_the_rest_is_folded(reviewed: Review) -> None:
    """A reader sees the sentences of the page, and opens what is of interest."""
    text = markdown(reviewed)
    lines = text.splitlines()
    assert lines[0].startswith("### `review_greeter`: review against `past (")
    assert lines[2 : 2 + len(summary(reviewed))] == [f"- {one}" for one in summary(reviewed)]
    assert re.findall(r"<summary>(.*?)</summary>", text) == [
        "4 sections by scenario",
        "Cost by scenario",
        "gate <code>has_place</code>",
        "section <code>hello</code>, its template",
    ]


def test_the_tables_are_tables(reviewed: Review) -> None:
    """As a code host draws them: a row for each section, a column for each scenario."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown(reviewed))
    matrix, costs = html.split("<table>")[1:]
    assert matrix.count("<th>") + matrix.count("<th ") == 4
    assert matrix.count("<tr") == 5
    assert '<td style="text-align:center">−</td>' in matrix
    assert costs.count("<tr") == 4


def test_code_is_told_by_lines(reviewed: Review) -> None:
    """In a fence that a code host colours."""
    text = markdown(reviewed)
    assert '```diff\n @gate\n def has_place(place: str) -> bool:\n-    """Open when the' in text
    assert '+    return place != ""\n```' in text


def test_a_fence_in_a_template_cannot_end_the_fence_around_it(
    reviewed: Review,
) -> None:
    """Templates of prompts hold fences of their own."""
    change = reviewed.sections[0]
    assert change.before is not None
    assert change.after is not None
    fenced = change.after.model_copy(update={"template": "````\ncode\n````\n"})
    sections = (type(change)(change.name, ("reworded",), change.before, fenced),)
    text = markdown(
        type(reviewed)(reviewed.before, reviewed.after, reviewed.rows, reviewed.scenarios, sections)
    )
    assert "`````diff" in text


def test_what_is_too_long_is_left_out_whole_and_told(reviewed: Review) -> None:
    """A code host would refuse the comment."""
    whole = markdown(reviewed)
    text = markdown(reviewed, max_chars=len(whole) - 10)
    assert len(text) < len(whole)
    assert text.count("<details>") == text.count("</details>") == 3
    assert "Left out, since a comment is short: section <code>hello</code>, its template" in text


def test_nothing_that_differs_is_one_line(greeter: PromptFlow) -> None:
    """The cost by scenario stays, folded away."""
    text = markdown(review_flow(greeter, OtherFlow(greeter, "itself"), scenarios=SCENARIOS))
    assert text.splitlines()[2].startswith("- Nothing differs from `itself`")
    assert text.count("<details>") == 1
