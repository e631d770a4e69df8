"""Cold plates: thermal resistance against flow, case temperature; drops between published points.

Between published points a resistance is taken on a straight line. It falls with the flow and
flattens, so that the line lies on the safe side: leaving out one published point of the OCP plate
at a time, the line through its neighbours is up to 1.1 % above it from 0.6 L/min on, and 6.0 %
at 0.5 L/min. Outside the points nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    HeatFlow,
    LiquidFlow,
    Numeric,
    Pressure,
    Ratio,
    Temperature,
    ThermalResistance,
)
from facility.core.rounding import ROUNDING, reaches, within
from facility.core.sources import DERIVED, Source
from facility.core.views import show

_OCP = Source("ocp-cold-plate", "case to coolant inlet")


def cold_plate_resistance(
    flow_m3_s: Numeric,
    flows_m3_s: Sequence[float],
    resistances_k_w: Sequence[float],
    where: str = "",
) -> Numeric:
    """Return the thermal resistance of a cold plate at a flow, from case to coolant inlet [K/W].

    flow_m3_s: Flow through the plate.
    flows_m3_s, resistances_k_w: Published points, at rising flow.
    where: Name of the quantity, for the message.

    Raises ``OUT_OF_RANGE`` outside the published flows.
    """
    low, high = flows_m3_s[0], flows_m3_s[-1]
    if np.any(np.less(flow_m3_s, low * (1.0 - ROUNDING))) or np.any(
        np.greater(flow_m3_s, high * (1.0 + ROUNDING))
    ):
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"{show(float(np.min(flow_m3_s)), 'liquid_flow')} is outside the published flows of "
            f"the cold plate, {show(low, 'liquid_flow')} to {show(high, 'liquid_flow')}.",
            "Select a flow within this range, or another cold plate.",
        )
    return np.interp(flow_m3_s, flows_m3_s, resistances_k_w)


@equation("T_c", r"T_s + R\,\dot q", _OCP)
def case_temperature(
    supply_c: Temperature, resistance_k_w: ThermalResistance, heat_w: HeatFlow
) -> Temperature:
    """Return the case temperature of a chip on a cold plate.

    The resistance is from the case to the coolant that enters the plate: it holds the rise of the
    coolant in the plate, which falls with the flow.
    """
    return supply_c + resistance_k_w * heat_w


@equation("n", r"\ln(\Delta p_2 / \Delta p_1) / \ln(V_2 / V_1)", DERIVED)
def flow_exponent(
    flow_1_m3_s: LiquidFlow, drop_1_pa: Pressure, flow_2_m3_s: LiquidFlow, drop_2_pa: Pressure
) -> Ratio:
    """Return the exponent of the flow in a pressure drop, from two points.

    The power law through both, dp = dp1 (V/V1)^n: 1 in laminar flow, 2 in fully turbulent flow.
    """
    return np.log(drop_2_pa / drop_1_pa) / np.log(flow_2_m3_s / flow_1_m3_s)


def drop_between(flow_m3_s: float, flows_m3_s: Sequence[float], drops_pa: Sequence[float]) -> float:
    """Return the pressure drop at a flow on the power laws between published points [Pa].

    Raises ``OUT_OF_RANGE`` outside the published flows.
    """
    if not reaches(flow_m3_s, flows_m3_s[0]) or not within(flow_m3_s, flows_m3_s[-1]):
        raise FacilityError(
            "OUT_OF_RANGE",
            "",
            f"{show(flow_m3_s, 'liquid_flow')} is outside the published flows, "
            f"{show(flows_m3_s[0], 'liquid_flow')} to {show(flows_m3_s[-1], 'liquid_flow')}.",
            "Enter a coolant flow within the table.",
        )
    return float(np.exp(np.interp(np.log(flow_m3_s), np.log(flows_m3_s), np.log(drops_pa))))
