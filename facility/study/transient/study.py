"""Ride-through study: temperatures of a design after failures of its cooling and its power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from facility.cooling.ride_through.limits import (
    Limit,
    limits_of,
    series_of,
    settled,
    time_to,
    while_running,
)
from facility.cooling.ride_through.model import Ride
from facility.cooling.ride_through.plant import RidePlant, ride_plant
from facility.cooling.ride_through.schedule import Part, RideCase
from facility.cooling.ride_through.signals import comes_back, simulate
from facility.cooling.ride_through.storage import (
    MIN_FWS,
    chosen_tanks,
    larger_tanks,
    shortened,
    storage_needed,
)
from facility.cooling.ride_through.tanks import (
    Tanks,
    chw_bridge,
    controlled,
    fws_bridge,
    loop_of,
    size_from,
    tanks_of,
    with_tanks,
)
from facility.core.check import Check
from facility.core.errors import FacilityError, near_matches, unknown
from facility.core.kinds import FloatArray
from facility.core.table import Results, ShownByResults, Value
from facility.model.facility import Criteria
from facility.study.equipped import equipped
from facility.study.plant_options import Buffers
from facility.study.plausible import refuse_impossible
from facility.study.studies import StudyContext
from facility.study.transient.availability import CoolingOutages, cooling_checks
from facility.study.transient.cases import (
    COOLANT_FLOW,
    COOLANT_HEADER,
    MAKEUP,
    WHAT_IF,
    cooling_power_back,
    maintained_power,
    not_restored,
    transient_cases,
)
from facility.study.transient.checks import ride_checks, volume_checks
from facility.study.transient.result import Passed, RideResult

_SHOWN = ("inlet", "inlet_worst", "tcs_supply", "fws_supply", "chw_supply", "plates")
_CHOSEN = (
    "smallest standard size (R10 of ISO 3) that meets all allowable limits until the chillers "
    "restart, in every failure after which cooling recovers; if all are met without a tank, the "
    "size for the minimum loop volume for close control of the chillers"
)
_WITHOUT_MODEL = (
    "standard size (R10 of ISO 3) that lasts until the chillers restart; failures of this design "
    "are not simulated"
)
_WITHOUT_SETS = "none: without a generator set the chillers do not restart"
_FOLLOWED = 2.0
"""Tank sizes are searched over this multiple of the chiller restart time, then simulated in
full."""
_GROWN = 6
"""Maximum number of full simulations; after each, undersized tanks are enlarged by one size."""
_CACHE: WeakKeyDictionary[StudyContext, dict[bool, TransientStudy]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class TransientStudy(ShownByResults):
    """Ride-through of a design after failures.

    Attributes
    ----------
    plant : RidePlant
        The lumped model.
    time_s : ndarray, shape (times,)
        Times [s].
    cases : tuple[RideResult, ...]
        The cases.
    checks : tuple[Check, ...]
        The checks.
    results : Results
        Results by dotted key, ``ride.<case>.<quantity>``.
    """

    plant: RidePlant
    time_s: FloatArray
    cases: tuple[RideResult, ...]
    checks: tuple[Check, ...]
    results: Results

    def __repr__(self) -> str:
        return f"<TransientStudy: {', '.join(one.case.id for one in self.cases[:3])}, ...>"

    @property
    def evaluated(self) -> tuple[RideResult, ...]:
        """The cases with checks, without what-if cases and make-up water with possible storage."""
        none_stored = self.plant.design.chain.makeup_storage_s == 0.0
        without_checks = WHAT_IF if none_stored else (*WHAT_IF, MAKEUP)
        return tuple(one for one in self.cases if one.case.id not in without_checks)

    def __getitem__(self, id: str) -> RideResult:
        for found in self.cases:
            if found.case.id == id:
                return found
        known = [found.case.id for found in self.cases]
        raise unknown("UNKNOWN_CASE", id, "unknown case.", id, known)

    def rows(self, every_s: float = 5.0) -> Iterator[tuple[str, str, float, float]]:
        """Yield the long table for plots: case, quantity, time [s], temperature [degC]."""
        step_s = float(self.time_s[1] - self.time_s[0])
        stride = max(1, round(every_s / step_s))
        for found in self.cases:
            for name, values in found.series.items():
                for n in range(0, len(values), stride):
                    yield found.case.id, name, float(self.time_s[n]), float(values[n])


@equipped
def transient(
    design: StudyContext, only: Sequence[str] = (), *, storage: bool = True
) -> TransientStudy:
    """Return the ride-through of a design after failures; all cases are cached with the design.

    Buffers are searched from the simulated cases, without simulating these again.

    Parameters
    ----------
    design : StudyContext
        The design, at its design weather.
    only : sequence of str
        Ids of the requested cases; all by default.
    storage : bool
        Whether to size buffers for cases that exceed a limit.

    Raises
    ------
    FacilityError
        ``UNKNOWN_CASE`` (exit code 2) with the known ids.
    """
    cached = _CACHE.setdefault(design, {})
    if False not in cached:
        cached[False] = _with_verdicts(design, _studied(design))
    if only:
        plant = cached[False].plant
        by_id = {case.id: case for case in transient_cases(design, plant)}
        for id in only:
            if id not in by_id:
                raise FacilityError(
                    "UNKNOWN_CASE",
                    "case",
                    f"{id!r} is not a case of this design.",
                    f"{near_matches(id, by_id)} Known: {', '.join(by_id)}.".strip(),
                )
        study = _followed(design, plant, tuple(by_id[id] for id in dict.fromkeys(only)))
        return _with_buffers(study, design.facility.criteria) if storage else study
    if storage and True not in cached:
        cached[True] = _with_buffers(cached[False], design.facility.criteria)
    return cached[storage]


def keep(design: StudyContext, study: TransientStudy, *, storage: bool) -> None:
    """Cache a study of this design from another process, as `transient` does."""
    _CACHE.setdefault(design, {})[storage] = study


def _with_verdicts(design: StudyContext, study: TransientStudy) -> TransientStudy:
    """Return a study with the cooling availability checks."""
    known = CoolingOutages(
        boards=design.distribution.plan.boards,
        cases=study.cases,
        maintained=tuple(maintained_power(design)),
        makeup_storage_s=design.cooling.chain.makeup_storage_s,
    )
    verdicts = cooling_checks(known, design.facility.criteria.goal)
    return replace(study, checks=(*study.checks, *verdicts))


def _studied(design: StudyContext) -> TransientStudy:
    """Simulate the failures; size unspecified buffers that bring a limit within reach."""
    facility = design.facility
    plant = ride_plant(
        design.cooling,
        design.cooling_flow,
        design.point.heat,
        facility.thermal,
        facility.site.design,
    )
    plant = with_tanks(plant, controlled(plant))
    cases = tuple(transient_cases(design, plant))
    if not plant.thermal.loops.open_tanks:
        return _followed(design, plant, cases)
    back_s = cooling_power_back(design)
    minimum, wait_s = _minimum_tanks(plant, back_s)
    bridged = [case for case in cases if _bridged(plant, case)]
    limits = limits_of(plant, facility.criteria)
    tanks, lost = chosen_tanks(shortened(plant, _FOLLOWED * wait_s), bridged, limits, minimum)
    for _ in range(_GROWN):
        study = _followed(design, with_tanks(plant, tanks), cases)
        short = [
            limit
            for found in study.cases
            for limit in found.passed
            if found.case in bridged and (found.case.id, limit.id) not in lost
        ]
        tanks = larger_tanks(study.plant, short, minimum)
        if tanks == tanks_of(study.plant):
            return study
    # Limits that need the tanks of both loops together are finally assigned to their own loop.
    found = with_tanks(plant, tanks)
    own = found.thermal.loops.open_tanks & {loop_of(plant, limit) for limit in short}
    loops = replace(found.thermal.loops, open_tanks=own)
    alone = replace(found, thermal=replace(found.thermal, loops=loops))
    return _followed(
        design, with_tanks(plant, chosen_tanks(alone, bridged, limits, minimum)[0]), cases
    )


def _bridged(plant: RidePlant, case: RideCase) -> bool:
    """Return whether buffers are sized for a failure.

    Power that does not come back is not bridged: a tank only delays the limit.
    """
    unbridged = case.id in (*WHAT_IF, MAKEUP) or not_restored(case)
    return not unbridged and comes_back(plant, case)


def _minimum_tanks(plant: RidePlant, back_s: float) -> tuple[Tanks, float]:
    """Return the minimum buffer sizes, and the time without chillers [s].

    The chilled-water buffer lasts until the chillers restart. Without a generator set, cooling
    recovers only from failures without loss of power: the buffer covers the restart only.
    """
    restart, chilled = plant.thermal.restart, plant.design.chilled
    back_s = back_s if np.isfinite(back_s) else 0.0
    bridge = chw_bridge(plant.design, plant.flow, restart, back_s)
    min_fws_m3 = 0.0
    cdus = plant.design.cdus
    if plant.sink_w_k > 0.0 and cdus is not None:
        min_fws_m3 = MIN_FWS * fws_bridge(plant, back_s).volume_m3(cdus.fws)
    usable = plant.thermal.loops.tank_usable
    min_chw_m3 = max(bridge.volume_m3(chilled.liquid) / usable, plant.thermal.loops.chw_tank_m3)
    return Tanks(min_chw_m3, min_fws_m3), bridge.wait_s


def buffers_of(design: StudyContext, study: TransientStudy | None) -> Buffers:
    """Return the tanks of a design, stated or sized by the ride-through study.

    study: Ride-through study; without it an unspecified chilled-water tank lasts until the chillers
        restart.
    """
    facility, back_s = design.facility, cooling_power_back(design)
    loops = facility.thermal.loops
    if study is not None:
        return Buffers(tanks_of(study.plant), back_s, _CHOSEN)
    tanks = Tanks(loops.chw_tank_m3, loops.fws_tank_m3)
    if not np.isfinite(back_s):
        return Buffers(tanks, back_s, _WITHOUT_SETS)
    chilled = design.cooling.chilled
    if "chw" in loops.open_tanks:
        bridge = chw_bridge(design.cooling, design.cooling_flow, facility.thermal.restart, back_s)
        needed_m3 = bridge.volume_m3(chilled.liquid) / loops.tank_usable
        tanks = replace(tanks, chw_m3=size_from(needed_m3) if needed_m3 > 0.0 else 0.0)
    return Buffers(tanks, back_s, _WITHOUT_MODEL)


def _followed(
    design: StudyContext, plant: RidePlant, cases: tuple[RideCase, ...]
) -> TransientStudy:
    limits = limits_of(plant, design.facility.criteria)
    ride = simulate(plant, cases)
    series = series_of(plant, ride)
    passed = [_passed(limits, series, ride, n, case) for n, case in enumerate(cases)]
    rest = np.all([settled(values, ride.time_s) for values in series.values()], axis=0)
    results = tuple(
        RideResult(
            case=case,
            series={name: values[:, n] for name, values in series.items()},
            limits=passed[n],
            settled=bool(rest[n]),
            horizon_s=float(ride.time_s[-1]),
            storage=None,
        )
        for n, case in enumerate(cases)
    )
    checks = (
        *ride_checks(results, plant, design.point.heat.electrical_room_w),
        *volume_checks(plant),
    )
    return TransientStudy(plant, ride.time_s, results, checks, _results(plant, results))


def _with_buffers(study: TransientStudy, criteria: Criteria) -> TransientStudy:
    """Return a study with buffer sizes for the cases that exceed an allowable limit."""
    short = [
        n for n, found in enumerate(study.cases) if not found.holds and found.case.id != MAKEUP
    ]
    sought = storage_needed(
        study.plant, [study.cases[n].case for n in short], limits_of(study.plant, criteria)
    )
    tanks = dict(zip(short, sought, strict=True))
    cases = tuple(replace(found, storage=tanks.get(n)) for n, found in enumerate(study.cases))
    return replace(study, cases=cases, results=_results(study.plant, cases))


def _passed(
    limits: Sequence[Limit], series: dict[str, FloatArray], ride: Ride, column: int, case: RideCase
) -> tuple[Passed, ...]:
    found = []
    for limit in limits:
        values = while_running(series[limit.series][:, [column]], limit, [case], ride.time_s)
        time_s = None
        if limit.limit_c is not None:
            first = float(time_to(values, limit.limit_c, ride.time_s)[0])
            time_s = first if np.isfinite(first) else None
        found.append((limit, time_s, float(values.max())))
    return tuple(found)


def _results(plant: RidePlant, results: tuple[RideResult, ...]) -> Results:
    power = next(
        (found.case.power for found in results if found.case.id.startswith("utility")), None
    )
    values = {"ride.horizon": Value(plant.thermal.restart.horizon_s, "time")}
    volumes = {} if plant.direct else {"chw": plant.chw_m3}
    if plant.has_liquid:
        volumes |= {"tcs": plant.tcs_m3, "fws": plant.fws_m3}
    for loop, volume_m3 in volumes.items():
        left_out = plant.not_counted.get(loop)
        words = f"calculated, excluding {left_out}" if left_out else "stated"
        basis = words if loop == "tcs" else f"{words}; without buffer"
        values[f"ride.volume.{loop}"] = Value(volume_m3, "volume", basis)
    if power is not None and np.isfinite(power.restored_s):
        values["ride.restored"] = Value(
            power.restored_s, "time", "generators started and last load step accepted"
        )
    if plant.dry is not None and not plant.dry.tower:
        for name, air_c in (("with_water", plant.dry.wet_c), ("without", plant.dry.dry_c)):
            words = "coils of the facility-water dry coolers, design hour"
            values[f"ride.{MAKEUP}.coil_air.{name}"] = Value(air_c, "temperature", words)
    for found in results:
        values |= dict(_case_results(found))
        if found.case.id == COOLANT_FLOW:
            values |= _time_without_flow(plant)
        parts: tuple[Part, ...] = tuple(found.case.headers)
        for part in ("cdus",) if found.case.id == COOLANT_HEADER else parts:
            loss, at = plant.header(part), f"ride.{found.case.id}"
            values[f"{at}.flow_left"] = Value(loss.left, "fraction", loss.words)
            values[f"{at}.least_flow"] = Value(
                loss.min_unit_flow,
                "fraction",
                "minimum flow of a remaining unit over an equal share",
            )
    return refuse_impossible(Results(values))


def _time_without_flow(plant: RidePlant) -> dict[str, Value]:
    """Return the bounds of the time from loss of all coolant flow to the chip limit."""
    at = f"ride.{COOLANT_FLOW}.chip_limit"
    min_s, max_s = plant.time_without_flow_s
    of_racks = "metal of chips and cold plates, and all coolant in the racks"
    return {
        f"{at}.least": Value(min_s, "time", "metal of chips and cold plates only"),
        f"{at}.most": Value(max_s, "time", of_racks),
    }


def _case_results(found: RideResult) -> Iterator[tuple[str, Value]]:
    at = f"ride.{found.case.id}"
    basis = "what if" if found.case.id in WHAT_IF else found.case.title
    yield f"{at}.holds", Value(found.holds, basis=basis)
    yield f"{at}.first", Value(found.first[0].title if found.first else "none", basis=basis)
    yield f"{at}.settled", Value(found.settled, basis=basis)
    for limit, time_s, _ in found.limits:
        text = "not reached" if limit.limit_c is not None else "limit not known"
        when = Value(time_s, "time", basis) if time_s is not None else Value(text, basis=basis)
        yield f"{at}.time.{limit.id}", when
    for name in _SHOWN:
        if name in found.series:
            values = found.series[name]
            yield f"{at}.peak.{name}", Value(float(values.max()), "temperature", basis)
            yield f"{at}.end.{name}", Value(float(values[-1]), "temperature", basis)
    if found.storage is not None:
        yield f"{at}.storage.enough", Value(found.storage.enough, basis=basis)
        for loop in ("chw", "fws"):
            volume = getattr(found.storage, f"{loop}_m3")
            if volume is not None:
                yield f"{at}.storage.{loop}", Value(volume, "volume", basis)
