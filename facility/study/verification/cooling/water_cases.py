"""Cases: pipes, cold plates, CDU pressure drops, evaporation, make-up water."""

from __future__ import annotations

from facility.catalogue import table
from facility.cooling.loops.loop import part_of
from facility.core.kinds import Numeric
from facility.physics.air.evaporative_cooling import evaporative_leaving_temperature
from facility.physics.air.psychrometrics import humidity_ratio, wet_bulb
from facility.physics.liquids.cold_plate import cold_plate_resistance
from facility.physics.liquids.coolant import tabulated
from facility.physics.liquids.pipes import (
    darcy_friction,
    pipe_pressure_drop,
    pipe_velocity,
    reynolds_number,
)
from facility.study.resolve.cooling.hydraulics import component_drops
from facility.study.resolve.cooling.parts import known_fluid
from facility.study.verification.inputs import CaseFunctions


def _density(fluid: str, t_c: float) -> float:
    found = known_fluid(fluid)
    return float(tabulated(t_c, found.temperatures_c, found.densities_kg_m3))


def _reynolds(fluid: str, t_c: float, flow_m3_s: float, diameter_m: float) -> float:
    found = known_fluid(fluid)
    viscosity = tabulated(t_c, found.temperatures_c, found.viscosities_pa_s)
    velocity = pipe_velocity.si(flow_m3_s, diameter_m)
    return float(reynolds_number.si(_density(fluid, t_c), velocity, diameter_m, viscosity))


def _friction(
    fluid: str, t_c: float, flow_m3_s: float, diameter_m: float, roughness_m: float
) -> float:
    reynolds = _reynolds(fluid, t_c, flow_m3_s, diameter_m)
    return float(darcy_friction.si(reynolds, roughness_m / diameter_m))


def _drop(
    fluid: str, t_c: float, flow_m3_s: float, diameter_m: float, roughness_m: float, length_m: float
) -> Numeric:
    friction = _friction(fluid, t_c, flow_m3_s, diameter_m, roughness_m)
    velocity = pipe_velocity.si(flow_m3_s, diameter_m)
    return pipe_pressure_drop.si(friction, length_m, diameter_m, _density(fluid, t_c), velocity)


def _direct_leaving(t_c: float, rh: float, p_pa: float, effectiveness: float) -> float:
    wet_c = wet_bulb.si(t_c, humidity_ratio.si(t_c, rh, p_pa), p_pa)
    return float(evaporative_leaving_temperature.si(t_c, wet_c, effectiveness))


def _plate_resistance(plate: str, fluid: str, flow_m3_s: float) -> float:
    rows = table("cooling/cold_plates").select(plate=plate, fluid=fluid)
    flows = [row.si("flow_l_min") for row in rows]
    points = [row.si("resistance_k_w") for row in rows]
    return float(cold_plate_resistance(flow_m3_s, flows, points))


def _component_drop(component: str, fluid: str, t_c: float, mass_flow_kg_s: float) -> float:
    flow_m3_s = mass_flow_kg_s / _density(fluid, t_c)
    return part_of(component_drops()[component], flow_m3_s).drop_pa


FUNCTIONS: CaseFunctions = {
    "pipe.reynolds": ("ratio", _reynolds),
    "pipe.friction": ("ratio", _friction),
    "pipe.drop": ("pressure", _drop),
    "air.direct_evaporative": ("temperature", _direct_leaving),
    "coldplate.resistance": ("thermal_resistance", _plate_resistance),
    "component.drop": ("pressure", _component_drop),
}
