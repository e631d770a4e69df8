"""Alarms that each simulated failure crosses, and failures that no alarm detects.

Power outages are evaluated in their two steady states, on battery and after all switching; cooling
failures over the simulated time. Alarms already active in normal operation detect nothing and are
listed separately.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import PASSED_K, time_to
from facility.cooling.ride_through.schedule import Part, RideCase
from facility.core.kinds import FloatArray
from facility.core.rounding import OVER, reaches
from facility.power.network.flow.solve import FlowOutcome, base_state, solve_from
from facility.power.network.flow.transfer import route
from facility.power.network.graph.types import Outage
from facility.power.network.outages.lost import opens_bypasses
from facility.power.network.outages.states import OutageState
from facility.study.points.equipment import GENERATORS, MonitoredItem
from facility.study.points.limits import AlarmLimit, LimitSet, branch_tag, metered_branches
from facility.study.points.points import PointsList
from facility.study.points.schedule import LIMITED_AS, QUANTITIES, is_contact
from facility.study.transient.cases import MAKEUP, UTILITY_SET_OUT
from facility.study.transient.result import RideResult

_KINDS = ("loss", "utility", "utility-generator")
"""Outages that are failures; maintenance is planned."""
_UTILITY_CASES = {"utility": "loss of utility", UTILITY_SET_OUT: "loss of utility and "}
"""Outage of the power network by case of the ride-through study; the second by its beginning."""
_LIVE = 0.5
_CACHE: WeakKeyDictionary[PointsList, AlarmCoverage] = WeakKeyDictionary()
_UNIT_OF: Mapping[Part, str] = {
    "fans": "air-unit",
    "cdus": "cdu",
    "fws_pumps": "pump",
    "chw_pumps": "pump",
    "chillers": "chiller",
    "rejection": "rejection",
    "fws_rejection": "rejection",
}
_LOOP_OF: Mapping[Part, str] = {
    "cdus": "tcs",
    "fws_pumps": "fws",
    "chw_pumps": "chw",
    "rejection": "cw",
    "fws_rejection": "fws_tower",
}
_PUMP_OF: Mapping[Part, str] = {
    "fws_pumps": "P-FWS",
    "chw_pumps": "P-CHW",
    "rejection": "P-CW",
    "fws_rejection": "P-TW",
}
_TEMPERATURES = {
    "inlet_worst": ("hall", "inlet_temperature"),
    "fws_supply": ("loop-fws", "supply_temperature"),
    "tcs_supply": ("loop-tcs", "supply_temperature"),
    "chw_supply": ("loop-chw", "supply_temperature"),
}
"""Class and quantity of the points that measure a simulated temperature."""


@dataclass(frozen=True)
class AlarmCrossing:
    """One alarm crossed in a failure."""

    tag: str  # Equipment of the point
    quantity: str
    limit: AlarmLimit
    time_s: float  # From the failure to the alarm, its delay included [s]

    @property
    def is_contact(self) -> bool:
        """Whether a contact reports it, not a measured value."""
        return is_contact(self.quantity)

    @property
    def words(self) -> str:
        """Equipment and quantity as text."""
        return f"{self.tag} {QUANTITIES[self.quantity].words.lower()}"

    @property
    def key(self) -> tuple[str, str, str]:
        """Equipment, quantity and level."""
        return self.tag, self.quantity, self.limit.level


@dataclass(frozen=True)
class DetectedFailure:
    """One simulated failure and the alarms it crosses, in time order."""

    id: str
    study: str  # "outages" or "ride-through"
    component: str  # Type of the failed component; empty for a cooling failure
    count: int  # Failures it represents
    effect: str  # Effect on IT load or cooling
    crossings: tuple[AlarmCrossing, ...]
    harmful: bool  # Whether it drops IT load, or exceeds an allowable limit

    @property
    def first(self) -> AlarmCrossing | None:
        """The first alarm; None if no alarm detects the failure."""
        return self.crossings[0] if self.crossings else None

    @property
    def first_limit(self) -> AlarmCrossing | None:
        """The first alarm of a measured value."""
        return next((one for one in self.crossings if not one.is_contact), None)


@dataclass(frozen=True, eq=False)
class AlarmCoverage:
    """All simulated failures with their alarms."""

    failures: tuple[DetectedFailure, ...]
    standing: tuple[AlarmCrossing, ...]  # Alarms active in normal operation

    @property
    def undetected(self) -> tuple[DetectedFailure, ...]:
        """Failures that no alarm detects, harmful ones first."""
        found = [one for one in self.failures if one.first is None]
        return tuple(sorted(found, key=lambda one: not one.harmful))


def alarm_coverage(points: PointsList) -> AlarmCoverage:
    """Return the alarms crossed by every failure of the failure and ride-through studies."""
    if points not in _CACHE:
        _CACHE[points] = _covered(points)
    return _CACHE[points]


def _covered(points: PointsList) -> AlarmCoverage:
    design, found = points.design, list[DetectedFailure]()
    power = PowerAlarms(points)
    by_name: dict[str, tuple[AlarmCrossing, ...]] = {}
    outages = design.outages.study
    failed = [one for one in outages.states if one.case.kind in _KINDS] if outages else []
    for state, crossings in zip(failed, power.crossings(failed), strict=True):
        by_name[state.case.outage.id] = crossings
        by_name |= {f"loss of {name}": crossings for name in state.case.alike}
        dropped = f"{state.dropped_w / 1e3:,.0f} kW of IT load dropped" if state.dropped_w else ""
        effect = dropped or "IT load served"
        kind, case = power.component(state), state.case
        harmful = state.dropped_w > 0.0
        of_outage = case.outage.id, "outages", kind, case.size, effect
        found.append(DetectedFailure(*of_outage, crossings, harmful))
    ride = design.ride_through.study
    if ride is None:
        return AlarmCoverage(tuple(found), power.standing)
    for result in ride.evaluated:
        name = _UTILITY_CASES.get(result.case.id, result.case.title)
        if result.case.id == UTILITY_SET_OUT:
            name = next((one for one in by_name if one.startswith(name)), name)
        crossings = (*by_name.get(name, ()), *cooling_crossings(points, result, ride.time_s))
        title = result.case.title + (", temperatures" if result.case.title in by_name else "")
        of_case = title, "ride-through", "", 1, result.first_words
        found.append(DetectedFailure(*of_case, _in_order(crossings), not result.holds))
    return AlarmCoverage(tuple(found), power.standing)


def _in_order(crossings: Iterable[AlarmCrossing]) -> tuple[AlarmCrossing, ...]:
    """Return crossings by time, contacts first, the outermost level of equal times last."""
    return tuple(sorted(crossings, key=lambda one: (one.time_s, not one.is_contact)))


@dataclass(frozen=True, eq=False)
class _LimitedRows:
    """Equipment of the network with one equal limit."""

    quantity: str
    limit: AlarmLimit
    rows: NDArray[np.intp]
    tags: tuple[str, ...]


class PowerAlarms:
    """Alarms of the power network in its steady states."""

    def __init__(self, points: PointsList) -> None:
        self._points, self._design = points, points.design
        self._network = network = points.design.states.network
        self._compiled, self._normal = points.design.states.compiled, points.design.states.normal
        self._start_s = points.design.chain.chain.generator.operation.start_s
        self._unit_of = {tag: one.tag for one in network.equipment for tag in one.unit_tags}
        counts = np.array([len(one.links) for one in network.equipment])
        self._first_link = np.cumsum(counts) - counts
        ratings = [link.rating_a for _, link in network.links]
        self._rating_a = np.array([np.nan if one is None else one for one in ratings])
        self._nominal_v = np.array([one.voltage_v for one in network.equipment])

    def crossings(self, states: Sequence[OutageState]) -> Iterator[tuple[AlarmCrossing, ...]]:
        """Yield the alarms of each outage that are not active in normal operation, by time."""
        standing = {one.key for one in self.standing}
        waiting = [n for n, one in enumerate(states) if one.riding or one.interrupted_w > 0.0]
        plants = tuple(
            tag
            for one in self._network.equipment
            if one.kind == "generator-plant"
            for tag in one.unit_tags
        )
        outages = [state.case.outage for state in states]
        before = [replace(outages[n], lost=(*outages[n].lost, *plants)) for n in waiting]
        # The sets that have not started are not failed: their contacts stay open.
        out = {n: outages[n].out for n in waiting}
        riding = dict(zip(waiting, self._solved(before, list(out.values()), True), strict=True))
        for n, settled in enumerate(self._solved(outages, [one.out for one in outages], False)):
            found: dict[tuple[str, str, str], AlarmCrossing] = {}
            at_s = self._start_s if n in riding else 0.0
            for active, from_s, lasts_s in (
                (riding.get(n, ()), 0.0, at_s),
                (settled, at_s, math.inf),
            ):
                for one in active:
                    delay_s = one.limit.delay_s or 0.0
                    if one.key not in standing and one.key not in found and delay_s <= lasts_s:
                        found[one.key] = replace(one, time_s=from_s + delay_s)
            yield _in_order(found.values())

    def component(self, state: OutageState) -> str:
        """Return the type of the failed component; for a circuit that of the equipment it feeds."""
        if state.case.component_kind not in ("", "circuit"):
            return state.case.component_kind
        circuit = self._design.distribution.plan.circuits.get(state.case.component)
        target = circuit.target if circuit is not None else ""
        known = target in self._network.index
        return f"circuit to {self._network[target].kind if known else 'load'}"

    @cached_property
    def standing(self) -> tuple[AlarmCrossing, ...]:
        """Alarms active in normal operation at the design hour."""
        return tuple(self._active(self._normal, 0, ()))

    def _solved(
        self, outages: Sequence[Outage], out: Sequence[tuple[str, ...]], batteries: bool
    ) -> list[tuple[AlarmCrossing, ...]]:
        """Return the active alarms of each outage, solved together."""
        opened = opens_bypasses(self._network)(outages)
        base = base_state(self._compiled, batteries=batteries)
        found: list[tuple[AlarmCrossing, ...]] = [()] * len(opened)
        routes = route(self._compiled, opened, batteries)
        for numbers, flow in solve_from(base, opened, routes):
            for column, n in enumerate(numbers.tolist()):
                found[n] = tuple(self._active(flow, column, out[n]))
        return found

    @cached_property
    def _limited(self) -> tuple[_LimitedRows, ...]:
        """Equipment of the network by equal limits; a branch circuit is that of its rack PDU."""
        index, found = self._network.index, dict[tuple[int, str], tuple[LimitSet, list[str]]]()
        branches = {
            branch_tag(panel, circuit): f"RPDU {circuit.id}"
            for panel in self._design.panels.panels
            for circuit in metered_branches(panel)
        }
        for item in self._points.items:
            tag = branches.get(item.tag, "") if item.equipment == "branch" else item.tag
            for quantity in item.quantities if tag in index else ():
                limits = self._points.sets.of(item.equipment, quantity, *item.limit_keys)
                if limits is not None:
                    of_set = found.setdefault((id(limits), quantity), (limits, []))
                    of_set[1].append(item.tag)
        rows = []
        for (_, quantity), (limits, tags) in found.items():
            at = np.array([index[branches.get(tag, tag)] for tag in tags], dtype=np.intp)
            rows += [_LimitedRows(quantity, one, at, tuple(tags)) for one in limits.limits]
        return tuple(rows)

    def _active(
        self, flow: FlowOutcome, column: int, out: tuple[str, ...]
    ) -> Iterator[AlarmCrossing]:
        """Yield the alarms active in a state, without delay."""
        values = self._measured(flow, column)
        lost = np.zeros(len(self._network.equipment))
        lost[[self._network.index[self._unit_of[tag]] for tag in out if tag in self._unit_of]] = 1.0
        values["fault"] = lost
        for one in self._limited:
            if one.quantity not in values:
                continue
            measured = values[one.quantity][one.rows]
            if one.limit.while_running:
                measured = np.where(measured > 0.0, measured, np.nan)
            if is_contact(one.quantity):
                beyond = measured > _LIVE
            elif one.limit.is_upper:
                beyond = measured > one.limit.value * OVER
            else:
                beyond = measured * OVER < one.limit.value
            for n in np.flatnonzero(beyond):
                yield AlarmCrossing(one.tags[int(n)], one.quantity, one.limit, 0.0)
        yield from self._boards(flow, column)
        circuits = self._design.distribution.plan.circuits
        for tag in out:
            fed = circuits.get(tag)
            standby = fed is not None and self._network[fed.source].kind in GENERATORS
            yield from self._not_ready(fed.target if fed is not None and standby else tag)

    @cached_property
    def _standby(self) -> dict[str, MonitoredItem]:
        """Equipment with a contact of its standby path, by tag."""
        return {one.tag: one for one in self._points.items if "not_ready" in one.quantities}

    def _not_ready(self, tag: str) -> Iterator[AlarmCrossing]:
        """Yield the contact of a standby set out of service, or of an open standby breaker."""
        item = self._standby.get(tag)
        limits = item and self._points.sets.of(item.equipment, "not_ready", *item.limit_keys)
        if limits:
            yield AlarmCrossing(tag, "not_ready", limits.limits[0], 0.0)

    def _measured(self, flow: FlowOutcome, column: int) -> dict[str, FloatArray]:
        """Return the quantities of the equipment in a state.

        The line current is that of the supply in use; the voltage of a rack PDU the lowest of the
        live cords of its load, zero where dead.
        """
        live, was_live = flow.live[:, column], self._normal.live[:, 0]
        taken, was_taken = flow.taken[:, column], self._normal.taken[:, 0]
        link = np.minimum(self._first_link + np.maximum(taken, 0), len(self._rating_a) - 1)
        current_a = np.where(
            taken >= 0, (flow.circuit_loading[:, column] * self._rating_a)[link], 0
        )
        voltage_pu = np.where(live, np.nan, 0.0)
        rows, loads = self._rack_pdus
        served = live[rows]
        voltage_pu[rows[served]] = flow.load_voltage_pu[loads[served], column]
        loading = np.where(self._resting(flow, column), np.nan, flow.loading[:, column])
        moved = live & was_live & (taken != was_taken) & (taken >= 0)
        return {
            "loading": loading,
            "active_power": flow.output_w[:, column],
            "current": current_a,
            "voltage": voltage_pu * self._nominal_v,
            "supply_lost": (was_live & ~live).astype(float),
            "on_battery": flow.on_battery[:, column].astype(float),
            "transferred": moved.astype(float),
        }

    def _resting(self, flow: FlowOutcome, column: int) -> NDArray[np.bool_]:
        """Return the generator plants that only magnetise their idle step-up transformers."""
        found = np.zeros(len(self._network.equipment), dtype=bool)
        for plant, step_ups in self._step_ups:
            found[plant] = bool(len(step_ups)) and not (flow.output_w[step_ups, column] > 0.0).any()
        return found

    @cached_property
    def _step_ups(self) -> list[tuple[int, NDArray[np.intp]]]:
        """Rows of the generator plants, each with its step-up transformers."""
        equipment = self._network.equipment
        return [
            (
                n,
                np.array(
                    [
                        row
                        for row, other in enumerate(equipment)
                        if other.kind == "transformer"
                        and [x.source for x in other.links] == [one.tag]
                    ],
                    dtype=np.intp,
                ),
            )
            for n, one in enumerate(equipment)
            if one.kind == "generator-plant"
        ]

    @cached_property
    def _rack_pdus(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the rack PDUs, and the load on each."""
        index = self._network.index
        pairs = [
            (index[cord.link.source], n)
            for n, load in enumerate(self._network.loads)
            for cord in load.cords
            if self._network[cord.link.source].kind == "rack-pdu"
        ]
        rows, loads = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(rows, dtype=np.intp), np.array(loads, dtype=np.intp)

    @cached_property
    def _fed(self) -> tuple[tuple[MonitoredItem, int, tuple[int, ...]], ...]:
        """Boards of the cooling and of the building: load, and bits of its cords to the board."""
        loads = {load.tag: n for n, load in enumerate(self._network.loads)}
        found = []
        for item in self._points.items:
            if item.equipment not in ("mechanical-board", "building-board"):
                continue
            number = loads[item.loads[0]]
            bits = {c.link.source: n for n, c in enumerate(self._network.loads[number].cords)}
            found.append((item, number, tuple(bits[one] for one in item.sources if one in bits)))
        return tuple(found)

    def _boards(self, flow: FlowOutcome, column: int) -> Iterator[AlarmCrossing]:
        """Yield the contacts of the boards: normal supply lost, or all supplies."""
        for item, number, bits in self._fed:
            live = [bool(int(flow.pattern[number, column]) >> bit & 1) for bit in bits]
            quantity = "transferred" if any(live) else "supply_lost"
            lost = {quantity: not live[0], "supply_unavailable": not all(live)} if live else {}
            for name in (one for one, active in lost.items() if active):
                limits = self._points.sets.of(item.equipment, name, "")
                if limits is not None:
                    yield AlarmCrossing(item.tag, name, limits.limits[0], 0.0)


def cooling_crossings(
    points: PointsList, result: RideResult, time_s: FloatArray
) -> Iterator[AlarmCrossing]:
    """Yield the alarms of a cooling failure: contacts of failed units, flows, temperatures."""
    case = result.case
    yield from _failed_units(points, case)
    yield from _low_flows(points, case)
    for series, (equipment, quantity) in _TEMPERATURES.items():
        limits = points.sets.of(equipment, quantity, "")
        if series not in result.series or limits is None:
            continue
        values = result.series[series]
        for limit in limits.limits:
            sign = 1.0 if limit.is_upper else -1.0
            (at_s,) = time_to(sign * values[:, None], sign * limit.value, time_s)
            standing = sign * values[0] > sign * limit.value + PASSED_K
            if np.isfinite(at_s) and not standing:
                after_s = float(at_s) + (limit.delay_s or 0.0)
                yield AlarmCrossing(_tag(points, equipment), quantity, limit, after_s)


def _failed_units(points: PointsList, case: RideCase) -> Iterator[AlarmCrossing]:
    """Yield the contacts of failed units and pumps, and low flow at isolated racks.

    Units without water in an isolated header section have not failed.
    """
    units = [] if case.headers or case.id == MAKEUP else [_UNIT_OF[one] for one in case.lost]
    pumps = [_PUMP_OF[one] for one in case.pumps if one in _PUMP_OF]
    for tag in (*(_tag(points, one) for one in units), *(f"{one}-1" for one in pumps)):
        limits = points.sets.of("pump" if tag.startswith("P-") else units[0], "fault", "")
        if limits is not None and tag:
            yield AlarmCrossing(tag, "fault", limits.limits[0], 0.0)
    if case.racks:
        for item in points.items:
            limits = points.sets.of(item.equipment, "coolant_flow", *item.limit_keys)
            low = limits.at("low") if limits is not None else None
            if item.equipment == "liquid-rack" and low is not None:
                yield AlarmCrossing(item.tag, "coolant_flow", low, low.delay_s or 0.0)
                return


def _low_flows(points: PointsList, case: RideCase) -> Iterator[AlarmCrossing]:
    """Yield the low-flow alarms of loops with less flow, if that lasts longer than the delay."""
    shares = dict(case.pumps) | dict(case.headers)
    cdus = points.design.cooling.cdus
    if cdus is not None and case.lost.get("cdus", 0) >= cdus.installed:
        shares["cdus"] = 0.0
    lasts_s = case.standby_s if case.standby_s is not None else math.inf
    for part, share in shares.items():
        loop = points.design.hydraulics.loop(_LOOP_OF[part])
        limits = points.sets.of(f"loop-{_LOOP_OF[part]}", "flow", "")
        limit = limits.at("low") if limits is not None else None
        if loop is None or limit is None or reaches(share * loop.running_m3_s, limit.value):
            continue
        delay_s = limit.delay_s or 0.0
        if delay_s < lasts_s:
            yield AlarmCrossing(f"LOOP-{loop.name.upper()}", "flow", limit, delay_s)


def _tag(points: PointsList, equipment: str) -> str:
    """Return the first piece of equipment of a class; of sensors, the class they are limited as."""
    for item in points.items:
        if LIMITED_AS.get(item.equipment, item.equipment) == equipment:
            return item.tag
    return ""
