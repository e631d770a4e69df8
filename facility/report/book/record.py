"""Sheets for tracing a number: Assumptions, Choices, Checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from facility.core.check import Check, Outcome, Severity, by_weight
from facility.core.choice import Selection
from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.rounding import reaches_in_cells, within_in_cells
from facility.core.trace import Step
from facility.core.views import System, show
from facility.report.book.live_checks import CheckCells, LiveCheck, tolerance
from facility.report.sheet.entries import Reach
from facility.report.sheet.formula_text import formula_text
from facility.report.sheet.grid import Amount, Column, Grid, GridValue, SheetTable, TextTable
from facility.report.sheet.model import Conditional, Sheet, Span, column_letter, literal_text
from facility.report.sheet.staleness import STALE
from facility.report.sheet.tables import PageSetup, fit_heights, shown, write_heading
from facility.report.tables.choices import CHOICES, choice_rows
from facility.report.tables.names import rule_title
from facility.report.tables.verdict import word_of

_SEVERITIES = tuple(severity.value for severity in Severity)
_SENSES = {"<=": "≤", ">=": "≥"}
_MAX_NAMED = 40
_LIVE = ("outcome", "value", "limit", "why", "remedy")
_RECALCULATED = "Recalculated from changed inputs."
"""Finding of a check that the workbook recomputed."""


def _amount(value: float | None, kind: str, words: str = "") -> GridValue:
    return words if value is None else Amount(value, kind)


def _unit(value: float | None, kind: str) -> str:
    return "" if value is None else shown(value, kind).unit


ASSUMPTIONS: SheetTable[Assumption] = SheetTable(
    "Assumptions",
    (
        Column("id", "Id", 34, style="cell"),
        Column("value", "Value", 17, style="cell", of=lambda a: _amount(a.value, a.kind, a.text)),
        Column("unit", "Unit", 11, style="cell", door="sheet", of=lambda a: _unit(a.value, a.kind)),
        Column("status", "Status", 11, style="center"),
        Column("basis", "Basis", 62, style="cell"),
        Column("source", "Source", 44, style="cell", of=lambda a: str(a.source)),
    ),
    0,
    (("status", '${}="open"', "warn"),),
    "number",
)


def _sense(check: Check) -> str:
    return "" if check.value is None or check.limit is None else _SENSES[check.sense]


def _compared(check: Check, value: float | None) -> GridValue:
    """Return one side of a comparison; None if the other is unknown."""
    return _amount(value if _sense(check) else None, check.kind)


def _margin(check: Check) -> GridValue:
    return check.margin if _sense(check) and check.margin is not None else ""


def _outcome(check: Check) -> str:
    """Return the outcome; advice is a remark, not a failure."""
    advice = check.failed and check.severity is Severity.ADVICE
    return check.word if advice else check.outcome.value


CHECKS: SheetTable[Check] = SheetTable(
    "Checks",
    (
        Column("outcome", "Outcome", 15, style="verdict", of=_outcome),
        Column("severity", "Severity", 12, style="cell", of=lambda c: c.severity.value),
        Column("rule", "Rule", 22, style="cell"),
        Column("subject", "Subject", 22, style="cell", of=lambda c: c.about(_MAX_NAMED)),
        Column("value", "Value", 11, style="cell", of=lambda c: _compared(c, c.value)),
        Column("sense", "Criterion", 8, style="center", of=_sense),
        Column("limit", "Limit", 11, style="cell", of=lambda c: _compared(c, c.limit)),
        Column("unit", "Unit", 8, style="cell", door="sheet",
               of=lambda c: _unit(c.value if _sense(c) else None, c.kind)),
        Column("margin", "Margin", 9, "fraction", style="cell", of=_margin,
               formula='IF({sense}="≤",{limit}-{value},{value}-{limit})/ABS({limit})'),
        Column("why", "Finding", 52, style="finding"),
        Column("remedy", "Remedy", 40, style="finding"),
        Column("source", "Source", 36, style="cell", of=lambda c: str(c.source)),
    ),
    0,
    number_role="number",
)  # fmt: skip


_CODED = ("outcome", "severity", "rule")
CHECKS_IN_WORDS: SheetTable[Check] = SheetTable(
    CHECKS.title,
    (
        Column("word", "Result", 0, of=lambda c: word_of(c.word, 1).capitalize()),
        Column("title", "Check", 0, of=lambda c: rule_title(c.rule)),
        *(column for column in CHECKS.columns if column.key not in _CODED),
        Column("rule", "Code", 0),
    ),
)


def check_table(checks: Sequence[Check], system: System) -> TextTable:
    """Return checks for text output, failed first, in words and in the selected units."""
    listed = [replace(check, why=check.why_in(system)) for check in by_weight(checks)]
    return replace(CHECKS_IN_WORDS.text(listed, system), keys=[check.rule for check in listed])


def counted_assumptions(entries: Sequence[Assumption]) -> str:
    """Return the count text of defaults in use, not confirmed, and overridden."""
    status = Counter(entry.status for entry in entries)
    given = status[OVERRIDDEN]
    apart = f"; {given} overridden with a reason" if given else ""
    return f"{len(entries) - given} default values in use, {status['open']} not confirmed{apart}."


def assumptions_sheet(name: str, ledger: Iterable[Assumption], page_setup: PageSetup) -> Sheet:
    """Return the assumption ledger, open entries marked."""
    entries = list(ledger)
    sheet = Sheet(name, freeze=(5, 2), page=page_setup.page(repeat_rows=(4, 4)))
    write_heading(
        sheet,
        ASSUMPTIONS.title,
        f"{counted_assumptions(entries)} To confirm one, list its id under 'confirmed' in the "
        f"project file. To replace one, enter its input and list the reason under 'overridden'.",
    )
    ASSUMPTIONS.write_alone(sheet, 4, entries)
    _finish_list(sheet, 4, len(entries), len(ASSUMPTIONS.columns))
    return sheet


def choices_sheet(name: str, choices: Sequence[Selection[object]], page_setup: PageSetup) -> Sheet:
    """Return the choices by result with all candidates compared."""
    rows = list(choice_rows(choices))
    sheet = Sheet(name, freeze=(5, 3), page=page_setup.page(large=True, repeat_rows=(4, 4)))
    words = "Candidates for each subsystem selected by result, selected one first."
    write_heading(sheet, CHOICES.title, words if rows else "All equipment is as specified.")
    CHOICES.write_alone(sheet, 4, rows)
    _finish_list(sheet, 4, len(rows), len(CHOICES.columns))
    return sheet


def checks_sheet(
    name: str, checks: Sequence[Check], cells: CheckCells, page_setup: PageSetup
) -> tuple[Sheet, dict[int, Reach]]:
    """Return every check, failed ones first, and the inputs of each row.

    Counts and margins are live, and so are the checks of which `cells` contains both sides.
    """
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(9, 9)))
    write_heading(
        sheet,
        "Checks",
        "Checks against the clauses listed. They do not replace the engineer of record.",
    )
    ordered = sorted(checks, key=_check_order)
    last = 9 + len(ordered)
    _check_counts(sheet, ordered, last)
    grid, reach = CHECKS.write_alone(sheet, 9, ()), dict.fromkeys(range(5, 9), Reach.DEFAULT)
    for check in ordered:
        row, live = grid.write(check), cells.of(check)
        reach[row] = cells.reach(check) if live is None else live.reach
        if live is not None:
            _make_live(grid, row, check, live)
    sheet.freeze = (10, 3)
    _finish_list(sheet, 9, len(ordered), len(CHECKS.columns))
    if ordered:
        span = Span(10, 1, last, 2)
        sheet.conditionals += [
            Conditional(span, 'AND($A10="FAIL",$B10="VIOLATION")', "bad"),
            Conditional(span, 'OR($A10="FAIL",$A10="NOT_EVALUATED",$A10="WAIVED")', "warn"),
            Conditional(span, '$A10="PASS"', "good"),
        ]
    return sheet, reach


def _make_live(grid: Grid[Check], row: int, check: Check, live: LiveCheck) -> None:
    """Make value, limit, outcome and finding of a check formulas."""
    sheet, at = grid.sheet, {key: grid.cell(key, row) for key in _LIVE}
    value, limit = at["value"].here, at["limit"].here
    holds, unchanged = live.holds, live.unchanged
    if live.value:
        test = within_in_cells if check.sense == "<=" else reaches_in_cells
        holds = test(value, limit)
        near, sides = tolerance(check), ((value, check.value), (limit, check.limit))
        same = (f"ABS({here}-{float(of or 0.0)!r})<={near!r}" for here, of in sides)
        unchanged = f"AND({','.join(same)})"
    failed = _outcome(replace(check, outcome=Outcome.FAIL))
    outcome = f'IF({holds},"{Outcome.PASS}","{failed}")'
    formulas = {
        "outcome": f'IF({live.stale},"{STALE}",{outcome})' if live.stale else outcome,
        "why": f'IF({unchanged},{literal_text(check.why)},"{_RECALCULATED}")',
        "value": live.value,
        "limit": live.limit,
        "remedy": f'IF({at["outcome"].here}="{failed}",{literal_text(live.remedy)},"")',
    }
    for key, formula in formulas.items():
        if formula:
            sheet.make_live(row, at[key].column, formula)


def _check_order(check: Check) -> tuple[int, int, str]:
    order = (Outcome.FAIL, Outcome.NOT_EVALUATED, Outcome.WAIVED, Outcome.PASS)
    outcome = order.index(check.outcome)
    return outcome, _SEVERITIES.index(check.severity.value), check.rule


def _check_counts(sheet: Sheet, checks: Sequence[Check], last: int) -> None:
    sheet.row(4, 1, ("Outcome", *_SEVERITIES), "head")
    end = max(last, 10)
    waived = any(check.outcome is Outcome.WAIVED for check in checks)
    shown = [outcome for outcome in Outcome if waived or outcome is not Outcome.WAIVED]
    for row, outcome in enumerate(shown, start=5):
        failed = outcome is Outcome.FAIL
        sheet.put(row, 1, "FINDING" if failed else outcome.value, "cell")
        for column, severity in enumerate(_SEVERITIES, start=2):
            count = sum(c.outcome is outcome and c.severity.value == severity for c in checks)
            head = f"{column_letter(column)}$4"
            word = severity if failed and severity == Severity.ADVICE else outcome.value
            outcomes = f"$A$10:$A${end}"
            counted = f'COUNTIFS({outcomes},"{word}",$B$10:$B${end},{head})'
            counted = f'IF(COUNTIF({outcomes},"{STALE}")>0,"{STALE}",{counted})'
            sheet.formula(row, column, counted, count, "calc.n0")


TRACE: SheetTable[Step] = SheetTable(
    "Calculation trace",
    (
        Column("id", "Result", 34, style="cell"),
        Column("how", "Type", 10, style="cell", of=lambda s: s.origin),
        Column("symbol", "Symbol", 12, style="cell",
               of=lambda s: formula_text(s.equation.symbol) if s.equation else ""),
        Column("formula", "Formula", 34, style="cell",
               of=lambda s: formula_text(s.equation.latex) if s.equation else ""),
        Column("given", "Inputs", 58, style="cell",
               of=lambda s: "; ".join(_input_text(*entry) for entry in s.inputs)),
        Column("value", "Value", 15, of=lambda s: Amount(s.value, s.kind)),
        Column("unit", "Unit", 11, style="cell", door="sheet", of=lambda s: _unit(s.value, s.kind)),
        Column("because", "Basis", 44, style="cell"),
        Column("source", "Source", 38, style="cell", of=lambda s: str(s.source)),
    ),
    0,
    number_role="number",
)  # fmt: skip


def _input_text(name: str, value: float, kind: str, ref: str) -> str:
    shown_value = show(value, kind) if kind else f"{value:g}"
    origin = f" [{ref}]" if ref and ref != name else ""
    return f"{name} = {shown_value}{origin}"


def _finish_list(sheet: Sheet, head_row: int, count: int, columns: int) -> None:
    last = head_row + max(count, 1)
    sheet.filter_span = Span(head_row, 1, last, columns)
    fit_heights(sheet, head_row)
