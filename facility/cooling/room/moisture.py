"""Moisture of the room: wet coils, and moisture of outdoor air."""

from __future__ import annotations

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.air.crah import coil_temperature, crah_coil
from facility.cooling.air.terminals import Doors
from facility.cooling.air.ventilation import ventilation_states
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.exchanger import Exchanger
from facility.cooling.rules import RULES
from facility.core.rounding import argmax_within_rounding
from facility.core.trace import Findings
from facility.model.facility import Site
from facility.physics.air.distribution import moisture_flow, outdoor_air_heat, steam_power
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    humidity_ratio_of_vapor,
    saturation_pressure,
)
from facility.physics.exchangers.wet_coil import surface_temperature, wet_coil

_ENDLESS = 1e6
MAX_OUTDOOR_AIR_FRACTION = 0.05
"""Outdoor air heat over coil and door heat above which it is not negligible."""


def coil_checks(
    design: CoolingDesign,
    flow: CoolingFlow,
    doors: Doors | None,
    air: SupplyAir,
    site: Site,
    findings: Findings,
) -> None:
    """Add coldest surface, sensible share, latent heat and condensate of the coils of the halls."""
    _electrical_surface(design, flow, air, findings)
    chain, units = design.chain, design.counts.crah
    if not units or flow.coils_w <= 0.0:
        return
    water_c, coil = coil_temperature(chain), design.crah.coil
    air_w_k = flow.crah_airflow_m3_s / units / air.volume_m3_kg * air.specific_heat_j_kgk
    water_w_k = coil.second_w_k
    if not coil.boils:
        water_w_k = min(flow.coils_w / units / chain.chilled_water.rise_k, water_w_k)
    outside, inside = coil.films(air_w_k, water_w_k)
    surface_c = findings.do(
        "air.coil.surface",
        surface_temperature,
        "coldest point: water inlet, air outlet",
        air_c=flow.supply_air_c,
        water_c=water_c,
        outside_w_k=outside,
        inside_w_k=inside,
    )
    findings.checks.append(
        RULES["AIR-COIL-SURFACE"].at_least(
            f"{chain.crah.path.unit_name} coils, {_loop(design)} at {water_c:g} degC",
            surface_c,
            chain.hall_dew_points_c[1],
            "temperature",
        )
    )
    _wet(design, flow, air, site, (air_w_k, water_w_k, outside, inside), findings)
    door = chain.crah.path.door
    if doors is not None and door is not None and doors.kinds:
        _door_surface(
            design, crah_coil(door, chain.crah.film_ratio, chain.crah.water_film), doors, findings
        )


def _electrical_surface(
    design: CoolingDesign, flow: CoolingFlow, air: SupplyAir, findings: Findings
) -> None:
    """Check the coldest coil surface of the electrical rooms, at the flows of the design hour."""
    chain, units = design.chain, design.counts.crah_electrical
    plan = chain.crah
    if not units or flow.electrical_coils_w <= 0.0:
        return
    coil = design.crah.coil
    if plan.path.refrigerant is None:
        coil = crah_coil(plan.path.electrical_unit, plan.film_ratio, plan.water_film)
    air_w_k = flow.electrical_airflow_m3_s / units / air.volume_m3_kg * air.specific_heat_j_kgk
    water_w_k = coil.second_w_k
    if not coil.boils:
        water_w_k = min(flow.electrical_coils_w / units / chain.chilled_water.rise_k, water_w_k)
    outside, inside = coil.films(air_w_k, water_w_k)
    surface_c = float(
        surface_temperature.si(flow.supply_air_c, coil_temperature(chain), outside, inside)
    )
    findings.checks.append(
        RULES["AIR-COIL-SURFACE"].at_least(
            f"coils of the electrical rooms, {_loop(design)} at {coil_temperature(chain):g} degC",
            surface_c,
            chain.room_dew_point_c,
            "temperature",
        )
    )


def _loop(design: CoolingDesign) -> str:
    return "refrigerant" if design.chain.chilled_water.direct else "chilled water"


def _wet(
    design: CoolingDesign,
    flow: CoolingFlow,
    air: SupplyAir,
    site: Site,
    rates: tuple[float, float, float, float],
    findings: Findings,
) -> None:
    """Record the heat of one coil at design-hour flows, dry or wet."""
    chain, units = design.chain, float(design.counts.crah)
    air_w_k, water_w_k, outside, inside = rates
    pressure = site.pressure_pa
    met = {
        "air_c": flow.return_air_c,
        "humidity_ratio": float(
            humidity_ratio_of_vapor.si(saturation_pressure.si(chain.room_dew_point_c), pressure)
        ),
        "water_c": coil_temperature(chain),
        "pressure_pa": pressure,
        "air_kg_s": air_w_k / air.specific_heat_j_kgk,
    }
    total, sensible, water = (
        float(x)
        for x in findings.trace.do(
            "air.coil.total", wet_coil, "one coil at the flows of the design hour", **met,
            water_w_k=_steady(water_w_k, air_w_k), outside_w_k=outside, inside_w_k=inside,
        )
    )  # fmt: skip
    steps = {"total": "air.coil.total", "sensible": "air.coil.total.1"}
    findings.note("air.shr", sensible / total, "ratio", "sensible over total heat of the coils",
                  **steps)  # fmt: skip
    findings.note(
        "air.latent_heat", units * (total - sensible), "heat_flow",
        "all coils, at constant room dew point; not included in the plant load", **steps,
    )  # fmt: skip
    findings.note(
        "air.condensate", units * water, "mass_flow",
        "all coils; without moisture gain, the room dries until the surface temperature is its dew "
        "point", coil="air.coil.total.2",
    )  # fmt: skip
    if water > 0.0:
        _sensible(design, flow.coils_w / units, air_w_k, met, findings)


def _sensible(
    design: CoolingDesign, load_w: float, air_w_k: float, met: dict[str, float], findings: Findings
) -> None:
    """Check that a wet coil with its valve open, at the rated water, covers its sensible load."""
    coil = design.crah.coil
    outside, inside = coil.films(air_w_k, coil.second_w_k)
    capacity = wet_coil.si(
        **met, water_w_k=_steady(coil.second_w_k, air_w_k), outside_w_k=outside, inside_w_k=inside
    )
    name = f"{design.chain.crah.path.unit_name} coils, {_loop(design)} below the dew point"
    findings.checks.append(
        RULES["AIR-COIL-SENSIBLE"].at_most(name, load_w, float(capacity[1]), "heat_flow")
    )


def _steady(water_w_k: float, air_w_k: float) -> float:
    """Return a finite capacity rate, also for evaporating refrigerant."""
    return min(water_w_k, _ENDLESS * air_w_k)


def _door_surface(design: CoolingDesign, coil: Exchanger, doors: Doors, findings: Findings) -> None:
    chain = design.chain
    water_c = chain.chilled_water.supply_c
    worst = doors.kinds[argmax_within_rounding([door.taken_w for door in doors.kinds])]
    if worst.taken_w <= 0.0:
        return
    air_w_k = worst.load_w / (
        worst.exhaust_c - chain.crah.supply_air_c - chain.crah.path.room_rise_k
    )
    water_w_k = min(worst.taken_w / chain.chilled_water.rise_k, coil.second_w_k)
    outside, inside = coil.films(air_w_k, water_w_k)
    surface_c = findings.do(
        "air.door.surface",
        surface_temperature,
        "coldest point: water inlet, air outlet",
        air_c=worst.exhaust_c - worst.taken_w / air_w_k,
        water_c=water_c,
        outside_w_k=outside,
        inside_w_k=inside,
    )
    findings.checks.append(
        RULES["AIR-DOOR-SURFACE"].at_least(
            f"rear doors, chilled water at {water_c:g} degC",
            surface_c,
            chain.room_dew_point_c,
            "temperature",
        )
    )


def outdoor_air_moisture(
    design: CoolingDesign, flow: CoolingFlow, air: SupplyAir, site: Site, findings: Findings
) -> None:
    """Record the moisture required by the driest, and added by the most humid outdoor air.

    Driest is zero humidity, most humid is saturation at the extreme wet bulb: bounds of
    the weather.
    """
    room, pressure = design.chain.crah.path.room, site.pressure_pa
    findings.note("air.ventilation", room.ventilation_m3_s, "air_flow", "outdoor air of the halls")
    lowest_c = room.driest_c
    if lowest_c is not None:
        low = humidity_ratio_of_vapor.si(saturation_pressure.si(lowest_c), pressure)
        need = findings.do(
            "air.humidifier",
            moisture_flow,
            f"dry air to {lowest_c:g} degC dew point",
            air_flow_m3_s=room.ventilation_m3_s,
            specific_volume_m3_kg=air.volume_m3_kg,
            from_ratio=0.0,
            to_ratio=float(low),
        )
        if room.humidifier == "steam" and need > 0.0:
            findings.do(
                "air.humidifier.power",
                steam_power,
                "at the driest hour; hourly loads follow the hourly air",
                water_kg_s="air.humidifier",
            )
    wet_c = site.design.wet_bulb_c
    damp = float(humidity_ratio.si(wet_c, 1.0, pressure))
    dew_c = design.chain.room_dew_point_c
    room_ratio = float(humidity_ratio_of_vapor.si(saturation_pressure.si(dew_c), pressure))
    findings.note(
        "air.dehumidifier",
        max(
            0.0, -float(moisture_flow.si(room.ventilation_m3_s, air.volume_m3_kg, damp, room_ratio))
        ),
        "mass_flow",
        f"air saturated at {wet_c:.1f} degC to {dew_c:g} degC dew point",
        ventilation="air.ventilation",
    )
    outdoor_j_kg, room_j_kg = ventilation_states(design.chain, site.design)
    heat_w = findings.do(
        "air.ventilation.heat",
        outdoor_air_heat,
        "design outdoor air cooled to supply air and dehumidified if humid: heat.ventilation",
        air_flow_m3_s="air.ventilation",
        specific_volume_m3_kg=air.volume_m3_kg,
        outdoor_j_kg=outdoor_j_kg,
        room_j_kg=room_j_kg,
    )
    rule = RULES["AIR-VENTILATION"]
    limit_w = MAX_OUTDOOR_AIR_FRACTION * (flow.coils_w + flow.doors_w)
    findings.checks.append(rule.at_most("halls", heat_w, limit_w, "heat_flow"))
