"""Small flows for one rule each, and what a lint says of them."""

from collections.abc import Callable
from typing import Any

from promptdag.dataflows import PromptFlow, block
from promptdag.dataflows.lint import LintFinding, lint
from promptdag.dataflows.order import Item
from promptdag.inputs.signals import SessionSignals
from promptdag.inputs.tokens import counter_named
from promptdag.sections import Section, section

COUNTER = counter_named("bytes/4")


class Empty(SessionSignals):
    """No signals but tools."""


def said(name: str, text: str, **options: Any) -> Section:
    """Return a section of constant prose in one slot, `slot=False` for text beside slots."""
    slot = options.pop("slot", True)

    def declared() -> None:
        """Prose."""

    return named(name, declared, f"{{% block prose %}}{text}{{% endblock %}}" if slot else text)


def named(name: str, function: Callable[..., None], text: str, **options: Any) -> Section:
    """Return a section of this name, template and parameters."""
    function.__name__ = name
    made = section(text="", **options)(function)
    return Section(made.function, made.gates, text, made.keep_blank)


def flow_of(*items: Section | Item, **options: Any) -> PromptFlow:
    """Return a flow of one block of these items, joined by empty lines."""
    own = {"session": Empty, **{k: options.pop(k) for k in tuple(options) if k in _FLOW}}
    options.setdefault("join", "\n\n")
    return PromptFlow("sample", (block("only", *items, **options),), **own)


_FLOW = ("session", "turn", "facts", "transient", "messages", "lint_rules", "texts")


def findings(flow: PromptFlow, code: str, *given: Any, **options: Any) -> list[LintFinding]:
    """Return the findings of one code."""
    report = lint(flow, given, counter=COUNTER, allow=options.pop("allow", ()), **options)
    return [one for one in report.findings if one.code == code]


def subjects(flow: PromptFlow, code: str, *given: Any, **options: Any) -> list[str]:
    """Return the subjects of the findings of one code."""
    return [one.subject for one in findings(flow, code, *given, **options)]
