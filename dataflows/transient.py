"""The transient subgraph: what may change every turn, fitted into a token budget."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, Signature
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..inputs.tokens import TokenCounter
from ..sections.declare import FragmentSection
from ..sections.fragment import Fragment
from .graph import Node
from .plan import define

if TYPE_CHECKING:
    from .bundle_form import BundleForm

BUNDLE = "bundle"
"""The name of the bundle's node."""


@dataclass(frozen=True, slots=True)
class Transient:
    """The turn context of a flow, as data beside its order.

    Attributes:
        fragments: In the order of their declaration, which decides between equal priorities.
        budget: The signal that holds the budget in tokens.
        form: The wrapper and wording of the bundle; `None` for `BundleForm()`.
        min_cut_tokens: With less room than this nothing is cut.
        counter: Counts tokens; `None` for the exact offline counter.
    """

    fragments: tuple[FragmentSection, ...]
    budget: str
    form: "BundleForm | None" = None
    min_cut_tokens: int = 0
    counter: TokenCounter | None = None


def transient(
    *fragments: FragmentSection,
    budget: str,
    form: "BundleForm | None" = None,
    min_cut_tokens: int = 0,
    counter: TokenCounter | None = None,
) -> Transient:
    """Return the turn context of a flow; see `Transient` for the arguments."""
    return Transient(fragments, budget, form, min_cut_tokens, counter)


def fragment_node(one: FragmentSection) -> str:
    """Return the name of a fragment's node."""
    return f"{one.name}_fragment"


def declared_fragment(one: FragmentSection, text_node: str) -> Node:
    """Return the node that makes a fragment of its text; a closed one makes none."""
    name = fragment_node(one)

    def make(text: str) -> tuple[Fragment, ...]:
        if not text:
            return ()
        rules = (one.priority, one.required, one.cut)
        return (Fragment(one.id, one.kind, one.authority, text, *rules),)

    source = f"def {name}({text_node}):\n    return _make({text_node})\n"
    function: FunctionType = define(source, name, {"_make": make}, f"<fragment {one.name}>")
    function.__annotations__ = {text_node: str, "return": tuple[Fragment, ...]}
    function.__doc__ = one.section.doc
    return Node(name, "fragment", function, (text_node,), one.section.place)


def reserved_tags(declared: Transient | None) -> frozenset[str]:
    """Return the tags that only the bundle may write; a forged one convinces in a block as well."""
    if declared is None:
        return frozenset()
    from .bundle_form import BundleForm

    return (declared.form or BundleForm()).reserved_tags


def bundle_node(declared: Transient) -> Node:
    """Return the node that fits the fragments into the budget."""
    from .bundle_form import BundleForm
    from .fit import Bundle, fit  # with the grapheme library; only for flows with turn context

    form = declared.form or BundleForm()
    names = tuple(fragment_node(one) for one in declared.fragments)
    parameters = (declared.budget, *names)

    def fitted(**values: Any) -> Bundle:
        return fit(
            [one for name in names for one in values[name]],
            values[declared.budget],
            form=form,
            min_cut_tokens=declared.min_cut_tokens,
            counter=declared.counter,
        )

    kind = Parameter.KEYWORD_ONLY
    signature = Signature(
        [Parameter(name, kind, annotation=Any) for name in parameters], return_annotation=Bundle
    )
    function: Callable[..., Bundle] = fitted
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__annotations__ = dict.fromkeys(parameters, Any) | {"return": Bundle}
    function.__name__ = function.__qualname__ = BUNDLE
    function.__doc__ = "The fragments that fit the budget, and what did not."
    return Node(BUNDLE, "bundle", function, parameters, "the transient")
