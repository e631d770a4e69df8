"""The PUE sheet: the design-point PUE as a sum of named parts; estimates where no year is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from facility.core.rounding import closes, closes_in_cells
from facility.core.table import Results
from facility.report.sheet.grid import Column, SheetTable
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.report.tables.summary import ESTIMATE_FIGURES

_W, _RATIO = "active_power", "ratio"


class _Part(NamedTuple):
    """A part of the facility load, and its part of the PUE."""

    group: str
    label: str
    cited: Cited
    ratio: float


_PARTS: SheetTable[_Part] = SheetTable(
    "Parts",
    (
        Column("label", "Part", 42, style="cell", of=lambda p: p.label),
        Column("power", "Power kW", 16, _W, "{cited}", of=lambda p: p.cited.si),
        Column("ratio", "Part of PUE", 14, _RATIO, "{power}/$B$5", of=lambda p: p.ratio),
        Column("group", "Group", 62, style="cell", of=lambda p: p.group),
    ),
    head_height=0,
)


def pue_sheet(
    name: str,
    it: Cited,
    parts: Sequence[tuple[str, str, Cited]],
    facility: Cited,
    results: Results,
    page_setup: PageSetup,
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet, and its figures by result key.

    it: IT load at the equipment inputs.
    parts: Group, label and power of every part of the facility load but IT, (str, str, Cited).
    facility: The facility load as the Roll-up sums it.
    results: Results of the sizing: estimates of the year where no hours are known.
    """
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "PUE at the design hour",
        "Facility over IT at the design weather: not an annual PUE.",
    )
    listed = (("IT", "IT load at the equipment inputs", it), *parts)
    grid = _PARTS.write_alone(sheet, 4, ())
    for group, label, cited in listed:
        grid.write(_Part(group, label, cited, cited.si / it.si), {"cited": cited})
    total = it.si + sum(cited.si for _, _, cited in parts)
    sums = grid.total("Sum of the parts: PUE", {"power": total, "ratio": total / it.si})
    lines = Lines(sheet, grid.row)
    _write_crosscheck(lines, sums["power"], facility, it, sums["ratio"])
    found = {"pue.design": sums["ratio"]}
    estimates = [(label, key) for key, label in ESTIMATE_FIGURES if key in results]
    if estimates:
        lines.section("Estimates of the year")
    for label, key in estimates:
        value = results[key]
        found[key] = lines.given(label, float(value.si), value.kind, value.basis)
    fit_heights(sheet, 4)
    return sheet, found


def _write_crosscheck(lines: Lines, summed: Cited, facility: Cited, it: Cited, pue: Cited) -> None:
    lines.section("Cross-check")
    rolled = lines.live("Facility load, sheet Roll-up", str(facility), facility.si, _W)
    lines.live("Facility / IT", f"{rolled.here}/{it}", facility.si / it.si, _RATIO)
    held = closes(summed.si, facility.si)
    lines.verdict(
        "Parts sum to the facility load",
        f'IF({closes_in_cells(summed.here, rolled.here)},"OK","CHECK")',
        "OK" if held else "CHECK",
    )
