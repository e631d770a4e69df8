"""Lineups of a large power train joined to few columns, with their number and their worst."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from facility.power.network.graph.types import EquipmentKind
from facility.report.drawings.one_line.status import worst_of
from facility.report.drawings.overview.lineups import (
    LineupCell,
    LineupColumn,
    PowerOverview,
    Switchgear,
    combined,
)

MAX_COLUMNS = 24
"""Columns that stay legible on a screen."""
_MAX_SECTIONS = 12

_Look = Callable[[LineupColumn], object]


def bounded(overview: PowerOverview, limit: int = MAX_COLUMNS) -> PowerOverview:
    """Return the overview with at most `limit` columns.

    Neighbours with equal numbers are joined first, then all lineups of a switchgear with equal
    numbers, those with the same margins, and those with the same supply. Each joined column shows
    its most loaded equipment and the number of lineups.
    """
    found = list(overview.switchgear)
    if len(found) > min(_MAX_SECTIONS, limit):
        found = list(by_system(found))
    looks: tuple[tuple[_Look, bool], ...] = (
        (_numbers, True),
        (_numbers, False),
        (_margins, False),
        (lambda one: one.cells["ups"].status, False),
    )
    for look, in_order in looks:
        if sum(len(one.columns) for one in found) <= limit:
            break
        found = [replace(one, columns=tuple(_joined(one.columns, look, in_order))) for one in found]
    if sum(len(one.columns) for one in found) > limit:
        found = [replace(one, columns=(join(one.columns),)) for one in found]
    return replace(overview, switchgear=tuple(found))


def join(columns: Sequence[LineupColumn]) -> LineupColumn:
    """Return one column for several lineups, named after the worst."""
    first, *others = columns
    if not others:
        return first
    worst = max(columns, key=lambda column: (column.worst[1], column.worst[0]))
    kinds = dict.fromkeys(kind for column in columns for kind in column.cells)
    cells: dict[EquipmentKind, LineupCell] = {
        kind: combined([column.cells[kind] for column in columns if kind in column.cells])
        for kind in kinds
    }
    return LineupColumn(worst.name, tuple(n for one in columns for n in one.names), cells)


def _joined(columns: Iterable[LineupColumn], look: _Look, in_order: bool) -> Iterator[LineupColumn]:
    if in_order:
        for _, members in groupby(columns, key=look):
            yield join(list(members))
        return
    groups = defaultdict[object, list[LineupColumn]](list)
    for column in columns:
        groups[look(column)].append(column)
    yield from map(join, groups.values())


def _numbers(column: LineupColumn) -> object:
    return tuple(
        (kind, cell.status, None if cell.loading is None else round(cell.loading, 3))
        for kind, cell in column.cells.items()
    )


def _margins(column: LineupColumn) -> object:
    return tuple((kind, cell.status, cell.margin) for kind, cell in column.cells.items())


def by_system(found: Iterable[Switchgear]) -> Iterator[Switchgear]:
    """Yield the sections of the switchgear of each system as one."""
    systems = defaultdict[str, list[Switchgear]](list)
    for one in found:
        systems["-".join(one.tags[0].split("-")[:2]) if one.tags else ""].append(one)
    for parts in systems.values():
        used: dict[str, bool] = {}
        for part in parts:
            for source, taken in part.feeds:
                used[source] = used.get(source, False) or taken
        yield Switchgear(
            tuple(tag for part in parts for tag in part.tags),
            worst_of(part.status for part in parts),
            tuple(used.items()),
            tuple(column for part in parts for column in part.columns),
        )
