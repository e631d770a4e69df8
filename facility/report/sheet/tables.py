"""Shared parts of sheets: page set-up, headings, notes, display units, sheet without a study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from facility.core.kinds import KINDS, value_in
from facility.core.views import System, printed_unit, view_unit
from facility.report.sheet.model import Page, Paper, Sheet, SheetListObject, Span
from facility.report.sheet.styles import look_of

_UNITS = {
    "degC": "°C",
    "m3/s": "m³/s",
    "m2": "m²",
    "kJ/(kg*K)": "kJ/(kg·K)",
    "m3": "m³",
    "m3/h": "m³/h",
    "mohm": "mΩ",
    "m3/kg": "m³/kg",
    "kg/m3": "kg/m³",
}


@dataclass(frozen=True)
class PageSetup:
    """Header, footer and paper of every printed page."""

    project: str
    status: str
    revision: str
    metric_paper: bool

    def page(
        self,
        *,
        landscape: bool = True,
        large: bool = False,
        fit_height: int = 0,
        repeat_rows: tuple[int, int] | None = None,
        area: Span | None = None,
        breaks: tuple[int, ...] = (),
    ) -> Page:
        """Return the page set-up of a sheet."""
        if self.metric_paper:
            paper: Paper = "a3" if large else "a4"
        else:
            paper = "tabloid" if large else "letter"
        return Page(
            paper=paper,
            landscape=landscape,
            fit_height=fit_height,
            repeat_rows=repeat_rows,
            area=area,
            breaks=breaks,
            header=(self.project, "", self.status),
            footer=("{file}", "{sheet} · Page {page} of {pages}", self.revision),
        )


@dataclass(frozen=True)
class Shown:
    """Displayed number: value, number format and unit text."""

    value: float
    format: str
    unit: str


_SYSTEM: ContextVar[System] = ContextVar("system of units of the workbook", default="si")


@contextmanager
def in_units(system: System) -> Iterator[None]:
    """Write the sheets made inside in a system of units.

    Inputs and prices keep the units of the project. Numbers in other units than SI, and formulas
    that refer to them, are results of the engine without a formula, see `without_conversions`.
    """
    before = _SYSTEM.set(system)
    try:
        yield
    finally:
        _SYSTEM.reset(before)


def system_of_units() -> System:
    """Return the system of units in which sheets are written."""
    return _SYSTEM.get()


def is_converted(kind: str) -> bool:
    """Return whether numbers of a kind have another unit than in SI."""
    return kind in KINDS and view_unit(kind, _SYSTEM.get()) != view_unit(kind)


def heading_in(head: str, kind: str, unit: str = "") -> str:
    """Return a heading with the unit of the system in place of the SI unit."""
    if not is_converted(kind):
        return head
    token, other = unit or view_unit(kind), view_unit(kind, _SYSTEM.get())
    return head.replace(f"({_UNITS.get(token, token)})", f"({printed_unit(other)})")


def unit_of(kind: str) -> str:
    """Return the view unit of a kind; empty for a number without kind."""
    return view_unit(kind, _SYSTEM.get()) if kind in KINDS else ""


def shown(si_value: float, kind: str, unit: str = "") -> Shown:
    """Return an SI number of a kind in the unit and format the workbook shows.

    Fractions stay fractions: the cell's percent format shows them in percent. `unit` is a token of
    the kind that overrides the view unit.
    """
    if not kind:
        return Shown(si_value, "n3", "")
    if kind == "fraction":
        return Shown(si_value, "pct", "")
    found = KINDS[kind]
    token = view_unit(kind, _SYSTEM.get()) if is_converted(kind) else unit or view_unit(kind)
    return Shown(
        value_in(found, si_value, token), f"n{found.digits}", _UNITS.get(token, printed_unit(token))
    )


def fit_heights(sheet: Sheet, first_row: int, last_row: int | None = None) -> None:
    """Set the height of each row from `first_row` to `last_row` so that its text is visible.

    Not all spreadsheet programs do this on opening a file; printed pages must not depend on it. A
    character of the body font is about 0.8 of a column's width unit wide.
    """
    heights: dict[int, float] = {}
    merged = {(span.top, span.left): span for span in sheet.merges}
    for (row, column), cell in sheet.cells.items():
        if row < first_row or not isinstance(cell.value, str) or row in sheet.heights:
            continue
        if last_row is not None and row > last_row:
            continue
        span = merged.get((row, column))
        if span is not None and span.bottom > row:
            continue
        look, _ = look_of(cell.style)
        lines = 1
        if look.wrap:
            right = column if span is None else span.right
            width = sum(sheet.widths.get(c, 8.43) for c in range(column, right + 1))
            lines = _lines(cell.value, width * 12.3 / look.size - 2.0)
        heights[row] = max(heights.get(row, 0.0), lines * look.size * 1.28 + 2.5)
    sheet.heights.update(heights)


def _lines(text: str, characters: float) -> int:
    """Return the number of lines of `text` wrapped at words."""
    if len(text) <= characters and "\n" not in text:
        return 1
    lines = 0
    for paragraph in text.split("\n"):
        lines, room = lines + 1, characters
        for word in paragraph.split(" "):
            if len(word) > room and room < characters:
                lines, room = lines + 1, characters
            while len(word) > characters:
                word, lines = word[int(characters) :], lines + 1
            room -= len(word) + 1
    return lines


def as_excel_table(sheet: Sheet) -> None:
    """Make the filtered rows of a sheet an Excel table, if its headings are unique texts."""
    span = sheet.filter_span
    if span is None:
        return
    columns = range(span.left, span.right + 1)
    cells = (sheet.cells.get((span.top, column)) for column in columns)
    heads = [str(cell.value or "").strip().casefold() if cell else "" for cell in cells]
    merged = any(m.bottom >= span.top and m.top <= span.bottom for m in sheet.merges)
    if all(heads) and len(set(heads)) == len(heads) and not merged:
        sheet.filter_span = None
        name = re.sub(r"[^A-Za-z0-9]+", "_", sheet.name)
        sheet.tables.append(SheetListObject(f"{name}_Table", span))


def basis_text(basis: str) -> str:
    """Return the basis of the IT load in words."""
    return basis.replace("datasheet", "data-sheet").replace("_", " ")


def write_heading(sheet: Sheet, title: str, subtitle: str = "") -> None:
    """Write the title rows that every sheet starts with (rows 1 and 2)."""
    sheet.put(1, 1, title, "title")
    sheet.heights[1] = 24
    if subtitle:
        sheet.put(2, 1, subtitle, "subtitle")


def write_notes(sheet: Sheet, row: int, columns: int, notes: Iterable[str]) -> None:
    """Write remarks below a table, each over its first `columns` columns."""
    for at, text in enumerate(notes, start=row):
        sheet.merge(Span(at, 1, at, columns), text, "note")


def refused_sheet(name: str, refusal: str, page_setup: PageSetup) -> Sheet:
    """Return the sheet of a study that was not run, with the reason."""
    sheet = Sheet(name, page=page_setup.page(fit_height=1))
    write_heading(sheet, name, "Not evaluated.")
    sheet.set_widths(100)
    word = refusal.partition(" ")[0].rstrip(",.;:")
    is_word = word.isalpha()  # a path of the project stays as it is typed
    sheet.put(4, 1, f"{refusal[0].upper()}{refusal[1:]}" if is_word else refusal, "wrap")
    fit_heights(sheet, 3)
    return sheet
