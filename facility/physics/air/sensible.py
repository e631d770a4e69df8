"""Room air: flow for a sensible heat, bypass and recirculation of the containment.

The supply air splits: the fraction `bypass` returns unused. The exhaust splits too: the fraction
`recirculation` is the exhaust fraction of the equipment inlet air. With the rise dT across the
equipment, the supply temperature Ts and mass conservation V_supply (1 - b) = V_IT (1 - k),

    T_exhaust = Ts + dT / (1 - k)
    T_inlet   = Ts + k (T_exhaust - Ts)
    T_return  = Ts + (1 - b) (T_exhaust - Ts)

and the heat carried back, V_supply (T_return - Ts), is V_IT dT for every b and k.
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    AirFlow,
    Fraction,
    HeatFlow,
    HumidityRatio,
    Numeric,
    Ratio,
    SpecificHeat,
    SpecificVolume,
    Temperature,
    TemperatureDifference,
)
from facility.core.sources import DERIVED, Source

_FUNDAMENTALS = Source("ashrae-fundamentals-2017", "ch. 1, eq. 30", "2017", "secondary")


def _refuse_unless_fraction(value: Numeric, name: str) -> None:
    if isinstance(value, float):
        is_fraction = 0.0 <= value < 1.0
    else:
        is_fraction = bool(np.all((np.asarray(value) >= 0.0) & (np.asarray(value) < 1.0)))
    if not is_fraction:
        raise FacilityError(
            "OUT_OF_RANGE", name, "a leak fraction must be at least 0 and below 1.", "E.g. 0.05."
        )


@equation("c_p", r"1006 + 1860\,W", _FUNDAMENTALS, empirical="coefficients in J/(kg K)")
def moist_air_specific_heat(humidity_ratio: HumidityRatio) -> SpecificHeat:
    """Return the specific heat of moist air per kg of dry air.

    It is the slope of the enthalpy h = 1006 T + W (2 501 000 + 1860 T) in T.
    """
    return 1006.0 + 1860.0 * humidity_ratio


@equation(
    "V",
    r"\dot q\,v / (c_p\,\Delta T)",
    DERIVED,
    excel="{heat_w}*{specific_volume_m3_kg}/({specific_heat_j_kgk}*{rise_k})",
)
def air_flow_for_heat(
    heat_w: HeatFlow,
    rise_k: TemperatureDifference,
    specific_volume_m3_kg: SpecificVolume,
    specific_heat_j_kgk: SpecificHeat,
) -> AirFlow:
    """Return the volume of air that carries a sensible heat at a temperature rise.

    The dry-air mass flow is q / (cp dT); its volume is taken where `specific_volume_m3_kg` is.
    Thin air at altitude needs more volume for the same heat.
    """
    return heat_w * specific_volume_m3_kg / (specific_heat_j_kgk * rise_k)


@equation(r"\Delta T", r"\dot q\,v / (c_p\,V)", DERIVED)
def air_temperature_rise(
    heat_w: HeatFlow,
    air_flow_m3_s: AirFlow,
    specific_volume_m3_kg: SpecificVolume,
    specific_heat_j_kgk: SpecificHeat,
) -> TemperatureDifference:
    """Return the temperature rise of an air flow that absorbs a sensible heat.

    The inverse of `air_flow_for_heat`: dT = q / (m cp) with the dry-air mass flow m = V / v.
    """
    return heat_w * specific_volume_m3_kg / (specific_heat_j_kgk * air_flow_m3_s)


@equation(r"\Delta T", r"\Delta T_0 \max(1, x\,r / k)", DERIVED)
def server_rise_at_altitude(
    sea_level_rise_k: TemperatureDifference, load: Ratio, volume_ratio: Ratio, reserve: Ratio
) -> TemperatureDifference:
    """Return the server air rise at altitude; fans maintain it up to full speed.

    At the same rise the volume grows with the specific volume, by r = v / v0 over sea level. A
    server at the part x of its maximum input draws x of its published flow V0 at sea level, and at
    most k V0: where x r exceeds k, the temperature rise increases with x r.

    load: x, input over maximum input.
    volume_ratio: r, at the same heat and rise.
    reserve: k, maximum over published flow.
    """
    return sea_level_rise_k * np.maximum(1.0, load * volume_ratio / reserve)


@equation("V_s", r"V_{IT} (1 - k) / (1 - b)", DERIVED)
def supply_air_flow(it_flow_m3_s: AirFlow, bypass: Fraction, recirculation: Fraction) -> AirFlow:
    """Return the supply air flow required for an equipment air flow.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for a leak fraction outside 0 to below 1.
    """
    _refuse_unless_fraction(bypass, "bypass")
    _refuse_unless_fraction(recirculation, "recirculation")
    return it_flow_m3_s * (1.0 - recirculation) / (1.0 - bypass)


@equation("T_{exh}", r"T_s + \Delta T / (1 - k)", DERIVED)
def exhaust_temperature(
    supply_c: Temperature, rise_k: TemperatureDifference, recirculation: Fraction
) -> Temperature:
    """Return the exhaust of equipment with recirculation of exhaust air.

    T_exh = T_inlet + dT with T_inlet = (1 - k) Ts + k T_exh, solved for T_exh.
    """
    return supply_c + rise_k / (1.0 - recirculation)


@equation("T_{in}", r"T_s + k (T_{exh} - T_s)", DERIVED)
def inlet_temperature(
    supply_c: Temperature, exhaust_c: Temperature, recirculation: Fraction
) -> Temperature:
    """Return the equipment inlet temperature: supply air mixed with recirculated exhaust.

    An inlet temperature never follows from the air handlers' flow alone.
    """
    return supply_c + recirculation * (exhaust_c - supply_c)
