"""Results of a study of failures, by dotted key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facility.core.table import Results, Value
from facility.power.network.outages.availability import LoadAvailability
from facility.power.network.outages.states import State
from facility.power.network.outages.verdicts import LoadGroup, SinglePoint, Verdict
from facility.study.plausible import refuse_impossible


def failure_results(
    depth: int,
    states: Sequence[State],
    verdicts: tuple[Verdict, Verdict],
    points: Sequence[SinglePoint],
    groups: Sequence[LoadGroup],
    availability: Sequence[LoadAvailability],
) -> Results:
    """Return the results: verdicts, counts, extremes over the states, availability."""
    names = ("concurrently_maintainable", "fault_tolerant")
    found: dict[str, Value] = {}
    for name, verdict in zip(names, verdicts, strict=True):
        found[name] = Value(verdict.holds)
        found[f"{name}.because"] = Value(verdict.because)
    found |= {
        "maintenance.unprotected": Value(
            len(verdicts[0].unprotected), "count", "maintenance outages with IT load without a UPS"
        ),
        "single_points": Value(sum(len(point.alike) for point in points), "count"),
        "depth": Value(depth, "count"),
        "states.count": Value(len(states), "count", "states solved"),
        "states.outages": Value(
            sum(s.case.size for s in states), "count", "outages they stand for"
        ),
        "states.dropping": Value(
            sum(s.case.size for s in states if s.dropped_w > 0.0),
            "count",
            "outages that drop IT load",
        ),
        "states.overloaded": Value(
            sum(s.case.size for s in states if s.overloads),
            "count",
            "outages with a component above its rating",
        ),
        "load_dropped.max": Value(max(s.dropped_w for s in states), "active_power", "IT load"),
    }
    return refuse_impossible(
        Results(
            found
            | dict(_extremes(states))
            | dict(_groups(groups))
            | dict(_availability(availability))
        )
    )


def _extremes(states: Sequence[State]) -> Iterator[tuple[str, Value]]:
    loaded = [(s.worst_loading[1], s) for s in states if s.worst_loading is not None]
    if loaded:
        loading, state = max(loaded, key=lambda item: item[0])
        tag = state.worst_loading[0] if state.worst_loading else ""
        yield "loading.max", Value(loading, "fraction", f"{tag} in {state.case.outage.id}")
    served = [(s.lowest_voltage[1], s) for s in states if s.lowest_voltage is not None]
    if served:
        voltage, state = min(served, key=lambda item: item[0])
        tag = state.lowest_voltage[0] if state.lowest_voltage else ""
        yield "voltage.min", Value(voltage, "fraction", f"{tag} in {state.case.outage.id}")
    times = [(s.battery_s, s) for s in states if s.battery_s is not None]
    if times:
        least, state = min(times, key=lambda item: item[0])
        yield "battery.least", Value(least, "time", state.case.outage.id)


def _groups(groups: Sequence[LoadGroup]) -> Iterator[tuple[str, Value]]:
    yield "groups.count", Value(len(groups), "count", "IT load by the UPS systems it hangs on")
    if groups:
        yield "groups.largest", Value(groups[0].load_w, "active_power", _systems(groups[0]))
        yield "groups.smallest", Value(groups[-1].load_w, "active_power", _systems(groups[-1]))


def _systems(group: LoadGroup) -> str:
    return " and ".join(group.systems) or "no UPS"


def _availability(found: Sequence[LoadAvailability]) -> Iterator[tuple[str, Value]]:
    known = [(one.unavailability, one) for one in found if one.unavailability is not None]
    if known and not any(one.missing for one in found):
        down, worst = max(known, key=lambda item: item[0])
        basis = f"{worst.loads[0]}, sum over its minimal cut sets of one or two components"
        yield "availability.worst", Value(1.0 - down, "fraction", basis)
        yield "down_time.worst", Value(worst.down_s or 0.0, "time", "expected in a year")
