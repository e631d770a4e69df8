"""Cases of moist air: states, flows, containment."""

from __future__ import annotations

from facility.physics.air.psychrometrics import (
    dew_point,
    enthalpy,
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    humidity_ratio_of_vapor,
    relative_humidity,
    saturation_pressure,
    specific_volume,
    wet_bulb,
)
from facility.physics.air.sensible import air_flow_for_heat, moist_air_specific_heat
from facility.study.verification.inputs import CaseFunctions


def _enthalpy(t_c: float, rh: float, p_pa: float) -> float:
    return float(enthalpy.si(t_c, humidity_ratio.si(t_c, rh, p_pa)))


def _dew_point(t_c: float, rh: float, p_pa: float) -> float:
    return float(dew_point.si(humidity_ratio.si(t_c, rh, p_pa), p_pa))


def _wet_bulb(t_c: float, rh: float, p_pa: float) -> float:
    return float(wet_bulb.si(t_c, humidity_ratio.si(t_c, rh, p_pa), p_pa))


def _volume(t_c: float, rh: float, p_pa: float) -> float:
    return float(specific_volume.si(t_c, humidity_ratio.si(t_c, rh, p_pa), p_pa))


def _dew_point_of_wet_bulb(t_c: float, wet_bulb_c: float, p_pa: float) -> float:
    return float(dew_point.si(humidity_ratio_at_wet_bulb.si(t_c, wet_bulb_c, p_pa), p_pa))


def _humidity_of_wet_bulb(t_c: float, wet_bulb_c: float, p_pa: float) -> float:
    ratio = humidity_ratio_at_wet_bulb.si(t_c, wet_bulb_c, p_pa)
    return float(relative_humidity.si(t_c, ratio, p_pa))


def _volume_of_wet_bulb(t_c: float, wet_bulb_c: float, p_pa: float) -> float:
    ratio = humidity_ratio_at_wet_bulb.si(t_c, wet_bulb_c, p_pa)
    return float(specific_volume.si(t_c, ratio, p_pa))


def _flow(heat_w: float, supply_c: float, rise_k: float, dew_point_c: float, p_pa: float) -> float:
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(dew_point_c), p_pa)
    volume = specific_volume.si(supply_c, ratio, p_pa)
    return float(air_flow_for_heat.si(heat_w, rise_k, volume, moist_air_specific_heat.si(ratio)))


def _flow_per_power(
    heat_w: float, supply_c: float, rise_k: float, dew_point_c: float, p_pa: float
) -> float:
    return _flow(heat_w, supply_c, rise_k, dew_point_c, p_pa) / heat_w


def _dry_flow(heat_w: float, supply_c: float, rise_k: float, p_pa: float) -> float:
    volume = specific_volume.si(supply_c, 0.0, p_pa)
    return float(air_flow_for_heat.si(heat_w, rise_k, volume, moist_air_specific_heat.si(0.0)))


FUNCTIONS: CaseFunctions = {
    "air.enthalpy": ("specific_enthalpy", _enthalpy),
    "air.dew_point": ("temperature", _dew_point),
    "air.wet_bulb": ("temperature", _wet_bulb),
    "air.specific_volume": ("specific_volume", _volume),
    "air.dew_point_of_wet_bulb": ("temperature", _dew_point_of_wet_bulb),
    "air.humidity_of_wet_bulb": ("fraction", _humidity_of_wet_bulb),
    "air.volume_of_wet_bulb": ("specific_volume", _volume_of_wet_bulb),
    "air.flow": ("air_flow", _flow),
    "air.flow_per_power": ("flow_per_power", _flow_per_power),
    "air.dry_flow": ("air_flow", _dry_flow),
}
