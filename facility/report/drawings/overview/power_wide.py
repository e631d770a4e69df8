"""Power overview for a screen: a column for each lineup, a row for each kind of equipment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from facility.core.views import System, show_short
from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.status import STATUS_WORDS, Status
from facility.report.drawings.overview.lineups import (
    HallBar,
    LineupCell,
    LineupColumn,
    PowerOverview,
    PowerSource,
    RowHead,
    Switchgear,
)
from facility.report.drawings.overview.parts import (
    NAME_PX,
    REMARK_PX,
    VALUE_PX,
    Circle,
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

WIDTH_PX = 812.0
_GUTTER, _GAP, _PITCH = 108.0, 20.0, 35.0
_RAIL, _SECOND_RAIL, _BAR, _NAME = 56.0, 68.0, 104.0, 138.0
_HIGH: dict[EquipmentKind, float] = {
    "transformer": 86.0,
    "ats": 62.0,
    "lv-board": 70.0,
    "ups": 112.0,
    "sts": 62.0,
    "pdu": 70.0,
    "panel": 84.0,
}
_AREAS: dict[EquipmentKind, tuple[float, float]] = {
    "transformer": (14.0, 70.0),
    "lv-board": (14.0, 44.0),
    "ups": (14.0, 76.0),
    "panel": (14.0, 58.0),
}
"""Top and bottom of symbol and number in a row, which select the equipment."""
_HALL, _MAX_HALLS = 46.0, 3
_UPS = 62.0
_DEAD: tuple[Status, ...] = ("dead", "out", "open")
_SHORT: dict[Status, str] = {"battery": "batt.", "bypass": "byp."}
INKS: dict[Margin, Role] = {
    "ok": "ink",
    "none": "ink",
    "tight": "tight",
    "over": "over",
    "off": "ink-3",
}
SOFT: dict[Margin, Role] = {"tight": "tight-soft", "over": "over-soft"}
_FILLS: dict[Margin, Role] = {"ok": "ok", "tight": "tight", "over": "over"}


def cell_words(cell: LineupCell, *, named: str = "") -> str:
    """Return a cell for a screen reader."""
    more = len(cell.tags) - 1
    name = named or (f"{cell.tag} and {more:,} more" if more else cell.tag)
    most = "at most " if more else ""
    loading = "" if cell.loading is None else f", {most}{percent(cell.loading)} % loaded"
    supply = f", fed from {cell.supply}" if cell.supply else ""
    out = f", {cell.units_out} units out of service" if cell.units_out else ""
    return f"{name}{loading}, {STATUS_WORDS[cell.status]}{supply}{out}"


def wire(points: Sequence[tuple[float, float]], status: Status, width: float = 1.5) -> Stroke:
    """Return a connection, dashed without voltage."""
    dead = status in _DEAD
    return Stroke(tuple(points), "line-3" if dead else "ink-2", width, dashed=dead)


def value(text: str, x: float, y: float, margin: Margin) -> Iterator[Shape]:
    """Yield a number centred at `x`, on a ground and bold where its margin is small."""
    bold = margin in SOFT
    if bold:
        wide = width_of(text, VALUE_PX, bold=True) + 4.0
        yield Rect(x - wide / 2.0, y - 13.0, wide, 18.0, SOFT[margin], radius=4.0)
    yield Words(text, x, y, VALUE_PX, INKS[margin], "middle", bold)


@dataclass
class _Sheet:
    """Shapes and targets drawn so far."""

    shapes: list[Shape] = field(default_factory=list)
    targets: list[HitArea] = field(default_factory=list)


@dataclass(frozen=True)
class _ColumnAt:
    """Position of a column."""

    column: LineupColumn
    x: float
    pitch: float
    top: float
    bottom: float

    @property
    def band(self) -> tuple[float, float, float, float]:
        """Area of the whole column."""
        half = min(self.pitch, 72.0) / 2.0 - 1.0
        return self.x - half, self.top, 2.0 * half, self.bottom - self.top


def power_scene(overview: PowerOverview, system: System = "si") -> OverviewScene:
    """Return the overview with names, loadings in per cent of the rating, and racks."""
    sheet = _Sheet()
    spans, width = _spans(overview)
    counted = any(len(column.names) > 1 for column in overview.columns)
    top = _NAME + (26.0 if counted else 12.0)
    tops: dict[EquipmentKind, float] = {}
    y = top
    for row in overview.rows:
        tops[row.kind] = y
        y += _HIGH[row.kind]
    _heads(sheet, overview, tops)
    columns = []
    for one, (left, right) in zip(overview.switchgear, spans, strict=True):
        step = (right - left) / len(one.columns)
        for n, column in enumerate(one.columns):
            columns.append(_ColumnAt(column, left + (n + 0.5) * step, step, _NAME - 16.0, y + 10.0))
    for at_column in columns:
        _column(sheet, overview.rows, tops, at_column)
    if "sts" in tops:
        _reserve(sheet, columns, tops["sts"] + 4.0)
    feeds = _switchgear(sheet, overview, spans)
    _sources(sheet, overview, columns, feeds, tops, width)
    _halls(sheet, overview, _GUTTER, width, y + 22.0, system)
    return OverviewScene(width, y + 22.0 + _HALL + 4.0, tuple(sheet.shapes), tuple(sheet.targets))


def _label(one: Switchgear, count: int) -> str:
    return one.name.removeprefix("MVS-") if count > 6 else one.name


def _spans(overview: PowerOverview) -> tuple[list[tuple[float, float]], float]:
    """Return left and right end of each switchgear, and the width of the scene."""
    found, count = overview.switchgear, len(overview.switchgear)
    gap = _GAP if count <= 6 else 10.0
    side = 12.0 if _on_ats(overview) else 0.0
    free = WIDTH_PX - _GUTTER - side - gap * (count - 1)
    pitch = max(_PITCH, free / max(1, len(overview.columns)))
    wide = [
        max(len(one.columns) * pitch, width_of(_label(one, count), 13.0, bold=True) + 34)
        for one in found
    ]
    if sum(wide) > free and pitch > _PITCH:
        wide = [max(w - pitch * len(one.columns), 0.0) for w, one in zip(wide, found, strict=True)]
        pitch = max(_PITCH, (free - sum(wide)) / max(1, len(overview.columns)))
        wide = [w + pitch * len(one.columns) for w, one in zip(wide, found, strict=True)]
    spans, x = [], _GUTTER
    for each in wide:
        spans.append((x, x + each))
        x += each + gap
    return spans, max(WIDTH_PX, x - gap + side)


def _on_ats(overview: PowerOverview) -> bool:
    """Return whether the generators feed transfer switches."""
    return any(row.kind == "ats" for row in overview.rows)


def _heads(sheet: _Sheet, overview: PowerOverview, tops: dict[EquipmentKind, float]) -> None:
    """Write the titles of the rows."""
    rows = [("Sources", "", 26.0)]
    if overview.switchgear and overview.switchgear[0].tags:
        rows.append(("Switchgear", overview.voltage, 92.0))
    rows.append(("Lineup", "", _NAME))
    down: dict[EquipmentKind, float] = {"transformer": 36.0, "ups": 44.0}
    for row in overview.rows:
        rows.append((row.title, row.basis, tops[row.kind] + down.get(row.kind, 26.0)))
    for title, basis, y in rows:
        name = fit(title, _GUTTER - 6.0, NAME_PX, bold=True)
        sheet.shapes.append(Words(name, 0.0, y, NAME_PX, bold=True))
        if basis:
            text = fit(basis, _GUTTER - 6.0, REMARK_PX)
            sheet.shapes.append(Words(text, 0.0, y + 16.0, REMARK_PX, "ink-3"))


def _column(
    sheet: _Sheet, rows: Sequence[RowHead], tops: dict[EquipmentKind, float], at_column: _ColumnAt
) -> None:
    """Draw one lineup from its name to its panels."""
    column, x = at_column.column, at_column.x
    cells = [(row.kind, column.cells[row.kind]) for row in rows if row.kind in column.cells]
    first = cells[0][1]
    start = _BAR if any(row.kind == "transformer" for row in rows) else _RAIL
    sheet.shapes.append(wire(((x, start), (x, _NAME - 13.0)), first.status))
    dead = column.cells["ups"].margin == "off"
    name = fit(column.name, at_column.pitch - 2.0, NAME_PX, bold=True)
    role: Role = "ink-3" if dead else "ink"
    sheet.shapes.append(Words(name, x, _NAME, NAME_PX, role, "middle", bold=True))
    y = _NAME + 6.0
    if len(column.names) > 1:
        y += 14.0
        count = Words(f"×{len(column.names)}", x, y - 4.0, REMARK_PX, "ink-3", "middle")
        sheet.shapes.append(count)
    sheet.shapes.append(wire(((x, y), (x, tops[cells[0][0]])), first.status))
    for n, (kind, cell) in enumerate(cells):
        top, high = tops[kind], _HIGH[kind]
        after = cells[n + 1][1].status if n + 1 < len(cells) else cell.status
        end = tops[cells[n + 1][0]] if n + 1 < len(cells) else at_column.bottom + 12.0
        if kind == "ups" and n + 1 == len(cells):  # a reserve, which feeds the static switches
            end = tops.get("sts", end) + 4.0
        sheet.shapes += _cell(kind, cell, at_column, top, end, after)
        half = min(at_column.pitch - (4.0 if kind == "ups" else 0.0), 72.0) / 2.0
        up, down = _AREAS.get(kind, (6.0, high - 8.0))
        area = x - half, top + up, 2.0 * half, down - up
        sheet.targets.append(HitArea(cell.tags, *area, cell_words(cell), at_column.band))


def _cell(
    kind: EquipmentKind,
    cell: LineupCell,
    at_column: _ColumnAt,
    top: float,
    end: float,
    after: Status,
) -> Iterator[Shape]:
    """Yield symbol and number of a cell, and the connection through it down to `end`."""
    x, pitch, dead = at_column.x, at_column.pitch, cell.margin == "off"
    ink: Role = "line-3" if cell.status in _DEAD else "ink-2"
    if kind == "ups":
        yield from _ups(cell, x, min(pitch - 4.0, 72.0), top + 14.0)
        yield wire(((x, top), (x, top + 14.0)), cell.status)
        yield wire(((x, top + 14.0 + _UPS), (x, end)), after)
        return
    if kind == "transformer":
        yield wire(((x, top), (x, top + 18.0)), cell.status)
        yield Circle(x, top + 25.0, 7.0, stroke=ink)
        yield Circle(x, top + 34.0, 7.0, stroke=ink)
        yield wire(((x, top + 41.0), (x, top + 49.0)), cell.status)
        text_y = top + 64.0
    elif kind in ("ats", "sts"):
        yield from _switch(kind, cell, x, top)
        text_y = top + 44.0
    else:
        half = min(pitch - 8.0, 48.0) / 2.0
        yield wire(((x, top), (x, top + 20.0)), cell.status)
        bar = ((x - half, top + 20.0), (x + half, top + 20.0))
        yield wire(bar, cell.status, 2.5 if kind == "panel" else 3.5)
        text_y = top + 38.0
    if kind in ("ats", "sts"):
        text = fit(cell.supply.removeprefix("UPO-"), pitch - 2.0, 11.0)
        if kind == "ats":
            text = "utility" if _is_first(kind, cell) else "gen."
        text = "–" if dead else text
        yield Words(text, x, text_y, 11.0, "ink-3" if dead else "ink-2", "middle")
    else:
        text = "–" if dead else percent(cell.loading)
        yield from value(text, x, text_y, cell.margin)
    if kind in ("panel", "pdu") and len(cell.tags) > 1:
        text_y += 15.0
        yield Words(f"×{len(cell.tags):,}", x, text_y, REMARK_PX, "ink-3", "middle")
    elif cell.units_out:
        text_y += 14.0
        yield Words(f"{cell.units_out} out", x, text_y, 11.0, "over", "middle")
    yield wire(((x, text_y + 6.0), (x, end)), after)


def _ups(cell: LineupCell, x: float, wide: float, y: float) -> Iterator[Shape]:
    """Yield a UPS as a box that is filled to its loading; crossed without voltage."""
    left = x - wide / 2.0
    if cell.margin == "off" or cell.status == "open":
        yield Rect(left, y, wide, _UPS, "off-soft", "line-2", 4.0)
        yield from cross(x, y + _UPS / 2.0, 5.0)
        return
    fill = _FILLS.get(cell.margin, "ink")
    yield Rect(left, y, wide, _UPS, "bg", "line-3", 4.0, 2.0 if cell.margin in SOFT else 1.0)
    level = (_UPS - 4.0) * min(1.0, max(0.0, cell.loading or 0.0))
    if level > 2.0:
        low = y + _UPS - 2.0
        soft: Role = SOFT.get(cell.margin, "ok-soft")
        yield Rect(left + 2.0, low - level, wide - 4.0, level, soft, radius=2.0)
        solid: Role = "over-fill" if cell.margin == "over" else "ok-fill"
        solid = "tight-fill" if cell.margin == "tight" else solid
        yield Stroke(((left + 2.0, low - level), (left + wide - 2.0, low - level)), solid, 2.0)
    note = f"{cell.units_out} out" if cell.units_out else _SHORT.get(cell.status, "")
    text_y = y + 43.0
    if 14.0 < level < 34.0:  # the line of the level would cross the number
        text_y = y + _UPS - 7.0 - level
    yield Words(percent(cell.loading), x, text_y, VALUE_PX, fill, "middle", bold=True)
    if note:
        yield Words(note, x, text_y + 13.0, 11.0, "ink-2", "middle")


def _switch(kind: EquipmentKind, cell: LineupCell, x: float, top: float) -> Iterator[Shape]:
    """Yield a transfer switch: two contacts, the closed one filled."""
    second = not _is_first(kind, cell)
    for at_x, closed in ((x - 8.0, not second), (x + 8.0, second)):
        shut = closed and cell.margin != "off" and cell.supply
        yield Rect(at_x - 4.0, top + 16.0, 8.0, 8.0, "ink-2" if shut else "bg", "ink-2", width=1.5)
    yield wire(((x, top), (x, top + 8.0), (x - 8.0, top + 8.0), (x - 8.0, top + 16.0)), cell.status)
    yield wire(((x - 8.0, top + 28.0), (x + 8.0, top + 28.0)), cell.status)
    for at_x in (x - 8.0, x + 8.0):
        yield wire(((at_x, top + 24.0), (at_x, top + 28.0)), cell.status)


def _is_first(kind: EquipmentKind, cell: LineupCell) -> bool:
    """Return whether a transfer switch is on its preferred supply."""
    if kind == "ats":
        return not cell.supply.startswith("G")
    return cell.supply.removeprefix("UPO-") in cell.tag


def _switchgear(
    sheet: _Sheet, overview: PowerOverview, spans: Sequence[tuple[float, float]]
) -> list[tuple[str, float, bool, Status]]:
    """Draw the switchgear; return its feeds: source, position, whether used, and status."""
    feeds: list[tuple[str, float, bool, Status]] = []
    for one, (left, right) in zip(overview.switchgear, spans, strict=True):
        if not one.tags:
            continue
        label, dead = _label(one, len(spans)), one.status in _DEAD
        sheet.shapes.append(wire(((left, _BAR), (right, _BAR)), one.status, 4.0))
        out = one.status == "out"
        role: Role = "over" if out else "ink-3" if dead else "ink"
        sheet.shapes.append(Words(label, left, _BAR - 9.0, NAME_PX, role, bold=True))
        x = left + width_of(label, NAME_PX, bold=True) + 10.0
        step = 24.0 if right - left > 150.0 else 12.0
        x = max(x, (left + right - step) / 2.0 - 6.0) if step > 12.0 else x
        for n, (source, used) in enumerate(one.feeds):
            feeds.append((source, x + n * step, used, one.status))
        words = "out of service" if out else "without voltage" if dead else ""
        end = right - width_of(words, REMARK_PX)
        if words and end > x + step * len(one.feeds):
            sheet.shapes.append(Words(words, right, _BAR - 9.0, REMARK_PX, role, "end"))
        cell = LineupCell(one.tags[0], one.tags, None, one.status)
        area = left, _BAR - 24.0, right - left, 34.0
        sheet.targets.append(HitArea(one.tags, *area, cell_words(cell)))
    return feeds


def _sources(
    sheet: _Sheet,
    overview: PowerOverview,
    columns: Sequence[_ColumnAt],
    feeds: Sequence[tuple[str, float, bool, Status]],
    tops: dict[EquipmentKind, float],
    width: float,
) -> None:
    """Draw utility and generators with their connections to the switchgear or the lineups."""
    span = width - _GUTTER
    spots = {"utility": _GUTTER + 0.4 * span, "generator-plant": _GUTTER + 0.6 * span}
    rails = {"utility": _RAIL, "generator-plant": _SECOND_RAIL}
    for source in overview.sources:
        x, rail = spots[source.kind], rails[source.kind]
        status: Status = source.status if source.used else "open"
        of = [one for one in feeds if (one[0] == "UTIL") == (source.kind == "utility")]
        ends = [at for _, at, _, _ in of]
        if source.kind == "utility" and not feeds:
            ends = [at_column.x for at_column in columns]
        if source.kind == "generator-plant" and _on_ats(overview):
            ends = [*ends, width - 2.0]
            _to_switches(sheet, columns, status, tops["ats"], width - 2.0)
        sheet.shapes.append(wire(((x, 33.0), (x, rail)), status))
        if ends:
            low, high = min([x, *ends]), max([x, *ends])
            sheet.shapes.append(wire(((low, rail), (high, rail)), status))
        for _, at, used, own in of:
            live: Status = "live" if used and own not in _DEAD else "open"
            sheet.shapes.append(wire(((at, rail), (at, _BAR)), live))
            box = Rect(at - 4.0, 80.0, 8.0, 8.0, "bg", "line-3", width=1.5)
            if live == "live":
                box = Rect(at - 4.0, 80.0, 8.0, 8.0, "ink-2", "ink-2", width=1.5)
            sheet.shapes.append(box)
        _source(sheet, source, x, 22.0)


def _to_switches(
    sheet: _Sheet, columns: Sequence[_ColumnAt], status: Status, top: float, x: float
) -> None:
    """Draw the generator bus at low voltage along the transfer switches."""
    rail, first = top + 4.0, min(at_column.x for at_column in columns) + 8.0
    sheet.shapes.append(wire(((x, _SECOND_RAIL), (x, rail), (first, rail)), status))
    for at_column in columns:
        at = at_column.x + 8.0
        sheet.shapes.append(wire(((at, rail), (at, top + 16.0)), status))


def _reserve(sheet: _Sheet, columns: Sequence[_ColumnAt], rail: float) -> None:
    """Draw the outputs of the reserve along the static switches that it can feed."""
    reserves = [at_column for at_column in columns if "sts" not in at_column.column.cells]
    fed = [at_column for at_column in columns if "sts" in at_column.column.cells]
    if not reserves or not fed:
        return
    carries = any((at_column.column.cells["ups"].loading or 0.0) > 0.0 for at_column in reserves)
    status: Status = "live" if carries else "open"
    ends = [at_column.x for at_column in reserves] + [at_column.x + 8.0 for at_column in fed]
    sheet.shapes.append(wire(((min(ends), rail), (max(ends), rail)), status))
    for at_column in fed:
        x = at_column.x + 8.0
        used = not _is_first("sts", at_column.column.cells["sts"])
        own: Status = "live" if used and carries else "open"
        sheet.shapes.append(wire(((x, rail), (x, rail + 12.0)), own))


def _source(sheet: _Sheet, source: PowerSource, x: float, y: float) -> None:
    """Draw a source with its two lines of text, left of the symbol for the utility."""
    ink: Role = "ink-2" if source.used else "line-3"
    sheet.shapes.append(Circle(x, y, 11.0, "bg", ink))
    left = source.kind == "utility"
    side, anchor = (x - 18.0, "end") if left else (x + 18.0, "start")
    room = x - 18.0 - _GUTTER if left else 300.0
    if left:
        wave = ((x - 6, y), (x - 4.5, y - 3), (x - 2, y - 3), (x + 2, y + 3), (x + 4.5, y + 3))
        sheet.shapes.append(Stroke((*wave, (x + 6, y)), ink))
    else:
        sheet.shapes.append(Words("G", x, y + 4.5, 12.0, ink, "middle", bold=True))
    title = fit(source.title, room, NAME_PX, bold=True)
    role: Role = "over" if source.status == "out" else INKS[source.margin]
    role = "ink-3" if source.margin == "none" and role == "ink" else role
    role = "ink-2" if role == "ink" else role
    sheet.shapes.append(Words(title, side, y - 4.0, NAME_PX, "ink", anchor, bold=True))  # type: ignore[arg-type]
    bold = source.margin in SOFT
    sheet.shapes.append(Words(source.remark, side, y + 12.0, REMARK_PX, role, anchor, bold))  # type: ignore[arg-type]
    wide = width_of(title, NAME_PX, bold=True) + 36.0
    start = x - wide + 14.0 if left else x - 14.0
    words = f"{source.title}, {source.remark}"
    sheet.targets.append(HitArea(source.tags, start, y - 18.0, wide, 36.0, words))


def hall_lines(hall: HallBar, system: System) -> tuple[str, str, str, bool]:
    """Return racks and panels, racks served, power, and whether racks lose power."""
    racks = f"{hall.racks:,} rack{'' if hall.racks == 1 else 's'} on {hall.panels:,} panels"
    power = show_short(hall.load_w, "active_power", system)
    if not hall.dropped:
        return racks, f"{hall.racks:,} of {hall.racks:,} served", f"{power}, none dropped", False
    lost = show_short(hall.dropped_w, "active_power", system)
    return racks, f"{hall.dropped:,} of {hall.racks:,} dropped", f"{lost} of {power}", True


def _halls(
    sheet: _Sheet, overview: PowerOverview, left: float, right: float, y: float, system: System
) -> None:
    """Draw the halls with their racks, together where there are more than three."""
    halls = few_halls(overview.halls)
    low, high = overview.feeds
    title = "one feed each" if high <= 1 else f"{high} feeds each"
    title = title if low == high else f"{low} to {high} feeds each"
    sheet.shapes.append(Words("Racks", 0.0, y + 18.0, NAME_PX, bold=True))
    sheet.shapes.append(Words(title, 0.0, y + 34.0, REMARK_PX, "ink-3"))
    each = (right - left - 12.0 * (len(halls) - 1)) / max(1, len(halls))
    for n, hall in enumerate(halls):
        x = left + n * (each + 12.0)
        racks, served, power, lost = hall_lines(hall, system)
        edge: Role = "over" if lost else "line-2"
        sheet.shapes.append(Rect(x, y, each, _HALL, "panel", edge, 6.0, 2.0 if lost else 1.0))
        role: Role = "over" if lost else "ok"
        room = each - 38.0 - width_of(served, NAME_PX, bold=True)
        name = fit(hall.name, room, NAME_PX, bold=True)
        room = each - 38.0 - width_of(power, REMARK_PX)
        sheet.shapes += [
            Words(name, x + 14.0, y + 19.0, NAME_PX, bold=True),
            Words(served, x + each - 14.0, y + 19.0, NAME_PX, role, "end", bold=True),
            Words(fit(racks, room, REMARK_PX), x + 14.0, y + 35.0, REMARK_PX, "ink-2"),
            Words(power, x + each - 14.0, y + 35.0, REMARK_PX, "ink-2", "end"),
        ]
        words = f"{hall.name}: {served}, {power}"
        sheet.targets.append(HitArea((hall.name,), x, y, each, _HALL, words))


def few_halls(halls: Sequence[HallBar], limit: int = _MAX_HALLS) -> tuple[HallBar, ...]:
    """Return the halls, or one entry for all if they exceed `limit`."""
    if len(halls) <= limit:
        return tuple(halls)
    return (
        HallBar(
            f"{len(halls)} halls",
            sum(hall.racks for hall in halls),
            sum(hall.panels for hall in halls),
            sum(hall.load_w for hall in halls),
            sum(hall.dropped for hall in halls),
            sum(hall.dropped_w for hall in halls),
        ),
    )
