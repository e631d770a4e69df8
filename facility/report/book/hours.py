"""The workbook of the hours of a year: every hour, and the months summed from them live."""

from __future__ import annotations

from calendar import month_name

from facility.report.sheet.grid import Column, Grid, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes
from facility.report.tables.annual import LEFT_OUT
from facility.report.tables.hours import HOUR_COLUMNS, hour_values
from facility.study.annual.result import AnnualStudy

HOURS_SHEET = "Hours"
_MONTHS_SHEET = "Months of the hours"
_SUMMED = {"it": "IT MWh", "losses": "Losses MWh", "cooling": "Cooling MWh", "house": "House MWh"}
_OF_HOURS = "SUMIF({{months}},{{number}},{{{group}_kw}})*{{step}}/1000"
_MONTHS: tuple[Column[Values], ...] = (
    Column("name", "Month", 26),
    Column("number", "Number", 9, "count"),
    *(
        Column(group, head, 13, "energy", _OF_HOURS.format(group=group))
        for group, head in _SUMMED.items()
    ),
    Column("facility", "Facility MWh", 13, "energy", "SUM({it}:{house})"),
    Column("pue", "PUE", 9, "ratio", "{facility}/{it}"),
)


def hour_sheets(study: AnnualStudy, page_setup: PageSetup) -> tuple[Sheet, Sheet]:
    """Return the months, summed on the sheet of the hours, and the hours."""
    hours = Sheet(HOURS_SHEET, page=page_setup.page(large=True, repeat_rows=(1, 1)), freeze=(2, 2))
    grid = Grid(hours, 1, tuple(column.column for column in HOUR_COLUMNS))
    grid.set_widths()
    for row in hour_values(study.year):
        grid.write(row)
    return _months(study, grid, page_setup), hours


def _months(study: AnnualStudy, hours: Grid[Values], page_setup: PageSetup) -> Sheet:
    sheet = Sheet(_MONTHS_SHEET, page=page_setup.page(fit_height=1))
    write_heading(sheet, "Months of the hours", f"{study.title}; summed live on {HOURS_SHEET}.")
    sheet.put(4, 1, "Length of a row of the hours, h", "label")
    step = sheet.put(4, 2, study.year.hours.step_h, "given.n3")
    ranges = {"months": "month", **{f"{group}_kw": f"{group}_kw" for group in _SUMMED}}
    cells = {name: f"{hours.sheet.quoted}!{hours.span(key).fixed}" for name, key in ranges.items()}
    grid = Grid(sheet, 6, _MONTHS, cells=cells | {"step": step.fixed})
    grid.set_widths()
    for month in study.months:
        grid.write(
            {
                "name": month_name[month.number],
                "number": month.number,
                **month.energy_j,
                "facility": month.facility_j,
                "pue": month.pue,
            }
        )
    year = {key: float(study.results[f"energy.annual.{key}"].si) for key in _SUMMED}
    grid.total("Year", year | {"facility": float(study.results["energy.annual"].si)})
    write_notes(sheet, grid.row + 1, len(_MONTHS), LEFT_OUT)
    fit_heights(sheet, 6)
    return sheet
