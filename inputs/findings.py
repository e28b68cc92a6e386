"""What a reader found, and what it left out and why."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Value = TypeVar("Value")

Severity = Literal["info", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a reader left out, changed or could not do.

    Attributes:
        code: Stable, kebab-case: `duplicate-key:description`. What follows a colon is the subject.
        message: One sentence: what was found and what was done about it.
        path: The file or folder, as text.
        line: 1-based, or `None` where no line is meant.
        column: 1-based, or `None`.
        severity: `error` when the thing was left out, `warning` when it was taken with a change,
            `info` when nothing needs to be done.
    """

    code: str
    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    severity: Severity = "warning"

    def __str__(self) -> str:
        place = self.path or ""
        if self.line is not None:
            place += f":{self.line}" + (f":{self.column}" if self.column is not None else "")
        return f"{place}: {self.severity} [{self.code}] {self.message}".lstrip(": ")


@dataclass(frozen=True, slots=True)
class Found(Generic[Value]):
    """What a reader returns: the value, and its findings in the order in which they were made."""

    value: Value
    findings: tuple[Finding, ...] = ()
