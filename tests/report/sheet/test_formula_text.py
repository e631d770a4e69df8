import pytest

from facility.core.equation import EQUATIONS
from facility.report.sheet.formula_text import formula_text
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Shown, fit_heights, shown


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{S}{\sqrt{3}\,V_{LL}}", "S/(√(3) V_LL)"),
        (r"P_{0} + \beta^2 P_k", "P_0 + β^2 P_k"),
        (r"\left\lceil\frac{P}{P_m}\right\rceil + r", "⌈ P/P_m⌉ + r"),
        (r"\dot m c_p \Delta T", "m c_p ΔT"),
        (r"\frac{1}{1 + \frac{a}{b}}", "1/(1 + a/b)"),
        (r"T_{\mathrm{in}} + \frac{q}{\rho \dot V c_p}", "T_in + q/(ρ V c_p)"),
    ],
)
def test_formula_as_text(latex: str, text: str) -> None:
    assert formula_text(latex) == text


def test_no_equation_keeps_its_markup() -> None:
    import facility.equations

    assert len(facility.equations.index()) > 200
    assert len(EQUATIONS) > 50
    for equation in EQUATIONS.values():
        for latex in (equation.symbol, equation.latex):
            assert not set(formula_text(latex)) & set("\\{}"), equation.name


def test_numbers_are_shown_in_the_unit_of_their_kind() -> None:
    assert shown(12.75e6, "active_power") == Shown(12750.0, "n1", "kW")
    assert shown(0.8, "fraction") == Shown(0.8, "pct", "")
    assert shown(24.0, "temperature") == Shown(24.0, "n1", "°C")


def test_rows_grow_with_their_wrapped_text() -> None:
    sheet = Sheet("S")
    sheet.set_widths(20)
    sheet.put(1, 1, "short", "cell")
    sheet.put(2, 1, "word " * 30, "cell")
    sheet.put(3, 1, "x" * 200, "listed")
    fit_heights(sheet, 1)
    assert sheet.heights[2] > 5 * sheet.heights[1]
    assert sheet.heights[3] == sheet.heights[1]
