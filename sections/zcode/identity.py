"""Who the agent is: the default identity, a custom prompt in its place, or a workflow actor."""

import json
from typing import Literal

from ..declare import fact, gate, section

IdentityKind = Literal["default", "custom", "actor"]


@fact
def identity_kind(
    custom_system_prompt: str | None, workflow_actor_name: str | None
) -> IdentityKind:
    """Which of the three identities speaks; the signals refuse two at once."""
    if custom_system_prompt is not None and custom_system_prompt.strip():
        return "custom"
    # A given actor without a name has an empty one; only an absent actor has none.
    return "default" if workflow_actor_name is None else "actor"


@gate
def default_identity(identity_kind: IdentityKind) -> bool:
    """Open when neither a custom system prompt nor a workflow actor is given."""
    return identity_kind == "default"


@gate
def custom_identity(identity_kind: IdentityKind) -> bool:
    """Open when a custom system prompt is given that is not blank."""
    return identity_kind == "custom"


@gate
def actor_identity(identity_kind: IdentityKind) -> bool:
    """Open when a workflow actor is given."""
    return identity_kind == "actor"


@gate
def not_actor(identity_kind: IdentityKind) -> bool:
    """Open when no workflow actor is given."""
    return identity_kind != "actor"


@gate
def not_custom(identity_kind: IdentityKind) -> bool:
    """Open when no custom system prompt stands in place of the default system sections."""
    return identity_kind != "custom"


@gate
def styled(output_style_prompt: str | None) -> bool:
    """Open when an output style is given whose prompt is not blank."""
    return output_style_prompt is not None and output_style_prompt.strip() != ""


@section(gate=not_actor)
def cli_prefix() -> None:
    """The one sentence that every session begins with."""


@section(gate=default_identity)
def identity(styled: bool) -> None:
    """Who the agent is, what it helps with and refuses, and how its harness behaves."""


@fact
def shown_custom_prompt(custom_system_prompt: str | None) -> str:
    """The custom system prompt without blank ends."""
    return (custom_system_prompt or "").strip()


@section(gate=custom_identity)
def custom_system_prompt(shown_custom_prompt: str) -> None:
    """The caller's prompt in place of every default system section."""


@fact
def actor_name(workflow_actor_name: str | None) -> str:
    """The actor's name, quoted as JSON quotes it, so that no name ends its own quotation."""
    return json.dumps((workflow_actor_name or "").strip(), ensure_ascii=False)


@gate
def actor_is_named(workflow_actor_name: str | None) -> bool:
    """Open when the workflow actor has a name that is not blank."""
    return workflow_actor_name is not None and workflow_actor_name.strip() != ""


@fact
def actor_persona(workflow_actor_persona: str | None) -> str:
    """The actor's persona without blank ends."""
    return (workflow_actor_persona or "").strip()


@gate
def actor_has_persona(actor_persona: str) -> bool:
    """Open when the workflow actor has a persona that is not blank."""
    return actor_persona != ""


@section(gate=actor_identity)
def workflow_actor_identity(
    actor_is_named: bool, actor_name: str, actor_has_persona: bool, actor_persona: str
) -> None:
    """Who the agent is inside a workflow, and what that asks of it."""
