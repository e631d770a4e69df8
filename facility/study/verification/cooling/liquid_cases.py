"""Cases of cold plates and of the pressure drops of CDUs."""

from __future__ import annotations

from facility.catalogue import table
from facility.cooling.loops.loop import part_of
from facility.core.trace import Trace
from facility.physics.liquids.cold_plate import cold_plate_resistance
from facility.physics.liquids.coolant import tabulated
from facility.study.resolve.cooling.hydraulics import component_drops
from facility.study.resolve.cooling.parts import resolve_fluid
from facility.study.verification.inputs import CaseFunctions


def _plate_resistance(plate: str, fluid: str, flow_m3_s: float) -> float:
    rows = table("cooling/cold_plates").select(plate=plate, fluid=fluid)
    flows = [row.si("flow_l_min") for row in rows]
    points = [row.si("resistance_k_w") for row in rows]
    return float(cold_plate_resistance(flow_m3_s, flows, points))


def _component_drop(component: str, fluid: str, t_c: float, mass_flow_kg_s: float) -> float:
    found = resolve_fluid(fluid, "case", fluid, "", Trace())
    density = float(tabulated(t_c, found.temperatures_c, found.densities_kg_m3))
    return part_of(component_drops()[component], mass_flow_kg_s / density).drop_pa


FUNCTIONS: CaseFunctions = {
    "coldplate.resistance": ("thermal_resistance", _plate_resistance),
    "component.drop": ("pressure", _component_drop),
}
