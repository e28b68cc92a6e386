"""Gates that no tried input moved, sections without text, and required fragments over budget."""

from collections.abc import Iterator

from ..node_functions import text_node
from ..transient import BUNDLE, fragment_node
from .finding import LintFinding
from .study import Study


def unmoved_gates(study: Study) -> Iterator[LintFinding]:
    """Yield the gates that were open for every tried input, or closed for every one."""
    for node in study.flow.graph.nodes.values():
        if node.kind != "gate":
            continue
        values = {bool(tried.prompt.value(node.name)) for tried in study.space.tried}
        if len(values) == 2:
            continue
        opened = True in values
        constant = study.flow.graph.tier(node.name) == "constant"
        yield LintFinding(
            "PD071" if opened else "PD070",
            "error" if constant else "warning",
            node.name,
            f"{node.place}, gate {node.name!r}",
            f"{study.space}, and none {'closed' if opened else 'opened'} it"
            + (": it reads no signal" if constant else ""),
            "give a case that does, or take the gate away",
        )


def unreached_sections(study: Study) -> Iterator[LintFinding]:
    """Yield the sections and fragments to which no tried input gave text."""
    nodes = [(p.place.section.name, text_node(p.place.section)) for p in study.flow.positions]
    if study.flow.transient:
        nodes += [(one.name, fragment_node(one)) for one in study.flow.transient.fragments]
    for name, node in nodes:
        if not any(tried.prompt.value(node) for tried in study.space.tried):
            constant = study.flow.graph.tier(node) == "constant"
            yield LintFinding(
                "PD072",
                "error" if constant else "warning",
                name,
                f"section {name!r}",
                f"{study.space}, and none gave it text",
                "give a case that does, or take the section away",
            )


def required_over_budget(study: Study) -> Iterator[LintFinding]:
    """Yield the given inputs whose required fragments alone exceed the budget."""
    if study.flow.transient is None:
        return
    for tried in study.given:
        report = tried.prompt.value(BUNDLE).report
        if report.over_budget:
            yield LintFinding(
                "PD063",
                "error",
                "+".join(report.over_budget_ids),
                f"{tried.origin}, the bundle",
                f"what is required counts {report.used_tokens} tokens, the budget is "
                f"{report.budget_tokens}",
                "raise the budget, or shorten or release what is required",
            )
