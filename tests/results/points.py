"""Alarms of failures and margins of alarm limits, worked once more from the states of the network.

The contacts that close in an outage follow from a walk through the network; a limit that the design
itself reaches lies a margin beyond the extreme value expected in normal operation.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator

from facility.power.network.graph.types import Network, Outage
from facility.study.design.design import Design
from facility.study.points.crossings import PowerAlarms, alarm_coverage
from facility.study.points.limits import AlarmLimit, LimitSet, alarm_limits
from facility.study.points.points import PointsList, design_points
from tests.results.power.flow import State, transferred
from tests.results.power.network import _with_bypasses_open
from tests.results.second import differs
from tests.tools.source_tree import ROOT

_CONTACTS = ("supply_lost", "on_battery", "transferred", "fault")
_MORE = ("supply_unavailable", "leak", "not_ready")
_FAILURES = ("loss", "utility", "utility-generator")
_SENSORS = {"rack-sensor": "hall", "aisle": "hall", "liquid-rack": "rack"}


def alarms_of_failures(found: Design) -> Iterator[str]:
    """Contacts that close on battery and after all switching; none that were closed before."""
    points = design_points(found)
    study, network = found.outages.study, points.design.states.network
    assert study is not None
    own = {
        item.tag: item
        for item in points.items
        if item.tag in network.index and item.equipment != "branch"
    }
    normal = transferred(network, Outage("normal"), batteries=False)
    start_s = found.chain.chain.generator.operation.start_s
    plants = [
        unit for one in network.equipment if one.kind == "generator-plant" for unit in one.unit_tags
    ]
    failed = [one for one in study.states if one.case.kind in _FAILURES]
    states = PowerAlarms(points).crossings(failed)
    for state, crossings in zip(failed, states, strict=True):
        outage = _with_bypasses_open(network, state.case.outage)
        out = state.case.outage.out
        times: dict[tuple[str, str], float] = {}
        waits = bool(state.riding) or state.interrupted_w > 0.0
        steps = [(outage, False, start_s if waits else 0.0)]
        if waits:
            without = Outage(outage.id, (*outage.lost, *plants), outage.maintained)
            steps.insert(0, (without, True, 0.0))
        for one, batteries, at_s in steps:
            walked = transferred(network, one, batteries)
            for name, quantity in _closed(network, walked, normal, out):
                times.setdefault((name, quantity), at_s)
        wanted = {}
        for (tag, quantity), at_s in times.items():
            item = own.get(tag)
            if item is None or quantity not in item.quantities:
                continue
            limits = points.sets.of(item.equipment, quantity, *item.limit_keys)
            if limits is not None:
                wanted[tag, quantity] = at_s + (limits.limits[0].delay_s or 0.0)
        shown = {
            (c.tag, c.quantity): c.time_s
            for c in crossings
            if c.quantity in _CONTACTS and c.tag in own
        }
        if shown != wanted:
            apart = sorted(set(shown.items()) ^ set(wanted.items()))
            yield f"{state.case.outage.id}: {apart[:4]}"
        at = [c.time_s for c in crossings]
        if at != sorted(at):
            yield f"{state.case.outage.id}: alarms at {at}"
    yield from _covered(found, points, len(failed))


def _closed(
    network: Network, walked: State, normal: State, out: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for one in network.equipment:
        tag = one.tag
        if normal.live[tag] and not walked.live[tag]:
            yield tag, "supply_lost"
        if tag in walked.battery:
            yield tag, "on_battery"
        both = normal.live[tag] and walked.live[tag] and walked.number[tag] >= 0
        if both and walked.number[tag] != normal.number[tag]:
            yield tag, "transferred"
        if set(one.unit_tags) & set(out):
            yield tag, "fault"


def _covered(found: Design, points: PointsList, power: int) -> Iterator[str]:
    """Every failure is listed; what is harmful drops load or passes an allowable limit."""
    coverage, study = alarm_coverage(points), found.outages.study
    ride = found.ride_through.study
    assert study is not None
    assert ride is not None
    yield from differs("failures", len(coverage.failures), power + len(ride.evaluated))
    harmful = {s.case.outage.id: s.dropped_w > 0.0 for s in study.states}
    holds = [one.holds for one in ride.evaluated]
    of_power = [one for one in coverage.failures if one.study == "outages"]
    of_ride = [one for one in coverage.failures if one.study != "outages"]
    for one in of_power:
        if one.harmful != harmful[one.id]:
            yield f"{one.id}: harmful {one.harmful}"
    for one, held in zip(of_ride, holds, strict=True):
        if one.harmful == held:
            yield f"{one.id}: harmful {one.harmful}, holds {held}"
    for one in coverage.failures:
        measured = [c for c in one.crossings if c.quantity not in (*_CONTACTS, *_MORE)]
        first = measured[0] if measured else None
        if one.first_limit != first:
            yield f"{one.id}: first limit {one.first_limit}"
    bare = [one for one in coverage.failures if not one.crossings]
    first_harmful = [*(o for o in bare if o.harmful), *(o for o in bare if not o.harmful)]
    if list(coverage.undetected) != first_harmful:
        yield f"undetected: {[one.id for one in coverage.undetected]}"


def margins_of_limits(found: Design) -> Iterator[str]:
    """1 K, or 5 % of the value, beyond what is expected; half of the way to the next limit."""
    points = design_points(found)
    with (ROOT / "facility/study/points/limits.csv").open(encoding="utf-8") as file:
        reached = {
            (row["equipment"], row["quantity"], row["level"], row["rule"])
            for row in csv.DictReader(file)
            if row["reached"]
        }
    expected: dict[tuple[str, str], list[float]] = defaultdict(list)
    kinds = {}
    for point in points:
        kinds[point.quantity] = point.about.kind
        if point.expected is not None:
            name = _SENSORS.get(point.item.equipment, point.item.equipment), point.quantity
            expected[name] += [v for v in point.expected.values if v is not None]
    moved = {(one.equipment, one.quantity, one.tags): one for one in points.sets.sets}
    for before in alarm_limits(found):
        after = moved[before.equipment, before.quantity, before.tags]
        values = expected[before.equipment, before.quantity]
        for limit in before.limits:
            shown = after.at(limit.level)
            named = before.equipment, before.quantity, limit.level, limit.rule
            wanted = limit.value
            if named in reached and values:
                wanted = _beyond(before, limit, values, kinds[before.quantity])
            at = f"{limit.level} limit of {before.quantity} of {before.equipment}"
            if shown is None:
                yield f"{at}: none"
            else:
                yield from differs(at, shown.value, wanted)


def _beyond(limits: LimitSet, limit: AlarmLimit, values: list[float], kind: str) -> float:
    upper = limit.level.startswith("high")
    extreme = max(values) if upper else min(values)
    margin = 1.0 if kind == "temperature" else 0.05 * abs(extreme)
    room = limit.value - extreme if upper else extreme - limit.value
    if room >= 0.2 * margin:
        return limit.value
    outer = limits.at("high-high" if limit.level == "high" else "low-low")
    if limit.level in ("high", "low") and outer is not None:
        way = outer.value - extreme if upper else extreme - outer.value
        margin = min(margin, max(way, 0.0) / 2.0)
    value = extreme + margin if upper else extreme - margin
    return max(value, limit.value) if upper else min(value, limit.value)


def places_of_points(found: Design) -> Iterator[str]:
    """All that stands in a rack is in its row; rows and aisles are those of the hall."""
    items = design_points(found).items
    rows = {one.tag: (one.hall, one.row) for one in items if one.equipment == "rack"}
    for item in items:
        if item.rack in rows and (item.hall, item.row) != rows[item.rack]:
            yield f"{item.equipment} {item.tag}: {item.hall}, row {item.row}, {rows[item.rack]}"
    for hall in found.facility.it.halls:
        own = [item for item in items if item.hall == hall.name]
        numbers = {item.row for item in own if item.equipment == "row"}
        if numbers != {str(n + 1) for n in range(hall.rows)}:
            yield f"rows of {hall.name}: {sorted(numbers)}"
        if {item.row for item in own if item.equipment == "rack"} - numbers:
            yield f"racks of {hall.name} in no row"
        aisles = sum(item.equipment == "aisle" for item in own)
        yield from differs(f"cold aisles of {hall.name}", aisles, (hall.rows + 1) // 2)
        count = sum(rack.count for rack in found.facility.it.racks if rack.hall == hall.name)
        racks = sum(item.equipment == "rack" for item in own)
        yield from differs(f"racks of {hall.name}", racks, count)
