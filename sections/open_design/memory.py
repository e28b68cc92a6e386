"""What was remembered, the protocols around it, and custom instructions."""

from ..declare import gate, section


@gate
def has_memory(memory_body: str | None) -> bool:
    """Open when memory is not blank."""
    return bool(memory_body)


@section(gate=has_memory)
def memory_body(memory_body: str | None) -> None:
    """Facts and rules from earlier conversations, and what they may decide."""


@gate
def rewrites_asks(memory_hooks_rewrite: bool | int | str | None) -> bool:
    """Open when the rewrite hook is on: absent and null count as on."""
    return memory_hooks_rewrite is None or bool(memory_hooks_rewrite)


@section(gate=(has_memory, rewrites_asks))
def memory_intent_gateway() -> None:
    """A short ask becomes a brief that the user can see."""


@gate
def verifies_rules(memory_hooks_verify: bool | int | str | None) -> bool:
    """Open when the verify hook is on: absent and null count as on."""
    return memory_hooks_verify is None or bool(memory_hooks_verify)


@section(gate=(has_memory, verifies_rules))
def memory_verify() -> None:
    """Finished work is checked against the verified rules."""


@section(gate=has_memory)
def memory_rule_proposal() -> None:
    """A correction may become a rule, if the user keeps it."""


@gate
def has_user_instructions(user_instructions: str | None) -> bool:
    """Open when the user's custom instructions are not blank."""
    return bool(user_instructions)


@section(gate=has_user_instructions)
def user_instructions(user_instructions: str | None) -> None:
    """Custom instructions of the user."""


@gate
def has_project_instructions(project_instructions: str | None) -> bool:
    """Open when the project's custom instructions are not blank."""
    return bool(project_instructions)


@section(gate=has_project_instructions)
def project_instructions(project_instructions: str | None) -> None:
    """Custom instructions of the project; they win over the user's."""
