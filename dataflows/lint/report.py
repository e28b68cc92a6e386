"""The report of a lint: objects, a table, text and an exit code."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .finding import LintFinding

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LintReport:
    """What a lint of a flow found.

    Attributes:
        flow: The flow's name.
        texts: The name of the text pack.
        tried: How many inputs were tried, in words.
        findings: Those that stand, errors first.
        allowed: Those that are allowed, with the reason.
        skipped: The rules that lacked given signals or a baseline, by code.
    """

    flow: str
    texts: str
    tried: str
    findings: tuple[LintFinding, ...]
    allowed: tuple[tuple[LintFinding, str], ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[LintFinding, ...]:
        """The findings that fail the lint."""
        return tuple(one for one in self.findings if one.severity == "error")

    @property
    def exit_code(self) -> int:
        """1 when there is an error, else 0."""
        return 1 if self.errors else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return {
            "flow": self.flow,
            "texts": self.texts,
            "tried": self.tried,
            "findings": [asdict(one) for one in self.findings],
            "allowed": [{**asdict(one), "reason": reason} for one, reason in self.allowed],
            "skipped": list(self.skipped),
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return one row a finding: `LintFinding`'s fields and `reason`, all of them text."""
        import pandas as pd

        rows = [{**asdict(one), "reason": ""} for one in self.findings]
        rows += [{**asdict(one), "reason": reason} for one, reason in self.allowed]
        columns = ["code", "severity", "subject", "where", "found", "do", "reason"]
        return pd.DataFrame(rows, columns=columns)

    def text(self) -> str:
        """Return one line a finding, and a line that counts."""
        return "\n".join((*map(str, self.findings), self.summary))

    @property
    def summary(self) -> str:
        """A line that counts."""
        counts = Counter(one.severity for one in self.findings)
        skipped = f"; {len(self.skipped)} rules need more input" if self.skipped else ""
        return (
            f"{self.flow}: {counts['error']} errors, {counts['warning']} warnings, "
            f"{counts['info']} notes, {len(self.allowed)} allowed; {self.tried}{skipped}"
        )

    def _repr_html_(self) -> str:
        from ..answer_displays import lint_html  # only in notebooks

        return lint_html(self)
