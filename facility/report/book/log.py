"""Provenance of a workbook: the Log sheet and the embedded project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.core.sources import Source
from facility.report.sheet.grid import Column, SheetTable, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading

PROJECT_SHEET = "_project"
CHUNK = 30_000
_OWN = frozenset({"derivation", "definition", "sum", "project", "conservation"})
_VERIFIED = {
    "read": "read at the source",
    "computed": "computed here",
    "secondary": "secondary source",
    "memory": "not verified",
}


def _words(title: str, *heads: str) -> SheetTable[Values]:
    columns = (
        Column[Values](head, head, width, style="cell")
        for head, width in zip(heads, _WIDTHS, strict=False)
    )
    return SheetTable(title, tuple(columns), head_height=0)


def _rows(table: SheetTable[Values], rows: Iterable[Sequence[str]]) -> Iterator[Values]:
    keys = [column.key for column in table.columns]
    return (dict(zip(keys, row, strict=True)) for row in rows)


_WIDTHS = (30, 70, 18, 24)
_FACTS = _words("Workbook data", "Fact", "Value")
_SOURCES = _words("Sources used", "Source", "Locator", "Edition", "Verified")
_NAMES = _words("Sheet names", "Panel", "Sheet")


def log_sheet(
    name: str,
    facts: Mapping[str, str],
    sources: Iterable[Source],
    sheet_names: Sequence[tuple[str, str]],
    page_setup: PageSetup,
) -> Sheet:
    """Return version, hashes, sources used, and changed sheet names.

    `sheet_names` contains (requested name, used name) where they differ.
    """
    sheet = Sheet(name, page=page_setup.page(landscape=False))
    write_heading(sheet, "Log", "Program, project and sources of this workbook.")
    row = _FACTS.write_alone(sheet, 4, _rows(_FACTS, facts.items())).row
    used = sorted({(s.id, s.edition, s.locator, _verified(s)) for s in sources})
    rows = [(id, locator, edition, verified) for id, edition, locator, verified in used]
    row = _SOURCES.write(sheet, row + 1, _rows(_SOURCES, rows)).row
    if sheet_names:
        _NAMES.write(sheet, row + 1, _rows(_NAMES, sheet_names))
    sheet.set_widths(*_WIDTHS)
    fit_heights(sheet, 4)
    return sheet


def _verified(source: Source) -> str:
    if source.id in _OWN:
        return "as typed" if source.id == "project" else "follows from definitions"
    return _VERIFIED.get(source.verified, source.verified)


def project_sheet(text: str, results: Mapping[str, tuple[str, str]]) -> Sheet:
    """Return the hidden sheet that holds the project as typed, in parts that fit into a cell.

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
