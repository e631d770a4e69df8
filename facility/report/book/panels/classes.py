"""The load classes of a panel schedule: connected, demand and design, here and downstream.

Four columns as load summaries have them: connected VA, demand factor by the rule of the class,
demand VA, and the code factor on continuous load that gives the design VA. What panels fed from
here add stands apart and may be typed, and so may totals that replace the computed ones.
"""

from __future__ import annotations

from facility.power.panels.board.model import Panel
from facility.report.book.load_classes import LoadClass
from facility.report.book.panels.foot import Foot
from facility.report.sheet.cells import Ref, Span
from facility.report.sheet.model import Conditional, Validation

_HEADS = (
    (1, 1, "Cont."),
    (2, 2, "Load class"),
    (3, 4, "Connected VA"),
    (5, 5, "Dem. f."),
    (6, 6, "Dem. VA"),
    (7, 7, "Code f."),
    (8, 8, "Design VA"),
)
_VA_COLUMNS = ((3, 4), (6, 6), (8, 8))
_RESULTS = ("connected_va", "demand_va", "design_va")
_MEASURE = 28
_INCLUDING = "Including downstream"
_OVERRIDDEN = "OVERRIDDEN BY USER"


def write_classes(foot: Foot, top: int) -> int:
    """Write the table of load classes from row `top`; return the row after it."""
    for first, last, title in _HEADS:
        foot.wide(top, first, last, title, "phead")
    foot.sheet.put(top, _MEASURE, "Measure of demand rule", "label")
    foot.sheet.widths[_MEASURE] = 22
    connected, circuits = _by_class(foot.panel)
    totals = [0.0, 0.0, 0.0]
    row = top
    for load_class in foot.context.classes:
        row += 1
        code = load_class.code
        added = _write_class(foot, row, load_class, connected.get(code, 0.0), circuits.get(code, 0))
        totals = [total + part for total, part in zip(totals, added, strict=True)]
    _write_total(foot, top, row + 1, totals)
    _write_downstream(foot, row + 2, totals)
    return row + 5


def _by_class(panel: Panel) -> tuple[dict[str, float], dict[str, int]]:
    """Return connected VA and number of circuits by load class."""
    connected: dict[str, float] = {}
    circuits: dict[str, int] = {}
    for circuit in panel.circuits:
        code = circuit.class_code
        connected[code] = connected.get(code, 0.0) + sum(circuit.pole_va())
        circuits[code] = circuits.get(code, 0) + 1
    return connected, circuits


def _write_class(
    foot: Foot, row: int, load_class: LoadClass, va: float, number: int
) -> tuple[float, float, float]:
    """Write one class; return its connected, demand and design VA."""
    sheet, frame = foot.sheet, foot.frame
    rule, continuous = load_class.demand, load_class.continuous
    factor = rule.factor(va, number)
    applied = foot.context.factor(foot.panel) if continuous else 1.0
    sheet.formula(row, 1, str(load_class.cells.continuous), "yes" if continuous else "no", "pcode")
    sheet.put(row, 2, load_class.code, "pcalc")
    formula = "+".join(
        f"SUMPRODUCT(({frame.codes(letter)}=$B{row})*({frame.va(column)}))"
        for letter, column in frame.sides
    )
    foot.wide_formula(row, 3, 4, formula, va, "pcalc.va")
    counted = "+".join(
        f'COUNTIFS({frame.codes(letter)},$B{row},{frame.poles(letter)},">0")'
        for letter, _ in frame.sides
    )
    measure = sheet.formula(
        row,
        _MEASURE,
        load_class.measure_formula(f"C{row}", counted),
        rule.measure(va, number),
        "calc.n0",
    ).here
    sheet.formula(row, 5, load_class.factor_formula(measure), factor, "pcalc.n2")
    sheet.formula(row, 6, f"C{row}*E{row}", va * factor, "pcalc.va")
    sheet.formula(row, 7, f'IF(A{row}="yes",1/$N$6,1)', applied, "pcalc.n2")
    sheet.formula(row, 8, f"F{row}*G{row}", va * factor * applied, "pcalc.va")
    return va, va * factor, va * factor * applied


def _write_total(foot: Foot, top: int, row: int, totals: list[float]) -> None:
    foot.wide(row, 1, 2, "This panel", "ptotal")
    for (first, last), value in zip(_VA_COLUMNS, totals, strict=True):
        span = Span(top + 1, first, row - 1, first)
        foot.wide_formula(row, first, last, f"SUM({span})", value, "ptotal.n0")
    for column in (5, 7):
        foot.sheet.put(row, column, None, "ptotal")


def _write_downstream(foot: Foot, row: int, totals: list[float]) -> None:
    """Write what panels fed from here add, what replaces the sum, and what counts.

    No panel of a design feeds another, so the first line is zero until somebody types it.
    """
    sheet = foot.sheet
    foot.wide(row, 1, 2, "Downstream panels", "plabel")
    foot.wide(row + 1, 1, 2, "Override VA (or blank)", "plabel")
    typed = ",".join(Ref("", row + 1, first).here for first, _ in _VA_COLUMNS)
    foot.wide_formula(row + 2, 1, 2, f'IF(COUNT({typed})>0,"{_OVERRIDDEN}","{_INCLUDING}")',
                 _INCLUDING, "ptotal")  # fmt: skip
    for (first, last), value, name in zip(_VA_COLUMNS, totals, _RESULTS, strict=True):
        foot.wide(row, first, last, 0.0, "pinputcell.n0")
        foot.wide(row + 1, first, last, None, "pinputcell.n0")
        own, below, instead = (Ref("", row + step, first).here for step in (-1, 0, 1))
        cell = foot.wide_formula(row + 2, first, last,
                            f'IF({instead}="",{own}+{below},{instead})', value,
                            "ptotal.n0")  # fmt: skip
        foot.found.put(name, cell, value)
    for column in (5, 7):
        sheet.row(row, column, (None,), "pna")
        sheet.put(row + 1, column, None, "pna")
        sheet.put(row + 2, column, None, "ptotal")
    label = Ref("", row + 2, 1).here
    sheet.conditionals.append(
        Conditional(Span(row + 2, 1, row + 2, 8), f'${label[0]}${row + 2}="{_OVERRIDDEN}"',
                    "override")
    )  # fmt: skip
    sheet.validations.append(
        Validation(Span(row, 3, row + 1, 8), minimum=0.0, stop=True,
                   message="Volt-amperes of at least 0.")
    )  # fmt: skip
