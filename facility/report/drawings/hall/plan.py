"""The plan of a hall, as shapes on a plane: racks in rows, two facing a cold aisle. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from facility.core.views import System, show
from facility.report.drawings.hall.shades import Shade, Shading
from facility.study.design.rack_positions import SCHEMATIC, HallLayout, RackPosition

MAX_CELLS = 4000
"""Above this number of racks, equal neighbours are drawn as one."""

_RACK_MM = (6.0, 9.0)
_GAP_MM = 0.6
_COLD_MM, _HOT_MM = 6.0, 3.5
FACING_MM = _RACK_MM[1] + _COLD_MM
"""Distance of two rows that face each other across a cold aisle."""
_LABEL_MM = 11.0
_BETWEEN_MM = 8.0
_MARGIN_MM = 4.0
_ASPECT = 2.1
"""Target aspect ratio of the row layout (width / height)."""


@dataclass(frozen=True)
class RackCell:
    """Racks drawn as one cell: one rack, or equal neighbours in large halls.

    `words` is the text for screen readers and explains the colour.
    """

    racks: tuple[str, ...]
    x_mm: float
    y_mm: float
    wide_mm: float
    high_mm: float
    shade: Shade
    words: str
    position: int = 0  # Of the first rack in its row, from 0


@dataclass(frozen=True)
class Caption:
    """Text on the plan, by the right end of its baseline."""

    text: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class HallPlan:
    """The plan of a hall."""

    title: str
    width_mm: float
    height_mm: float
    cells: tuple[RackCell, ...]
    captions: tuple[Caption, ...]
    legend: tuple[Shade, ...]
    notes: tuple[str, ...]


def hall_plan(layout: HallLayout, shading: Shading, title: str, system: System = "si") -> HallPlan:
    """Return the plan of a hall with its racks in the colours of `shading`."""
    rows = layout.rows
    longest = max((rack.position for rack in layout.racks), default=0) + 1
    row_mm = longest * (_RACK_MM[0] + _GAP_MM)
    columns = _columns(rows, row_mm)
    per_column = _even(math.ceil(max(rows, 1) / columns))
    wide_mm = row_mm + _LABEL_MM + _BETWEEN_MM
    numbers = {rack.name: n for n, rack in enumerate(layout.racks)}
    cells: list[RackCell] = []
    captions: list[Caption] = []
    for row, members in groupby(layout.racks, key=lambda rack: rack.row):
        column, number = divmod(row, per_column)
        x_mm, y_mm = _MARGIN_MM + column * wide_mm + _LABEL_MM, _MARGIN_MM + _down(number)
        captions.append(Caption(f"{row + 1:,}", x_mm - 2.0, y_mm + 0.62 * _RACK_MM[1]))
        standing = [(rack, numbers[rack.name]) for rack in members]
        cells += _row(standing, shading, x_mm, y_mm, len(layout.racks) > MAX_CELLS)
    used = math.ceil(max(rows, 1) / per_column)
    return HallPlan(
        title,
        2.0 * _MARGIN_MM + used * wide_mm - _BETWEEN_MM,
        2.0 * _MARGIN_MM + _down(min(rows, per_column) - 1) + _RACK_MM[1],
        tuple(cells),
        tuple(captions),
        shading.legend,
        (_counts(layout, system), shading.note, SCHEMATIC),
    )


def _columns(rows: int, row_mm: float) -> int:
    """Return the number of columns of rows closest to the screen shape."""
    wide_mm = row_mm + _LABEL_MM + _BETWEEN_MM
    pitch_mm = _RACK_MM[1] + (_COLD_MM + _HOT_MM) / 2.0

    def off(columns: int) -> float:
        shape = columns * wide_mm / (math.ceil(rows / columns) * pitch_mm)
        return abs(math.log(shape / _ASPECT))

    return min(range(1, max(rows, 1) + 1), key=off)


def _even(rows: int) -> int:
    """Return rows of a column; facing rows stay together."""
    return rows + rows % 2 if rows > 1 else 1


def _down(number: int) -> float:
    """Return the vertical offset of row `number` of a column: cold aisle, hot aisle, ..."""
    pairs, second = divmod(number, 2)
    return pairs * (2.0 * _RACK_MM[1] + _COLD_MM + _HOT_MM) + second * (_RACK_MM[1] + _COLD_MM)


def _row(
    racks: list[tuple[RackPosition, int]],
    shading: Shading,
    x_mm: float,
    y_mm: float,
    together: bool,
) -> Iterator[RackCell]:
    def look(one: tuple[RackPosition, int]) -> tuple[object, ...]:
        rack, n = one
        if not together:
            return (n,)
        return (rack.kind.name, rack.panels, shading.shades[n], shading.values[n])

    for _, found in groupby(racks, key=look):
        members = list(found)
        first, n = members[0]
        names = tuple(rack.name for rack, _ in members)
        step = _RACK_MM[0] + _GAP_MM
        named = names[0] if len(names) == 1 else f"{len(names)} racks, {names[0]} to {names[-1]}"
        yield RackCell(
            names,
            x_mm + first.position * step,
            y_mm,
            len(names) * step - _GAP_MM,
            _RACK_MM[1],
            shading.shades[n],
            f"{named}: {shading.values[n]}",
            first.position,
        )


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _counts(layout: HallLayout, system: System) -> str:
    total_w = sum(rack.kind.input_w for rack in layout.racks)
    hall = layout.hall
    return (
        f"{hall.name}: {_counted(len(layout.racks), 'rack')} in {_counted(layout.rows, 'row')},"
        f" {show(total_w, 'active_power', system)} at the rack inputs,"
        f" {show(hall.floor_area_m2, 'area', system)} of floor."
        + (" Rows face each other in pairs across a cold aisle." if layout.rows > 1 else "")
    )
