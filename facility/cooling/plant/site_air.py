"""Capacity of air-cooled machines at site altitude and at air above their rating."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facility.catalogue import Row, table
from facility.cooling.plant.chillers import RATED_AIR_C, published_range, ratio_in_hot_air
from facility.core.trace import Trace
from facility.model.cooling.chain import ChilledWaterPlan, CrahPlan

_ALTITUDE = "cooling/altitude_air_cooled"
_CHILLERS = "equipment/chillers"


def cracs_at_site(
    plan: CrahPlan, model: str, outdoor_c: float, elevation_m: float, trace: Trace
) -> CrahPlan:
    """Return CRACs at a site, with compressor capacity derated for hot air and altitude.

    Ratings are data-sheet values at sea level.

    model: Air-cooled chiller that represents the compressors.
    outdoor_c: Condenser air at design.
    """
    plan = _cracs_in_hot_air(plan, model, outdoor_c, trace)
    refrigerant = plan.path.refrigerant
    if refrigerant is None:
        return plan
    ratio, words, row = _altitude(elevation_m, "unit")
    ratio = trace.assume(
        "cooling.air.rating.altitude",
        ratio,
        "ratio",
        f"CRAC capacity {words}; same as air-cooled chillers",
        row.cite("unit_ratio"),
    )
    ratio *= refrigerant.capacity_ratio
    path = replace(plan.path, refrigerant=replace(refrigerant, capacity_ratio=ratio))
    return replace(plan, path=path)


def _cracs_in_hot_air(plan: CrahPlan, model: str, outdoor_c: float, trace: Trace) -> CrahPlan:
    """Return CRACs with condenser air above the usual rating.

    Their compressors are derated as in the air-cooled chiller `model`. A stated rating is
    unchanged; the rule CRAC-OUTDOOR then compares its rated air.
    """
    refrigerant = plan.path.refrigerant
    if refrigerant is None or refrigerant.stated or outdoor_c <= refrigerant.outdoor_c:
        return plan
    curves, ratio = published_range(model), ratio_in_hot_air(model, outdoor_c)
    if curves is None or ratio is None:
        return plan
    ratio = trace.assume(
        "cooling.air.rating.hot_air",
        ratio,
        "ratio",
        f"CRAC capacity at {outdoor_c:.1f} degC over {RATED_AIR_C:g} degC air; same as "
        f"{model} by its curves, published to {curves.range_condenser_c[1]:.1f} degC",
        table(_CHILLERS).get(model).cite("curve"),
    )
    hot = replace(
        refrigerant,
        outdoor_c=curves.range_condenser_c[1],
        capacity_ratio=ratio * refrigerant.capacity_ratio,
    )
    return replace(plan, path=replace(plan.path, refrigerant=hot))


def _altitude(elevation_m: float, part: str) -> tuple[float, str, Row]:
    """Return a ratio of the table at an elevation, text, and a row to cite."""
    rows = table(_ALTITUDE).rows
    heights = [row.si("elevation_m") for row in rows]
    ratio = float(np.interp(elevation_m, heights, [row.si(f"{part}_ratio") for row in rows]))
    words = f"at {elevation_m:,.0f} m above sea level"
    if elevation_m > heights[-1]:
        words += (
            f", value for {heights[-1]:,.0f} m: end of the table; confirm with the manufacturer"
        )
    return ratio, words, rows[-1]


def chillers_at_altitude(
    plan: ChilledWaterPlan, given: bool, elevation_m: float, trace: Trace
) -> ChilledWaterPlan:
    """Return air-cooled chillers at an elevation: warmer condensers, and less capacity.

    Fan volume flow is constant: at lower density the same heat requires a warmer condenser, so that
    the power follows the lift. A capacity stated in the project applies at the site.
    """
    condenser, words, last = _altitude(elevation_m, "condenser")
    unit = _altitude(elevation_m, "unit")[0]
    sized = Trace() if plan.direct else trace
    condenser = trace.assume(
        "cooling.plant.rejection.altitude",
        condenser,
        "ratio",
        f"heat of air-cooled condensers per kelvin {words}",
        last.cite("condenser_ratio"),
    )
    unit = sized.assume(
        "cooling.plant.chiller.altitude",
        unit,
        "ratio",
        f"capacity of catalogue air-cooled chillers {words}",
        last.cite("unit_ratio"),
    )
    chiller = plan.chiller
    capacity_w, largest_w, min_w = chiller.capacity_w, chiller.largest_w, chiller.min_w
    if not given:
        largest_w, min_w = largest_w * unit, min_w * unit
        capacity_w = capacity_w * unit if capacity_w is not None else None
    approach_k = plan.sink.approach_k / condenser
    chiller = replace(
        chiller,
        capacity_w=capacity_w,
        largest_w=largest_w,
        min_w=min_w,
        altitude_k=approach_k - plan.sink.approach_k,
    )
    sink = replace(plan.sink, approach_k=approach_k)
    return replace(plan, chiller=chiller, sink=sink)
