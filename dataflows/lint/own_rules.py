"""Rules that a flow brings itself: functions whose parameters are nodes, like facts.

::

    @flow_rule("OD001")
    def modes_agree(asks_first: bool, acts_at_once: bool) -> str | None:
        \"\"\"Two gates that contradict each other are never open together.\"\"\"
        return "both are open: close one" if asks_first and acts_at_once else None

A flow passes them as `PromptFlow(lint_rules=(modes_agree,))`.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...inputs.errors import FlowError, UnknownNameError, did_you_mean
from ...inputs.findings import Severity
from .finding import RULES, LintFinding
from .study import Study

_CODE = re.compile(r"[A-Z]{2,6}\d{3}")


@dataclass(frozen=True, slots=True)
class FlowRule:
    """A rule of one flow, asked of every tried prompt.

    Attributes:
        code: Letters and three digits, not `PD`.
        severity: The severity of its findings.
        function: Its parameters name signals, facts, gates, sections' nodes or blocks' nodes; it
            returns what is wrong and what to do, or `None`.
    """

    code: str
    severity: Severity
    function: Callable[..., str | None]


def flow_rule(
    code: str, severity: Severity = "error"
) -> Callable[[Callable[..., str | None]], FlowRule]:
    """Declare a rule of a flow.

    Args:
        code: Letters and three digits; `PD` is kept for the general rules.
        severity: The severity of its findings.

    Raises:
        FlowError: The code is malformed or a general one.
    """
    if not _CODE.fullmatch(code) or code.startswith("PD"):
        raise FlowError(
            f"lint rule code {code!r}: write 2 to 6 capital letters and 3 digits, other than PD, "
            "like 'OD001'"
        )

    def declared(function: Callable[..., str | None]) -> FlowRule:
        return FlowRule(code, severity, function)

    return declared


def own_findings(study: Study) -> Iterator[LintFinding]:
    """Yield what the flow's own rules find, one finding a rule, with the first input that shows it.

    Raises:
        UnknownNameError: A parameter of a rule names no node.
    """
    for rule in study.flow.lint_rules:
        names = _parameters(study, rule)
        said = [
            (tried.origin, found)
            for tried in study.space.tried
            if (found := rule.function(**{name: tried.prompt.value(name) for name in names}))
        ]
        if said:
            origin, found = said[0]
            where = f"{rule.function.__name__}(), input '{origin}'"
            count = f"{len(said)} of {len(study.space.tried)} inputs show it"
            yield LintFinding(
                rule.code, rule.severity, rule.function.__name__, where, found, f"({count})"
            )


def _parameters(study: Study, rule: FlowRule) -> tuple[str, ...]:
    names = tuple(inspect.signature(rule.function).parameters)
    known = (*study.flow.graph.nodes, *study.flow.graph.signals)
    for name in names:
        if name not in known:
            raise UnknownNameError(
                f"flow {study.flow.name!r}: lint rule {rule.code}: parameter {name!r} names no "
                f"node{did_you_mean(name, known)}"
            )
    return names


def rule_title(code: str, study_rules: tuple[FlowRule, ...] = ()) -> str:
    """Return what a code says, in one line."""
    if code in RULES:
        return RULES[code].title
    own = next((one for one in study_rules if one.code == code), None)
    return (inspect.getdoc(own.function) or code).split("\n")[0] if own else code
