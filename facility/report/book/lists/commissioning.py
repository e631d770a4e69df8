"""Commissioning steps with expected values, and operating limits, as lists for the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from facility.core.views import view_unit
from facility.report.sheet.grid import Amount, Column, GridValue, Row, SheetTable, at_door
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, shown
from facility.study.commissioning.limits import OperatingLimit
from facility.study.commissioning.model import LEVELS, CommissioningPlan, ExpectedReading, PlanStep

LEVEL_SHEETS = {
    1: "L1 factory",
    2: "L2 installation",
    3: "L3 start-up",
    4: "L4 functional",
    5: "L5 integrated",
}
"""Sheet of each level."""
LIMITS_SHEET = "Operating limits"
_BY_HAND = ("measured", "pass", "initials", "date")
NO_READING = ExpectedReading("")
"""ExpectedReading of a step with an inspection only."""


def amount(reading: ExpectedReading | None, number: float | str | None) -> GridValue:
    """Return a number of a reading as a cell; text and numbers without a kind as they are."""
    if reading is None or number is None:
        return None
    return Amount(number, reading.kind) if reading.kind and not isinstance(number, str) else number


@dataclass(frozen=True)
class ReadingRow:
    """A reading of a step; the first carries the description of the step."""

    step: PlanStep
    reading: ExpectedReading
    first: bool

    @property
    def expected(self) -> GridValue:
        """Expected value as a cell."""
        if self.reading.missing:
            return "NOT_EVALUATED"
        return "" if self.reading.value is None else amount(self.reading, self.reading.value)

    @property
    def tolerance(self) -> str:
        """Tolerance with its source."""
        of = self.reading
        parts = of.tolerance, of.tolerance_source
        return "; ".join(part for part in parts if part)

    @property
    def origin(self) -> str:
        """Origin of the expected value, or the input that decides it."""
        missing = self.reading.missing
        return f"decided by: {missing}" if missing else self.reading.origin


def reading_rows(plan: CommissioningPlan, *levels: int) -> Iterator[ReadingRow]:
    """Yield the readings of all steps, in order; a step without a reading has one empty row."""
    for step in plan.steps:
        if levels and step.level not in levels:
            continue
        for n, reading in enumerate(step.readings or (NO_READING,)):
            yield ReadingRow(step, reading, n == 0)


def _unit(reading: ExpectedReading | None) -> str:
    """Return the unit of the number as the sheet displays it."""
    if reading is None or isinstance(reading.value, str) or reading.value is None:
        return ""
    return shown(0.0, reading.kind).unit if reading.kind else reading.unit


def _token(reading: ExpectedReading | None) -> str:
    """Return the unit of the number in files."""
    if reading is None or isinstance(reading.value, str) or reading.value is None:
        return ""
    return view_unit(reading.kind) if reading.kind else reading.unit


def _blank(key: str, head: str, width: float) -> Column[ReadingRow]:
    return Column(key, head, width, style="cell", of=lambda _: "", json=key)


def _of_step(key: str, head: str, width: float, json: str) -> tuple[Column[ReadingRow], ...]:
    """Return a text of the step: once in a sheet, in each row of a file."""
    return (
        Column(
            key,
            head,
            width,
            style="cell",
            door="sheet",
            of=lambda row: getattr(row.step, key) if row.first else "",
        ),
        Column(key, head, width, door="json", of=lambda row: getattr(row.step, key), json=json),
    )


STEPS: SheetTable[ReadingRow] = SheetTable(
    "Commissioning steps",
    (
        Column("step", "Step", 12, of=lambda row: row.step.id, json="step"),
        Column("level", "Level", 6, "count", door="json", of=lambda r: r.step.level, json="level"),
        *_of_step("equipment", "Equipment", 22, "equipment"),
        *_of_step("action", "What is done", 44, "action"),
        Column(
            "quantity",
            "Reading",
            34,
            style="cell",
            of=lambda row: row.reading.quantity,
            json="quantity",
        ),
        Column("expected", "Expected", 14, style="cell", json="expected"),
        Column("unit", "Unit", 8, door="sheet", of=lambda row: _unit(row.reading)),
        Column("unit", "Unit", 8, door="json", of=lambda row: _token(row.reading), json="unit"),
        Column(
            "low",
            "At least",
            11,
            json="lowest",
            of=lambda row: amount(row.reading, row.reading.low) or "",
        ),
        Column(
            "high",
            "At most",
            11,
            json="highest",
            of=lambda row: amount(row.reading, row.reading.high) or "",
        ),
        _blank("measured", "Measured", 12),
        _blank("pass", "Pass", 7),
        _blank("initials", "Initials", 9),
        _blank("date", "Date", 11),
        Column("tolerance", "Tolerance and source", 24, style="cell", json="tolerance"),
        Column("origin", "Expected value from", 36, style="cell", json="expected_from"),
        *_of_step("initial", "Initial state", 28, "initial_state"),
        *_of_step("acceptance", "Acceptance", 34, "acceptance"),
        *_of_step("restoration", "Restoration", 30, "restoration"),
        *_of_step("source", "Test standard", 16, "source"),
    ),
    head_height=30.0,
)


LIMITS: SheetTable[OperatingLimit] = SheetTable(
    "Set points, limits and actions",
    (
        Column("equipment", "Equipment", 22, style="cell", json="equipment"),
        Column(
            "tags",
            "Tags",
            26,
            style="cell",
            json="tags",
            of=lambda row: tags_text(row.tags) if row.tags else "all",
        ),
        Column(
            "quantity",
            "Quantity",
            24,
            style="cell",
            json="quantity",
            of=lambda row: (row.limit or row.setpoint).quantity,
        ),
        Column(
            "setpoint",
            "Design value",
            13,
            json="design_value",
            of=lambda row: (
                "" if row.setpoint.value is None else amount(row.setpoint, row.setpoint.value)
            ),
        ),
        Column(
            "level",
            "Limit",
            11,
            style="cell",
            json="level",
            of=lambda row: row.level or "not stated",
        ),
        Column(
            "limit",
            "Value",
            13,
            of=lambda row: "" if row.limit is None else amount(row.limit, row.limit.value),
            json="limit",
        ),
        Column("unit", "Unit", 8, door="sheet", of=lambda row: _unit(row.limit or row.setpoint)),
        Column(
            "unit",
            "Unit",
            8,
            door="json",
            of=lambda row: _token(row.limit or row.setpoint),
            json="unit",
        ),
        Column("delay", "Delay (s)", 9, "time", of=lambda row: row.delay_s, json="delay_s"),
        Column("action", "Action", 50, style="cell", json="action"),
        Column(
            "from",
            "Limit from",
            44,
            style="cell",
            json="limit_from",
            door="sheet",
            of=lambda row: row.limit.origin if row.limit is not None else "",
        ),
        Column(
            "from",
            "Limit from",
            44,
            json="limit_from",
            door="json",
            of=lambda row: row.limit.origin if row.limit is not None else "",
        ),
        Column(
            "design_from",
            "Design value from",
            30,
            style="cell",
            json="design_value_from",
            door="sheet",
            of=lambda row: row.setpoint.origin,
        ),
        Column(
            "design_from",
            "Design value from",
            30,
            json="design_value_from",
            door="json",
            of=lambda row: row.setpoint.origin,
        ),
    ),
    head_height=30.0,
)


def tags_text(tags: tuple[str, ...]) -> str:
    """Return tags as text: the first, and the number of the others."""
    return tags[0] if len(tags) == 1 else f"{tags[0]} and {len(tags) - 1:,} more"


def commissioning_sheets(plan: CommissioningPlan, page_setup: PageSetup) -> Iterator[Sheet]:
    """Yield a sheet for each level of the plan that has steps."""
    for level in LEVELS:
        rows = list(reading_rows(plan, level))
        if rows:
            yield _listed(LEVEL_SHEETS[level], STEPS, rows, page_setup, 3)


def limits_sheet(limits: Iterable[OperatingLimit], page_setup: PageSetup) -> Sheet:
    """Return the sheet of the operating limits."""
    return _listed(LIMITS_SHEET, LIMITS, list(limits), page_setup, 2)


def _listed(
    name: str, table: SheetTable[Row], rows: list[Row], page_setup: PageSetup, frozen: int
) -> Sheet:
    """Return a list with its heading in the first row, without columns that are empty."""
    used = [
        column
        for column in at_door("sheet", table.columns)
        if column.key in _BY_HAND or any(column.value(row) not in {"", None} for row in rows)
    ]
    page = page_setup.page(large=True, repeat_rows=(1, 1))
    sheet = Sheet(name, page=page, freeze=(2, frozen))
    grid = replace(table, columns=tuple(used)).write_alone(sheet, 1, rows)
    sheet.filter_span = Span(1, 1, max(grid.row - 1, 2), len(grid.columns))
    fit_heights(sheet, 2)
    return sheet
