"""What a lint says: findings under stable codes, and the rules that make them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ...inputs.findings import Severity

Needs = Literal["flow", "given", "baseline"]


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One finding of a lint.

    Attributes:
        code: Stable: `PD030`, or the code of a flow's own rule.
        severity: `error` fails the lint.
        subject: What an allow-list names: a section, two joined by `+`, a signal, gate or block.
        where: The template with line and slot, the place in the order, or the input.
        found: What was found, as half a sentence or more.
        do: What to do about it.
    """

    code: str
    severity: Severity
    subject: str
    where: str
    found: str
    do: str

    def __str__(self) -> str:
        return f"{self.where}: {self.severity} [{self.code} {self.subject}] {self.found}; {self.do}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding.

    Attributes:
        code: The code of its findings; a code is never given to another kind.
        name: Kebab-case.
        title: What it says, in one line.
        needs: What it looks at: the flow alone, given signals too, or a baseline too. An entry of
            an allow-list is judged only when its rule had what it needs.
        by_input: Whether it depends on the tried inputs if it finds something, so that an entry
            that matches nothing today is a warning and no error.
    """

    code: str
    name: str
    title: str
    needs: Needs = "flow"
    by_input: bool = False


def _rules() -> Iterator[Rule]:
    yield Rule("PD001", "turn-signal-in-prefix", "A turn signal reaches a block.")
    yield Rule("PD002", "volatile-signal", "A signal named like a clock or counter is in a block.")
    yield Rule("PD003", "drifting-signal", "A signal that can move in a session is in a block.")
    yield Rule("PD004", "order-wastes-cache", "What moves more stands before what moves less.")
    yield Rule("PD010", "clock-text", "Text like a date or time is in stable bytes.", "given")
    yield Rule("PD011", "random-id-text", "Text like an id or hash is in stable bytes.", "given")
    yield Rule("PD012", "temporary-path-text", "A temporary path is in stable bytes.", "given")
    yield Rule("PD013", "home-path-text", "A home folder is in stable bytes.", "given")
    yield Rule("PD020", "below-cache-minimum", "A cached part is too small to be cached.", "given")
    yield Rule("PD021", "too-many-marks", "There are more cache marks than providers take.")
    yield Rule("PD022", "mark-lifetimes", "A long-lived mark stands behind a short-lived one.")
    yield Rule(
        "PD023", "mark-on-empty-block", "A marked block has no text for some input.", by_input=True
    )
    yield Rule("PD024", "mark-on-varying-tail", "A mark covers what moves and nothing before it.")
    yield Rule(
        "PD025", "far-from-mark", "More content than a look-back reaches has no mark.", "given"
    )
    yield Rule("PD026", "write-without-read", "What lives for one step is cached.")
    yield Rule("PD030", "unsorted-input", "The order of an input decides stable bytes.", "given")
    yield Rule("PD031", "unordered-type", "A set reaches stable bytes.")
    yield Rule("PD032", "tools-not-canonical", "The order of tools decides the fingerprint.")
    yield Rule("PD033", "impure-function", "A fact or gate reads the world.")
    yield Rule("PD034", "unequal-runs", "The same input gives different bytes.")
    yield Rule("PD035", "locale-dependent", "A fact formats by locale or time zone.")
    yield Rule("PD040", "odd-characters", "Prose holds characters that nobody sees.")
    yield Rule("PD041", "uncleaned-signal", "A signal passes invisible characters on.")
    yield Rule("PD042", "odd-blanks", "Prose holds trailing blanks or runs of empty lines.")
    yield Rule("PD050", "equal-sentence", "Two sections hold one sentence.")
    yield Rule("PD051", "equal-words", "Two sections share a run of words.")
    yield Rule(
        "PD052", "tool-in-identity", "A section names a tool that may not be there.", "given"
    )
    yield Rule("PD053", "different-value", "Two sentences differ in a value alone.")
    yield Rule("PD054", "opposite-sentence", "Two sentences ask for opposite things.")
    yield Rule("PD055", "near-duplicate", "Two sections say much the same.")
    yield Rule("PD056", "equal-section", "Two sections of one prompt have the same text.", "given")
    yield Rule("PD060", "unescaped-tag", "A value can close the tag that it stands in.")
    yield Rule("PD061", "unescaped-fence", "A value can close the code fence that it stands in.")
    yield Rule("PD062", "unescaped-attribute", "A value can end the attribute that it stands in.")
    yield Rule(
        "PD063",
        "required-over-budget",
        "Required fragments exceed the budget.",
        "given",
        by_input=True,
    )
    yield Rule("PD070", "gate-never-opens", "No tried input opens a gate.", by_input=True)
    yield Rule("PD071", "gate-never-closes", "No tried input closes a gate.", by_input=True)
    yield Rule("PD072", "unreached-section", "No tried input gives a section text.", by_input=True)
    yield Rule(
        "PD080", "section-grew", "A section's prose is larger than the baseline.", "baseline"
    )
    yield Rule("PD081", "section-not-in-baseline", "The baseline has no such section.", "baseline")
    yield Rule("PD082", "baseline-is-loose", "The baseline allows more than there is.", "baseline")
    yield Rule("PD090", "allowed-without-reason", "An entry of an allow-list has no reason.")
    yield Rule("PD091", "allowed-nothing", "An entry of an allow-list matches nothing.")
    yield Rule("PD092", "allow-list-line", "A line of an allow-list cannot be read.")


RULES = {rule.code: rule for rule in _rules()}
"""Every rule by its code."""
