"""What the equipment as built carries in a year, over what it can carry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facility.core.kinds import Numeric
from facility.power.chain.sizing import solve_chain
from facility.study.annual.result import Year
from facility.study.design.design import Design


def loadings(design: Design, year: Year) -> dict[str, float]:
    """Return the highest load of each kind of equipment over what it carries, by its name.

    Of the power chain in the worst designed state at the highest hour, of the cooling with the
    units on duty: above 1 the redundancy is used up, or the sizes are passed.
    """
    return {**dict(_power(design, year)), **dict(_cooling(design, year))}


def _power(design: Design, year: Year) -> Iterator[tuple[str, float]]:
    hour = int(np.argmax(year.facility_w))
    flow = solve_chain(design.chain, year.balance.demand.at_hour(hour))
    ups = max(flow.ups.loading.failure, flow.ups.loading_va.failure)
    yield "UPS modules, after the designed failure", float(ups)
    if design.chain.transformers.present:
        yield "transformers, after the designed failure", float(flow.transformers.failure)
    yield "generator sets on duty", float(flow.generators.loading)


def _cooling(design: Design, year: Year) -> Iterator[tuple[str, float]]:
    cooling, counts, flow = design.cooling, design.cooling.counts, year.balance.cooling
    chilled, water = cooling.chilled, cooling.water
    crah_m3_s = counts.crah_duty * cooling.chain.crah.unit.air_flow_m3_s
    yield "air handlers on duty, air", _highest(flow.crah_airflow_m3_s, crah_m3_s)
    yield "chillers on duty", _highest(flow.chiller_load_w, chilled.on_duty * chilled.capacity_w)
    yield "chilled-water pumps", _highest(flow.chw_flow_m3_s, chilled.pump.flow_m3_s)
    yield "heat rejection of the chillers", _highest(flow.rejection.heat_w, chilled.sink.heat_w)
    if water is not None and cooling.cdus is not None:
        plan = cooling.cdus.plan
        rated_m3_s = counts.cdu_duty * plan.unit.tcs_flow_m3_s
        yield "CDUs on duty, coolant", _highest(plan.tcs_flow_m3_s, rated_m3_s)
        yield "facility-water pumps", _highest(flow.fws_flow_m3_s, water.pump.flow_m3_s)
        if water.sink is not None and flow.fws_rejection is not None:
            rejected = _highest(flow.fws_rejection.heat_w, water.sink.heat_w)
            yield "heat rejection of the facility water", rejected


def _highest(load: Numeric, capacity: float) -> float:
    """Return the highest load over a capacity; 0 where there is no such equipment."""
    return float(np.max(load)) / capacity if capacity > 0.0 else 0.0
