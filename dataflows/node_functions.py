"""The functions of a flow's nodes, with the explicit signatures that make them a graph."""

import inspect
from collections.abc import Callable, Iterable
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

from ..inputs.signals import Tool, canonical_json, canonical_tools
from ..sections.declare import Gate, Named, Section
from .assembly import Assembly, BlockText
from .graph import Node
from .order import Block
from .plan import define


def text_node(section: Section) -> str:
    """Return the name of a section's node; signals and facts keep the plain names."""
    return f"{section.name}_text"


def block_node(name: str) -> str:
    """Return the name of a block's node."""
    return f"{name}_block"


def fingerprint_node(name: str) -> str:
    """Return the name of the node of a block's cumulative fingerprint."""
    return f"{name}_fingerprint"


def section_function(
    section: Section, names: tuple[str, ...], gates: tuple[Gate[...], ...], make: Any, empty: Any
) -> Callable[..., Any]:
    """Generate the function of a section's node: its gates first, then its text."""
    hints = get_type_hints(section.function)
    asked = [one.name for one in gates]
    parameters = tuple(dict.fromkeys((*asked, *names)))
    passed = ", ".join(f"{name}={name}" for name in names)
    text = f"_make({passed})" if callable(make) else "_make"
    if callable(make) and not section.many and not section.keep_blank:
        text = f"_unless_blank({text})"
    elif not callable(make) and not make.strip() and not section.keep_blank:
        make = ""
    lines = [f"def {section.name}_text({', '.join(parameters)}):"]
    if asked:
        condition = " and ".join(asked)
        lines += [
            f"    if ({condition}) is True:",
            f"        return {text}",
            f"    if ({condition}) is False:",
            "        return _empty",
            f"    raise TypeError('a gate of {section.name} is not a bool: {condition}')",
        ]
    else:
        lines.append(f"    return {text}")
    namespace = {"_make": make, "_empty": empty, "_unless_blank": _unless_blank}
    function: FunctionType = define(
        "\n".join(lines), f"{section.name}_text", namespace, f"<section {section.name}>"
    )
    result = hints["return"] if section.many else str
    function.__annotations__ = {
        name: bool if name in asked else hints[name] for name in parameters
    } | {"return": result}
    function.__doc__ = section.doc
    return function


def listed_texts(
    function: Callable[..., Iterable[Named]], escape: Callable[[Any], str]
) -> Callable[..., tuple[Named, ...]]:
    """Return a function that computes the texts of a list: escaped, blank ones left out."""

    def texts(**values: Any) -> tuple[Named, ...]:
        named = [Named(one.name, escape(one.text)) for one in function(**values)]
        return tuple(one for one in named if one.text.strip())

    return texts


def _unless_blank(text: str) -> str:
    return "" if text.isspace() else text


def block_function(name: str, names: tuple[str, ...], assembly: Assembly) -> Callable[..., Any]:
    """Return the function of a block's node: its sections' texts in, its text out."""

    def assemble(**texts: Any) -> BlockText:
        return assembly([texts[one] for one in names])

    # A keyword function with an explicit signature keeps the order of the list in the graph.
    kind = inspect.Parameter.KEYWORD_ONLY
    assemble.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one, kind, annotation=Any) for one in names],
        return_annotation=BlockText,
    )
    assemble.__annotations__ = dict.fromkeys(names, Any) | {"return": BlockText}
    assemble.__name__ = assemble.__qualname__ = name
    assemble.__doc__ = "The sections of a block, joined to its text."
    return assemble


def tools_fingerprint(tools: tuple[Tool, ...]) -> str:
    """Hash the tool table as the wire holds it."""
    return sha256(canonical_json(canonical_tools(tools)).encode()).hexdigest()


def fingerprint_function(
    name: str, previous: str, block: str, declared: Block
) -> Callable[..., Any]:
    """Return the function of a fingerprint's node: it chains the block to what stands before.

    Shape and length are hashed with the text, so no two different lists of blocks collide.
    """
    shape = canonical_json([declared.target, declared.cache_control]).encode()
    source = f"def {name}({previous}, {block}):\n    return _chain({previous}, {block})\n"

    def chain(before: str, written: BlockText) -> str:
        if not written.text:
            return before  # an empty block is not on the wire
        data = written.text.encode()
        head = b"%s\n%d\n%s\n%d\n" % (before.encode(), len(shape), shape, len(data))
        return sha256(head + data).hexdigest()

    function: FunctionType = define(source, name, {"_chain": chain}, f"<fingerprint {name}>")
    function.__annotations__ = {previous: str, block: BlockText, "return": str}
    function.__doc__ = "The hash of the wire from its first byte to the end of the block."
    return function


def hamilton_module(name: str, nodes: Iterable[Node]) -> ModuleType:
    """Return a module that holds the nodes' functions as Hamilton collects them."""
    from hamilton.function_modifiers import tag  # Hamilton is imported only to build

    module = ModuleType(name)
    for node in nodes:
        function = _copy(node.function, node.name, name)
        labels: dict[str, Any] = {"promptdag.kind": node.kind}
        setattr(module, node.name, tag(**labels)(function))
    return module


def _copy(function: Callable[..., Any], name: str, module: str) -> Callable[..., Any]:
    """Copy a function into a module: declared functions are shared by flows, and stay untouched."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        name,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__annotations__ = get_type_hints(function)
    copy.__doc__ = function.__doc__
    copy.__module__ = module
    if "__signature__" in function.__dict__:
        copy.__signature__ = function.__signature__  # type: ignore[attr-defined]
    return copy
