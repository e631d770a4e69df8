"""The PUE sheet: the design-point PUE as a sum of named parts, and the year's estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facility.core.table import Results
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_W, _RATIO = "active_power", "ratio"
_ESTIMATES = (
    ("pue.estimate", "PUE, estimate, mean-year weather"),
    ("energy.annual_estimate", "Energy per year, estimate, mean-year weather"),
    ("cost.month_estimate", "Energy cost per month, estimate"),
    ("carbon.annual_estimate", "Carbon per year, estimate, mean-year weather"),
)


def pue_sheet(
    name: str,
    it: Cited,
    parts: Sequence[tuple[str, str, Cited]],
    facility: Cited,
    results: Results,
    furniture: Furniture,
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet, and its figures by result key.

    Parameters
    ----------
    it : Cited
        IT load at the equipment inputs.
    parts : sequence of (str, str, Cited)
        Group, label and power of every part of the facility load but IT.
    facility : Cited
        The facility load as the Roll-up sums it.
    results : Results
        Results of the design, for the estimates.
    """
    sheet = Sheet(name, page=furniture.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "PUE at the design hour",
        "Facility over IT at the design weather: not an annual PUE.",
    )
    sheet.row(4, 1, ("Part", "Power kW", "Part of PUE", "Group"), "head")
    row = 5
    for group, label, cited in (("IT", "IT load at the equipment inputs", it), *parts):
        sheet.put(row, 1, label, "cell")
        table_row(sheet, row, 2, cited.si, _W, str(cited))
        table_row(sheet, row, 3, cited.si / it.si, _RATIO, f"B{row}/$B$5")
        sheet.put(row, 4, group, "cell")
        row += 1
    total = it.si + sum(cited.si for _, _, cited in parts)
    sheet.put(row, 1, "Sum of the parts: PUE", "total")
    summed = table_row(sheet, row, 2, total, _W, f"SUM(B5:B{row - 1})", "total")
    pue = table_row(sheet, row, 3, total / it.si, _RATIO, f"SUM(C5:C{row - 1})", "total")
    sheet.put(row, 4, "", "total")
    lines = Lines(sheet, row + 1)
    _write_crosscheck(lines, summed, facility, it, pue)
    found = {"pue.design": pue}
    lines.section("Estimates of the year")
    for key, label in _ESTIMATES:
        if key in results:
            value = results[key]
            found[key] = lines.given(label, float(value.si), value.kind, value.basis)
    sheet.set_widths(42, 16, 14, 62)
    fit_heights(sheet, 4)
    return sheet, found


def _write_crosscheck(lines: Lines, summed: Cited, facility: Cited, it: Cited, pue: Cited) -> None:
    lines.section("Cross-check")
    rolled = lines.live("Facility load, sheet Roll-up", str(facility), facility.si, _W)
    lines.live("Facility / IT", f"{rolled.here}/{it}", facility.si / it.si, _RATIO)
    held = abs(summed.si - facility.si) <= 1e-9 * facility.si
    lines.verdict(
        "Parts sum to the facility load",
        f'IF(ABS({summed.here}-{rolled.here})<=1E-9*{rolled.here},"OK","CHECK")',
        "OK" if held else "CHECK",
    )
