"""Electric power of fans and pumps, at the design point and at part load."""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    AirFlow,
    Count,
    Density,
    Fraction,
    HeatFlow,
    LiquidFlow,
    Pressure,
    Ratio,
    SpecificHeat,
    TemperatureDifference,
)
from facility.core.sources import DERIVED, Source

_AFFINITY = Source("affinity-laws", "flow ~ speed, pressure ~ speed^2 and density", "", "secondary")
_CURVES = Source("energyplus-fan-curves", "cubic part-load curves")


@equation("P", r"V\,\Delta p / (\eta_f \eta_m \eta_d)", DERIVED)
def fan_power(
    air_flow_m3_s: AirFlow,
    pressure_rise_pa: Pressure,
    fan_efficiency: Fraction,
    motor_efficiency: Fraction,
    drive_efficiency: Fraction,
) -> ActivePower:
    """Return the electric power of a fan.

    The power given to the air, V dp, over the efficiencies of fan, motor and drive.
    """
    return air_flow_m3_s * pressure_rise_pa / (fan_efficiency * motor_efficiency * drive_efficiency)


@equation("P", r"V\,\Delta p / \eta", DERIVED, excel="{flow_m3_s}/60000*{head_pa}/{efficiency}")
def pump_power(flow_m3_s: LiquidFlow, head_pa: Pressure, efficiency: Fraction) -> ActivePower:
    """Return the electric power of a pump.

    The power given to the water, V dp, over the efficiency from wire to water.
    """
    return flow_m3_s * head_pa / efficiency


@equation(r"\dot q_t", r"\dot q / (1 - \Delta p / (\eta\,\rho\,c_p\,R))", DERIVED)
def heat_with_pump_work(
    heat_w: HeatFlow,
    head_pa: Pressure,
    efficiency: Fraction,
    density_kg_m3: Density,
    specific_heat_j_kgk: SpecificHeat,
    range_k: TemperatureDifference,
) -> HeatFlow:
    """Return the heat rejected by a loop, including its pump power.

    q_t = q + V dp / eta with the flow V = q_t / (rho cp R) that keeps the range R, solved for q_t.
    """
    return heat_w / (1.0 - head_pa / (efficiency * density_kg_m3 * specific_heat_j_kgk * range_k))


@equation("f(x)", r"c_0 + c_1 x + c_2 x^2 + c_3 x^3", _CURVES)
def part_load_power_ratio(flow_ratio: Ratio, c0: Ratio, c1: Ratio, c2: Ratio, c3: Ratio) -> Ratio:
    """Return the power of a fan or pump over its power at full flow.

    The cube law of an ideal machine on a pure friction system is c3 = 1 and nothing else.
    """
    return c0 + flow_ratio * (c1 + flow_ratio * (c2 + flow_ratio * c3))


def to_one(curve: Sequence[float]) -> dict[str, float]:
    """Return the coefficients of `part_load_power_ratio`, scaled so that it is one at full flow."""
    full = float(part_load_power_ratio.si(1.0, *curve))
    return {f"c{power}": c / full for power, c in enumerate(curve)}


@equation("P", r"n\,P_0\,f(x)\,\rho / \rho_0", _AFFINITY)
def running_fans_power(
    units: Count, rated_power_w: ActivePower, power_ratio: Ratio, density_ratio: Ratio
) -> ActivePower:
    """Return the power of equal fans that share a flow.

    A fan moves the same volume at the same speed whatever the density; its pressure and power
    follow the density. Running the redundant units too lowers the flow of each, and with the cube
    law the power of all: five at 80 % take 64 % of four at 100 %.
    """
    return units * rated_power_w * power_ratio * density_ratio


@equation(r"\Delta P", r"P_0\,(x^3 \rho / \rho_0 - 1)", _AFFINITY)
def extra_fan_power(power_w: ActivePower, flow_ratio: Ratio, density_ratio: Ratio) -> ActivePower:
    """Return the additional fan power of a fixed system over that at standard air.

    At constant mass flow the flow ratio x is the inverse of the density ratio, and the power grows
    with its square.

    flow_ratio: volume flow over that at standard air.
    """
    return power_w * (flow_ratio**3 * density_ratio - 1.0)


@equation("P", r"n\,P_0\,f(x)", DERIVED)
def running_pumps_power(
    units: Count, rated_power_w: ActivePower, power_ratio: Ratio
) -> ActivePower:
    """Return the power of equal pumps that share a flow.

    `power_ratio` is that of each pump at its share of the flow.
    """
    return units * rated_power_w * power_ratio


@equation("P", r"P_d\,f(x)\,\dot q / \dot q_d", DERIVED)
def staged_fans_power(
    full_power_w: ActivePower, power_ratio: Ratio, load_ratio: Ratio
) -> ActivePower:
    """Return the power of cells staged with the load.

    The share of cells that run is the share of the design heat; each runs at the same speed.
    """
    return full_power_w * power_ratio * load_ratio
