"""The request for a summary of the conversation, and what is made of the answer."""

import re

from ..declare import gate, section

_ANALYSIS = re.compile(r"<analysis>.*?</analysis>", re.DOTALL)
_SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\n+")


@section
def compaction_head() -> None:
    """How the answer is given: text alone, the analysis first."""


@section
def compaction_body() -> None:
    """What the analysis goes through, and the nine fields of the summary."""


@gate
def has_additional_instructions(additional_instructions: str | None) -> bool:
    """Open when instructions for the summary are given that are not blank."""
    return additional_instructions is not None and additional_instructions.strip() != ""


@section(gate=has_additional_instructions)
def compaction_instructions(additional_instructions: str | None) -> None:
    """What the user wants the summary to heed, as given."""


@section
def compaction_tail() -> None:
    """The form of the answer once more, at the end."""


def summary_text(answer: str) -> str:
    """Return the summary out of a model's answer to the compaction prompt.

    Analyses go, each summary is put under a heading, text around them stays, and runs of blank
    lines become one. An answer without these tags is the summary as it is.
    """
    text = _ANALYSIS.sub("", answer.strip())
    # A function, since a replacement text would have its backslashes expanded.
    text = _SUMMARY.sub(lambda match: f"Summary:\n{match[1].strip()}", text)
    return _BLANK_LINES.sub("\n\n", text).strip()
