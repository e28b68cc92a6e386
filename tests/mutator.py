"""Changes one decision of a function at a time.

A mutant is the function with one change: a comparison turned or moved by one, an operand of `and`
or `or` dropped, the two exchanged, a `not` taken away, a literal changed, a method call without
its effect, a branch always or never taken, an answer negated.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


@dataclass(frozen=True)
class Mutant:
    """A function with one decision changed.

    Attributes:
        change: The line, and what it reads now.
        function: The changed function.
    """

    change: str
    function: Callable[..., Any]


def mutants(function: Callable[..., Any]) -> list[Mutant]:
    """Return every mutant of a plain function."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    (declared,) = tree.body
    assert isinstance(declared, ast.FunctionDef)
    declared.decorator_list = []
    declared.returns = None
    for argument in (*declared.args.args, *declared.args.kwonlyargs):
        argument.annotation = None  # a type decides nothing
    if ast.get_docstring(declared) is not None:
        declared.body = declared.body[1:]
    made = []
    for number, node in enumerate(ast.walk(declared)):
        for changed in _changes(node):
            mutated = _replaced(tree, number, changed)
            made.append(Mutant(_shown(node, changed), _compiled(mutated, function)))
    return made


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in _TURNED[type(operator)]:
                    operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield ast.Compare(node.left, operators, node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for place in range(len(node.values)):
                rest = [*node.values[:place], *node.values[place + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=str() as value):
            yield ast.Constant(f"{value}~")
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Attribute() as attribute, args=[], keywords=[]):
            yield attribute.value
        case ast.Return(value=ast.expr() as value):
            yield ast.Return(ast.UnaryOp(ast.Not(), value))
        case ast.If():
            for always in (True, False):
                yield ast.If(ast.Constant(always), node.body, node.orelse)
        case ast.IfExp():
            yield node.body
            yield node.orelse
        case ast.Set() | ast.Tuple() | ast.List() if len(node.elts) > 1:
            for place in range(len(node.elts)):
                shorter = deepcopy(node)
                del shorter.elts[place]
                yield shorter


def _replaced(tree: ast.Module, number: int, changed: ast.AST) -> ast.Module:
    """Return a copy of the module with one node of its function replaced."""
    copied = deepcopy(tree)
    target = list(ast.walk(copied.body[0]))[number]

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return changed if node is target else self.generic_visit(node)

    return ast.fix_missing_locations(Replace().visit(copied))


def _shown(node: ast.AST, changed: ast.AST) -> str:
    line = getattr(node, "lineno", 0)
    return f"line {line}: {ast.unparse(node)} -> {ast.unparse(ast.fix_missing_locations(changed))}"


def _compiled(tree: ast.Module, function: Callable[..., Any]) -> Callable[..., Any]:
    scope = dict(inspect.getclosurevars(function).nonlocals)
    namespace = function.__globals__ | scope
    exec(compile(tree, f"<mutant of {function.__name__}>", "exec"), namespace)
    made: Callable[..., Any] = namespace[function.__name__]
    return made
