"""Cases of the designed plant over a typical year, beside EnergyPlus: power and water.

The plant is that of a project, sized and run by what every design is sized and run by. EnergyPlus
keeps the flow of the condenser water, the plant its range: it is given the range at which the mean
flow of the year is that of EnergyPlus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from facility.catalogue.weather import station_weather
from facility.cooling.parts.fluids import liquid_at
from facility.cooling.plant.chilled_water import (
    ChilledWater,
    ChilledWaterState,
    chilled_water_at,
    size_chilled_water,
)
from facility.cooling.plant.sinks import design_leaving
from facility.cooling.plant.water import WaterHours, tower_air, tower_water
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import ChilledWaterPlan
from facility.model.cooling.hydraulics import HydraulicsPlan
from facility.model.facility import Weather
from facility.model.inputs.document import Project
from facility.physics.plant.fans_pumps import pump_power
from facility.physics.roots import root_between
from facility.study.annual.hours import Hours, hours_of
from facility.study.resolve.facility import resolve

_DESIGN = Weather(35.0, 25.0, 101325.0)
_WET_BULBS_C = 15.0, 29.0
_FLOW_PASSES = 4
"""Each leaves a hundredth of the change of the range before."""
_COILS = "heat.coils"
_CUBE = (0.0, 0.0, 0.0, 1.0)
"""Fans of variable speed in EnergyPlus take power with the cube of their air."""


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

    @property
    def water(self) -> WaterHours:
        """The water of its towers as EnergyPlus counts it.

        EnergyPlus takes the humidity for each kilogram of moist air and the air that leaves as
        much as that which enters: it evaporates less, by what each kilogram of dry air holds.
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
    """What EnergyPlus was given of the chillers and the chilled water."""

    station: str
    chiller: str
    load_w: float  # Heat the chillers take, with that of the pumps
    chw_c: float
    chw_flow_m3_s: float
    chw_head_pa: float
    efficiency: float  # Of all pumps, from wire to water

    @property
    def section(self) -> dict[str, object]:
        """The plant of a project that asks for it."""
        return {
            "chilled_water_supply": f"{self.chw_c} degC",
            "pump": self.pump(self.chw_head_pa),
            "chiller": {"model": self.chiller, "performance": "curves"},
            "heat_rejection": "air_cooled",
        }

    @property
    def coils_w(self) -> float:
        """Heat the coils give to the water; that of the pumps is the rest of the load."""
        pumps_w = pump_power.si(self.chw_flow_m3_s, self.chw_head_pa, self.efficiency)
        return self.load_w - float(pumps_w)

    def pump(self, head_pa: float) -> dict[str, str]:
        """Return the pumps of one head."""
        return {"head": f"{head_pa} Pa", "efficiency": f"{self.efficiency * 100.0} %"}


@dataclass(frozen=True)
class _TowerPlant(_Plant):
    """What it was given of the condenser water and the tower beside that."""

    cw_flow_m3_s: float
    cw_head_pa: float
    fan_w: float
    cycles: float
    drift: float
    over_wet_bulb_k: float
    least_c: float
    most_c: float

    @property
    def section(self) -> dict[str, object]:
        """The plant of a project that asks for it."""
        rejection = {
            "cycles": self.cycles,
            "drift": f"{self.drift * 100.0} %",
            "pump": self.pump(self.cw_head_pa),
        }
        return super().section | {
            "heat_rejection": "tower",
            "rejection": rejection,
            "condenser_setpoint_approach": f"{self.over_wet_bulb_k} K",
            "condenser_water_least": f"{self.least_c} degC",
        }


@lru_cache(maxsize=2)
def _hours(station: str) -> Hours:
    return hours_of(station_weather(station))


@lru_cache(maxsize=8)
def _year(asked: _Plant) -> _Year:
    """Return the plant of a project over the year of its station."""
    project = {
        "schema_version": 1,
        "it": {"gpu_model": "H100 SXM5", "gpus": 64},
        "cooling": {"method": "air", "plant": asked.section},
    }
    cooling = resolve(Project.model_validate(project), Trace())[0].cooling
    plan, pipes = cooling.chilled_water, cooling.hydraulics
    water = liquid_at(plan.fluid, asked.chw_c, "")
    plan = replace(plan, rise_k=asked.coils_w / water.rate_w_k(asked.chw_flow_m3_s))
    if not isinstance(asked, _TowerPlant):
        return _at_work(asked, plan, pipes, _DESIGN)
    water = liquid_at(plan.sink.fluid, asked.most_c, "")
    fan_w_per_kg_s = asked.fan_w / (asked.cw_flow_m3_s * water.density_kg_m3)
    sink = replace(plan.sink, fan_w_per_kg_s=fan_w_per_kg_s, fan_curve=_CUBE)
    plan = replace(plan, sink=sink)
    for _ in range(_FLOW_PASSES):
        year = _at_work(asked, plan, pipes, _design(plan, asked.most_c))
        mean_m3_s = year.hours.spread(year.state.rejection.flow_m3_s).mean()
        range_k = plan.condenser_range_k * float(mean_m3_s) / asked.cw_flow_m3_s
        plan = replace(plan, condenser_range_k=range_k)
    return year


def _design(plan: ChilledWaterPlan, water_c: float) -> Weather:
    """Return the design weather at which the towers make the warmest water they are held to."""

    def warmer_k(wet_bulb_c: float) -> float:
        weather = replace(_DESIGN, wet_bulb_c=wet_bulb_c)
        return design_leaving(plan.sink, plan.condenser_range_k, weather, 0.0) - water_c

    return replace(_DESIGN, wet_bulb_c=root_between(warmer_k, *_WET_BULBS_C))


def _at_work(
    asked: _Plant, plan: ChilledWaterPlan, pipes: HydraulicsPlan, weather: Weather
) -> _Year:
    design = size_chilled_water(plan, asked.coils_w, weather, 0.0, (1, 1), (1, 1), pipes)
    hours = _hours(asked.station)
    heat = Quiet(**{_COILS: hours.spread(asked.coils_w)})  # type: ignore[arg-type]
    return _Year(hours, design, chilled_water_at(design, _COILS, hours.weather, 0.0, heat))


def _with_tower(**inputs: Any) -> _Year:
    return _year(_TowerPlant(**inputs))


def _air_cooled(**inputs: Any) -> _Year:
    return _year(_Plant(**inputs))


def _chiller_energy(year: _Year) -> float:
    return year.hours.total(year.state.chillers_w)


def _chiller_peak(year: _Year) -> float:
    return float(year.chillers_w.max())


def _chiller_cop(year: _Year) -> float:
    return year.hours.total(year.state.load_w) / _chiller_energy(year)


def _fan_energy(year: _Year) -> float:
    return year.hours.total(year.state.rejection.fans_w)


def _pump_energy(year: _Year) -> float:
    return year.hours.total(year.state.pumps_w + year.state.rejection.pumps_w)


def _condenser_mean(year: _Year) -> float:
    return float(year.condenser_c.mean())


def _condenser_max(year: _Year) -> float:
    return float(year.condenser_c.max())


def _water(part: str, **inputs: Any) -> float:
    """Return the water of the year: ``evaporation``, ``drift``, ``blowdown`` or ``makeup``."""
    year = _with_tower(**inputs)
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
    "fan_energy": ("energy", _fan_energy),
    "pump_energy": ("energy", _pump_energy),
    "condenser_mean": ("temperature", _condenser_mean),
    "condenser_max": ("temperature", _condenser_max),
    "makeup_per_load": ("water_per_energy", _water_per_load),
    "evaporation_per_heat": ("water_per_energy", _water_per_heat),
}
_AIR_COOLED: Mapping[str, tuple[str, Callable[[_Year], float]]] = {
    "air_cooled_energy": ("energy", _chiller_energy),
    "air_cooled_peak": ("active_power", _chiller_peak),
    "air_cooled_cop": ("ratio", _chiller_cop),
    "air_cooled_pump_energy": ("energy", _pump_energy),
}


def _of(run: Callable[..., _Year], figure: Callable[[_Year], float]) -> Callable[..., float]:
    return lambda **inputs: figure(run(**inputs))


FUNCTIONS: Mapping[str, tuple[str, Callable[..., float]]] = {
    **{f"plant_year.{n}": (kind, _of(_with_tower, f)) for n, (kind, f) in _TOWER.items()},
    **{f"plant_year.{n}": (kind, _of(_air_cooled, f)) for n, (kind, f) in _AIR_COOLED.items()},
    "plant_year.water": ("volume", _water),
}
"""Kind of the result, and the function, by name."""
