"""What a reference table means stands in columns: no code takes a text cell apart.

A sentence in a cell ("8 shelves x 33 kW") reads well and parses wrongly, so the wings and the
studies may compare a text cell as a whole and show it, and nothing else. The worked cases of
``study/verification`` are exempt: their inputs are a small language of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.tools.source_tree import modules, report

FLOORS = ("physics", "power", "cooling", "study")
EXEMPT = "facility.study.verification"
TAKES_APART = {
    "startswith",
    "endswith",
    "split",
    "rsplit",
    "partition",
    "rpartition",
    "removesuffix",
    "removeprefix",
    "find",
    "index",
    "strip",
}
READS = {
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "sub",
    "parse_number",
    "parse_count",
    "parse_quantity",
    "float",
    "int",
}


def is_cell(node: ast.AST, tainted: set[str]) -> bool:
    """Return whether an expression is the text of a cell: ``row.text(..)``, ``str(row[..])``.

    What a method makes of it (``row.text("size").upper()``) is that text still.
    """
    if isinstance(node, ast.Name):
        return node.id in tainted
    if not isinstance(node, ast.Call):
        return False
    called, argument = node.func, node.args[0] if node.args else None
    if isinstance(called, ast.Attribute):
        own = called.attr == "text" and isinstance(argument, ast.Constant)
        return own or is_cell(called.value, tainted)
    named = isinstance(called, ast.Name) and called.id == "str"
    return (
        named and isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Constant)
    )


def takes_apart(node: ast.AST, tainted: set[str]) -> bool:
    """Return whether one expression looks into the text of a cell."""
    if isinstance(node, ast.Compare):
        inside = isinstance(node.ops[0], ast.In | ast.NotIn)
        return inside and is_cell(node.comparators[0], tainted)
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in TAKES_APART and isinstance(node.func, ast.Attribute):
        return is_cell(node.func.value, tainted)
    return name in READS and any(is_cell(argument, tainted) for argument in node.args)


def taken_apart(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that take the text of a cell apart."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            tainted = {
                target.id
                for node in nodes
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name) and is_cell(node.value, set())
            }
            yield from (node.lineno for node in nodes if takes_apart(node, tainted))


def test_no_cell_of_a_reference_table_is_taken_apart() -> None:
    offenders = [
        f"{module.path}:{line}"
        for module in modules()
        if module.layer in FLOORS and not module.name.startswith(EXEMPT)
        for line in sorted(set(taken_apart(module.tree)))
    ]
    assert not offenders, report("text cells taken apart: give the table a column", offenders)


@pytest.mark.parametrize(
    "line",
    [
        'return row.text("class").startswith("liquid")',
        'return "primary only" in row.text("impedance")',
        'return float(row.text("value"))',
        'return SHELVES.search(row.text("psu_redundancy"))',
        'words = str(row["applies_to"])\n    return model in words',
        'return str(row["type"]).startswith("air-cooled")',
    ],
)
def test_the_ways_that_were_in_use_are_found(line: str) -> None:
    assert list(taken_apart(ast.parse(f"def of(row, model):\n    {line}\n")))


def test_a_cell_compared_as_a_whole_is_fine() -> None:
    line = 'return row.text("type") == "air-cooled" or row["type"] in ("a", "b")'
    assert not list(taken_apart(ast.parse(f"def of(row):\n    {line}\n")))
