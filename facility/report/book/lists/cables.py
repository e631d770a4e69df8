"""The cable schedule with lengths, metres by size, and the directories on the panel doors."""

from __future__ import annotations

from collections.abc import Sequence

from facility.power.feeders.nec.tables import wire_sizes
from facility.power.feeders.schedule import Feeder
from facility.power.panels.board.model import Panel
from facility.report.book.panels.supply import (
    NOT_SIZED,
    PanelSupply,
    conductors_text,
    size_text,
    system_text,
)
from facility.report.book.panels.text_grid import row_positions
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup

_HEAD_ROW = 1
_METRES = "{length}*{sets}"
_CABLES: tuple[Column[Values], ...] = (
    Column("tag", "Circuit", 22),
    Column("source", "From", 14),
    Column("target", "To", 20),
    Column("stage", "Stage", 11),
    Column("voltage", "Volts L-L", 9, "line_voltage", number_format="n0"),
    Column("ocpd", "Device A", 8, "current", number_format="n0"),
    Column("conductors", "Conductors", 38),
    Column("raceway", "Raceway / method", 14),
    Column("poles", "Line conductors", 10, "count"),
    Column("sets", "Sets", 6, "count"),
    Column("length", "Length one way m", 9, "length"),
    Column("line_size", "Line size", 12),
    Column("line_m", "Line conductor m", 10, "length", _METRES + "*{poles}"),
    Column("neutral_size", "Neutral size", 12),
    Column("neutral_m", "Neutral m", 10, "length", _METRES),
    Column("earth_size", "Earth size", 12),
    Column("earth_m", "Earth conductor m", 10, "length", _METRES),
)
_USES = (("line_size", "line_m"), ("neutral_size", "neutral_m"), ("earth_size", "earth_m"))
_TOTALS: tuple[Column[Values], ...] = (
    Column("size", "Size", 18),
    Column("line_m", "Line m", 12, "length"),
    Column("neutral_m", "Neutral m", 12, "length"),
    Column("earth_m", "Earth m", 12, "length"),
    Column("all_m", "All m", 12, "length", "{line_m}+{neutral_m}+{earth_m}", number_format="n1"),
)
_ROW_POINTS = 14.0
_DIRECTORY_WIDTHS = (8, 34, 8, 34)


def cables_sheet(
    name: str, feeders: Sequence[Feeder], code: str, page_setup: PageSetup
) -> tuple[Sheet, Grid[Values]]:
    """Return every circuit of the network with conductors and length, and its table."""
    page = page_setup.page(large=True, repeat_rows=(_HEAD_ROW, _HEAD_ROW))
    sheet = Sheet(name, page=page, freeze=(_HEAD_ROW + 1, 2))
    grid = Grid(sheet, _HEAD_ROW, _CABLES, 28)
    grid.set_widths()
    for feeder in feeders:
        grid.write(_cable(feeder, code))
    sheet.filter_span = Span(_HEAD_ROW, 1, max(grid.row - 1, _HEAD_ROW + 1), len(_CABLES))
    return sheet, grid


def circuit_cells(feeder: Feeder, code: str) -> dict[str, GridValue]:
    """Return ends, device, conductors and length of a circuit, by column key."""
    circuit, choice = feeder.circuit, feeder.choice
    row: dict[str, GridValue] = {
        "tag": circuit.tag,
        "source": circuit.source,
        "target": circuit.target,
        "stage": circuit.stage,
        "voltage": circuit.voltage_v,
        "poles": circuit.poles,
        "length": feeder.length_m,
    }
    if choice is None:
        return row | {"ocpd": circuit.breaker_a, "conductors": feeder.refused}
    return row | {
        "ocpd": choice.ocpd_a,
        "conductors": conductors_text(choice, code, circuit.poles),
        "raceway": f"{choice.raceway} {choice.trade_size}".strip(),
    }


def _cable(feeder: Feeder, code: str) -> dict[str, GridValue]:
    circuit, choice, row = feeder.circuit, feeder.choice, circuit_cells(feeder, code)
    if choice is None:
        return row | {"conductors": feeder.refused or NOT_SIZED}
    row["sets"] = sets = choice.sets * circuit.runs
    if choice.is_busway:
        return row
    metal = choice.material.capitalize()
    sizes = (choice.size, choice.neutral_size, choice.egc_size)
    per_set = (circuit.poles, 1, 1)
    for (size_key, metres_key), size, number in zip(_USES, sizes, per_set, strict=True):
        if size:
            row[size_key] = f"{size_text(size, code)} {metal}"
        if size and feeder.length_m is not None:
            row[metres_key] = feeder.length_m * sets * number
    return row


def cable_totals_sheet(
    name: str, cables: Sheet, grid: Grid[Values], page_setup: PageSetup
) -> Sheet:
    """Return metres of conductor by size, summed live on the cable schedule."""
    page = page_setup.page(landscape=False, repeat_rows=(_HEAD_ROW, _HEAD_ROW))
    sheet = Sheet(name, page=page, freeze=(_HEAD_ROW + 1, 2))
    at = {column.key: n for n, column in enumerate(_CABLES, start=1)}
    totals = _metres_by_size(cables, range(grid.first, grid.row), at)
    table = Grid(sheet, _HEAD_ROW, _TOTALS, 18)
    table.set_widths()
    for size, metres in totals.items():
        row = table.write({"size": size, "all_m": sum(metres)})
        for n, ((size_key, metres_key), value) in enumerate(
            zip(_USES, metres, strict=True), start=2
        ):
            sizes, lengths = (grid.span(key).fixed for key in (size_key, metres_key))
            formula = (
                f"SUMPRODUCT(EXACT({cables.quoted}!{sizes},$A{row})*{cables.quoted}!{lengths})"
            )
            sheet.formula(row, n, formula, value, "calc.n1")
    return sheet


def _metres_by_size(
    cables: Sheet, rows: range, at: dict[str, int]
) -> dict[str, tuple[float, float, float]]:
    found: dict[str, list[float]] = {}
    for use, (size_key, metres_key) in enumerate(_USES):
        for row in rows:
            size = cables.cells[row, at[size_key]].value
            metres = cables.cells[row, at[metres_key]].value
            if isinstance(size, str) and isinstance(metres, float):
                found.setdefault(size, [0.0, 0.0, 0.0])[use] += metres
    return {size: (m[0], m[1], m[2]) for size, m in sorted(found.items(), key=_rank)}


def _rank(item: tuple[str, list[float]]) -> tuple[float, str]:
    """Return the rank of a size: by the table, or by its area [mm2]."""
    name, unit, _ = item[0].split()
    return (float(name) if unit == "mm²" else wire_sizes()[name].rank, item[0])


def directories_sheet(
    name: str, panels: Sequence[tuple[Panel, PanelSupply]], page_setup: PageSetup
) -> Sheet:
    """Return the directory of every panel, a page each, as NEC 408.4(A) requires on the door."""
    sheet = Sheet(name)
    sheet.set_widths(*_DIRECTORY_WIDTHS)
    row, breaks = 1, []
    for panel, supply in panels:
        if row > 1:
            breaks.append(row - 1)
        row = _write_directory(sheet, row, panel, supply)
    sheet.page = page_setup.page(landscape=False, breaks=tuple(breaks))
    return sheet


def _write_directory(sheet: Sheet, top: int, panel: Panel, supply: PanelSupply) -> int:
    """Write one directory from row `top`; return the row after it."""
    last_column = len(_DIRECTORY_WIDTHS)
    sheet.merge(Span(top, 1, top, last_column), f"PANEL {panel.tag} · CIRCUIT DIRECTORY", "ptitle")
    sheet.heights[top] = 22.0
    fed = supply.source or panel.fed_from or "not stated"
    lines = (f"Supplied from {fed}", f"{panel.hall} · side {panel.side} · {system_text(panel)} V")
    for offset, text in enumerate(lines, start=1):
        sheet.merge(Span(top + offset, 1, top + offset, last_column), text, "listed")
    head = top + len(lines) + 1
    sheet.row(head, 1, ("Ckt", "Purpose", "Ckt", "Purpose"), "phead")
    purpose = {
        n: f"{circuit.description}, pole {pole + 1}" if pole else circuit.description
        for circuit in panel.circuits
        for pole, n in enumerate(panel.occupied(circuit))
    }
    row = head
    for pair in row_positions(panel):
        row += 1
        for column, position in zip((1, 3), pair, strict=True):
            label = "" if position is None else panel.layout.label(position)
            text = "" if position is None else purpose.get(position, "SPACE")
            sheet.put(row, column, label, "pckt")
            sheet.put(row, column + 1, text, "listed")
    for line in range(top + 1, row + 1):
        sheet.heights[line] = _ROW_POINTS
    return row + 1
