"""Pumping of the chilled water: running chillers and their flow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.cooling.parts.pumping import LoopPump
from facility.cooling.plant.chillers import Chillers
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.cooling.plant import PumpingPlan
from facility.physics.elementwise import maximum
from facility.physics.plant.fans_pumps import pump_power


@dataclass(frozen=True)
class EvaporatorFlow:
    """Water through the running chillers, and the bypass flow."""

    flow_m3_s: float
    bypass_m3_s: float


def evaporator_flow(
    plan: PumpingPlan, running: int, duty: int, design_m3_s: float, coils_m3_s: float
) -> EvaporatorFlow:
    """Return the flow through the running chillers.

    plan: Scheme and minimum flow.
    running, duty: Running chillers, and chillers sharing the design flow.
    design_m3_s, coils_m3_s: Design loop flow, and coil flow.
    """
    each = design_m3_s / duty if duty else 0.0
    if plan.scheme == "variable-primary":
        flow = maximum(coils_m3_s, running * plan.minimum_flow * each)
    else:
        flow = maximum(coils_m3_s, running * each)
    return EvaporatorFlow(flow, flow - coils_m3_s)


def chilled_water_pumps(
    plan: PumpingPlan,
    pump: LoopPump,
    chillers: Chillers,
    coils_w: float,
    coils_m3_s: float,
    trace: Trace,
) -> float:
    """Return and record the power of the pumps of the chilled water.

    plan: Scheme.
    pump: Pumps of the loop at design flow and full head.
    chillers: Chillers in the flow path.
    coils_w, coils_m3_s: Coil heat and flow.
    """
    running = chillers.running(coils_w, plan.stage_up)
    through = evaporator_flow(plan, running, chillers.duty, pump.flow_m3_s, coils_m3_s)
    if np.any(through.bypass_m3_s > 0.0):
        counted = f"{running} chillers running"
        in_words = counted if isinstance(running, int) else "chillers as needed"
        trace.choose(
            "plant.chw_evaporator_flow",
            through.flow_m3_s,
            "liquid_flow",
            f"{plan.scheme}, {in_words}; remainder through the bypass",
            DERIVED,
            coils="plant.chw_flow",
        )
    if plan.scheme == "variable-primary":
        return pump.power_at("plant.chw", through.flow_m3_s, trace)
    constant = pump.head_pa
    if plan.scheme == "primary-secondary":
        constant = _primary_head(plan, pump)
    primary = "plant.chw.primary_power"
    trace.do(
        primary,
        pump_power,
        "constant flow through the running chillers",
        flow_m3_s=through.flow_m3_s,
        head_pa=constant,
        efficiency=pump.plan.efficiency,
    )
    terms = [primary]
    if plan.scheme == "primary-secondary":
        secondary = LoopPump.sized(pump.plan, pump.flow_m3_s, pump.head_pa - constant)
        secondary.power_at("plant.chw.secondary", coils_m3_s, trace)
        terms.append("plant.chw.secondary.pump_power")
    return trace.sum("plant.chw.pump_power", "active_power", plan.scheme, *terms)


def secondary_head(plan: PumpingPlan, pump: LoopPump) -> float | None:
    """Return the head of the secondary pumps, which supply the headers; None in other schemes."""
    if plan.scheme != "primary-secondary":
        return None
    return pump.head_pa - _primary_head(plan, pump)


def _primary_head(plan: PumpingPlan, pump: LoopPump) -> float:
    """Return the head of the primary pumps.

    Raises ``PUMPING_CONTRADICTION`` if it is not below the full loop head.
    """
    head_pa = plan.primary_head_pa
    if head_pa is None:
        return plan.primary_part * pump.head_pa
    if head_pa >= pump.head_pa:
        raise FacilityError(
            "PUMPING_CONTRADICTION",
            "cooling.plant.pumping.primary_head",
            f"primary pump head of {show(head_pa, 'pressure')} is not below the calculated loop "
            f"head of {show(pump.head_pa, 'pressure')}.",
            "Enter a lower value, or the loop head (cooling.plant.pump.head).",
        )
    return head_pa
