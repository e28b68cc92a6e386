"""How facts, gates and sections are declared: plain functions whose parameters are the edges."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import update_wrapper
from pathlib import Path
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, overload

from .dedent import dedent
from .fragment import Authority, CutRule, Fragment

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Fact(Generic[Parameters, Result]):
    """A value derived from signals and other facts; its node has the function's name.

    Call it like the function that it was made from.
    """

    def __init__(self, function: Callable[Parameters, Result]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Call the function."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self.name}>"

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    @property
    def doc(self) -> str:
        """The docstring, cleaned of its indentation; empty when there is none."""
        return inspect.getdoc(self.function) or ""

    @property
    def place(self) -> str:
        """Where it is written, for messages: `sections/theway/tools.py:12`."""
        code = self.function.__code__
        return f"{'/'.join(Path(code.co_filename).parts[-3:])}:{code.co_firstlineno}"


class Gate(Fact[Parameters, bool]):
    """A fact that says whether a section appears. Its docstring begins `Open when`."""


class Named(NamedTuple):
    """One of several texts that stand at one place, under its own name in the manifest."""

    name: str
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """A section: its name, what its template may use, and the gates that open it.

    Attributes:
        function: Declares the template's variables by its parameters; it has no body.
        gates: All must be open for the section to appear.
        text: The template's source, or `None` for `texts/{name}.md.j2` beside the module.
        keep_blank: Whether a text of blanks stands as it is; otherwise it yields zero bytes.
        many: Whether the function computes `Named` texts instead of using a template.
    """

    function: Callable[..., Any]
    gates: tuple[Gate[...], ...] = ()
    text: str | None = None
    keep_blank: bool = False
    many: bool = False
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.function.__name__)

    @property
    def doc(self) -> str:
        """The docstring, cleaned of its indentation; empty when there is none."""
        return inspect.getdoc(self.function) or ""

    @property
    def folder(self) -> Path:
        """The folder of the module that declares the section."""
        return Path(self.function.__code__.co_filename).parent

    @property
    def place(self) -> str:
        """Where it is written, for messages."""
        return Fact(self.function).place


@dataclass(frozen=True, eq=False, slots=True)
class FragmentSection:
    """A piece of a turn's context: a section's text, with what decides whether it fits.

    Attributes:
        section: Its gates and its template; of many, a function that computes the fragments.
        id: Its id in the bundle; empty for many, which bring theirs.
        kind: A word for reports and pictures.
        authority: What its text may claim.
        priority: 0 to 100; the highest is fitted first.
        required: Kept whole at any budget.
        cut: How it may be cut.
    """

    section: Section
    id: str = ""
    kind: str = ""
    authority: Authority = "untrusted-data"
    priority: int = 50
    required: bool = False
    cut: CutRule = "no"

    @property
    def name(self) -> str:
        """The name of the function that declares it."""
        return self.section.name


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """Constant prose around other sections: a template that holds `{{ content }}` once."""

    function: Callable[..., Any]
    text: str | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.function.__name__)

    @property
    def folder(self) -> Path:
        """The folder of the module that declares the frame."""
        return Path(self.function.__code__.co_filename).parent

    @property
    def place(self) -> str:
        """Where it is written, for messages."""
        return Fact(self.function).place


def fact(function: Callable[Parameters, Result]) -> Fact[Parameters, Result]:
    """Declare a value that several nodes use. It becomes a node where a flow reaches it."""
    return Fact(function)


def gate(function: Callable[Parameters, bool]) -> Gate[Parameters]:
    """Declare when a section appears: a function that returns bool, documented `Open when …`."""
    return Gate(function)


@overload
def section(function: Callable[..., None], /) -> Section: ...


@overload
def section(
    *,
    gate: Gate[...] | tuple[Gate[...], ...] = (),
    text: str | None = None,
    keep_blank: bool = False,
) -> Callable[[Callable[..., None]], Section]: ...


def section(
    function: Callable[..., None] | None = None,
    /,
    *,
    gate: Gate[...] | tuple[Gate[...], ...] = (),
    text: str | None = None,
    keep_blank: bool = False,
) -> Section | Callable[[Callable[..., None]], Section]:
    """Declare a section by a function without a body.

    Its parameters are the signals and facts that the template uses, and the gates that the
    template asks by name. The template is `texts/{name}.md.j2` beside the module.

    Args:
        function: The function, when the decorator stands without parentheses.
        gate: The gate that opens the section, or several that must all be open.
        text: The template's source in place of a file; it is dedented, blank ends are cut.
        keep_blank: Emit a text of blanks as it is.
    """
    gates = gate if isinstance(gate, tuple) else (gate,)
    for one in gates:
        if not isinstance(one, Gate):
            raise TypeError(f"gate={one!r}: pass a function that is decorated with @gate")

    def declare(declared: Callable[..., None]) -> Section:
        source = None if text is None else dedent(text.lstrip("\n")).rstrip()
        return Section(declared, gates, source, keep_blank)

    return declare if function is None else declare(function)


def section_list(
    *, gate: Gate[...] | tuple[Gate[...], ...] = ()
) -> Callable[[Callable[..., tuple[Named, ...]]], Section]:
    """Declare a place where several sections may stand, such as those that the caller adds.

    The function returns a tuple of `Named` texts, in their order. Each is listed in the manifest
    under its own name, and joined like a section.
    """
    gates = gate if isinstance(gate, tuple) else (gate,)

    def declare(declared: Callable[..., tuple[Named, ...]]) -> Section:
        return Section(declared, gates, many=True)

    return declare


def fragment(
    id: str,
    *,
    kind: str,
    authority: Authority,
    priority: int,
    required: bool = False,
    cut: CutRule = "no",
    gate: Gate[...] | tuple[Gate[...], ...] = (),
    text: str | None = None,
) -> Callable[[Callable[..., None]], FragmentSection]:
    """Declare a piece of a turn's context, as `section` declares a section.

    Args:
        id: Its id in the bundle: `memory.persona`.
        kind: A word for reports and pictures.
        authority: What its text may claim; also its place in the bundle.
        priority: 0 to 100; the highest is fitted first.
        required: Keep it whole at any budget.
        cut: How it may be cut.
        gate: The gate that opens it, or several that must all be open.
        text: The template's source in place of a file.

    Raises:
        FragmentError: It contradicts itself; see `promptdag.sections.fragment.Fragment`.
    """
    Fragment(id, kind, authority, "", priority, required, cut)  # says now what is wrong
    declare = section(gate=gate, text=text)

    def declared(function: Callable[..., None]) -> FragmentSection:
        return FragmentSection(declare(function), id, kind, authority, priority, required, cut)

    return declared


def fragment_list(
    *, gate: Gate[...] | tuple[Gate[...], ...] = ()
) -> Callable[[Callable[..., tuple[Fragment, ...]]], FragmentSection]:
    """Declare fragments that a source brings, in its order: a function that computes them."""
    gates = gate if isinstance(gate, tuple) else (gate,)

    def declared(function: Callable[..., tuple[Fragment, ...]]) -> FragmentSection:
        return FragmentSection(Section(function, gates, many=True))

    return declared


def frame(function: Callable[[], None]) -> Frame:
    """Declare constant prose around other sections: a template with `{{ content }}` in it."""
    return Frame(function)
