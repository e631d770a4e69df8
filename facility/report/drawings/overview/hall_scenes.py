"""Hall overview: rows of racks as squares, with power and most loaded rack of each row."""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.views import System, show, show_short
from facility.report.drawings.overview.halls import HallRows, RackSquare, SquareRow
from facility.report.drawings.overview.parts import (
    NAME_PX,
    REMARK_PX,
    VALUE_PX,
    HitArea,
    Margin,
    OverviewScene,
    Rect,
    Role,
    Shape,
    Stroke,
    Words,
    cross,
    fit,
    percent,
    width_of,
)

WIDE_PX, NARROW_PX = 812.0, 358.0
_LABEL, _RIGHT = 92.0, 150.0
_RACK_PX = 5.0
_GAP, _SQUARE, _LARGE_SQUARE, _FEW_ROWS = 3.0, 26.0, 44.0, 6
_GROUNDS: dict[Margin, Role] = {
    "ok": "ok-soft",
    "tight": "tight-soft",
    "over": "over-soft",
    "off": "off-soft",
    "none": "panel",
}
_EDGES: dict[Margin, Role] = {
    "ok": "line-3",
    "tight": "tight-fill",
    "over": "over-fill",
    "off": "over-fill",
    "none": "line-3",
}
_INKS: dict[Margin, Role] = {
    "ok": "ink",
    "tight": "tight",
    "over": "over",
    "off": "over",
    "none": "ink-3",
}


def hall_scene(halls: Sequence[HallRows], system: System = "si") -> OverviewScene:
    """Return the halls for a screen, one row of racks per line."""
    shapes: list[Shape] = []
    targets: list[HitArea] = []
    y = 0.0
    room = WIDE_PX - _LABEL - _RIGHT
    for hall in halls:
        y = _head(shapes, targets, hall, WIDE_PX, y, system)
        size = _size(hall, room)
        pitch = max(size, 14.0) + 5.0
        for row in hall.rows:
            middle = y + pitch / 2.0 + 4.5
            shapes.append(Words(row.title, 0.0, middle, NAME_PX, "ink-2"))
            _squares(shapes, targets, row, (_LABEL, y), size, system)
            power = show_short(row.power_w, "active_power", system)
            shapes.append(Words(power, WIDE_PX - 72.0, middle, REMARK_PX, "ink-2", "end"))
            text, margin = _worst(row)
            bold = margin not in ("ok", "none")
            worst = Words(text, WIDE_PX, middle, VALUE_PX, _INKS[margin], "end", bold)
            shapes.append(worst)
            y += pitch
        y += 14.0
    return OverviewScene(WIDE_PX, max(y, 40.0), tuple(shapes), tuple(targets))


def hall_tiles(halls: Sequence[HallRows], system: System = "si") -> OverviewScene:
    """Return the halls for a phone: two lines per row of racks, the worst row first."""
    shapes: list[Shape] = []
    targets: list[HitArea] = []
    y = 0.0
    for hall in halls:
        y = _head(shapes, targets, hall, NARROW_PX, y, system)
        size = _size(hall, NARROW_PX)
        for row in sorted(hall.rows, key=lambda row: row.worst.rank, reverse=True):
            power = show_short(row.power_w, "active_power", system)
            shapes.append(Words(row.title, 0.0, y + 16.0, NAME_PX, bold=True))
            x = width_of(row.title, NAME_PX, bold=True) + 10.0
            shapes.append(Words(f"{row.racks:,} racks, {power}", x, y + 16.0, REMARK_PX, "ink-2"))
            text, margin = _worst(row)
            shapes.append(Words(text, NARROW_PX, y + 16.0, 16.0, _INKS[margin], "end", bold=True))
            _squares(shapes, targets, row, (0.0, y + 22.0), size, system)
            y += 22.0 + size + 10.0
        y += 14.0
    return OverviewScene(NARROW_PX, max(y, 40.0), tuple(shapes), tuple(targets))


def _size(hall: HallRows, room: float) -> float:
    """Return the side of a square."""
    longest = max(len(row.squares) for row in hall.rows)
    most = _LARGE_SQUARE if len(hall.rows) <= _FEW_ROWS else _SQUARE
    return min(most, room / longest - _GAP)


def _head(
    shapes: list[Shape],
    targets: list[HitArea],
    hall: HallRows,
    width: float,
    y: float,
    system: System,
) -> float:
    served = f"{hall.racks - hall.dropped:,} of {hall.racks:,} served"
    role: Role = "over" if hall.dropped else "ok"
    power = show_short(hall.power_w, "active_power", system)
    room = width - width_of(served, NAME_PX, bold=True) - 20.0
    name = fit(hall.name, room, 14.0, bold=True)
    shapes.append(Words(name, 0.0, y + 15.0, 14.0, bold=True))
    x = width_of(name, 14.0, bold=True) + 10.0
    words = f"{hall.racks:,} racks, {power}"
    if x + width_of(words, REMARK_PX) < room:
        shapes.append(Words(words, x, y + 15.0, REMARK_PX, "ink-2"))
    shapes.append(Words(served, width, y + 15.0, NAME_PX, role, "end", bold=True))
    targets.append(HitArea((hall.name,), 0.0, y - 2.0, width, 24.0, f"{hall.name}: {served}"))
    return y + 28.0


def _worst(row: SquareRow) -> tuple[str, Margin]:
    """Return the number of a row: its racks without power, else its highest loading."""
    dark = sum(one.margin == "off" for one in row.squares)
    if dark:
        return f"{dark:,} dark", "off"
    worst = row.worst
    return ("–" if worst.loading is None else f"{percent(worst.loading)} %"), worst.margin


def _squares(
    shapes: list[Shape],
    targets: list[HitArea],
    row: SquareRow,
    at: tuple[float, float],
    size: float,
    system: System,
) -> None:
    x, y = at
    for one in row.squares:
        tight = one.margin in ("tight", "over", "off") or one.partly
        fill: Role = "tight-soft" if one.partly else _GROUNDS[one.margin]
        edge: Role = "tight-fill" if one.partly else _EDGES[one.margin]
        shapes.append(Rect(x, y, size, size, fill, edge, 2.0, 2.0 if tight else 1.0))
        middle, reach = (x + size / 2.0, y + size / 2.0), size / 4.0
        if one.margin == "off":
            shapes += cross(*middle, reach, "over")
        elif one.partly:
            ends = (middle[0] - reach, middle[1] + reach), (middle[0] + reach, middle[1] - reach)
            shapes.append(Stroke(ends, "tight"))
        elif size >= 24.0 and one.loading is not None:
            ink: Role = "ink-2" if one.margin == "ok" else _INKS[one.margin]
            number = f"{100.0 * one.loading:.0f}"
            shapes.append(
                Words(
                    number,
                    middle[0],
                    middle[1] + 4.0,
                    11.0 if size < 32.0 else VALUE_PX,
                    ink,
                    "middle",
                    tight,
                )
            )
        if size >= 8.0:
            foot = y + size - 2.0
            name = fit(one.names[0], size - 2.0, _RACK_PX)
            shapes.append(Words(name, middle[0], foot, _RACK_PX, "ink-2", "middle", near=True))
        targets.append(HitArea(one.names, x, y, size, size, _words(one, system)))
        x += size + _GAP


def _words(one: RackSquare, system: System) -> str:
    more = len(one.names) - 1
    name = f"{one.names[0]} and {more} more" if more else one.names[0]
    power = show(one.power_w, "active_power", system)
    if one.margin == "off":
        return f"{name}: without power, {power}"
    lost = "loses a part of its load, " if one.partly else ""
    loading = "" if one.loading is None else f", worst circuit {percent(one.loading)} % loaded"
    return f"{name}: {lost}{power}{loading}"
