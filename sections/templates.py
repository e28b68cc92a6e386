"""Section templates: Jinja that interpolates and loops, asks a gate, and holds prose in slots.

What a template may hold is small, and enforced on Jinja's own syntax tree, so a template can
neither decide nor reach anything: `{{ name }}`, `{{ item.field }}`, `{% for item in names %}`,
`{% if gate %} … {% else %} … {% endif %}`, `{% block slot %}prose{% endblock %}` and comments.

White space: a line that holds only a control tag disappears, an inline tag eats nothing, and the
final newline of the file is dropped. A slot's text never ends in a newline.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateSyntaxError, nodes

from ..inputs.errors import TemplateError, did_you_mean
from .adjacency import values_touch

_CONTROL_LINE = re.compile(r"^[ \t]*(\{%-?(?:(?!%\}).)*?)(-?%\})[ \t]*\n", re.MULTILINE)
_COMMENT_LINE = re.compile(r"^[ \t]*(\{#(?:(?!#\}).)*?)(#\})[ \t]*\n", re.MULTILINE | re.DOTALL)

_PARSER = Environment(keep_trailing_newline=True, newline_sequence="\n")

Render = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed and checked template.

    Attributes:
        place: The file, or where the inline text is written, for messages.
        tree: Jinja's syntax tree; a slot stands in it as a block.
        slots: The prose of each slot.
        variables: The names that it interpolates or loops over.
        asked: The names that it asks as gates.
        extends: The template whose slots it replaces, or `None` for a whole template.
        touching: Whether two values may stand side by side, so that together they make a tag.
        open_end: Whether it ends in a control line, so that the last newline is known late.
    """

    place: str
    tree: nodes.Template
    slots: Mapping[str, str]
    variables: frozenset[str]
    asked: frozenset[str]
    extends: str | None = None
    touching: bool = False
    open_end: bool = False

    @property
    def drops_newline(self) -> bool:
        """Whether a newline at the end of what it gives is dropped."""
        match self.tree.body:
            case [*_, nodes.Output(nodes=[*_, nodes.TemplateData()])] | [*_, nodes.Block()]:
                return True
        return self.open_end


@dataclass(slots=True)
class _Check:
    """One walk over a syntax tree: refuses what a template may not hold, collects what it uses."""

    place: str
    slots: dict[str, str] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)

    def refuse(self, node: nodes.Node, what: str) -> TemplateError:
        return TemplateError(f"{self.place}:{node.lineno}: {what}")

    def walk(self, body: list[nodes.Node], bound: frozenset[str]) -> None:
        for node in body:
            match node:
                case nodes.Output():
                    for child in node.nodes:
                        if not isinstance(child, nodes.TemplateData):
                            self.value(child, bound)
                case nodes.For():
                    self.loop(node, bound)
                case nodes.If():
                    self.question(node, bound)
                case nodes.Block():
                    self.slot(node)
                case _:
                    raise self.refuse(
                        node,
                        f"a template may not hold {type(node).__name__.lower()!r}; it interpolates,"
                        " loops, asks a gate and holds slots: compute the rest in a fact",
                    )

    def value(self, node: nodes.Node, bound: frozenset[str]) -> None:
        match node:
            case nodes.Name():
                if node.name not in bound:
                    self.variables.add(node.name)
            case nodes.Getattr(node=nodes.Name() as owner) if not node.attr.startswith("_"):
                self.value(owner, bound)
            case _:
                raise self.refuse(
                    node, "only a name or item.field may stand in {{ }}: compute it in a fact"
                )

    def loop(self, node: nodes.For, bound: frozenset[str]) -> None:
        if node.test or node.recursive or node.else_:
            raise self.refuse(node, "a loop takes no condition: compute the list in a fact")
        self.value(node.iter, bound)
        names = {name.name for name in node.target.find_all(nodes.Name)}
        if isinstance(node.target, nodes.Name):
            names.add(node.target.name)
        self.walk(node.body, bound | names)

    def question(self, node: nodes.If, bound: frozenset[str]) -> None:
        if not isinstance(node.test, nodes.Name) or node.elif_:
            raise self.refuse(node, "a template asks one gate by its bare name: declare a @gate")
        self.asked.add(node.test.name)
        self.walk(node.body, bound)
        self.walk(node.else_, bound)

    def slot(self, node: nodes.Block) -> None:
        if node.name in self.slots:
            raise self.refuse(node, f"slot {node.name!r} stands twice; each slot has its own name")
        parts = list(_flat(node.body))
        if not all(isinstance(part, nodes.TemplateData) for part in parts):
            raise self.refuse(
                node, f"slot {node.name!r} holds more than prose; values stand beside"
            )
        text = "".join(part.data for part in parts if isinstance(part, nodes.TemplateData))
        self.slots[node.name] = text.removesuffix("\n")


def parse(source: str, place: str) -> Template:
    """Parse and check a template.

    Args:
        source: The template.
        place: Where it is written, for messages.

    Raises:
        TemplateError: It is not well formed, or holds what a template may not hold.
    """
    # A tag alone on its line takes the newline into itself, so line numbers stay right.
    source = _CONTROL_LINE.sub(r"\1\n\2", source.replace("\r\n", "\n"))
    source = _COMMENT_LINE.sub(r"\1\n\2", source)
    try:
        tree = _PARSER.parse(source)
    except TemplateSyntaxError as error:
        raise TemplateError(f"{place}:{error.lineno}: {error.message}") from None
    body, extends = _without_extends(tree.body)
    check = _Check(place)
    check.walk(body, frozenset())
    if extends:
        _refuse_text_outside_slots(check, body)
    tree.body = body
    return Template(
        place,
        tree,
        check.slots,
        frozenset(check.variables),
        frozenset(check.asked),
        extends,
        touching=values_touch(body),
        open_end=source.endswith("\n%}"),
    )


def check_variables(
    template: Template, parameters: frozenset[str], gates: frozenset[str], name: str
) -> None:
    """Raise where a template does not use exactly its section's variables.

    Args:
        template: The section's template.
        parameters: The names that the section's function declares.
        gates: Which of all names are gates.
        name: The section's name.

    Raises:
        TemplateError: It names the template, the variable and the section.
    """
    used = template.variables | template.asked
    declared = "passes nothing" if not parameters else f"passes {', '.join(sorted(parameters))}"
    for variable in sorted(used - parameters):
        raise TemplateError(
            f"{template.place}: {variable!r} is undefined; {name}() {declared}"
            f"{did_you_mean(variable, parameters)}"
        )
    for variable in sorted(parameters - used):
        raise TemplateError(
            f"{template.place}: {variable!r} is not used; {name}() {declared}; "
            "take the parameter away or use it"
        )
    for variable in sorted(template.asked - gates):
        raise TemplateError(
            f"{template.place}: {{% if {variable} %}} asks {variable!r}, which is not a gate; "
            "declare a @gate and ask that"
        )
    for variable in sorted(template.variables & gates):
        raise TemplateError(f"{template.place}: {variable!r} is a gate; ask it with {{% if %}}")


def compile_template(
    template: Template, slots: Mapping[str, str], finalize: Callable[[Any], str]
) -> str | Render:
    """Return the text of a template without variables, else a function that renders it.

    Args:
        template: A checked template.
        slots: The prose for each of its slots.
        finalize: Turns each interpolated value into text.

    Returns:
        The text, or a function of the variables, called with keywords.
    """
    body = list(_filled(template.tree.body, slots))
    dropped = _drop_final_newline(body)
    if not template.variables and not template.asked:
        return "".join(part.data for part in _flat(body) if isinstance(part, nodes.TemplateData))
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, finalize=finalize, cache_size=0
    )
    environment.globals.clear()
    arguments = [nodes.Name(name, "param") for name in sorted(template.variables | template.asked)]
    # A macro call costs a sixth of Template.render, which builds a context anew each time.
    macro = nodes.Macro("text", arguments, [], body, lineno=1)
    tree = nodes.Template([macro], lineno=1)
    tree.set_environment(environment)
    render: Render = environment.from_string(tree).module.text  # type: ignore[attr-defined]
    if dropped or not template.open_end:
        return render
    return lambda **values: render(**values).removesuffix("\n")


def _without_extends(body: list[nodes.Node]) -> tuple[list[nodes.Node], str | None]:
    """Return a body without its `extends` tag, and the name of the template that it extends."""
    found = [node for node in body if isinstance(node, nodes.Extends)]
    name = found[0].template if found else None
    extends = str(name.value) if isinstance(name, nodes.Const) else None
    return [node for node in body if node not in found or extends is None], extends


def _refuse_text_outside_slots(check: _Check, body: list[nodes.Node]) -> None:
    for node in body:
        if isinstance(node, nodes.Block):
            continue
        if not isinstance(node, nodes.Output) or any(
            not isinstance(part, nodes.TemplateData) or part.data.strip() for part in node.nodes
        ):
            raise check.refuse(node, "a template that extends another holds nothing but slots")


def _flat(body: list[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield what a body holds, outputs opened up."""
    for node in body:
        if isinstance(node, nodes.Output):
            yield from node.nodes
        else:
            yield node


def _filled(body: list[nodes.Node], slots: Mapping[str, str]) -> Iterator[nodes.Node]:
    """Yield the nodes of a body with its slots replaced by their prose."""
    for node in body:
        match node:
            case nodes.Block():
                data = [
                    part.data for part in _flat(node.body) if isinstance(part, nodes.TemplateData)
                ]
                newline = "\n" if "".join(data).endswith("\n") else ""
                yield _data(slots[node.name] + newline, node.lineno)
            case nodes.For():
                inner = list(_filled(node.body, slots))
                yield nodes.For(node.target, node.iter, inner, [], None, False, lineno=node.lineno)
            case nodes.If():
                then = list(_filled(node.body, slots))
                other = list(_filled(node.else_, slots))
                yield nodes.If(node.test, then, [], other, lineno=node.lineno)
            case nodes.Output():
                yield nodes.Output(list(node.nodes), lineno=node.lineno)


def _data(text: str, lineno: int) -> nodes.Output:
    return nodes.Output([nodes.TemplateData(text, lineno=lineno)], lineno=lineno)


def _drop_final_newline(body: list[nodes.Node]) -> bool:
    """Drop the newline that ends the template where its last line is plain text."""
    match body:
        case [*_, nodes.Output(nodes=[*_, nodes.TemplateData() as data]) as last]:
            text = data.data.removesuffix("\n")
            last.nodes[-1] = nodes.TemplateData(text, lineno=data.lineno)
            return True
    return False
