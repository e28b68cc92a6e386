"""Rules of open_design's memory: what a check after a turn reads, and how one is written."""

from typing import NamedTuple

from .open_design_memory import Memory, MemoryEntry
from .open_design_text import one_line

_QUOTES = "\"' "


class Rule(NamedTuple):
    """A verified rule.

    Attributes:
        id: The stem of its file.
        name: Its name, one line.
        description: When it applies or where it comes from, or empty.
        text: What it demands.
    """

    id: str
    name: str
    description: str
    text: str


def rules_to_check(memory: Memory) -> tuple[Rule, ...]:
    """Return the active rules, in the order of the index: linked, of the type rule, with a text.

    Memory that is off has none. Whether the agent checks its own work is another setting, the hook
    `verify`; a check by the host may obey it as well.

    Source: open_design's `listActiveRuleEntries`.
    """
    return tuple(rule_of(one) for one in memory.rules if one.body)


def rule_of(entry: MemoryEntry) -> Rule:
    """Return an entry as a rule."""
    return Rule(entry.id, entry.name, entry.description, entry.body)


def written_rule(rule: Rule) -> str:
    """Return the file of a rule, as the reader of memory takes it; name it `{id}.md`."""
    name, description = (one_line(text).strip(_QUOTES) for text in (rule.name, rule.description))
    fields = {"name": name, "description": description, "type": "rule"}
    head = "".join(f"{field}: {value}\n" for field, value in fields.items())
    return f"---\n{head}---\n\n{rule.text}\n"


def written_link(rule: Rule) -> str:
    """Return the line that links a rule in `MEMORY.md`; without it a rule is not active."""
    name = one_line(rule.name).replace("[", "(").replace("]", ")") or rule.id
    about = one_line(rule.description)
    return f"- [{name}]({rule.id}.md)" + (f" \u2014 {about}" if about else "")
