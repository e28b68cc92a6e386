"""What the original's order of a user turn costs; the lint says it for each tried prompt."""

from ..inputs.tokens import default_counter
from .lint.own_rules import flow_rule


@flow_rule("OD005", severity="info")
def stable_instructions_stand_first(
    daemon_instructions_text: str,
    runtime_instructions_text: str,
    client_instructions_text: str,
    build_override_text: str,
    generic_override_text: str,
    research_contract_text: str,
    selected_context_text: str,
    browser_rules_text: str,
    title_task_text: str,
) -> str | None:
    """No stable instructions stand behind what changes every turn."""
    at_front = build_override_text or generic_override_text
    between = (
        research_contract_text or selected_context_text or browser_rules_text or title_task_text
    )
    behind = [client_instructions_text] if at_front or between else []
    behind += [daemon_instructions_text, runtime_instructions_text] if at_front else []
    tokens = sum(default_counter().count(text) for text in behind)
    if not tokens:
        return None
    return (
        f"{tokens} tokens of stable instructions stand behind text of this turn alone, so that no "
        "prefix cache holds them for the next; build the flow with order='stable_first' to save "
        f"these {tokens} tokens a turn"
    )


RULES = (stable_instructions_stand_first,)
