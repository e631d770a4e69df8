"""Cases of the designed plant over a typical year vs. EnergyPlus: power and water.

The plant belongs to a simple project and is sized and operated like every design; only the load of
its coils is imposed, as in EnergyPlus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from facility.catalogue.weather import station_weather
from facility.cooling.parts.fluids import liquid_at
from facility.cooling.plant.chilled_water import (
    ChilledWater,
    ChilledWaterState,
    chilled_water_at,
    size_chilled_water,
)
from facility.cooling.plant.water import WaterHours, tower_air, tower_water
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet, Trace
from facility.model.inputs.document import Project
from facility.physics.plant.fans_pumps import pump_power
from facility.study.annual.hours import Hours, hours_of
from facility.study.resolve.cooling.parts import known_fluid
from facility.study.resolve.facility import resolve
from facility.study.verification.inputs import CaseFunction, CaseFunctions

_COILS = "heat.coils"
_STEPS = 4
_RATED_AT = {"elevation": "0 m", "design_dry_bulb": "35 degC", "design_wet_bulb": "25.56 degC"}
_PROJECT: Mapping[str, object] = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}


@dataclass(frozen=True, eq=False)
class _Year:
    """The designed plant over the hours of a typical year."""

    hours: Hours
    design: ChilledWater
    state: ChilledWaterState

    @property
    def chillers_w(self) -> FloatArray:
        return self.hours.spread(self.state.chillers_w)

    @property
    def condenser_c(self) -> FloatArray:
        return self.hours.spread(self.state.rejection.water.leaving_c)

    @cached_property
    def water(self) -> WaterHours:
        """Tower water by the method of EnergyPlus.

        EnergyPlus uses the humidity per kilogram of moist air and equal leaving and entering air
        mass: it evaporates less than by humidity per kilogram of dry air.
        """
        at = self.design.sink, self.state.rejection, self.hours.air
        found, (_, humid) = tower_water(*at), tower_air(*at)
        less_m3_s = found.evaporation_m3_s * humid / (1.0 + humid)
        cycles = self.design.sink.plan.cycles
        return replace(
            found,
            evaporation_m3_s=found.evaporation_m3_s - less_m3_s,
            blowdown_m3_s=found.blowdown_m3_s - less_m3_s / (cycles - 1.0),
        )


@dataclass(frozen=True)
class _Plant:
    """EnergyPlus inputs of the chillers and the chilled water."""

    station: str
    chiller: str
    load_w: float  # Chiller load, pump heat included
    chw_c: float
    chw_flow_m3_s: float
    chw_head_pa: float
    efficiency: float  # Wire-to-water efficiency of all pumps

    @property
    def section(self) -> dict[str, object]:
        """Plant section of the project."""
        rate_w_k = liquid_at(known_fluid("water"), self.chw_c, "").rate_w_k(self.chw_flow_m3_s)
        return {
            "chilled_water_supply": f"{self.chw_c} degC",
            "delta_t": f"{self.coils_w / rate_w_k} K",
            "fluid": "water",  # EnergyPlus loops contain water only, outdoors too
            "pump": self.pump(self.chw_head_pa),
            "chiller": {"model": self.chiller, "performance": "curves"},
            "heat_rejection": "air_cooled",
        }

    @property
    def project(self) -> dict[str, object]:
        """The project, sized at EnergyPlus rating conditions, without outdoor recirculation."""
        site = {"station": self.station} | _RATED_AT
        cooling = {"method": "air", "outdoor_recirculation": "0 K", "plant": self.section}
        return {**_PROJECT, "site": site, "cooling": cooling}

    @property
    def coils_w(self) -> float:
        """Coil heat; the rest of the load is pump heat."""
        pumps_w = pump_power.si(self.chw_flow_m3_s, self.chw_head_pa, self.efficiency)
        return self.load_w - float(pumps_w)

    def pump(self, head_pa: float) -> dict[str, str]:
        """Return the pump inputs for a head."""
        return {"head": f"{head_pa} Pa", "efficiency": f"{self.efficiency * 100.0} %"}


@dataclass(frozen=True)
class TowerPlant(_Plant):
    """EnergyPlus inputs of the condenser water and the tower in addition."""

    cw_flow_m3_s: float
    cw_head_pa: float
    fan_w: float
    rated_wet_bulb_c: float
    rated_range_k: float
    rated_approach_k: float
    cycles: float
    drift: float
    over_wet_bulb_k: float
    least_c: float
    most_c: float

    @property
    def section(self) -> dict[str, object]:
        """Plant section of the project."""
        rejection = {
            "tower": {
                "flow": f"{self.cw_flow_m3_s} m3/s",
                "wet_bulb": f"{self.rated_wet_bulb_c} degC",
                "range": f"{self.rated_range_k} K",
                "approach": f"{self.rated_approach_k} K",
                "fan_power": f"{self.fan_w} W",
            },
            "fan_curve": "ideal cube law",
            "cycles": self.cycles,
            "drift": f"{self.drift * 100.0} %",
            "pump": self.pump(self.cw_head_pa),
        }
        return super().section | {
            "heat_rejection": "tower",
            "rejection": rejection,
            "condenser_flow": f"{self.cw_flow_m3_s} m3/s",
            "condenser_setpoint_approach": f"{self.over_wet_bulb_k} K",
            "condenser_water_least": f"{self.least_c} degC",
            "condenser_water_most": f"{self.most_c} degC",
        }


@lru_cache(maxsize=4)
def _hours(station: str) -> Hours:
    """Return the year of a station in four steps per hour, as in EnergyPlus.

    The value of an hour applies at its end; EnergyPlus interpolates linearly.
    """
    year = station_weather(station)
    return hours_of(
        replace(
            year,
            dry_bulb_c=_in_steps(year.dry_bulb_c),
            relative_humidity=_in_steps(year.relative_humidity),
            pressure_pa=_in_steps(year.pressure_pa),
            month=np.repeat(year.month, _STEPS),
            step_s=year.step_s / _STEPS,
        )
    )


def _in_steps(values: FloatArray) -> FloatArray:
    part = (np.arange(_STEPS) + 1.0) / _STEPS
    before = np.concatenate([values[:1], values[:-1]])
    return np.asarray((before[:, None] + part * (values - before)[:, None]).ravel())


def _hourly(values: FloatArray) -> FloatArray:
    """Return the hourly means, as reported by EnergyPlus."""
    return np.asarray(values.reshape(-1, _STEPS).mean(axis=1))


@lru_cache(maxsize=8)
def year_of(plant_inputs: _Plant) -> _Year:
    """Return the plant of a project over the year of its station, at constant load."""
    facility = resolve(Project.model_validate(plant_inputs.project), Trace())[0]
    plan, pipes = facility.cooling.chilled_water, facility.cooling.hydraulics
    weather = facility.site.design
    design = size_chilled_water(plan, plant_inputs.coils_w, weather, 0.0, (1, 1), (1, 1), pipes)
    hours = _hours(plant_inputs.station)
    heat = Quiet(**{_COILS: hours.spread(plant_inputs.coils_w)})  # type: ignore[arg-type]
    return _Year(hours, design, chilled_water_at(design, _COILS, hours.weather, 0.0, heat))


def _chiller_energy(year: _Year) -> float:
    return year.hours.total(year.state.chillers_w)


def _chiller_peak(year: _Year) -> float:
    return float(_hourly(year.chillers_w).max())


def _chiller_cop(year: _Year) -> float:
    return year.hours.total(year.state.load_w) / _chiller_energy(year)


def _pump_energy(year: _Year) -> float:
    return year.hours.total(year.state.pumps_w + year.state.rejection.pumps_w)


def _water(part: str, **inputs: Any) -> float:
    """Return the annual water: ``evaporation``, ``drift``, ``blowdown`` or ``makeup``."""
    year = year_of(TowerPlant(**inputs))
    return year.hours.total(getattr(year.water, f"{part}_m3_s"))


def _water_per_load(year: _Year) -> float:
    return year.hours.total(year.water.makeup_m3_s) / year.hours.total(year.state.load_w)


def _water_per_heat(year: _Year) -> float:
    rejected_j = year.hours.total(year.state.rejection.heat_w)
    return year.hours.total(year.water.evaporation_m3_s) / rejected_j


_TOWER: Mapping[str, tuple[str, Callable[[_Year], float]]] = {
    "chiller_energy": ("energy", _chiller_energy),
    "chiller_peak": ("active_power", _chiller_peak),
    "cop": ("ratio", _chiller_cop),
    "fan_energy": ("energy", lambda year: year.hours.total(year.state.rejection.fans_w)),
    "pump_energy": ("energy", _pump_energy),
    "condenser_mean": ("temperature", lambda year: year.condenser_c.mean()),
    "condenser_max": ("temperature", lambda year: _hourly(year.condenser_c).max()),
    "makeup_per_load": ("water_per_energy", _water_per_load),
    "evaporation_per_heat": ("water_per_energy", _water_per_heat),
}
_AIR_COOLED: Mapping[str, tuple[str, Callable[[_Year], float]]] = {
    "air_cooled_energy": ("energy", _chiller_energy),
    "air_cooled_peak": ("active_power", _chiller_peak),
    "air_cooled_cop": ("ratio", _chiller_cop),
    "air_cooled_pump_energy": ("energy", _pump_energy),
}


def _of(plant: type[_Plant], figure: Callable[[_Year], float]) -> CaseFunction:
    return lambda **inputs: figure(year_of(plant(**inputs)))


FUNCTIONS: CaseFunctions = {
    **{f"plant_year.{n}": (kind, _of(TowerPlant, f)) for n, (kind, f) in _TOWER.items()},
    **{f"plant_year.{n}": (kind, _of(_Plant, f)) for n, (kind, f) in _AIR_COOLED.items()},
    "plant_year.water": ("volume", _water),
}
