"""The formula that an equation has in a cell computes what its function computes."""

from __future__ import annotations

import math
from itertools import product
from types import MappingProxyType

import pytest

from facility.core.equation import AnyEquation, fill, names_in
from facility.report.sheet.tables import shown
from tests.tools.arithmetic import worked
from tests.tools.equations import all_equations, sample_arguments

LIVE = {name: e for name, e in all_equations().items() if e.excel}
EXCEL = MappingProxyType(
    {
        "SQRT": math.sqrt,
        "EXP": math.exp,
        "LN": math.log,
        "PI": lambda: math.pi,
        "MIN": min,
        "MAX": max,
        "ABS": abs,
        "IF": lambda holds, one, other: one if holds else other,
        "ROUNDUP": lambda value, _: math.ceil(value),
    }
)
FACTORS = (0.97, 1.0, 1.04)


def in_a_cell(equation: AnyEquation, given: dict[str, float]) -> float:
    """Return what a workbook makes of the equation, each argument in the unit of its view."""
    units = names_in(equation.excel)
    cells = {n: shown(given[n], equation.arguments[n], units[n]).value for n in units}
    formula = equation.in_cells(**{name: name for name in cells}).replace("^", "**")
    return worked(formula, cells, EXCEL)


@pytest.mark.parametrize("name", LIVE)
def test_cell_and_function_agree(name: str) -> None:
    equation = LIVE[name]
    sample = sample_arguments(equation)
    moved = [argument for argument in sample if equation.arguments[argument] != "count"]
    for factors in product(FACTORS, repeat=min(3, len(moved))):
        for first in range(len(moved)):
            given = dict(sample)
            for offset, factor in enumerate(factors):
                given[moved[(first + offset) % len(moved)]] *= factor
            expected = shown(
                float(equation.si(**given)), equation.returns[0], equation.excel_unit
            ).value
            assert in_a_cell(equation, given) == pytest.approx(expected, rel=1e-12), given


def test_there_are_equations_with_a_cell_formula() -> None:
    assert len(LIVE) >= 30


@pytest.mark.parametrize(
    ("template", "cell", "expected"),
    [
        ("{x}*2", "B1", "B1*2"),
        ("{x}*2", "B1*C1", "B1*C1*2"),
        ("{x}*2", "B1+C1", "(B1+C1)*2"),
        ("2/{x}", "B1*C1", "2/(B1*C1)"),
        ("{x}^2", "B1*C1", "(B1*C1)^2"),
        ("{x}^2", "'A-B'!B1", "'A-B'!B1^2"),
        ("{x}^2", "SUM(B1-C1)", "SUM(B1-C1)^2"),
        ("SQRT({x})", "B1-C1", "SQRT(B1-C1)"),
        ("MAX(1,{x},2)", "B1-C1", "MAX(1,B1-C1,2)"),
        ("1-{x}", "B1-C1", "1-(B1-C1)"),
        ("{x}", "B1-C1", "B1-C1"),
    ],
)
def test_what_stands_for_a_name_stays_one_operand(template: str, cell: str, expected: str) -> None:
    assert fill(template, {"x": cell}) == expected


def test_a_cell_formula_wants_every_argument() -> None:
    equation = LIVE["physics.machines.transformer.transformer_loss"]
    with pytest.raises(TypeError, match="no cell formula of load_va"):
        equation.in_cells(load_va="B1")
