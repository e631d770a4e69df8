"""Cases of a plant over a typical year, as EnergyPlus runs it: chillers, tower, pumps, water."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facility.catalogue import table
from facility.catalogue.weather import station_weather
from facility.cooling.plant.hours import AirHours, PlantHours, TowerUnit, water_cooled_hours
from facility.physics.air.psychrometrics import humidity_ratio, wet_bulb
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.fans_pumps import pump_power
from facility.study.resolve.cooling.plant import eir_curves

_WATER_J_KGK, _WATER_KG_M3 = 4186.0, 999.0
_HOUR_S = 3600.0
_AIR_M3_S_PER_W = 0.5 / 190.0
"""Air flow of a tower of which the fan power alone is known (EnergyPlus, autosizing)."""


def _curves(chiller: str) -> EirCurves:
    return eir_curves(table("cooling/chillers_eir").get(chiller))


@lru_cache(maxsize=8)
def _air(station: str) -> AirHours:
    weather = station_weather(station)
    humidity = humidity_ratio.si(
        weather.dry_bulb_c, np.minimum(weather.relative_humidity, 1.0), weather.pressure_pa
    )
    wet = wet_bulb.si(weather.dry_bulb_c, humidity, weather.pressure_pa)
    return AirHours(weather.dry_bulb_c, np.asarray(wet), np.asarray(humidity), weather.pressure_pa)


@lru_cache(maxsize=8)
def _water_cooled(
    station: str,
    chiller: str,
    load_w: float,
    chw_c: float,
    water_kg_s: float,
    fan_w: float,
    cycles: float,
    drift: float,
    over_wet_bulb_k: float,
    least_c: float,
    most_c: float,
    least_air: float,
) -> PlantHours:
    air = _air(station)
    unit = TowerUnit(water_kg_s, fan_w * _AIR_M3_S_PER_W, fan_w, least_air, cycles, drift)
    setpoint_c = np.clip(air.wet_bulb_c + over_wet_bulb_k, least_c, most_c)
    load = np.full(len(air.wet_bulb_c), load_w)
    return water_cooled_hours(
        _curves(chiller), unit, air, load, chw_c, setpoint_c, _WATER_J_KGK, _WATER_KG_M3
    )


def _chiller_energy(**inputs: float) -> float:
    return float(_water_cooled(**inputs).chillers_w.sum()) * _HOUR_S


def _chiller_peak(**inputs: float) -> float:
    return float(_water_cooled(**inputs).chillers_w.max())


def _chiller_cop(**inputs: float) -> float:
    hours = _water_cooled(**inputs)
    return inputs["load_w"] * len(hours.chillers_w) / float(hours.chillers_w.sum())


def _fan_energy(**inputs: float) -> float:
    return float(_water_cooled(**inputs).tower.fan_w.sum()) * _HOUR_S


def _condenser_mean(**inputs: float) -> float:
    return float(_water_cooled(**inputs).tower.leaving_c.mean())


def _condenser_max(**inputs: float) -> float:
    return float(_water_cooled(**inputs).tower.leaving_c.max())


def _water(part: str, **inputs: float) -> float:
    """Return the water of the year: ``evaporation``, ``drift``, ``blowdown`` or ``makeup``."""
    flows = getattr(_water_cooled(**inputs).tower, f"{part}_m3_s")
    return float(flows.sum()) * _HOUR_S


def _water_per_load(**inputs: float) -> float:
    hours = len(_water_cooled(**inputs).chillers_w)
    return _water("makeup", **inputs) / (inputs["load_w"] * hours * _HOUR_S)


def _water_per_heat(**inputs: float) -> float:
    rejected_j = float(_water_cooled(**inputs).rejected_w.sum()) * _HOUR_S
    return _water("evaporation", **inputs) / rejected_j


def _air_cooled_w(station: str, chiller: str, load_w: float, chw_c: float) -> NDArray[np.float64]:
    air = _air(station)
    return _curves(chiller).over_hours(chw_c, air.dry_bulb_c, load_w).power_w


def _air_cooled_energy(**inputs: Any) -> float:
    return float(_air_cooled_w(**inputs).sum()) * _HOUR_S


def _air_cooled_peak(**inputs: Any) -> float:
    return float(_air_cooled_w(**inputs).max())


def _air_cooled_cop(**inputs: Any) -> float:
    power = _air_cooled_w(**inputs)
    return float(inputs["load_w"] * len(power) / power.sum())


def _pump_energy(
    chw_flow_m3_s: float,
    chw_head_pa: float,
    cw_flow_m3_s: float,
    cw_head_pa: float,
    efficiency: float,
    hours: float,
) -> float:
    chilled_w = pump_power.si(chw_flow_m3_s, chw_head_pa, efficiency)
    return float(chilled_w + pump_power.si(cw_flow_m3_s, cw_head_pa, efficiency)) * hours * _HOUR_S


FUNCTIONS: Mapping[str, tuple[str, Callable[..., float]]] = {
    "plant_year.chiller_energy": ("energy", _chiller_energy),
    "plant_year.chiller_peak": ("active_power", _chiller_peak),
    "plant_year.cop": ("ratio", _chiller_cop),
    "plant_year.fan_energy": ("energy", _fan_energy),
    "plant_year.condenser_mean": ("temperature", _condenser_mean),
    "plant_year.condenser_max": ("temperature", _condenser_max),
    "plant_year.water": ("volume", _water),
    "plant_year.makeup_per_load": ("water_per_energy", _water_per_load),
    "plant_year.evaporation_per_heat": ("water_per_energy", _water_per_heat),
    "plant_year.air_cooled_energy": ("energy", _air_cooled_energy),
    "plant_year.air_cooled_peak": ("active_power", _air_cooled_peak),
    "plant_year.air_cooled_cop": ("ratio", _air_cooled_cop),
    "plant_year.pump_energy": ("energy", _pump_energy),
}
"""Kind of the result, and the function, by name."""
