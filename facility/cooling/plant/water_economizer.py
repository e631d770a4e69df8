"""Water-side economizer: exchanger or coil upstream of the chillers.

The water of the heat rejection passes the exchanger first and the condensers after it, whose
mixing valve keeps the head pressure.
"""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.cooling.chain import ChilledWaterPlan
from facility.model.cooling.economizer import EconomizerPlan
from facility.physics.elementwise import plain
from facility.physics.exchangers.free_cooling import (
    economizer_share,
    precooled_temperature,
    source_for_full,
)
from facility.physics.facility.house import share_of_load


def water_for_full(economizer: EconomizerPlan, plan: ChilledWaterPlan) -> float:
    """Return the water temperature for full load, or the minimum permitted."""
    full_c = source_for_full.si(plan.return_c, plan.supply_c, economizer.effectiveness)
    return max(economizer.min_water_c, float(full_c))


def refuse_narrow(economizer: EconomizerPlan, plan: ChilledWaterPlan) -> None:
    """Reject an exchanger with a heat rejection water outlet above the chilled water return.

    Raises ``ECONOMIZER_INFEASIBLE`` if it is above the chilled water return, at the
    range of the plant as sized.
    """
    if not economizer.on_water or plan.sink.kind == "air_cooled":
        return
    limit_k = plan.rise_k / economizer.effectiveness
    if plan.condenser_range_k <= limit_k:
        return
    by = "cooling.plant.condenser_range"
    remedy = f"lower the effectiveness or {by}"
    if plan.condenser_flow_m3_s is not None:
        remedy = "lower the effectiveness, raise cooling.plant.condenser_flow"
    raise FacilityError(
        "ECONOMIZER_INFEASIBLE",
        "cooling.economizer.effectiveness",
        f"heat rejection water with a range of {plan.condenser_range_k:.1f} K would "
        f"leave the exchanger warmer than the chilled water return; maximum range {limit_k:.1f} K.",
        f"{remedy[0].upper()}{remedy[1:]}, or raise cooling.plant.delta_t.",
    )


def record_water(
    economizer: EconomizerPlan, source_c: float, plan: ChilledWaterPlan, trace: Trace
) -> float:
    """Record and return the heat that it removes from the step ``plant.water_load``.

    The remainder is the step ``plant.chiller_load``.

    economizer: Water-side economizer.
    source_c: Water of the heat rejection, or the air at a free-cooling coil.
    plan: Supply and return of the chilled water.
    """
    trace.do(
        "economizer.precooled",
        precooled_temperature,
        "water entering the chillers",
        return_c=plan.return_c,
        source_c=source_c,
        setpoint_c=plan.supply_c,
        effectiveness=economizer.effectiveness,
    )
    trace.do(
        "economizer.share",
        economizer_share,
        return_c=plan.return_c,
        precooled_c="economizer.precooled",
        setpoint_c=plan.supply_c,
    )
    taken_w = trace.do(
        "economizer.heat", share_of_load, load_w="plant.water_load", share="economizer.share"
    )
    trace.derive(
        "plant.chiller_load",
        trace.value("plant.water_load") - plain(taken_w),
        "heat_flow",
        "remaining after the economizer",
        water="plant.water_load",
        economizer="economizer.heat",
    )
    return plain(taken_w)
