"""Peak annual loading of the as-built equipment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.plant.sinks import Sink
from facility.core.kinds import Numeric
from facility.core.rounding import OVER, argmax_within_rounding
from facility.physics.elementwise import maximum
from facility.power.chain.sizing import solve_chain
from facility.study.annual.result import PeakLoading, Year
from facility.study.studies import StudyContext


def peak_loadings(design: StudyContext, year: Year) -> tuple[PeakLoading, ...]:
    """Return the peak load of each equipment type relative to its capacity, and its hour.

    The power chain is evaluated in the worst design state, the cooling with the duty units: a
    loading above 1 uses the redundancy, or exceeds the capacity. Absent equipment is omitted.
    """
    found = (*_power(design, year), *_cooling(design, year))
    return tuple(replace(x, load=1.0) if 1.0 < x.load <= OVER else x for x in found)


def _power(design: StudyContext, year: Year) -> Iterator[PeakLoading]:
    """Yield UPS and PDU transformer loading at their peak, other loading at the meter peak."""
    hours, demand = year.hours, year.balance.demand
    inside = argmax_within_rounding(hours.spread(demand.it_w) + hours.spread(demand.mech_ups_w))
    outside = argmax_within_rounding(year.facility_w)
    flow = solve_chain(design.chain, demand.at_hours(inside, outside))
    ups = maximum(flow.ups.loading.failure, flow.ups.loading_va.failure)
    yield PeakLoading("UPS modules, after design failure", _of(ups, 0), hours.hour(inside))
    if design.chain.pdus is not None:
        name = "PDU transformers, after design failure"
        yield PeakLoading(name, _of(flow.pdus.failure, 0), hours.hour(inside))
    if design.chain.transformers.present:
        name = "transformers, after design failure"
        yield PeakLoading(name, _of(flow.transformers.failure, 1), hours.hour(outside))
    if design.chain.generators.count:
        load = _of(flow.generators.loading, 1)
        yield PeakLoading("generator sets on duty", load, hours.hour(outside))


def _of(hours: float, index: int) -> float:
    return float(np.ravel(hours)[index])


def _cooling(design: StudyContext, year: Year) -> Iterator[PeakLoading]:
    for name, load, capacity in cooling_loads(design.cooling, year.balance.cooling):
        if np.all(np.asarray(capacity) > 0.0):
            share = year.hours.spread(np.asarray(load) / np.asarray(capacity))
            index = argmax_within_rounding(share)
            yield PeakLoading(name, float(share[index]), year.hours.hour(index), of_fans=True)


def cooling_loads(
    cooling: CoolingDesign, flow: CoolingFlow
) -> Iterator[tuple[str, Numeric, Numeric]]:
    """Yield the load and the capacity of each cooling equipment type that is installed."""
    counts, chilled, water = cooling.counts, cooling.chilled, cooling.water
    plan = cooling.chain.crah
    crah_m3_s = counts.crah_duty * plan.unit.air_flow_m3_s
    yield "air handlers on duty, air", flow.crah_airflow_m3_s, crah_m3_s
    unit_m3_s = counts.crah_electrical_duty * plan.path.electrical_unit.air_flow_m3_s
    name = "air handlers of the electrical rooms, air"
    yield name, flow.electrical_airflow_m3_s, unit_m3_s
    chillers_w = chilled.on_duty * chilled.capacity_at(flow.condenser_in_c)
    yield "chillers on duty", flow.chiller_load_w, chillers_w
    yield "chilled-water pumps", flow.chw_flow_m3_s, chilled.pump.flow_m3_s
    if chilled.sink.duty:
        heat_w = chilled.sink.heat_w * _there(chilled.sink)
        yield "heat rejection of the chillers", flow.rejection.heat_w, heat_w
    if water is not None and cooling.cdus is not None:
        cdus = cooling.cdus
        rated_m3_s = counts.cdu_duty * cdus.plan.unit.tcs_flow_m3_s
        yield "CDUs on duty, coolant", cdus.plan.tcs_flow_m3_s, rated_m3_s
        heat_w = flow.facility_water_w - flow.power.fws_pumps_w
        yield "CDUs on duty, heat", heat_w, water.design_w * _there(cdus)
        yield "facility-water pumps", flow.fws_flow_m3_s, water.pump.flow_m3_s
        if water.sink is not None and flow.fws_rejection is not None:
            name = "heat rejection of the facility water"
            yield name, flow.fws_rejection.heat_w, water.sink.heat_w * _there(water.sink)


def _there(units: Sink | CduDesign) -> float:
    """Return the installed fraction of the duty units; fewer may be stated than are required."""
    return units.on_duty / units.duty
