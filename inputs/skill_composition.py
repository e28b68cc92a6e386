"""The skill of a run: the project's own, with those that a message mentions."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from .findings import Finding, Found

_COMPOSED = "composed"
_SEPARATOR = "\n\n---\n\n"


class RunSkill(NamedTuple):
    """A skill as a run uses it.

    Attributes:
        id: Its id.
        body: Its text.
        name: Its name, or empty to go by the id.
        mode: What it makes, or `None`.
    """

    id: str
    body: str
    name: str = ""
    mode: str | None = None


def compose_skill(
    primary: RunSkill | None,
    mentioned: Iterable[RunSkill] = (),
    plugin_body: str | None = None,
) -> Found[dict[str, Any]]:
    """Return the skill of a run as signals of open_design.

    Args:
        primary: The skill of the project or request.
        mentioned: The skills that the message mentions, in its order.
        plugin_body: The SKILL.md of a bound plugin; it stands in place of the primary's body.

    Returns:
        `skill_body`, `skill_name`, `skill_mode` and `skill_modes`, each only where it has a value;
        findings on mentions that add nothing.
    """
    findings: list[Finding] = []
    added = _added(primary, mentioned, findings)
    own = plugin_body if plugin_body and plugin_body.strip() else primary.body if primary else ""
    parts = [own.strip()] if own.strip() else []
    parts += [f"## Composed skill — {one.name or one.id}\n\n{one.body.strip()}" for one in added]
    modes = [one.mode for one in ((primary,) if primary else ()) + added if one.mode]
    alone = primary or (added[0] if len(added) == 1 else None)
    name = (alone.name or alone.id) if alone else _COMPOSED if added else ""
    signals: dict[str, Any] = {
        "skill_body": _SEPARATOR.join(parts),
        "skill_name": name,
        "skill_mode": alone.mode if alone else None,
        "skill_modes": list(dict.fromkeys(modes)),
    }
    return Found({name: one for name, one in signals.items() if one}, tuple(findings))


def _added(
    primary: RunSkill | None, mentioned: Iterable[RunSkill], findings: list[Finding]
) -> tuple[RunSkill, ...]:
    added: dict[str, RunSkill] = {}
    for one in mentioned:
        key = _canonical(one.id)
        if primary is not None and key == _canonical(primary.id):
            message = f"skill {one.id!r} is the run's own; its mention adds nothing"
            findings.append(Finding(f"skill-is-primary:{one.id}", message, severity="info"))
        elif not one.body.strip():
            message = f"skill {one.id!r} has no text; its mention was left out"
            findings.append(Finding(f"skill-blank:{one.id}", message, severity="error"))
        else:
            added.setdefault(key, one)
    return tuple(added.values())


def _canonical(skill_id: str) -> str:
    return skill_id.strip().lower()
