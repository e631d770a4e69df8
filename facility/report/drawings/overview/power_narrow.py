"""Power overview for a phone: rows of tiles of the UPS below their switchgear, worst first."""

from __future__ import annotations

from facility.core.views import System
from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.overview.lineups import (
    ROW_TITLES,
    HallBar,
    LineupColumn,
    PowerOverview,
    Switchgear,
)
from facility.report.drawings.overview.merge import by_system
from facility.report.drawings.overview.parts import (
    NAME_PX,
    VALUE_PX,
    HitArea,
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
from facility.report.drawings.overview.power_wide import (
    INKS,
    SOFT,
    cell_words,
    few_halls,
    hall_lines,
    wire,
)

WIDTH_PX = 358.0
_PER_ROW, _TILE, _GAP, _ROW_GAP = 6, 70.0, 6.0, 8.0
_LOADING_PX, _MAX_SECTIONS = 16.0, 6
_OTHERS: tuple[EquipmentKind, ...] = ("transformer", "lv-board", "pdu", "panel")


def power_tiles(overview: PowerOverview, system: System = "si") -> OverviewScene:
    """Return the overview as rows of tiles below their switchgear, worst switchgear first."""
    shapes: list[Shape] = []
    targets: list[HitArea] = []
    y = 0.0
    for source in overview.sources:
        role: Role = INKS[source.margin] if source.used else "ink-3"
        bold = source.margin in SOFT
        room = WIDTH_PX - 12.0 - width_of(source.remark, VALUE_PX, bold=bold)
        title = fit(source.title, room, NAME_PX, bold=True)
        shapes.append(Words(title, 0.0, y + 16.0, NAME_PX, bold=True))
        shapes.append(Words(source.remark, WIDTH_PX, y + 16.0, VALUE_PX, role, "end", bold))
        words = f"{source.title}, {source.remark}"
        targets.append(HitArea(source.tags, 0.0, y - 1.0, WIDTH_PX, 24.0, words))
        y += 24.0
    y += 6.0
    ranked = [(max(column.worst for column in one.columns), one) for one in _sections(overview)]
    for _, one in sorted(ranked, key=lambda pair: pair[0], reverse=True):
        y = _section(shapes, targets, one, y)
    for hall in few_halls(overview.halls, 6):
        y = _hall(shapes, targets, hall, y, system)
    return OverviewScene(WIDTH_PX, y + 2.0, tuple(shapes), tuple(targets))


def _sections(overview: PowerOverview) -> list[Switchgear]:
    """Return the switchgear with its lineups; all in one where each has only a few."""
    found = list(overview.switchgear)
    if len(found) > _MAX_SECTIONS:
        found = list(by_system(found))
    if len(found) > _MAX_SECTIONS or (len(found) > 3 and max(len(s.columns) for s in found) < 3):
        columns = tuple(column for one in found for column in one.columns)
        return [Switchgear((), "live", (), columns)]
    return found


def _section(shapes: list[Shape], targets: list[HitArea], one: Switchgear, y: float) -> float:
    """Draw switchgear and the tiles of its lineups; return the place below."""
    dead = one.status in ("out", "dead")
    name = one.name
    role: Role = "over" if one.status == "out" else "ink-3" if dead else "ink"
    remark, remark_role = _remark(one)
    if name or remark:
        shapes.append(Words(name or "UPS", 0.0, y + 15.0, 14.0, role, bold=True))
        if remark:
            shapes.append(Words(remark, WIDTH_PX, y + 15.0, VALUE_PX, remark_role, "end"))
    if one.tags:
        words = f"{name}, {remark}" if remark else name
        targets.append(HitArea(one.tags, 0.0, y - 2.0, WIDTH_PX, 24.0, words))
    y += 24.0
    shapes.append(wire(((2.0, y), (WIDTH_PX - 2.0, y)), one.status, 4.0))
    columns = one.columns
    count = min(_PER_ROW, max(3, len(columns)))
    wide = (WIDTH_PX - 8.0 - _GAP * (count - 1)) / count
    for n, column in enumerate(columns):
        row, place = divmod(n, count)
        x, top = 4.0 + place * (wide + _GAP), y + 10.0 + row * (_TILE + _ROW_GAP)
        if row == 0:
            middle = x + wide / 2.0
            shapes.append(wire(((middle, y), (middle, top)), column.cells["ups"].status))
        _tile(shapes, targets, column, x, top, wide)
    rows = -(-len(columns) // count)
    return y + 10.0 + rows * (_TILE + _ROW_GAP) + 10.0


def _remark(one: Switchgear) -> tuple[str, Role]:
    """Return the deciding equipment other than the UPS: out of service, or the most loaded row."""
    if one.status in ("out", "dead"):
        text = "out of service" if one.status == "out" else "without voltage"
        return text, "over" if one.status == "out" else "ink-3"
    found = [
        (cell.loading, kind, cell.margin)
        for column in one.columns
        for kind, cell in column.cells.items()
        if kind in _OTHERS and cell.loading is not None and cell.margin != "off"
    ]
    if not found:
        return "", "ink-3"
    loading, kind, margin = max(found)
    title = ROW_TITLES[kind].partition(",")[0]
    title = title if title.startswith(("LV", "PDU")) else title.lower()
    role: Role = INKS[margin] if margin in SOFT else "ink-2"
    return f"{title} to {percent(loading)} %", role


def _tile(
    shapes: list[Shape],
    targets: list[HitArea],
    column: LineupColumn,
    x: float,
    y: float,
    wide: float,
) -> None:
    """Draw one UPS: its name and loading, filled to the loading."""
    cell, middle = column.cells["ups"], x + wide / 2.0
    dead = cell.margin == "off" or cell.status == "open"
    if dead:
        shapes.append(Rect(x, y, wide, _TILE, "off-soft", "line-2", 6.0))
        shapes += cross(x + wide - 9.0, y + 9.0, 3.5)
    else:
        tight = cell.margin in SOFT
        shapes.append(Rect(x, y, wide, _TILE, "bg", "line-3", 6.0, 2.0 if tight else 1.0))
        level = (_TILE - 4.0) * min(1.0, max(0.0, cell.loading or 0.0))
        if level > 2.0:
            soft: Role = SOFT.get(cell.margin, "ok-soft")
            top = y + _TILE - 2.0 - level
            shapes.append(Rect(x + 2.0, top, wide - 4.0, level, soft, radius=4.0))
            if tight:
                fill: Role = "over-fill" if cell.margin == "over" else "tight-fill"
                shapes.append(Stroke(((x + 2.0, top), (x + wide - 2.0, top)), fill, 2.0))
    role: Role = "ink-3" if dead else "ink-2"
    count = f" ×{len(column.names)}" if len(column.names) > 1 else ""
    name = fit(f"{column.name}{count}", wide - 4.0, NAME_PX, bold=True)
    text = "–" if dead else percent(cell.loading)
    ink: Role = "ink-3" if dead else "ok" if cell.margin == "ok" else INKS[cell.margin]
    shapes.append(Words(name, middle, y + 28.0, NAME_PX, role, "middle", bold=True))
    shapes.append(Words(text, middle, y + 52.0, _LOADING_PX, ink, "middle", bold=True))
    targets.append(HitArea(cell.tags, x, y, wide, _TILE, cell_words(cell)))


def _hall(
    shapes: list[Shape], targets: list[HitArea], hall: HallBar, y: float, system: System
) -> float:
    racks, served, power, lost = hall_lines(hall, system)
    role: Role = "over" if lost else "ok"
    shapes.append(Rect(0.5, y, WIDTH_PX - 1.0, 46.0, "panel", "over" if lost else "line-2", 6.0))
    room = WIDTH_PX - 32.0 - width_of(served, NAME_PX, bold=True)
    name = fit(hall.name, room, NAME_PX, bold=True)
    room = WIDTH_PX - 32.0 - width_of(power, 12.0)
    shapes += [
        Words(name, 10.0, y + 19.0, NAME_PX, bold=True),
        Words(served, WIDTH_PX - 10.0, y + 19.0, NAME_PX, role, "end", bold=True),
        Words(fit(racks, room, 12.0), 10.0, y + 35.0, 12.0, "ink-2"),
        Words(power, WIDTH_PX - 10.0, y + 35.0, 12.0, "ink-2", "end"),
    ]
    targets.append(HitArea((hall.name,), 0.0, y, WIDTH_PX, 46.0, f"{hall.name}: {served}, {power}"))
    return y + 54.0
