"""Air side in operation: required air flow, fan power, server inlet temperature."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.air.terminals import Doors
from facility.cooling.parts.loads import HeatLoad
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain, CrahPlan
from facility.model.cooling.units import CrahUnit
from facility.physics.air.psychrometrics import (
    humidity_ratio_of_vapor,
    saturation_pressure,
    specific_volume,
)
from facility.physics.air.sensible import (
    air_flow_for_heat,
    air_temperature_rise,
    exhaust_temperature,
    inlet_temperature,
    moist_air_specific_heat,
    supply_air_flow,
)
from facility.physics.elementwise import maximum, plain, where
from facility.physics.plant.fans_pumps import part_load_power_ratio, running_fans_power, to_one

MOIST_AIR = {
    "specific_volume_m3_kg": "air.specific_volume",
    "specific_heat_j_kgk": "air.specific_heat",
}
"""Arguments of the air equations, as trace steps."""


_STILL_M3_S = 1e-12
"""Divisor replacing zero air flow; the quotient is not used."""


@dataclass(frozen=True)
class SupplyAir:
    """Supply air: volume and specific heat per kg of dry air, and density."""

    volume_m3_kg: float
    specific_heat_j_kgk: float
    density_kg_m3: float


@dataclass(frozen=True)
class AirSide:
    """The air side at one heat: flows in m3/s of supply air, powers, temperatures.

    `coil_w` and `electrical_coil_w` are the coil loads: heat of the rooms and of the
    fans in them. `doors_w` and `door_fans_w` are rear-door heat and fan power;
    `fresh_fans_w` outdoor-air fan power, `fresh_w` outdoor-air heat including fans.
    """

    supply_flow_m3_s: float
    fans_w: float
    coil_w: float
    return_c: float
    exhaust_c: float
    inlet_c: float
    inlet_worst_c: float
    electrical_flow_m3_s: float
    electrical_fans_w: float
    electrical_coil_w: float
    doors_w: float = 0.0
    door_fans_w: float = 0.0
    fresh_fans_w: float = 0.0
    fresh_w: float = 0.0


def supply_air(chain: CoolingChain, pressure_pa: float, trace: Trace) -> SupplyAir:
    """Return the supply air at the room's dew point and site pressure."""
    return supply_air_at(chain.crah.supply_air_c, chain.room_dew_point_c, pressure_pa, trace)


def supply_air_at(
    supply_c: float, dew_point_c: float, pressure_pa: float, trace: Trace
) -> SupplyAir:
    """Return the properties of equipment inlet air at a temperature, dew point and pressure."""
    trace.given("air.supply_temperature", supply_c, "temperature", DERIVED)
    trace.do("air.vapor_pressure", saturation_pressure, temperature_c=dew_point_c)
    ratio = trace.do(
        "air.humidity_ratio",
        humidity_ratio_of_vapor,
        vapor_pressure_pa="air.vapor_pressure",
        pressure_pa=pressure_pa,
    )
    volume = trace.do(
        "air.specific_volume",
        specific_volume,
        temperature_c="air.supply_temperature",
        humidity_ratio="air.humidity_ratio",
        pressure_pa=pressure_pa,
    )
    heat = trace.do(
        "air.specific_heat", moist_air_specific_heat, humidity_ratio="air.humidity_ratio"
    )
    return SupplyAir(plain(volume), plain(heat), plain((1.0 + ratio) / volume))


def air_side(
    chain: CoolingChain,
    units: int,
    electrical_units: int,
    heat: HeatLoad,
    air: SupplyAir,
    doors: Doors | None,
    trace: Trace,
) -> AirSide:
    """Return the air side with `units` and `electrical_units` running, equally loaded.

    The air handlers supply the equipment air flow, corrected for containment
    leakage, plus air at the same rise for the other room heat. With rear
    doors they supply the air for the remaining heat.
    """
    plan = chain.crah
    _record_heat(heat, trace)
    if doors is None:
        room = "heat.room"
        supply = _flows(plan, trace)
        exhaust, inlet, worst = _inlet(chain, trace)
    else:
        room = "heat.behind_doors"
        supply = _flows_with_doors(plan, doors, air, trace)
        exhaust, inlet, worst = _inlet_with_doors(plan, doors, trace)
    fans_w = _fans(plan, plan.unit, "crah", units, supply, air, trace)
    coil_w = trace.sum(
        "heat.coils", "heat_flow", "fan power is heat in the air", room, "crah.fan_power"
    )
    return_c = plan.supply_air_c + plain(
        trace.do(
            "air.return_rise",
            air_temperature_rise,
            heat_w=room,
            air_flow_m3_s="crah.airflow",
            **MOIST_AIR,
        )
    )
    flow_e, fans_e, coil_e = _electrical_room(plan, electrical_units, air, trace)
    fresh_fans_w = trace.derive(
        "ventilation.fan_power",
        plan.path.room.ventilation_fans_w,
        "active_power",
        "flow of the outdoor air and the power of its fans for it",
    )
    because, parts = "outdoor air and its fans", ("heat.ventilation", "ventilation.fan_power")
    fresh_w = trace.sum("heat.fresh_air", "heat_flow", because, *parts)
    return AirSide(
        supply_flow_m3_s=supply,
        fans_w=fans_w,
        coil_w=coil_w,
        return_c=return_c,
        exhaust_c=exhaust,
        inlet_c=inlet,
        inlet_worst_c=worst,
        electrical_flow_m3_s=flow_e,
        electrical_fans_w=fans_e,
        electrical_coil_w=coil_e,
        doors_w=doors.taken_w if doors is not None else 0.0,
        door_fans_w=doors.fans_w if doors is not None else 0.0,
        fresh_fans_w=fresh_fans_w,
        fresh_w=fresh_w,
    )


def _flows(plan: CrahPlan, trace: Trace) -> float:
    trace.do(
        "air.it_flow", air_flow_for_heat, heat_w="heat.air", rise_k=plan.server_rise_k, **MOIST_AIR
    )
    trace.do(
        "air.it_supply_flow",
        supply_air_flow,
        it_flow_m3_s="air.it_flow",
        bypass=plan.bypass,
        recirculation=plan.recirculation,
    )
    trace.do(
        "air.other_flow",
        air_flow_for_heat,
        heat_w="heat.beside_it",
        rise_k=plan.server_rise_k,
        **MOIST_AIR,
    )
    return trace.sum(
        "crah.airflow",
        "air_flow",
        "air for the equipment and for other room heat",
        "air.it_supply_flow",
        "air.other_flow",
    )


def _flows_with_doors(plan: CrahPlan, doors: Doors, air: SupplyAir, trace: Trace) -> float:
    """Return the supply air flow for the room heat remaining after the doors.

    Equipment inlet air is a mixture of supply air and door discharge air. With the rise D of the
    mean inlet over the supply, and the temperature rise d that the doors and other room heat add to
    the equipment air, the air handler return air is D + d above the supply.
    """
    flow = trace.derive("air.it_flow", doors.airflow_m3_s, "air_flow", "air through all doors")
    trace.derive("doors.heat", doors.taken_w, "heat_flow", "heat removed by all rear doors")
    trace.derive("doors.fan_power", doors.fans_w, "active_power", "fans of all rear doors")
    behind = trace.derive(
        "heat.behind_doors",
        trace.value("heat.room") + doors.fans_w - doors.taken_w,
        "heat_flow",
        "room heat and door fan power, minus heat removed by the doors",
        room="heat.room",
        fans="doors.fan_power",
        doors="doors.heat",
    )
    moved = air.specific_heat_j_kgk * maximum(flow, _STILL_M3_S) / air.volume_m3_kg
    added_k = where(flow > 0.0, behind / moved, 0.0)
    rise_k = trace.derive(
        "air.room_rise",
        plan.path.room_rise_k + added_k,
        "temperature_difference",
        "mean inlet over supply, plus the rise of the equipment air in the room",
        heat="heat.behind_doors",
        air="air.it_flow",
    )
    trace.do(
        "air.other_flow", air_flow_for_heat, heat_w="heat.behind_doors", rise_k=rise_k, **MOIST_AIR
    )
    supply = trace.do(
        "crah.airflow",
        supply_air_flow,
        it_flow_m3_s="air.other_flow",
        bypass=plan.bypass,
        recirculation=0.0,
    )
    return plain(supply)


def _inlet_with_doors(plan: CrahPlan, doors: Doors, trace: Trace) -> tuple[float, float, float]:
    """Return exhaust and inlet; the worst rack draws the discharge air of the worst door."""
    supply, kind = "air.supply_temperature", "temperature"
    inlet = trace.derive(
        "air.inlet_temperature",
        plan.supply_air_c + plan.path.room_rise_k,
        kind,
        "supply air mixed with door discharge air",
        supply=supply,
    )
    worst = trace.derive(
        "air.inlet_temperature_worst",
        inlet + doors.worst_rise_k,
        kind,
        "a rack drawing only discharge air of the worst door",
        inlet="air.inlet_temperature",
    )
    for suffix in ("", "_worst"):
        trace.derive(
            f"air.exhaust_temperature{suffix}",
            trace.value(f"air.inlet_temperature{suffix}") + plan.server_rise_k,
            kind,
            "inlet and rise of the equipment",
            inlet=f"air.inlet_temperature{suffix}",
        )
    return trace.value("air.exhaust_temperature"), inlet, worst


def _record_heat(heat: HeatLoad, trace: Trace) -> None:
    parts = {
        "heat.air": heat.air_it_w,
        "heat.hall_losses": heat.hall_losses_w,
        "heat.lights": heat.lights_w,
        "heat.people": heat.people_w,
        "heat.envelope": heat.envelope_w,
        "heat.electrical_room": heat.electrical_room_w,
        "heat.ventilation": heat.ventilation_w,
        "heat.liquid": heat.liquid_it_w,
    }
    for id, value in parts.items():
        if not isinstance(trace.link(id, value), str):
            trace.given(id, value, "heat_flow", DERIVED, "design heat")
    trace.sum(
        "heat.beside_it",
        "heat_flow",
        "non-IT heat in the halls",
        "heat.hall_losses",
        "heat.lights",
        "heat.people",
        "heat.envelope",
    )
    trace.sum(
        "heat.room", "heat_flow", "heat to the hall air, before fans", "heat.air", "heat.beside_it"
    )


def _fans(
    plan: CrahPlan,
    unit: CrahUnit,
    subject: str,
    units: int,
    flow_m3_s: float,
    air: SupplyAir,
    trace: Trace,
) -> float:
    if units == 0:
        return trace.given(f"{subject}.fan_power", 0.0, "active_power", DERIVED, "no unit")
    ratio = flow_m3_s / (units * unit.air_flow_m3_s)
    trace.do(
        f"{subject}.fan_power_ratio",
        part_load_power_ratio,
        "all units run and share the flow",
        flow_ratio=maximum(ratio, plan.factors["least_fan_flow"]),
        **to_one(plan.fan_curve),
    )
    return plain(
        trace.do(
            f"{subject}.fan_power",
            running_fans_power,
            units=float(units),
            rated_power_w=unit.fan_w,
            power_ratio=f"{subject}.fan_power_ratio",
            density_ratio=air.density_kg_m3 / unit.air_density_kg_m3,
        )
    )


def _inlet(chain: CoolingChain, trace: Trace) -> tuple[float, float, float]:
    """Return exhaust and inlet; the worst is at racks with the highest air rise."""
    temperatures, plan = [], chain.crah
    rises_k = (rack.rise_k for rack in chain.racks if rack.air_w > 0.0)
    max_k = max(rises_k, default=plan.server_rise_k)
    for suffix, rise_k, leak in (
        ("", plan.server_rise_k, plan.recirculation),
        ("_worst", max_k, plan.worst_recirculation),
    ):
        exhaust = trace.do(
            f"air.exhaust_temperature{suffix}",
            exhaust_temperature,
            supply_c="air.supply_temperature",
            rise_k=rise_k,
            recirculation=leak,
        )
        inlet = trace.do(
            f"air.inlet_temperature{suffix}",
            inlet_temperature,
            supply_c="air.supply_temperature",
            exhaust_c=f"air.exhaust_temperature{suffix}",
            recirculation=leak,
        )
        temperatures.append((plain(exhaust), plain(inlet)))
    (exhaust, inlet), (_, worst) = temperatures
    return exhaust, inlet, worst


def _electrical_room(
    plan: CrahPlan, units: int, air: SupplyAir, trace: Trace
) -> tuple[float, float, float]:
    """Return flow, fan power and coil load of the electrical rooms, at the rated air rise."""
    unit = plan.path.electrical_unit
    flow = trace.do(
        "crah.electrical_airflow",
        air_flow_for_heat,
        heat_w="heat.electrical_room",
        rise_k=unit.rated_rise_k,
        **MOIST_AIR,
    )
    fans_w = _fans(plan, unit, "crah.electrical", units, plain(flow), air, trace)
    coil_w = trace.sum(
        "heat.electrical_coils",
        "heat_flow",
        "fan power is heat in the air",
        "heat.electrical_room",
        "crah.electrical.fan_power",
    )
    return plain(flow), fans_w, coil_w
