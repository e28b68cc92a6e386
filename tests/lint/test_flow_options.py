"""What a flow carries for its lint."""

from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.lint import flow_rule
from promptdag.sections.packs import SkeletonPack

from ..small_flows import Letters, sa


def test_a_flow_keeps_its_rules_and_its_text_pack() -> None:
    """The lint reads prose under the pack of the flow, and asks the flow's own rules."""

    @flow_rule("OWN001")
    def rule(a: str) -> str | None:
        return a or None

    pack = SkeletonPack()
    flow = PromptFlow(
        "letters", (block("only", sa),), session=Letters, texts=pack, lint_rules=[rule]
    )
    assert flow.lint_rules == (rule,)
    assert flow.pack is pack
