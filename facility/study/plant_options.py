"""Plant options: economizer hours, staging, pumping, storage, heat reuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.chain.warm_water import warm_streams
from facility.cooling.economizer.hours import EconomizerHours
from facility.cooling.plant.chillers import Chillers
from facility.cooling.plant.pumping import evaporator_flow
from facility.cooling.ride_through.tanks import Tanks, chw_bridge
from facility.cooling.rules import RULES
from facility.core.check import Check
from facility.core.sources import DERIVED, PROJECT
from facility.core.table import Value
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.cooling.thermal import Tank
from facility.model.facility import Facility
from facility.physics.facility.metrics import energy_reuse_effectiveness
from facility.physics.plant.thermal_transient import (
    storage_volume,
    stored_heat_capacity,
    time_to_rise,
)
from facility.study.annual.result import AnnualStudy
from facility.study.loop import OperatingPoint

_MEAN = "one hour at mean annual weather and mean IT load"
_DESIGN_HOUR = "design hour: the plant is sized without the economizer"


@dataclass(frozen=True, eq=False)
class PlantOptions:
    """Results of the plant options."""

    hours: EconomizerHours | None  # None without an economizer
    results: dict[str, Value]  # By dotted key: `economizer.*`, `plant.*`, `storage.*`, `reuse.*`
    checks: tuple[Check, ...]  # Economizer, staging, minimum flow, storage, heat reuse
    trace: Trace  # Derivations


@dataclass(frozen=True)
class Buffers:
    """Tanks of the plant, stated or sized, and the time to restored cooling power."""

    tanks: Tanks  # Chilled and facility water
    back_s: float  # From the loss of the utility to power for all cooling [s]
    because: str  # Sizing basis of tanks not stated


@dataclass(frozen=True, eq=False)
class _Basis:
    """Inputs of the study: the design at the design hour and at mean annual weather."""

    facility: Facility
    cooling: CoolingDesign
    design: CoolingFlow
    mean: OperatingPoint | None
    through: AnnualStudy | None  # Annual study; None if not run
    buffers: Buffers
    trace: Trace

    @property
    def of_year(self) -> Mapping[str, Value]:
        """Annual results; empty if not run."""
        return self.through.results if self.through is not None else {}

    @property
    def whole_h(self) -> float:
        """Hours of the year; 0 if not run."""
        return self.through.year.hours.whole if self.through is not None else 0.0

    def note(self, id: str, si: float, kind: str, because: str) -> tuple[str, Value]:
        """Record a result; return its key and value."""
        self.trace.derive(id, si, kind, because)
        return id, Value(si, kind, because)


def study_plant(
    facility: Facility,
    cooling: CoolingDesign,
    design: CoolingFlow,
    mean: OperatingPoint | None,
    through: AnnualStudy | None,
    buffers: Buffers,
    trace: Trace,
) -> PlantOptions:
    """Return the results of the plant options.

    design, mean: Cooling at the design hour; power and cooling at mean annual weather, None if not
        known.
    through: Annual study, None if not run.
    buffers: Tanks, and the time to restored cooling power.
    """
    basis = _Basis(facility, cooling, design, mean, through, buffers, trace)
    hours = _hours(facility, through) if through is not None else None
    results: dict[str, Value] = {}
    checks: list[Check] = []
    for group in (_economizer(basis, hours), _chillers(basis), _storage(basis), _reuse(basis)):
        for found in group:
            if isinstance(found, Check):
                checks.append(found)
            else:
                results[found[0]] = found[1]
    return PlantOptions(hours, results, tuple(checks), trace)


_Found = Iterator[Check | tuple[str, Value]]


def _hours(facility: Facility, through: AnnualStudy) -> EconomizerHours | None:
    if facility.cooling.economizer.kind == "none":
        return None
    year, hours = through.year, through.year.hours
    return EconomizerHours(year.economizer_share, hours.month, hours.step_h)


def _economizer(basis: _Basis, hours: EconomizerHours | None) -> _Found:
    plan = basis.facility.cooling.economizer
    yield "economizer.kind", Value(plan.kind)
    if plan.kind == "none":
        return
    design_w = basis.design.economizer_w
    yield basis.note("economizer.heat_design", design_w, "heat_flow", _DESIGN_HOUR)
    if basis.mean is not None:
        mean_w = basis.mean.cooling.economizer_w
        yield basis.note("economizer.heat_mean", mean_w, "heat_flow", _MEAN)
    if hours is None:
        site = basis.facility.site
        names = ("full", "partial", "none", "heat")
        missing = ", ".join(f"annual.economizer.{name}" for name in names)
        yield RULES["ECONOMIZER-HOURS"].not_evaluated(
            plan.kind,
            f"{missing}, economizer.share_year: no weather year for {site.place}, or annual study"
            f" not run. Specify site.station or site.weather_file. {site.nearest}",
        )
        return
    yield from _economizer_year(basis, hours)


def _economizer_year(basis: _Basis, hours: EconomizerHours) -> _Found:
    """Yield the annual economizer results; `annual.economizer.*` count its hours."""
    words = "annual mean of the hourly share of heat removed by the economizer"
    yield basis.note("economizer.share_year", float(hours.share.mean()), "fraction", words)
    yield RULES["ECONOMIZER-HOURS"].verdict(
        basis.facility.cooling.economizer.kind,
        hours.full + hours.partial > 0,
        f"{hours.full:,.0f} h full, {hours.partial:,.0f} h partial operation",
    )


def _chillers(basis: _Basis) -> _Found:
    chilled = basis.cooling.chilled
    if chilled.plan.direct:
        return
    pumping = chilled.plan.pumping
    chillers = chilled.chillers
    yield "plant.pumping", Value(pumping.scheme)
    running, part = 0, 0.0
    times = [("design", basis.design, "design hour")]
    if basis.mean is not None:
        times.append(("mean", basis.mean.cooling, _MEAN))
    for name, flow, when in times:
        running = chillers.running(flow.chiller_load_w, pumping.stage_up)
        part = flow.chiller_load_w / (running * chilled.capacity_w) if running else 0.0
        words = f"{when}; fewest chillers loaded below {pumping.stage_up:.0%}"
        yield basis.note(f"plant.chillers_running.{name}", float(running), "count", words)
        yield basis.note(
            f"plant.chiller_part_load.{name}", part, "fraction", f"{when}, per chiller"
        )
    if basis.mean is None:
        why = "plant.chillers_running.mean, plant.bypass_flow.mean: the mean weather is not known"
        yield RULES["CHILLER-STAGING"].not_evaluated("chillers", why)
        return
    if running:
        yield RULES["CHILLER-STAGING"].at_least(
            f"{running} of {chillers.duty} chillers", part, pumping.stage_down, "fraction"
        )
    else:
        yield RULES["CHILLER-STAGING"].not_evaluated(
            "chillers", "no chiller runs at mean annual weather"
        )
    yield from _bypass(basis, chillers, basis.mean.cooling)


def _bypass(basis: _Basis, chillers: Chillers, flow: CoolingFlow) -> _Found:
    """Yield the bypass flow: chiller flow above the coil flow, also behind a heat exchanger."""
    chilled = basis.cooling.chilled
    pumping, design_m3_s = chilled.plan.pumping, chilled.pump.flow_m3_s
    coils_w = flow.chiller_load_w - flow.power.chw_pumps_w
    if basis.facility.cooling.economizer.on_water:
        coils_w += flow.economizer_w
    running = chillers.running(coils_w, pumping.stage_up)
    through = evaporator_flow(pumping, running, chillers.duty, design_m3_s, flow.chw_flow_m3_s)
    yield basis.note("plant.bypass_flow.mean", through.bypass_m3_s, "liquid_flow", _MEAN)
    if pumping.scheme == "variable-primary":
        min_m3_s = running * pumping.minimum_flow * design_m3_s / chillers.duty
        yield RULES["CHILLER-MINIMUM-FLOW"].at_least(
            f"{running} of {chillers.duty} chillers", flow.chw_flow_m3_s, min_m3_s, "liquid_flow"
        )


def _storage(basis: _Basis) -> _Found:
    rule, cooling, trace = RULES["STORAGE-RESTART"], basis.cooling, basis.trace
    thermal = basis.facility.thermal
    if cooling.water is not None and cooling.water.sink is not None:
        yield _tank(basis, "fws", "storage.facility_water_tank", basis.buffers.tanks.fws_m3)
    bridge = chw_bridge(cooling, basis.design, thermal.restart, basis.buffers.back_s)
    liquid = cooling.chilled.liquid
    if cooling.chilled.plan.direct or bridge.heat_w <= 0.0:
        return
    yield _tank(basis, "chw", "storage.tank", basis.buffers.tanks.chw_m3)
    if not np.isfinite(bridge.wait_s):
        why = "no generator set: the chillers have no power after a utility outage"
        yield rule.not_evaluated("chilled water", why)
        return
    needed_m3 = trace.do(
        "storage.restart_volume",
        storage_volume,
        "water at supply temperature from utility outage to chiller restart, including half of "
        "the ramp",
        heat_w=bridge.heat_w,
        time_s=bridge.wait_s,
        rise_k=bridge.rise_k,
        **liquid.properties,
    )
    yield "storage.restart_volume", Value(float(needed_m3), "volume", "at the design load")
    tank_m3 = basis.buffers.tanks.chw_m3 * thermal.loops.tank_usable
    if tank_m3 <= 0.0:
        return
    heat_j_k = float(stored_heat_capacity.si(tank_m3, **liquid.properties))
    time_s = trace.do(
        "storage.time",
        time_to_rise,
        "usable tank volume warmed from supply to return temperature",
        heat_capacity_j_k=heat_j_k,
        rise_k=bridge.rise_k,
        heat_w=bridge.heat_w,
    )
    yield "storage.time", Value(float(time_s), "time", "at the design load")
    if time_s >= bridge.wait_s or "chw" not in thermal.loops.open_tanks:  # Else for control only
        yield rule.at_least("chilled water", float(time_s), bridge.wait_s, "time")


def _tank(basis: _Basis, tank: Tank, id: str, volume_m3: float) -> tuple[str, Value]:
    """Record a tank: stated, or sized with its basis."""
    if tank in basis.facility.thermal.loops.open_tanks:
        because = basis.buffers.because
        basis.trace.choose(id, volume_m3, "volume", because, DERIVED)
    else:
        because = "stated"
        basis.trace.given(id, volume_m3, "volume", PROJECT, because)
    return id, Value(volume_m3, "volume", because)


def _reuse(basis: _Basis) -> _Found:
    """Yield the reused heat: annual mean with hourly weather, else for a mean hour."""
    plan, mean, year = basis.facility.cooling.heat_reuse, basis.mean, basis.of_year
    if plan is None:
        return
    if mean is None:
        why = "reuse.temperature, reuse.available, reuse.heat, reuse.ere: mean weather is not known"
        yield from _reuse_not_evaluated(why)
        return
    streams = warm_streams(basis.cooling, mean.cooling)
    if not streams:
        yield from _reuse_not_evaluated("no warm water leaves the plant")
        return
    words, highest = _MEAN, year.get("annual.reuse.temperature.highest")
    if highest is None:
        warm_w = sum(one.whole_w for one in streams if one.warm_c >= plan.source_c)
        warmest_c = max(one.warm_c for one in streams)
        used_w = mean.cooling.reused_w
    else:
        words, warmest_c = "over the hours of the year", float(highest.si)
        warm_w = float(year["annual.reuse.available"].si)
        used_w = float(year["annual.reuse.heat"].si) / (basis.whole_h * 3600.0)
    yield basis.note(
        "reuse.temperature", warmest_c, "temperature", f"warmest water, without heat pump; {words}"
    )
    yield basis.note(
        "reuse.available", warm_w, "heat_flow", f"heat at a usable temperature; {words}"
    )
    yield basis.note("reuse.heat", used_w, "heat_flow", "reused heat, not rejected outdoors")
    yield _effectiveness(basis, mean)
    compared = ("heat reuse", warmest_c, ">=", plan.source_c, "temperature")
    if highest is None:
        yield RULES["REUSE-TEMPERATURE"].compare(*compared, f"{_MEAN}: no hourly weather")
        yield RULES["REUSE-HOURS"].not_evaluated("heat reuse", "no hourly weather")
        return
    warm, whole = (float(year[f"annual.reuse.{id}"].si) for id in ("hours", "hours.heat"))
    lowest_c = float(year["annual.reuse.temperature.lowest"].si)
    why = f"{warm:,.0f} of {whole:,.0f} hours; minimum {show(lowest_c, 'temperature')}"
    yield RULES["REUSE-TEMPERATURE"].compare(*compared, why)
    yield RULES["REUSE-HOURS"].at_least("heat reuse", warm, whole, "count", why)


def _reuse_not_evaluated(why: str) -> Iterator[Check]:
    for rule in (RULES["REUSE-TEMPERATURE"], RULES["REUSE-HOURS"]):
        yield rule.not_evaluated("heat reuse", why)


def _effectiveness(basis: _Basis, mean: OperatingPoint) -> tuple[str, Value]:
    """Record the ERE: annual with hourly weather, else for a mean hour."""
    year = basis.of_year.get("ere")
    if year is not None:
        words = "annual, from ere; not included in the PUE"
        return basis.note("reuse.ere", float(year.si), "ratio", words)
    ere = basis.trace.do(
        "reuse.ere",
        energy_reuse_effectiveness,
        "the PUE is unchanged",
        facility_w=float(mean.facility_w),
        reused_w="reuse.heat",
        it_w=float(mean.demand.it_w),
    )
    return "reuse.ere", Value(float(ere), "ratio", f"{_MEAN}; not included in the PUE")
