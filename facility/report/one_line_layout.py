"""Where equipment stands on a one-line diagram: groups, columns and levels, in millimetres."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.power.network.types import Equipment, EquipmentKind, Network

COLUMN_MM = 63.0
LEVEL_MM = 23.0
MARGIN_MM = 4.0

_LEVELS: dict[EquipmentKind, int] = {
    "utility": 0, "generator-plant": 0, "mv-switchgear": 1, "transformer": 2, "ats": 3,
    "lv-board": 4, "tie": 5, "ups": 6, "static-bypass": 6, "maintenance-bypass": 6,
    "ups-output": 7, "sts": 8, "pdu": 9, "panel": 10, "busway": 10,
}  # fmt: skip
_TOGETHER = ("pdu", "panel", "busway", "sts")
_BYPASSES = ("static-bypass", "maintenance-bypass")
_BUSES = ("mv-switchgear", "lv-board", "ups-output", "tie")
_MIDDLE_MM = 32.5
_BYPASS_MM: dict[EquipmentKind, float] = {"static-bypass": 11.5, "maintenance-bypass": 24.0}
_BUS_HALF_MM = 5.0
_BETWEEN = 0.47
Place = tuple[float, float]


@dataclass(frozen=True)
class Group:
    """Equipment drawn as one symbol, and the groups that can supply it, first choice first."""

    kind: EquipmentKind
    members: tuple[int, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Groups with their places; `spans` are left and right end, equal but for buses."""

    groups: tuple[Group, ...]
    places: tuple[Place, ...]
    spans: tuple[Place, ...]
    width_mm: float
    height_mm: float


def lay_out(network: Network) -> Layout:
    """Return where everything stands; it depends on the network alone, not on its state."""
    groups = _groups(network)
    columns = _columns(groups)
    used = sorted({_LEVELS[group.kind] for group in groups})
    row = {found: n for n, found in enumerate(used)}
    places = tuple(
        (MARGIN_MM + COLUMN_MM * columns[n] + _MIDDLE_MM + _BYPASS_MM.get(group.kind, 0.0),
         MARGIN_MM + LEVEL_MM * (row[_LEVELS[group.kind]] + 0.5))
        for n, group in enumerate(groups)
    )  # fmt: skip
    return Layout(
        groups=tuple(groups),
        places=places,
        spans=_spans(groups, places),
        width_mm=2.0 * MARGIN_MM + COLUMN_MM * (max(columns) + 1.0),
        height_mm=2.0 * MARGIN_MM + LEVEL_MM * len(used),
    )


def _groups(network: Network) -> list[Group]:
    """Return the equipment to draw; PDUs, panels and STS that are equal stand together."""
    groups: list[Group] = []
    of: dict[int, int] = {}
    together: dict[tuple[object, ...], int] = {}
    for n, one in enumerate(network.equipment):
        if one.kind not in _LEVELS:
            continue
        sources = tuple(of[network.index[link.source]] for link in one.links)
        key = _sort(one, sources)
        if one.kind in _TOGETHER and key in together:
            of[n] = together[key]
            found = groups[of[n]]
            groups[of[n]] = Group(found.kind, (*found.members, n), sources)
            continue
        together[key] = of[n] = len(groups)
        groups.append(Group(one.kind, (n,), sources))
    return groups


def _sort(one: Equipment, sources: tuple[int, ...]) -> tuple[object, ...]:
    plate = (one.voltage_v, one.rating_va, one.rating_a, len(one.unit_tags))
    return (one.kind, sources, *plate)


def _columns(groups: Sequence[Group]) -> list[float]:
    """Return the column of each group: leaves side by side, the rest above what it supplies.

    Sources stand at the left, where a narrow screen shows them too.
    """
    below: dict[int, list[int]] = defaultdict(list)
    for n, group in enumerate(groups):
        if group.kind not in _BYPASSES:
            for source in group.sources[:1]:
                below[source].append(n)
    column: dict[int, float] = {}
    taken = 0

    def stand(n: int) -> float:
        nonlocal taken
        leftmost = float(taken)
        spots = [stand(child) for child in below[n]]
        if not spots:
            spots = [float(taken)]
            taken += 1
        middle = (spots[0] + spots[-1]) / 2.0
        column[n] = leftmost if groups[n].kind == "utility" else middle
        return column[n]

    roots = [n for n, group in enumerate(groups) if not group.sources]
    spare = [n for n in roots if groups[n].kind == "generator-plant" and not below[n]]
    for n in roots:
        if n not in spare:
            stand(n)
    first = _spare_column(groups, below, [column[n] for n in roots if n in column], taken)
    column |= {n: first + k for k, n in enumerate(spare)}
    beside = _beside(groups)
    for n, group in enumerate(groups):
        if group.kind in _BYPASSES:
            column[n] = column[beside.get(n, group.sources[0])]
    return [column[n] for n in range(len(groups))]


def _spare_column(
    groups: Sequence[Group], below: Mapping[int, Sequence[int]], services: Sequence[float],
    taken: int,
) -> float:  # fmt: skip
    """Return where the generators stand: between the first columns, or beside the last.

    Beside the last where their wires would cross a medium-voltage bus that they do not feed.
    """
    fed = {group.kind for group in groups for n in group.sources if _is_spare(groups[n], below[n])}
    wide = any(g.kind == "mv-switchgear" and len(below[n]) > 1 for n, g in enumerate(groups))
    crosses = wide and fed != {"mv-switchgear"}
    return float(taken) if crosses or not services else max(services) + _BETWEEN


def _is_spare(group: Group, supplied: Sequence[int]) -> bool:
    return group.kind == "generator-plant" and not supplied


def _beside(groups: Sequence[Group]) -> dict[int, int]:
    """Return for each bypass the UPS that it stands beside."""
    return {
        source: group.sources[0]
        for group in groups
        if group.kind == "ups-output"
        for source in group.sources
        if groups[source].kind in _BYPASSES
    }


def _spans(groups: Sequence[Group], places: Sequence[Place]) -> tuple[Place, ...]:
    """Return the ends of each symbol: a bus reaches over all that it supplies."""
    reach: list[list[float]] = [[x] for x, _ in places]
    for n, group in enumerate(groups):
        for way, source in enumerate(group.sources):
            if groups[source].kind in _BUSES and (way == 0 or group.kind in _BYPASSES):
                reach[source].append(places[n][0])
        if group.kind == "ups-output":
            reach[n] += [places[source][0] for source in group.sources]
    return tuple(
        (min(xs) - _BUS_HALF_MM, max(xs) + _BUS_HALF_MM)
        if group.kind in _BUSES
        else (places[n][0], places[n][0])
        for n, (group, xs) in enumerate(zip(groups, reach, strict=True))
    )
