"""Overrides: what a host, an operator or a user changes in a flow, by whom and why.

An override replaces a node, so plan, driver and lineage agree on it. Its text is trusted as a text
pack is: it stands word for word, cleaned, and no tag in it is escaped.

::

    flow = theway.flow().with_overrides(
        disable("lineage", who="ops", why="not shown to guests"),
        append("harness", "Answer in French.", who="ann", why="her language"),
    )
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from ..inputs.errors import FlowError
from ..inputs.text import clean
from ..sections.declare import Section
from .node_functions import text_node
from .transient import fragment_node

if TYPE_CHECKING:
    from .diff import PromptDiff
    from .flow import PromptFlow
    from .prompt import Prompt

OverrideKind = Literal["disable", "replace", "prepend", "append", "transform", "set", "replace_all"]
REPLACE_ALL = "replace_all"
"""The name of the section that stands for a whole prompt that was replaced."""


class OverrideError(FlowError):
    """An override that cannot be applied to what it names."""


@dataclass(frozen=True, slots=True)
class OverrideRecord:
    """What a manifest keeps of an override; it holds no text.

    Attributes:
        kind: What was done.
        name: The section, or the node of `set`.
        who: Who wants it.
        why: The reason.
        sha256: The hash of the text or value; of `transform`, of the function's name.
    """

    kind: OverrideKind
    name: str
    who: str
    why: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Override:
    """One change of one section or node; made by the functions of this module.

    Attributes:
        kind: What is done.
        name: The section, or the node of `set`.
        who: Who wants it.
        why: The reason.
        content: The text, the value, or the function of `transform`.
    """

    kind: OverrideKind
    name: str
    who: str
    why: str
    content: Any = None

    def __post_init__(self) -> None:
        if not self.who.strip() or not self.why.strip():
            raise OverrideError(
                f"override {self.kind} of {self.name!r}: who={self.who!r}, why={self.why!r}; "
                "say who wants it and why"
            )

    def record(self) -> OverrideRecord:
        """Return what a manifest keeps of it."""
        content = self.content
        if self.kind == "transform":
            # A method of a built-in type has no module; what has no name at all shows its type.
            module = getattr(content, "__module__", "builtins")
            content = f"{module}.{getattr(content, '__qualname__', type(content).__name__)}"
        shown = content if isinstance(content, str) else repr(content)
        digest = sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
        return OverrideRecord(self.kind, self.name, self.who, self.why, digest)


def disable(section: str, *, who: str, why: str) -> Override:
    """Take a section away, and the parts in it; what it reads no longer reaches the prompt."""
    return Override("disable", section, who, why)


def replace(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text in the place of a section's own; its gates still decide."""
    return Override("replace", section, who, why, clean(text))


def prepend(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text in front of a section's own, wherever the section has text."""
    return Override("prepend", section, who, why, clean(text))


def append(section: str, text: str, *, who: str, why: str) -> Override:
    """Put a text behind a section's own, wherever the section has text."""
    return Override("append", section, who, why, clean(text))


def transform(section: str, function: Callable[[str], str], *, who: str, why: str) -> Override:
    """Pass a section's text through a function, wherever the section has text.

    Args:
        section: The section.
        function: Equal texts must give equal texts, or the prefix moves.
        who: Who wants it.
        why: The reason.
    """
    return Override("transform", section, who, why, function)


def set_value(node: str, value: Any, *, who: str, why: str) -> Override:
    """Set the value of a fact, a gate or a section's node (`memory_text`)."""
    return Override("set", node, who, why, value)


def replace_all(text: str, *, who: str, why: str) -> Override:
    """Put a text in the place of the whole prompt: of all blocks, whatever their gates say.

    Beside it stand only the sections that the order declares with `place(..., always=True)`. The
    text is the section `replace_all` of the manifest. Turn context and messages stay.
    """
    return Override("replace_all", REPLACE_ALL, who, why, clean(text))


def override_effect(prompt: "Prompt") -> "PromptDiff":
    """Return what the overrides of a prompt's flow do to it: the prompt without them, and it."""
    from .diff import diff_prompts

    flow = prompt.session.flow
    signals = {
        leaf.path[0]: getattr(prompt.session.signals, leaf.path[0])
        for leaf in flow.graph.signals.values()
        if not leaf.turn
    }
    session = flow.base.session(**signals)
    plain = session.turn(**dict(prompt.turn)) if prompt.turn is not None else session.turnless()
    return diff_prompts(plain, prompt)


def sections_by_name(flow: "PromptFlow") -> dict[str, Section]:
    """Return every section of a flow by its name, those of turn context behind the others."""
    found = {p.place.section.name: p.place.section for p in flow.positions}
    fragments = flow.transient.fragments if flow.transient else ()
    return found | {one.name: one.section for one in fragments}


def section_node(flow: "PromptFlow", section: Section) -> str:
    """Return the name of the node that holds a section's text or texts."""
    for one in flow.transient.fragments if flow.transient else ():
        if one.section is section and section.many:
            return fragment_node(one)
    return text_node(section)
