"""Expressions of data files: numbers, names, + - * / ** >, and calls of the functions given."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def worked(
    text: str, names: Mapping[str, float], functions: Mapping[str, Callable[..., float]]
) -> float:
    """Return the value of an expression.

    Raises
    ------
    ValueError
        For anything but arithmetic on the names and functions given.
    """

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.Compare(left=left, ops=[ast.Gt()], comparators=[right]):
                return float(value(left) > value(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in functions:
                return float(functions[name](*(value(each) for each in args)))
        raise ValueError(f"not arithmetic: {ast.unparse(node)}")

    return value(ast.parse(text, mode="eval").body)
