"""Cases of heat exchangers and coolant loops: coils, CDUs, coolant flow."""

from __future__ import annotations

from facility.cooling.parts.exchanger import Exchanger
from facility.cooling.parts.fluids import Liquid, liquid_at
from facility.physics.air.sensible import moist_air_specific_heat
from facility.physics.exchangers.effectiveness import (
    counterflow_effectiveness,
    counterflow_ntu,
    crossflow_effectiveness,
    heat_exchanged,
)
from facility.physics.liquids.coolant import coolant_flow_for_heat, coolant_temperature_rise
from facility.study.resolve.cooling.parts import known_fluid
from facility.study.verification.inputs import CaseFunctions

_EVEN_FILMS = 1.0


def _rates(
    air_kg_s: float, humidity_ratio: float, water_kg_s: float, water_j_kgk: float
) -> tuple[float, float]:
    """Return the capacity rates of the air and of the water of a coil."""
    return air_kg_s * float(moist_air_specific_heat.si(humidity_ratio)), water_kg_s * water_j_kgk


def _coil_heat(
    conductance_w_k: float, air_in_c: float, water_in_c: float, **streams: float
) -> float:
    air_w_k, water_w_k = _rates(**streams)
    coil = Exchanger("finned coil", conductance_w_k, air_w_k, water_w_k, _EVEN_FILMS)
    return coil.heat(air_w_k, water_w_k, air_in_c, water_in_c)


def _coil_ends(
    conductance_w_k: float, air_in_c: float, water_in_c: float, **streams: float
) -> tuple[float, float]:
    """Return the leaving air and water temperatures."""
    heat_w = _coil_heat(conductance_w_k, air_in_c, water_in_c, **streams)
    air_w_k, water_w_k = _rates(**streams)
    return air_in_c - heat_w / air_w_k, water_in_c + heat_w / water_w_k


def _coil_counterflow_heat(
    conductance_w_k: float, air_in_c: float, water_in_c: float, **streams: float
) -> float:
    minimum, maximum = sorted(_rates(**streams))
    effectiveness = counterflow_effectiveness.si(conductance_w_k / minimum, minimum / maximum)
    return float(heat_exchanged.si(effectiveness, minimum, air_in_c, water_in_c))


def _coil_effectiveness(conductance_w_k: float, **streams: float) -> float:
    minimum, maximum = sorted(_rates(**streams))
    return float(crossflow_effectiveness.si(conductance_w_k / minimum, minimum / maximum))


def _coil_counterflow_conductance(
    air_in_c: float, air_out_c: float, water_in_c: float, **streams: float
) -> float:
    air_w_k, water_w_k = _rates(**streams)
    return _conductance(air_w_k * (air_in_c - air_out_c), air_w_k, water_w_k, air_in_c, water_in_c)


def _conductance(
    heat_w: float, rate_1_w_k: float, rate_2_w_k: float, hot_in_c: float, cold_in_c: float
) -> float:
    minimum, maximum = sorted((rate_1_w_k, rate_2_w_k))
    effectiveness = heat_w / float(heat_exchanged.si(1.0, minimum, hot_in_c, cold_in_c))
    return float(counterflow_ntu.si(effectiveness, minimum / maximum)) * minimum


def _cdu_conductance(
    heat_w: float, tcs_supply_c: float, tcs_return_c: float, fws_supply_c: float, fws_ratio: float
) -> float:
    tcs_w_k = heat_w / (tcs_return_c - tcs_supply_c)
    return _conductance(heat_w, tcs_w_k, fws_ratio * tcs_w_k, tcs_return_c, fws_supply_c)


def _cdu_mean_difference(heat_w: float, **inputs: float) -> float:
    """Return q / UA with UA from eps-NTU, an independent log-mean temperature difference."""
    return heat_w / _cdu_conductance(heat_w, **inputs)


def _cdu_fws_return(
    heat_w: float, tcs_supply_c: float, tcs_return_c: float, fws_supply_c: float, fws_ratio: float
) -> float:
    tcs_w_k = heat_w / (tcs_return_c - tcs_supply_c)
    rates = sorted((tcs_w_k, fws_ratio * tcs_w_k))
    conductance_w_k = _cdu_conductance(heat_w, tcs_supply_c, tcs_return_c, fws_supply_c, fws_ratio)
    effectiveness = counterflow_effectiveness.si(conductance_w_k / rates[0], rates[0] / rates[1])
    given_w = heat_exchanged.si(effectiveness, rates[0], tcs_return_c, fws_supply_c)
    return fws_supply_c + float(given_w) / (fws_ratio * tcs_w_k)


def _balanced_supply(
    effectiveness: float, rate_w_k: float, hot_in_c: float, cold_in_c: float
) -> float:
    """Return the hot stream's outlet of an exchanger with equal capacity rates."""
    return (
        hot_in_c - float(heat_exchanged.si(effectiveness, rate_w_k, hot_in_c, cold_in_c)) / rate_w_k
    )


def _coolant_return(supply_c: float, **inputs: float) -> float:
    return supply_c + float(coolant_temperature_rise.si(**inputs))


def _liquid(fluid: str, supply_c: float, return_c: float) -> Liquid:
    return liquid_at(known_fluid(fluid), 0.5 * (supply_c + return_c), "verification")


def _coolant_flow(heat_w: float, supply_c: float, return_c: float, fluid: str) -> float:
    liquid = _liquid(fluid, supply_c, return_c)
    return float(coolant_flow_for_heat.si(heat_w, return_c - supply_c, **liquid.properties))


def _coolant_mass_flow(heat_w: float, supply_c: float, return_c: float, fluid: str) -> float:
    density = _liquid(fluid, supply_c, return_c).density_kg_m3
    return _coolant_flow(heat_w, supply_c, return_c, fluid) * density


def _coolant_flow_per_power(heat_w: float, supply_c: float, return_c: float, fluid: str) -> float:
    return _coolant_flow(heat_w, supply_c, return_c, fluid) / heat_w


FUNCTIONS: CaseFunctions = {
    "coil.heat": ("heat_flow", _coil_heat),
    "coil.air_out": ("temperature", lambda **inputs: _coil_ends(**inputs)[0]),
    "coil.water_out": ("temperature", lambda **inputs: _coil_ends(**inputs)[1]),
    "coil.effectiveness": ("ratio", _coil_effectiveness),
    "coil.counterflow_heat": ("heat_flow", _coil_counterflow_heat),
    "coil.counterflow_conductance": ("thermal_conductance", _coil_counterflow_conductance),
    "cdu.conductance": ("thermal_conductance", _cdu_conductance),
    "cdu.mean_difference": ("temperature_difference", _cdu_mean_difference),
    "cdu.fws_return": ("temperature", _cdu_fws_return),
    "exchanger.balanced_supply": ("temperature", _balanced_supply),
    "coolant.return_temperature": ("temperature", _coolant_return),
    "coolant.flow": ("liquid_flow", _coolant_flow),
    "coolant.mass_flow": ("mass_flow", _coolant_mass_flow),
    "coolant.flow_per_power": ("flow_per_power", _coolant_flow_per_power),
}
