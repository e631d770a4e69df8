"""A plain table of circuits, from a CSV file or a sheet: the columns of the panel CSV, by name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.incoming.grid import ReadCells, plain_heading
from facility.files.io.read_text import read_bytes, text_of
from facility.files.panel_csv.document import panel_of_comment
from facility.files.panel_csv.rows import OPTIONAL, REQUIRED, Cells, circuit_of
from facility.files.workbook.cells import ErrorText
from facility.files.workbook.reading import HEAD_ROWS
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import Circuit, Panel

MAX_BYTES = 262_144
MAX_TABLE_ROWS = 300
_ALIASES = {
    "description": ("load", "load name", "circuit description", "load description", "designation"),
    "poles": ("pole count", "no. of poles", "number of poles"),
    "va": ("load va", "total va", "connected va", "va a", "apparent power va"),
    "va_b": ("va b",),
    "va_c": ("va c",),
    "pf": ("power factor", "cos phi", "cos φ"),
    "breaker_a": ("breaker", "breaker a", "trip", "trip a", "in a", "rating a", "ocpd a"),
    "position": ("ckt", "ckt no.", "circuit number", "circuit no.", "way", "first pole"),
    "fixed": ("locked",),
    "id": ("circuit id",),
    "class": ("load class", "classification"),
    "rack": ("rack id",),
    "side": ("feed",),
    "partner": ("partner circuit", "partners"),
    "connection": ("conn.", "conn"),
    "together": ("keep together", "keep-together"),
    "apart": ("keep apart", "keep-apart"),
    "harmonics": ("third harmonic", "3rd harmonic", "third harmonic %", "3rd harmonic %"),
}
_NAMES = {
    alias: name
    for name in (*REQUIRED, *OPTIONAL)
    for alias in (name, name.replace("_", " "), *_ALIASES[name])
}


@dataclass(frozen=True)
class _SheetCells(Cells):
    """Cells of a row, located by sheet address."""

    locations: Mapping[str, str] = field(default_factory=dict)

    def location(self, column: str) -> str:
        """Return sheet and address, or file, line and column."""
        return self.locations.get(column, f"{self.where}:{column}")


@dataclass(frozen=True)
class TableRead:
    """Imported table: panel, circuits with positions, columns found, errors."""

    panel: Panel
    circuits: tuple[Circuit, ...]
    locations: tuple[str, ...]
    columns: tuple[str, ...]
    ignored: tuple[str, ...]
    problems: tuple[FacilityError, ...]


def csv_grid(path: Path) -> ReadCells:
    """Return a CSV file as a grid; a comment line is its first row.

    Raises ``FILE_MISSING``, ``FILE_TOO_LARGE``, ``FILE_NOT_TEXT`` or ``PANEL_CSV_ROW``.
    """
    text = text_of(read_bytes(path, MAX_BYTES), path.name)
    values: dict[tuple[int, int], str] = {}
    lines = text.splitlines(keepends=True)
    start = 0
    if lines and lines[0].lstrip('"; ').startswith("#"):
        values[1, 1], start = lines[0].strip(), 1
    head = lines[start] if start < len(lines) else ""
    delimiter = ";" if head.count(";") > head.count(",") else ","
    reader = csv.reader(io.StringIO("".join(lines[start:])), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            row = reader.line_num + start
            values |= {(row, c): cell for c, cell in enumerate(cells, start=1) if cell.strip()}
    except csv.Error as error:
        raise FacilityError(
            "PANEL_CSV_ROW",
            f"{path.name}:{reader.line_num + start}",
            f"not readable as CSV: {error}.",
            "Check the quotation marks.",
        ) from None
    return ReadCells(path.name, values, {})


def is_table(grid: ReadCells) -> bool:
    """Return whether the sheet has the headings of a table of circuits of one panel."""
    return _heading(grid)[0] > 0


def read_table(grid: ReadCells, known: Sequence[Panel]) -> TableRead:
    """Return the circuits of a table; read errors are in its problems.

    grid: Sheet or CSV file. A cell above the heading may contain the comment line of a panel CSV.
    known: Panels of the project: without a comment line, the sheet or file name is the tag.

    Raises ``PANEL_CSV_HEADER`` or ``PANEL_CSV_COLUMN``.
    """
    top, columns = _heading(grid)
    if not top:
        raise FacilityError(
            "PANEL_CSV_COLUMN",
            grid.name,
            "no row of headings was found.",
            "Needed: " + ",".join(REQUIRED) + ", or their usual names.",
        )
    for name in REQUIRED:
        if name not in columns:
            raise FacilityError(
                "PANEL_CSV_COLUMN",
                f"{grid.name}:{name}",
                "the column is missing.",
                "Needed: " + ",".join(REQUIRED) + ", or their usual names.",
            )
    heads = _texts(grid, top)
    found = [_NAMES.get(plain_heading(text)) for text in heads.values()]
    for name in columns:
        if found.count(name) > 1:
            raise FacilityError("PANEL_CSV_COLUMN", f"{grid.name}:{name}", "it occurs twice.", "")
    panel = _described(grid, top, known)
    circuits: list[Circuit] = []
    locations, problems = [], []
    last = max((row for row, _ in grid.values), default=top)
    for row in range(top + 1, min(last, top + MAX_TABLE_ROWS) + 1):
        cells = {c: grid.text(row, c) for c in columns.values()}
        if not any(text.strip() for text in cells.values()):
            continue
        try:
            circuits.append(_circuit(grid, row, columns, len(circuits) + 1, panel))
            locations.append(grid.location(row, min(columns.values())))
        except FacilityError as problem:
            problems.append(problem)
    return TableRead(
        panel,
        tuple(circuits),
        tuple(locations),
        tuple(columns),
        tuple(t for c, t in heads.items() if t and c not in columns.values()),
        tuple(problems),
    )


def _heading(grid: ReadCells) -> tuple[int, dict[str, int]]:
    for row, texts in grid.rows(HEAD_ROWS):
        columns: dict[str, int] = {}
        for column, text in texts.items():
            name = _NAMES.get(plain_heading(text))
            if name is not None:
                columns.setdefault(name, column)
        if {"description", "poles"} <= set(columns):
            return row, columns
    return 0, {}


def _texts(grid: ReadCells, row: int) -> dict[int, str]:
    return {column: grid.text(r, column) for r, column in grid.values if r == row}


def _panelboard(line: str, where: str) -> Panel:
    """Return the panelboard of a comment line; a busway has no schedule to compare with."""
    panel = panel_of_comment(line, where)
    if panel.is_busway:
        raise FacilityError(
            "IMPORT_BUSWAY",
            where,
            "a busway is not among the panel schedules of a project.",
            "Balance it from a panel CSV: facility balance busway.csv.",
        )
    return panel


def _described(grid: ReadCells, top: int, known: Sequence[Panel]) -> Panel:
    for row, texts in grid.rows(top - 1):
        for column, text in texts.items():
            if text.lstrip('"; ').startswith("#"):
                return _panelboard(text.lstrip('"; '), grid.location(row, column))
    tag = Path(grid.name).stem
    for panel in known:
        if panel.tag == tag:
            return panel
    raise FacilityError(
        "PANEL_CSV_HEADER",
        grid.name,
        "the panel is not named above the table.",
        "Write e.g. '# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A' above it, or name "
        "the sheet or file like a panel of the project.",
    )


def _circuit(
    grid: ReadCells, row: int, columns: Mapping[str, int], number: int, panel: Panel
) -> Circuit:
    addresses = {name: grid.location(row, column) for name, column in columns.items()}
    for name, column in columns.items():
        if isinstance(grid.calculated(row, column), ErrorText):
            shown = f"the cell shows {grid.text(row, column)}."
            raise FacilityError("IMPORT_CELL", addresses[name], shown, "Correct the formula.")
    texts = {name: grid.text(row, column) for name, column in columns.items()}
    # First pole: 1 for ``1,3,5``, 7 for the way ``3L1``.
    first = texts["position"].replace("/", ",").split(",")[0].strip()
    labels = {LAYOUTS[panel.numbering].label(n): n for n in range(1, panel.poles + 1)}
    texts["position"] = str(labels.get(first.upper(), first))
    cells = _SheetCells(texts, f"{grid.name}:{row}", addresses)
    return circuit_of(cells, number, panel)


def unread_columns(names: Iterable[str]) -> str:
    """Return the note on ignored columns."""
    listed = ", ".join(repr(name[:40]) for name in names)
    return f"not read: the columns {listed}" if listed else ""
