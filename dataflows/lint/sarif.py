"""Lint reports in SARIF, which code hosts and editors show beside the lines.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import re
from typing import Any

from ...inputs.findings import Severity
from .finding import RULES, LintFinding
from .report import LintReport

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PLACE = re.compile(r"(?P<path>[\w./-]+\.(?:j2|py|allow)):(?P<line>\d+)")


def to_sarif(report: LintReport) -> dict[str, Any]:
    """Return a report as a SARIF 2.1.0 log; what is allowed stands in it as suppressed."""
    every = [(one, None) for one in report.findings] + list(report.allowed)
    codes = sorted({one.code for one, _ in every})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "promptdag", "rules": [_rule(code) for code in codes]}},
                "results": [_result(one, reason, codes) for one, reason in every],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    if code not in RULES:
        return {"id": code}
    rule = RULES[code]
    return {"id": code, "name": rule.name, "shortDescription": {"text": rule.title}}


def _result(finding: LintFinding, reason: str | None, codes: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.where}: {finding.found}; {finding.do}"},
        "locations": [_location(finding)],
        "partialFingerprints": {"subject": f"{finding.code}/{finding.subject}"},
    }
    if reason is not None:
        result["suppressions"] = [{"kind": "external", "justification": reason}]
    return result


def _location(finding: LintFinding) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"name": finding.subject}]}
    if place := _PLACE.search(finding.where):
        location["physicalLocation"] = {
            "artifactLocation": {"uri": place["path"]},
            "region": {"startLine": max(1, int(place["line"]))},
        }
    return location
