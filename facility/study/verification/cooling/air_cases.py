"""Cases of moist air and the air path: states, flows, containment, rack heat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from facility.cooling.air.air_need import AirNeed, RoomAirBasis, air_need
from facility.cooling.air.rack_limits import AIR_DENSITY_W
from facility.core.kinds import Numeric
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.inputs.document import Project
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
from facility.study.resolve.facility import resolve
from facility.study.verification.inputs import CaseFunctions


def _ratio(t_c: float, p_pa: float, rh: float = 0.0, wet_bulb_c: float | None = None) -> Numeric:
    """Return the humidity ratio of air of a relative humidity, or of a wet bulb."""
    if wet_bulb_c is None:
        return humidity_ratio.si(t_c, rh, p_pa)
    return humidity_ratio_at_wet_bulb.si(t_c, wet_bulb_c, p_pa)


def _dew_point(p_pa: float, **air: float) -> Numeric:
    return dew_point.si(_ratio(p_pa=p_pa, **air), p_pa)


def _volume(t_c: float, p_pa: float, **air: float) -> Numeric:
    return specific_volume.si(t_c, _ratio(t_c, p_pa, **air), p_pa)


def _wet_bulb(t_c: float, p_pa: float, rh: float) -> Numeric:
    return wet_bulb.si(t_c, _ratio(t_c, p_pa, rh), p_pa)


def _humidity(t_c: float, p_pa: float, wet_bulb_c: float) -> Numeric:
    return relative_humidity.si(t_c, _ratio(t_c, p_pa, wet_bulb_c=wet_bulb_c), p_pa)


def _flow(heat_w: float, supply_c: float, rise_k: float, dew_point_c: float, p_pa: float) -> float:
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(dew_point_c), p_pa)
    volume = specific_volume.si(supply_c, ratio, p_pa)
    return float(air_flow_for_heat.si(heat_w, rise_k, volume, moist_air_specific_heat.si(ratio)))


def _dry_flow(heat_w: float, supply_c: float, rise_k: float, p_pa: float) -> float:
    volume = specific_volume.si(supply_c, 0.0, p_pa)
    return float(air_flow_for_heat.si(heat_w, rise_k, volume, moist_air_specific_heat.si(0.0)))


_DENSITIES_W = (20e3, 30e3, 40e3, 60e3, 132e3)
_RACKS = 100
_PROJECT = {
    "schema_version": 1,
    "site": {"station": "ashburn"},
    "it": {"gpu_model": "H100 SXM5", "gpus": 64, "server": "DGX H100"},
    "power": {"redundancy": "3N/2"},
    "cooling": {"method": "air", "air": {"supply": "raised-floor"}},
}


@lru_cache(maxsize=1)
def _room() -> tuple[CoolingChain, float]:
    facility, _ = resolve(Project.model_validate(_PROJECT), Trace())
    return facility.cooling, facility.site.pressure_pa


def _need(heat_w: float) -> AirNeed:
    chain, pressure_pa = _room()
    plan = chain.crah
    basis = RoomAirBasis(
        plan.supply_air_c,
        plan.unit.rated_rise_k,
        chain.room_dew_point_c,
        pressure_pa,
        plan.bypass,
        plan.recirculation,
    )
    return air_need(heat_w, _RACKS, basis, plan.path.room, plan.unit)


_FIGURES: Mapping[str, Callable[[AirNeed], float]] = {
    "airflow": lambda need: need.airflow_m3_s,
    "tiles": lambda need: need.tiles,
    "crah_count": lambda need: need.units,
}


def _shown(quantity: str) -> str:
    """Return "shown" if a figure exists at every density and increases with heat."""
    found = [_FIGURES[quantity](_need(heat_w)) for heat_w in _DENSITIES_W]
    grows = all(low < high for low, high in pairwise(found))
    return "shown" if grows and found[0] > 0.0 else "not shown"


FUNCTIONS: CaseFunctions = {
    "air.enthalpy": ("specific_enthalpy", lambda t_c, **air: enthalpy.si(t_c, _ratio(t_c, **air))),
    "air.dew_point": ("temperature", _dew_point),
    "air.wet_bulb": ("temperature", _wet_bulb),
    "air.specific_volume": ("specific_volume", _volume),
    "air.dew_point_of_wet_bulb": ("temperature", _dew_point),
    "air.humidity_of_wet_bulb": ("fraction", _humidity),
    "air.volume_of_wet_bulb": ("specific_volume", _volume),
    "air.flow": ("air_flow", _flow),
    "air.flow_per_power": ("flow_per_power", lambda heat_w, **air: _flow(heat_w, **air) / heat_w),
    "air.dry_flow": ("air_flow", _dry_flow),
    "air_path.shown": ("text", _shown),
    "air_path.density_limit": ("heat_flow", lambda: AIR_DENSITY_W),
}
