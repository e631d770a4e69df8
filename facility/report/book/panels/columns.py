"""The columns of a panel schedule in the workbook, each declared once.

The left side of a schedule has the `SCHEDULE` columns and the VA of three phases, the right side
mirrors it; a list of ways (IEC) has one side and the `WAYS` columns. Header and footer use a form
of 21 columns, which a schedule with more columns stretches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.supply import NOTHING_KNOWN, PanelSupply
from facility.report.sheet.model import CellValue, Ref, Span


class CircuitEntry(NamedTuple):
    """Circuit of a panel with its supply and cables, if known."""

    panel: Panel
    circuit: Circuit
    supply: PanelSupply = NOTHING_KNOWN


class ScheduleColumn(NamedTuple):
    """One column: headings, widths and value in the first row of a circuit."""

    key: str
    head: str  # Heading of a schedule
    widths: tuple[float, float, float]  # In characters: up to 42 poles, more poles, list of ways
    of: Callable[[CircuitEntry], CellValue]
    style: str = "pcode"
    way: str = ""  # Heading of a list of ways, where it is another


def _nothing(_: CircuitEntry) -> None:
    """Return None: the cell is typed, or `body` writes it pole by pole."""


SCHEDULE = (
    ScheduleColumn("ckt", "Ckt", (4.5, 5, 5), _nothing, "pckt", "Way"),
    ScheduleColumn("description", "Description", (23, 42, 25),
                   lambda e: e.circuit.description, "ptext", "Designation"),
    ScheduleColumn("code", "Class", (6, 9, 7), lambda e: e.circuit.class_code),
    ScheduleColumn("poles", "Poles", (4.5, 6, 5), lambda e: e.circuit.poles),
    ScheduleColumn("trip", "Trip\nA", (5, 6, 5), lambda e: e.circuit.breaker_a,
                   "pcode.n0", "In\nA"),
    ScheduleColumn("wire", "Wire", (7, 12, 8),
                   lambda e: e.supply.cables.get(e.circuit.id, ""), "pwire", "Cable\nmm²"),
    ScheduleColumn("note", "Partner\nnote", (9, 11, 5), _nothing, way="Note"),
)  # fmt: skip
_VA_WIDTHS, _PHASE_WIDTHS = (7.5, 11, 8), (3, 4, 4)


class WayColumn(NamedTuple):
    """Column of a list of ways, right of the VA."""

    key: str
    head: str
    width: float
    of: Callable[[CircuitEntry], CellValue] = _nothing
    style: str = "pcode"


WAYS = (
    WayColumn("device", "Device\ntype", 17, lambda e: e.supply.plate.breaker_type),
    WayColumn("curve", "Curve", 8, lambda e: e.supply.plate.curve),
    WayColumn("rcd", "RCD\nmA", 6, lambda e: (
        None if e.supply.plate.rcd_current is None else 1e3 * e.supply.plate.rcd_current.si
    ), "pcode.n0"),
    WayColumn("method", "Ref.\nmethod", 7, lambda e: e.supply.method or None),
    WayColumn("length", "Length\nm", 7,
              lambda e: e.supply.lengths_m.get(e.circuit.id, e.circuit.length_m), "pcalc.a1"),
    WayColumn("load", "Ib A\nworst", 7),
    WayColumn("loop", "Max Zs\nΩ", 7),
    WayColumn("partner", "Partner circuit / connector", 25,
              lambda e: " · ".join(x for x in (e.circuit.partner, e.circuit.plug) if x),
              "ptext"),
)  # fmt: skip
FORM = 21
_ADDED, _ADDED_WAYS = len(SCHEDULE) - 7, len(WAYS) - 9


class Side(NamedTuple):
    """Columns of one side of a schedule: by key, and the first VA column."""

    at: Mapping[str, int]
    va: int


LEFT = Side({column.key: n for n, column in enumerate(SCHEDULE, 1)}, len(SCHEDULE) + 1)
PHASE = LEFT.va + 3
RIGHT = Side({key: 2 * PHASE - n for key, n in LEFT.at.items()}, PHASE + 1)
WAY = {column.key: n for n, column in enumerate(WAYS, PHASE + 1)}
"""Columns of a list of ways by key."""


def widths(size: int, *, single: bool) -> Iterator[float]:
    """Yield the widths of all columns; `size` is an index into those of a `ScheduleColumn`."""
    left = [column.widths[size] for column in SCHEDULE]
    va = [_VA_WIDTHS[size]] * 3
    yield from (*left, *va, _PHASE_WIDTHS[size])
    yield from (*(way.width for way in WAYS), left[0]) if single else (*va, *reversed(left))


class Form(NamedTuple):
    """Form of header and footer on a schedule with two sides, or one (`single`)."""

    single: bool

    def at(self, column: int) -> int:
        """Return the sheet column at which a form column begins."""
        right = _ADDED_WAYS if self.single else _ADDED
        return column + _ADDED * (column >= 7) + right * (column >= 16)

    def span(self, top: int, left: int, bottom: int, right: int) -> Span:
        """Return cells of the form as cells of the sheet."""
        return Span(top, self.at(left), bottom, self.at(right + 1) - 1)

    def fixed(self, row: int, column: int) -> str:
        """Return the absolute address of a cell of the form, for a formula on its sheet."""
        return Ref("", row, self.at(column)).fixed

    def here(self, row: int, column: int) -> str:
        """Return the address of a cell of the form, for a formula on its sheet."""
        return Ref("", row, self.at(column)).here
