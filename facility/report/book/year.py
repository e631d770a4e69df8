"""The Year sheet, and the workbook of its hours: months, uses, figures of the typical year."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Mapping
from types import MappingProxyType

from facility.core.rounding import closes, closes_in_cells
from facility.report.sheet.entries import Entries, Reach
from facility.report.sheet.grid import Column, Grid, Values
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import (
    PageSetup,
    fit_heights,
    refused_sheet,
    write_heading,
    write_notes,
)
from facility.report.tables.annual import (
    CARBON,
    LEFT_OUT,
    LIMIT_EXCEEDANCES,
    LIMITS,
    MONTHS,
    NOTE,
    PARTS,
    PEAK_LOADINGS,
    POINTS,
    parts_of,
)
from facility.report.tables.hours import HOUR_COLUMNS, hour_values
from facility.report.tables.summary import YEAR_FIGURES
from facility.study.annual.components import STATED, LoadComponents
from facility.study.annual.result import AnnualStudy
from facility.study.design.design import Design

_SUMMED = ("it", "losses", "cooling", "house", "facility", "water")
_WIDTHS = (34, *(13,) * 8)
_PUE = "{facility}/{it}"
_FORMULAS = MappingProxyType(
    {
        "pue.annual": _PUE,
        "ppue.cooling": "({it}+{cooling})/{it}",
        "ppue.losses": "({it}+{losses})/{it}",
        "energy.annual": "{facility}",
        **{f"energy.annual.{group}": f"{{{group}}}" for group in ("it", "losses", "cooling")},
        "energy.annual.house": "{house}",
        "annual.peak": "{peak}",
        "water.annual": "{water}",
        "wue.site": "{water}/{it}",
    }
)
"""Figures derived from the monthly sums; m³/MWh are L/kWh."""
COMPONENT_LIMITS = MappingProxyType({"MLC": "criteria.mlc_limit", "ELC": "criteria.elc_limit"})
"""Field that states the limit of a component."""


def year_sheet(
    name: str, design: Design, entries: Entries, page_setup: PageSetup
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet and its figures by result key; without a year, the reason.

    `entries` get the carbon intensity and the limits that the project states.
    """
    study = design.year
    if study is None:
        return refused_sheet(name, design.year_refusal, page_setup), {}
    sheet = Sheet(name, page=page_setup.page(landscape=False, large=True, fit_height=1))
    write_heading(sheet, "Annual results", f"{study.title}, with the equipment of the design.")
    sheet.set_widths(*_WIDTHS)
    row, sums = _write_months(sheet, study)
    lines = Lines(sheet, row, basis_columns=len(_WIDTHS) - 3, cells=sums)
    _write_parts(lines, study)
    figures = _write_figures(lines, study, _carbon(design, study, entries))
    if study.carbon_kg_s is not None:
        lines.row = CARBON.write(sheet, lines.row + 1, study.months).row
    lines.row = LIMIT_EXCEEDANCES.write(sheet, lines.row + 1, study.exceedances).row
    lines.row = PEAK_LOADINGS.write(sheet, lines.row + 1, study.peak_loads).row
    notes = [*LEFT_OUT]
    if design.components is not None:
        _write_components(lines, design.components, entries)
        notes.append(NOTE)
    write_notes(sheet, lines.row + 1, len(_WIDTHS), notes)
    fit_heights(sheet, 4)
    return sheet, figures


def _write_months(sheet: Sheet, study: AnnualStudy) -> tuple[int, dict[str, Cited]]:
    """Write the months; return the row below them and the cells of the year by column."""
    grid = MONTHS.write(sheet, 4, study.months)
    row, last = grid.row, grid.row - 1
    energies = (f"energy.annual.{group}" for group in study.year.groups)
    keys = dict(zip(_SUMMED, (*energies, "energy.annual", "water.annual"), strict=True))
    sums = grid.total("Year", {name: _si(study, key) for name, key in keys.items()})
    ratio = _PUE.format_map({name: cited.here for name, cited in sums.items()})
    highest = f"MAX({grid.cell('peak', grid.first).here}:{grid.cell('peak', last).here})"
    for name, key, formula in (("pue", "pue.annual", ratio), ("peak", "annual.peak", highest)):
        column = grid.cell(name, row).column
        kind = study.results[key].kind
        sums[name] = table_row(sheet, row, column, _si(study, key), kind, formula, "total")
    return grid.row, sums


def _write_parts(lines: Lines, study: AnnualStudy) -> None:
    """Write the energy by end use, which sums to the metered energy."""
    sheet, sums = lines.sheet, lines.cells
    cells = {"meter": sums["facility"].fixed, "usable": sums["it"].fixed}
    parts = parts_of(study)
    grid = PARTS.write(sheet, lines.row + 1, parts, cells)
    total_j, pue = sum(part.energy_j for part in parts), sum(part.pue for part in parts)
    summed = grid.total("All parts", {"energy": total_j, "share": 1.0, "pue": pue}, blank=False)
    lines.row = grid.row
    meter = sums["facility"]
    condition = closes_in_cells(summed["energy"].here, meter.here)
    holds = closes(total_j, meter.si)
    lines.check("Sum of parts vs. metered energy", condition, holds, "sum of the months")


def _write_components(lines: Lines, found: LoadComponents, entries: Entries) -> None:
    """Write the load points, and the published and stated limits."""
    lines.row = POINTS.write(lines.sheet, lines.row + 1, found.points).row
    if not found.limits:
        return
    grid = LIMITS.write(lines.sheet, lines.row + 1, found.limits)
    for row, limit in enumerate(found.limits, start=grid.first):
        if limit.mark == STATED:
            path, label = COMPONENT_LIMITS[limit.quantity], f"{limit.quantity} limit"
            cited = Cited(grid.cell("limit", row), limit.limit, "fraction")
            entries.link(lines.sheet, cited, path, label, Reach.LIMIT)
    lines.row = grid.row


def _carbon(design: Design, study: AnnualStudy, entries: Entries) -> dict[str, str]:
    """Return the formulas of carbon figures; none without a stated intensity of the whole year."""
    path, site = "site.grid_carbon", design.facility.site
    if site.carbon_kg_per_j is None or study.carbon_kg_s is not None or not entries.states(path):
        return {}
    label, kind = "Grid carbon intensity", "carbon_intensity"
    name = entries.cite(path, label, site.carbon_kg_per_j, kind, Reach.NONE)
    return {"carbon.annual": f"{{facility}}*1000*{name}", "cue": f"{{facility}}*{name}/{{it}}"}


def _write_figures(
    lines: Lines, study: AnnualStudy, of_carbon: Mapping[str, str]
) -> dict[str, Cited]:
    """Write the annual figures, live if derived from the months.

    Cost figures are on the sheet Cost.
    """
    formulas = _FORMULAS | of_carbon
    lines.section("Figures")
    figures = {}
    for key, label in YEAR_FIGURES:
        if key not in study.results or key.startswith("cost."):
            continue
        value, formula = study.results[key], formulas.get(key)
        if formula is None:
            figures[key] = lines.given(label, _si(study, key), value.kind, value.basis)
        else:
            figures[key] = lines.live(label, formula, _si(study, key), value.kind, value.basis)
    return figures


def _si(study: AnnualStudy, key: str) -> float:
    return float(study.results[key].si)


HOURS_SHEET = "Hours"
_MONTHS_SHEET = "Months of the hours"
_BY_USE = {
    "it": "IT (MWh)",
    "losses": "Losses (MWh)",
    "cooling": "Cooling (MWh)",
    "house": "Building (MWh)",
}
_OF_HOURS = "SUMIF({{months}},{{number}},{{{group}_kw}})*{{step}}/1000"
_MONTHS_OF_HOURS: tuple[Column[Values], ...] = (
    Column("name", "Month", 26),
    Column("number", "Number", 9, "count"),
    *(
        Column(group, head, 13, "energy", _OF_HOURS.format(group=group))
        for group, head in _BY_USE.items()
    ),
    Column("facility", "Facility (MWh)", 13, "energy", "SUM({it}:{house})"),
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
    write_heading(sheet, "Hourly results by month", f"{study.title}; summed live on {HOURS_SHEET}.")
    sheet.put(4, 1, "Time step (h)", "label")
    step = sheet.put(4, 2, study.year.hours.step_h, "given.n3")
    ranges = {"months": "month", **{f"{group}_kw": f"{group}_kw" for group in _BY_USE}}
    cells = {name: f"{hours.sheet.quoted}!{hours.span(key).fixed}" for name, key in ranges.items()}
    grid = Grid(sheet, 6, _MONTHS_OF_HOURS, cells=cells | {"step": step.fixed})
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
    year = {key: float(study.results[f"energy.annual.{key}"].si) for key in _BY_USE}
    grid.total("Year", year | {"facility": float(study.results["energy.annual"].si)})
    write_notes(sheet, grid.row + 1, len(_MONTHS_OF_HOURS), LEFT_OUT)
    fit_heights(sheet, 6)
    return sheet
