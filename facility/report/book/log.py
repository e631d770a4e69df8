"""What a workbook says about its own making: the Log sheet and the embedded project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from facility.core.sources import Source
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading, write_table

PROJECT_SHEET = "_project"
CHUNK = 30_000
_OWN = frozenset({"derivation", "definition", "sum", "project", "conservation"})
_VERIFIED = {
    "read": "read at the source",
    "computed": "computed here",
    "secondary": "read in a secondary source",
    "memory": "not verified",
}


def log_sheet(
    name: str,
    facts: Mapping[str, str],
    sources: Iterable[Source],
    sheet_names: Sequence[tuple[str, str]],
    furniture: Furniture,
) -> Sheet:
    """Return version, hashes, the sources used, and names that had to be changed.

    `sheet_names` holds (name wanted, name used) where the two differ.
    """
    sheet = Sheet(name, page=furniture.page(landscape=False))
    write_heading(sheet, "Log", "What made this workbook, and from what.")
    row = write_table(sheet, 4, ("Fact", "Value"), facts.items())
    row = _section(sheet, row, "Sources used")
    rows = sorted({(s.id, s.edition, s.locator, _verified(s)) for s in sources})
    row = write_table(
        sheet,
        row,
        ("Source", "Locator", "Edition", "Verified"),
        [(id, locator, edition, verified) for id, edition, locator, verified in rows],
    )
    if sheet_names:
        row = _section(sheet, row, "Sheet names")
        write_table(sheet, row, ("Panel", "Sheet"), sheet_names)
    sheet.set_widths(30, 70, 18, 24)
    fit_heights(sheet, 4)
    return sheet


def _verified(source: Source) -> str:
    if source.id in _OWN:
        return "as typed" if source.id == "project" else "follows from definitions"
    return _VERIFIED.get(source.verified, source.verified)


def _section(sheet: Sheet, row: int, title: str) -> int:
    sheet.put(row + 1, 1, title, "section")
    return row + 2


def project_sheet(text: str, results: Mapping[str, tuple[str, str]]) -> Sheet:
    """Return the hidden sheet that holds the project as typed, in parts that fit a cell.

    Columns A and B hold part number and text; columns D to F result key, value and unit as text,
    for a comparison after recomputation.
    """
    sheet = Sheet(PROJECT_SHEET, hidden=True)
    sheet.row(1, 1, ("part", "project as typed (JSON)"), "label")
    parts = [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]
    for row, part in enumerate(parts, start=2):
        sheet.put(row, 1, row - 1, "text")
        sheet.put(row, 2, part, "text")
    sheet.row(1, 4, ("result", "value", "unit"), "label")
    for row, (key, (value, unit)) in enumerate(results.items(), start=2):
        sheet.row(row, 4, (key, value, unit), "text")
    return sheet
