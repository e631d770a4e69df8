"""The sheets that a reviewer follows a number by: Assumptions, Checks, Calc trace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from facility.core.check import Check, Outcome, Severity
from facility.core.ledger import Assumption
from facility.core.trace import Step
from facility.core.views import show
from facility.report.sheet.cells import Span, column_letter
from facility.report.sheet.formula_text import formula_text
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.staleness import stale_or
from facility.report.sheet.tables import Furniture, fit_heights, shown, write_heading

_SEVERITIES = tuple(severity.value for severity in Severity)
_CHECK_HEADS = (
    "Outcome",
    "Severity",
    "Rule",
    "Subject",
    "Value",
    "Must be",
    "Limit",
    "Unit",
    "Margin",
    "Finding",
    "Remedy",
    "Source",
)
_TRACE_HEADS = ("Result", "How", "Symbol", "Formula", "With", "Value", "Unit", "Because", "Source")
_MAX_ARGUMENTS = 200
_MOST_NAMED = 40


def assumptions_sheet(name: str, ledger: Iterable[Assumption], furniture: Furniture) -> Sheet:
    """Return the assumption ledger, open entries marked."""
    entries = list(ledger)
    sheet = Sheet(name, freeze=(5, 2), page=furniture.page(repeat_rows=(4, 4)))
    open_count = sum(entry.status == "open" for entry in entries)
    write_heading(
        sheet,
        "Assumptions",
        f"{len(entries)} values that nobody gave; {open_count} of them not confirmed. "
        "To confirm one, list its id under 'confirmed' in the project file.",
    )
    sheet.row(4, 1, ("Id", "Value", "Unit", "Status", "Basis", "Source"), "head")
    for row, entry in enumerate(entries, start=5):
        _assumption_row(sheet, row, entry)
    sheet.set_widths(34, 17, 11, 11, 62, 44)
    _finish_list(sheet, 4, len(entries), 6)
    if entries:
        span = Span(5, 4, 4 + len(entries), 4)
        sheet.conditionals.append(Conditional(span, '$D5="open"', "warn"))
    return sheet


def _assumption_row(sheet: Sheet, row: int, entry: Assumption) -> None:
    sheet.put(row, 1, entry.id, "cell")
    if entry.value is None:
        sheet.put(row, 2, entry.text, "cell")
        sheet.put(row, 3, "", "cell")
    else:
        number = shown(entry.value, entry.kind)
        sheet.put(row, 2, number.value, f"number.{number.format}")
        sheet.put(row, 3, number.unit, "cell")
    sheet.put(row, 4, entry.status, "center")
    sheet.put(row, 5, entry.basis, "cell")
    sheet.put(row, 6, str(entry.source), "cell")


def checks_sheet(name: str, checks: Sequence[Check], furniture: Furniture) -> Sheet:
    """Return every check, failed ones first, with the live count of verdicts and margins."""
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(9, 9)))
    write_heading(
        sheet,
        "Checks",
        "Checks against the clauses named. They do not replace the engineer of record.",
    )
    ordered = sorted(checks, key=_check_order)
    last = 9 + len(ordered)
    _check_counts(sheet, ordered, last)
    sheet.row(9, 1, _CHECK_HEADS, "head")
    for row, check in enumerate(ordered, start=10):
        _check_row(sheet, row, check)
    sheet.set_widths(15, 12, 22, 22, 11, 8, 11, 8, 9, 52, 40, 36)
    sheet.freeze = (10, 3)
    _finish_list(sheet, 9, len(ordered), len(_CHECK_HEADS))
    if ordered:
        span = Span(10, 1, last, 2)
        sheet.conditionals += [
            Conditional(span, 'AND($A10="FAIL",$B10="VIOLATION")', "bad"),
            Conditional(span, 'OR($A10="FAIL",$A10="NOT_EVALUATED")', "warn"),
            Conditional(span, '$A10="PASS"', "good"),
        ]
    return sheet


def _check_order(check: Check) -> tuple[int, int, str]:
    outcome = (Outcome.FAIL, Outcome.NOT_EVALUATED, Outcome.PASS).index(check.outcome)
    return outcome, _SEVERITIES.index(check.severity.value), check.rule


def _check_counts(sheet: Sheet, checks: Sequence[Check], last: int) -> None:
    sheet.row(4, 1, ("Outcome", *_SEVERITIES), "head")
    end = max(last, 10)
    for row, outcome in enumerate(Outcome, start=5):
        sheet.put(row, 1, outcome.value, "cell")
        for column, severity in enumerate(_SEVERITIES, start=2):
            count = sum(c.outcome is outcome and c.severity.value == severity for c in checks)
            head = f"{column_letter(column)}$4"
            counted = f"COUNTIFS($A$10:$A${end},$A{row},$B$10:$B${end},{head})"
            sheet.formula(row, column, stale_or(counted), count, "calc.n0")


def _check_row(sheet: Sheet, row: int, check: Check) -> None:
    plain = (check.outcome.value, check.severity.value, check.rule, check.about(_MOST_NAMED))
    sheet.formula(row, 1, stale_or(f'"{plain[0]}"'), plain[0], "cell")
    sheet.row(row, 2, plain[1:], "cell")
    if check.value is None or check.limit is None:
        sheet.row(row, 5, ("", "", "", "", ""), "cell")
    else:
        value, limit = shown(check.value, check.kind), shown(check.limit, check.kind)
        sheet.put(row, 5, value.value, f"number.{value.format}")
        sheet.put(row, 6, "≤" if check.sense == "<=" else "≥", "center")
        sheet.put(row, 7, limit.value, f"number.{limit.format}")
        sheet.put(row, 8, value.unit, "cell")
        if check.margin is None:
            sheet.put(row, 9, "", "cell")
        else:
            _check_margin(sheet, row, check.margin)
    sheet.row(row, 10, (check.why, check.remedy, str(check.source)), "cell")


def _check_margin(sheet: Sheet, row: int, margin: float) -> None:
    formula = f'IF(F{row}="≤",G{row}-E{row},E{row}-G{row})/ABS(G{row})'
    sheet.formula(row, 9, formula, margin, "calc.pct")


def trace_sheet(name: str, steps: Iterable[Step], furniture: Furniture) -> Sheet:
    """Return every step of the calculation; sums are live formulas over the steps they add."""
    listed = list(steps)
    rows = {step.id: row for row, step in enumerate(listed, start=5)}
    sheet = Sheet(name, freeze=(5, 2), page=furniture.page(large=True, repeat_rows=(4, 4)))
    write_heading(
        sheet,
        "Calculation trace",
        f"{len(listed)} steps: what was given, assumed, chosen and computed, in order.",
    )
    sheet.row(4, 1, _TRACE_HEADS, "head")
    for step in listed:
        _trace_row(sheet, rows[step.id], step, rows)
    sheet.set_widths(34, 10, 12, 34, 58, 15, 11, 44, 38)
    _finish_list(sheet, 4, len(listed), len(_TRACE_HEADS))
    return sheet


def _trace_row(sheet: Sheet, row: int, step: Step, rows: dict[str, int]) -> None:
    symbol = formula_text(step.equation.symbol) if step.equation else ""
    latex = formula_text(step.equation.latex) if step.equation else ""
    given = "; ".join(_input_text(*entry) for entry in step.inputs)
    sheet.row(row, 1, (step.id, step.how, symbol, latex, given), "cell")
    number = shown(step.value, step.kind)
    formula = _sum_formula(step, rows)
    if formula:
        sheet.formula(row, 6, formula, number.value, f"calc.{number.format}")
    else:
        sheet.put(row, 6, number.value, f"number.{number.format}")
    sheet.row(row, 7, (number.unit, step.because, str(step.source)), "cell")


def _sum_formula(step: Step, rows: dict[str, int]) -> str:
    """Return the live sum over the steps added, where all are shown in the unit of the sum."""
    terms = [(ref, kind) for _, _, kind, ref in step.inputs]
    fits = all(ref in rows and kind == step.kind for ref, kind in terms)
    if step.how != "summed" or not terms or not fits or len(terms) > _MAX_ARGUMENTS:
        return ""
    return "SUM(" + ",".join(f"F{rows[ref]}" for ref, _ in terms) + ")"


def _input_text(name: str, value: float, kind: str, ref: str) -> str:
    shown_value = show(value, kind) if kind else f"{value:g}"
    origin = f" [{ref}]" if ref and ref != name else ""
    return f"{name} = {shown_value}{origin}"


def _finish_list(sheet: Sheet, head_row: int, count: int, columns: int) -> None:
    last = head_row + max(count, 1)
    sheet.filter_span = Span(head_row, 1, last, columns)
    fit_heights(sheet, head_row)
