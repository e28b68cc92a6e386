"""The lint: rules that read a flow's graph, its order and what it composes, and know no flow."""

from .allow_list import Allowed, allow_files, read_allow_list
from .finding import RULES, LintFinding, Rule
from .own_rules import FlowRule, flow_rule
from .report import LintReport
from .rules import lint, lint_study, studied, unbuildable
from .sarif import to_sarif
from .size_ratchet import prose_sizes, read_baseline, write_baseline
from .study import Prose, Study

__all__ = [
    "RULES",
    "Allowed",
    "FlowRule",
    "LintFinding",
    "LintReport",
    "Prose",
    "Rule",
    "Study",
    "allow_files",
    "flow_rule",
    "lint",
    "lint_study",
    "prose_sizes",
    "read_allow_list",
    "read_baseline",
    "studied",
    "to_sarif",
    "unbuildable",
    "write_baseline",
]
