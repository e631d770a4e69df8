"""Integrated tests: each failure of the failure and ride-through studies as a script."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from facility.cooling.ride_through.limits import SERIES
from facility.power.network.outages.by_kind import most_loaded_by_kind
from facility.power.network.outages.states import OutageState
from facility.study.commissioning.expected import ExpectedValues
from facility.study.commissioning.model import NORMAL, ExpectedReading, PlanStep
from facility.study.commissioning.subjects import Subject
from facility.study.failures.study import FailureStudy
from facility.study.transient.cases import UTILITY_SET_OUT, ends_load
from facility.study.transient.result import HARD, RideResult
from facility.study.transient.study import TransientStudy

_CODE = "IST"
_SOURCE = "memory-commissioning-practice"
_KINDS = ("normal", "utility", "utility-generator", "loss", "maintenance")
"""Order of the tests by type of outage."""
_ROUNDED = 3
"""Decimals to which equal states are one test."""
_SAME = 0.0005
"""Difference of loading below which equipment is loaded as in the normal state."""
_PATH = ("inlet_worst", "tcs_supply")
"""Temperatures whose path is read."""
_PATH_S = (60.0, 300.0, 600.0)
"""Times at which the path of a temperature is read."""
_ACCEPTED = "Readings within their limits; alarms received; no operator action required"
_RESTORED = "Restore in reverse order; confirm normal operation before the next test"
_UTILITY = "Restore the utility; confirm retransfer, generator cool-down and battery recharge"


@dataclass(frozen=True, eq=False)
class IntegratedTests:
    """The tests of one design."""

    values: ExpectedValues

    def steps(self) -> Iterator[PlanStep]:
        """Yield the tests without ids, each from the restored state after the preceding test."""
        design = self.values.design
        outages, rides = design.outages, design.ride_through
        for name, outcome in (("failures", outages), ("transient", rides)):
            if outcome.study is None:
                yield PlanStep(
                    _CODE,
                    5,
                    ("facility",),
                    f"Tests of the study {name}",
                    "",
                    _SOURCE,
                    (ExpectedReading(f"Results of facility {name}", missing=outcome.refusal),),
                    NORMAL,
                )
        by_title = self._rides_by_title(rides.study)
        used = set[str]()
        if outages.study is not None:
            for state, tags in _distinct(outages.study):
                ride = by_title.get(state.case.outage.id)
                used |= {ride.case.id} if ride is not None else set()
                yield self._power_test(outages.study, state, tags, ride)
        for found in rides.study.evaluated if rides.study is not None else ():
            if found.case.id not in used:
                yield self._cooling_test(found)

    @cached_property
    def _columns(self) -> dict[str, int]:
        """Column of each single outage in the failure study, by id."""
        study = self.values.design.outages.study
        states = study.single if study is not None else ()
        return {state.case.outage.id: n for n, state in enumerate(states)}

    def _rides_by_title(self, study: TransientStudy | None) -> dict[str, RideResult]:
        """Return the ride-through cases of power outages by the id of the outage."""
        outages = self.values.design.outages.study
        if study is None or outages is None:
            return {}
        by_id = {found.case.id: found for found in study.evaluated}
        found = {case.case.title: case for id, case in by_id.items() if id.startswith("power_")}
        for kind, id in (("utility", "utility"), ("utility-generator", UTILITY_SET_OUT)):
            states = [one for one in outages.states if one.case.kind == kind]
            if states and id in by_id:
                found[states[0].case.outage.id] = by_id[id]
        return found

    def _power_test(
        self,
        study: FailureStudy,
        state: OutageState,
        tags: tuple[str, ...],
        ride: RideResult | None,
    ) -> PlanStep:
        case = state.case
        actions = {
            "normal": "Bring all load banks and racks to the design load; read the normal state",
            "maintenance": f"Isolate {case.component} as for maintenance, transfers first",
            "loss": f"Trip {case.component} under load",
        }
        action = actions.get(case.kind, f"Simulate {case.outage.id}")
        if case.kind == "loss" and case.component_kind == "circuit":
            action = f"Open the breaker of circuit {case.component} under load"
        if case.kind == "loss" and case.component_kind == "generator-plant":
            action = f"Take {case.component}, at standstill, out of automatic start"
        if len(tags) > 1:
            action += f"; repeat for each of the {len(tags):,} with the same expected state"
        if ride is not None and ends_load(ride.case):
            action += "; stop before the first temperature limit"
        readings = (*self._state_readings(study, state), *self._ride_readings(ride))
        restoration = _UTILITY if case.kind.startswith("utility") else _RESTORED
        return PlanStep(
            _CODE,
            5,
            tags or ("facility",),
            action,
            _ACCEPTED,
            _SOURCE,
            readings,
            NORMAL if case.kind == "normal" else "",
            "" if case.kind == "normal" else restoration,
        )

    def _cooling_test(self, found: RideResult) -> PlanStep:
        action = f"At the design load: {found.case.title}"
        return PlanStep(
            _CODE,
            5,
            (found.case.id,),
            action,
            _ACCEPTED,
            _SOURCE,
            tuple(self._ride_readings(found)),
            "",
            _RESTORED,
        )

    def _state_readings(self, study: FailureStudy, state: OutageState) -> Iterator[ExpectedReading]:
        """Yield load served, carriers and their loading, batteries, voltage."""
        id = state.case.outage.id

        def at(name: str, value: float | str, kind: str, key: str, rule: str) -> ExpectedReading:
            found = ExpectedReading(name, value, kind, "", f"state {id}: {key}")
            return self.values.tolerances.applied(found, rule)

        power, load = "active_power", "ac-load"
        for name, value_w, key in (
            ("IT load dropped", state.dropped_w, "load_dropped"),
            ("IT load off until generators start", state.interrupted_w, "load_interrupted"),
            ("IT load power-capped", state.capped.load_w, "load_capped"),
            ("Other load dropped", state.other_dropped_w, "other_load_dropped"),
        ):
            if key in ("load_dropped", "other_load_dropped") and value_w and state.battery_s:
                gone = any("input does not return" in words for words in state.transfers)
                name += ", after the battery time where it is on battery" if gone else ""
            if value_w or key == "load_dropped":
                yield at(name, value_w, power, key, load if value_w else "=")
        yield at("Racks without power", len(state.racks), "count", "racks_dropped", "=")
        if state.transfers:
            words = f"Transfers: {'; '.join(state.transfers)}"
            yield at(words, "completed", "", "transfers", "")
        yield from (at(*words) for words in self._carriers(study, state))
        if state.overloads:
            words = "Components above their rating (see check OVERLOAD-IN-STATE)"
            yield at(words, len(state.overloads), "count", "overloads", "=")
        if state.lowest_voltage is not None:
            tag, value = state.lowest_voltage
            yield at(f"Lowest load voltage: {tag}", value, "fraction", "lowest_voltage", "voltage")
        if state.riding:
            yield at("UPS on battery", len(state.riding), "count", "on_battery", "=")
            name, origin = "Battery time, end of life", f"state {id}: battery_s"
            if state.battery_s is None:
                yield ExpectedReading(
                    name, kind="time", origin=origin, missing=state.battery_reason
                )
            else:
                # Recorded: no test of an outage lasts as long; the battery test verifies it.
                yield at(name, state.battery_s, "time", "battery_s", "")

    def _carriers(
        self, study: FailureStudy, state: OutageState
    ) -> Iterator[tuple[str, float | str, str, str, str]]:
        """Yield the most loaded equipment of each type, where it differs from the normal state."""
        column = self._columns.get(state.case.outage.id)
        if column is None:
            return
        normal, loading = study.columns[0], study.columns[column]
        before = {name: one.tag for name, one in most_loaded_by_kind(study.network, normal).items()}
        unchanged = True
        for name, one in most_loaded_by_kind(study.network, loading).items():
            at = study.network.index[one.tag]
            value, usual = float(loading[at]), float(normal[at])
            same = before.get(name) == one.tag and abs(value - usual) < _SAME
            if value > 0.0 and (column == 0 or not same):
                unchanged = False
                words = f"Loading, {name}, most loaded: {one.tag}"
                yield words, value, "fraction", f"loading {one.tag}", "loading"
        if unchanged:
            yield "Loading of all equipment", "as in normal operation", "", "loading", ""

    def _ride_readings(self, found: RideResult | None) -> Iterator[ExpectedReading]:
        """Yield restoration times, the path of each governed temperature, and its limits."""
        if found is None:
            return
        case, values = found.case, self.values
        applied, none = values.tolerances.applied, Subject("cooling", (case.id,))
        if math.isfinite(case.power.restored_s):
            yield values.reading("All cooling with power again", "ride.restored", "<=", "", none)
            restart = "cooling.thermal.chiller_restart"
            yield values.reading("Chillers restarted after power", restart, "<=", restart, none)
        for words, value_s, field in (
            ("Standby pump at speed", case.standby_s, "cooling.thermal.water_pump_start"),
            ("Changeover to the standby pump", case.back_s, "cooling.thermal.pump_changeover"),
        ):
            if value_s:
                yield applied(ExpectedReading(words, value_s, "time", "", f"input {field}"), "<=")
        governed = {limit.series for limit, _, _ in found.limits if limit.grade in HARD}
        times = np.linspace(0.0, found.horizon_s, len(next(iter(found.series.values()))))
        for name, series in found.series.items():
            if name in _PATH:
                for at_s in (0.0, *_PATH_S):
                    value = float(np.interp(at_s, times, series))
                    origin = f"case {case.id}: {name} at {at_s:g} s"
                    words = f"{SERIES[name]}, at {at_s:g} s"
                    path = ExpectedReading(words, value, "temperature", "", origin)
                    yield applied(path, "path-temperature")
            for part, words in (("peak", "maximum"), ("end", "at the end")):
                id = f"ride.{case.id}.{part}.{name}"
                value = float(series.max() if part == "peak" else series[-1])
                path = ExpectedReading(
                    f"{SERIES[name]}, {words}", value, "temperature", "", f"result {id}"
                )
                if id in values.results and (name in governed or part == "peak"):
                    yield applied(path, "path-temperature")
        for limit, time_s, _ in found.limits:
            title = f"Time to limit: {limit.title}"
            origin = f"result ride.{case.id}.time.{limit.id}"
            if limit.limit_c is None:
                words = f"no limit stated for {SERIES[limit.series].lower()}"
                yield ExpectedReading(title, kind="time", origin=origin, missing=words)
            elif time_s is None:
                yield ExpectedReading(title, "not reached", "", "", origin)
            else:
                yield applied(ExpectedReading(title, time_s, "time", "", origin), "ride-time")


def _distinct(study: FailureStudy) -> Iterator[tuple[OutageState, tuple[str, ...]]]:
    """Yield the states with different expected results, and the components that each is for.

    States of one type whose displayed results are equal are one test.
    """
    for kind in _KINDS:
        groups: dict[tuple[object, ...], tuple[OutageState, list[str]]] = {}
        for state in (one for one in study.states if one.case.kind == kind):
            case, seen = state.case, (state.worst_loading, state.lowest_voltage)
            loads_w = state.dropped_w, state.interrupted_w, state.capped.load_w
            key = (
                case.component_kind,
                *(round(load_w) for load_w in (*loads_w, state.other_dropped_w)),
                *(None if one is None else round(one[1], _ROUNDED) for one in seen),
                len(state.racks),
                tuple(tag for tag, _ in state.overloads),
                state.transfers,
            )
            names = case.alike or ((case.component,) if case.component else ())
            groups.setdefault(key, (state, []))[1].extend(names)
        yield from ((state, tuple(names)) for state, names in groups.values())


def chained(steps: list[PlanStep]) -> list[PlanStep]:
    """Return the tests, each beginning from the restored end of the preceding one."""
    found: list[PlanStep] = []
    for step in steps:
        last = found[-1].id if found else ""
        initial = step.initial or f"{NORMAL}, as confirmed at the end of {last}"
        found.append(replace(step, initial=initial))
    return found
