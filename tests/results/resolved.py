"""A second calculation of what a project is resolved to: racks, rooms, loops, shares.

As `second.py`: every function yields what differs; from the design come what the project states,
counts and data of the catalogue, never a function of the program. Constants are those that
docs/ride-through.md and docs/liquid-cooling.md state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from facility.cooling.ride_through.plant import RidePlant, ride_plant
from facility.cooling.ride_through.schedule import RideCase
from facility.cooling.ride_through.signals import _capacities, case_signals, first_temperatures
from facility.cooling.ride_through.stores import NODES, SIGNALS
from facility.study.design.design import Design
from tests.results.second import differs


def _devices(found: Design) -> Iterator[tuple[int, float, float, int]]:
    """Yield the number of each device, its input [W], its heat in coolant, and its rack units."""
    for rack in found.facility.it.racks:
        for placed in rack.placed:
            device = placed.device
            count = rack.count * placed.count
            yield count, placed.input_w, device.liquid_fraction, device.rack_units


def racks(found: Design) -> Iterator[str]:
    """The heat of each rack in air and in coolant, and the air that takes it."""
    cooling = found.facility.cooling
    by_air = cooling.liquid is None
    listed = {rack.name: rack for rack in found.facility.it.racks}
    for one in cooling.racks:
        rack = listed[one.name]
        parts = [(p.count * p.input_w, p.device.liquid_fraction) for p in rack.placed]
        air_w = sum(w * (1.0 if by_air else 1.0 - part) for w, part in parts)
        yield from differs(f"count of {one.name}", one.count, rack.count)
        yield from differs(f"air heat of {one.name}", one.air_w, air_w)
    flow = sum(rack.count * rack.air_w / rack.rise_k for rack in cooling.racks)
    heat = sum(rack.count * rack.air_w for rack in cooling.racks)
    if found.project.cooling.server_delta_t is None and flow > 0.0:
        yield from differs("server rise", cooling.crah.server_rise_k, heat / flow)
    for name, share in cooling.crah.halls:
        of_hall = sum(rack.count * rack.air_w for rack in cooling.racks if rack.hall == name)
        yield from differs(f"share of {name}", share, of_hall / heat if heat else share)


def coolant(found: Design) -> Iterator[str]:
    """Racks get together what the CDUs pump; their heat is that of their devices."""
    liquid, cdu = found.facility.cooling.liquid, found.facility.cooling.cdu
    if liquid is None or cdu is None:
        return
    pumped = sum(rack.count * rack.flow_m3_s for rack in liquid.racks)
    yield from differs("coolant of the racks", pumped, cdu.tcs_flow_m3_s)
    heat = sum(rack.count * rack.liquid_w for rack in liquid.racks)
    devices = sum(n * watts * part for n, watts, part, _ in _devices(found))
    yield from differs("heat of the racks in coolant", heat, devices)
    whole = sum(rack.count * (rack.liquid_w + rack.air_w) for rack in liquid.racks)
    cooled = [
        rack
        for rack in found.facility.it.racks
        if any(placed.device.liquid_fraction > 0.0 for placed in rack.placed)
    ]
    input_w = sum(r.count * sum(p.count * p.input_w for p in r.placed) for r in cooled)
    yield from differs("heat of the racks", whole, input_w)
    for rack in liquid.racks:
        needed = rack.needed_m3_s
        if needed is not None and rack.flow_m3_s < needed * (1.0 - 1e-9):
            yield f"coolant of {rack.name}: {rack.flow_m3_s!r} of {needed!r} m3/s"


def sizing_factors(found: Design) -> Iterator[str]:
    """Racks that are partly cooled by liquid: air for 15 %, coolant for 90 % of them at least."""
    cooling = found.facility.cooling
    sections = found.project.cooling
    varies = [
        d.liquid_only and 0.0 < d.liquid_fraction < 1.0
        for rack in found.facility.it.racks
        for d in (placed.device for placed in rack.placed)
    ]
    for name, plan, least in (("air", cooling.crah, 0.15), ("liquid", cooling.cdu, 0.90)):
        if plan is None or cooling.liquid is None:
            continue
        section = sections.crah if name == "air" else sections.cdu
        if section is not None and section.design_fraction is not None:
            continue
        heat = sized = 0.0
        for (count, watts, part, _), may in zip(_devices(found), varies, strict=True):
            own = part if name == "liquid" else 1.0 - part
            heat += count * watts * own
            sized += count * watts * (max(own, least) if may else own)
        if heat > 0.0:
            yield from differs(f"sizing factor, {name}", plan.sizing_factor, sized / heat)


def thermal_masses(found: Design) -> Iterator[str]:
    """Air, floor, racks and servers of the halls; cold plates; docs/ride-through.md."""
    thermal, plan = found.facility.thermal, found.facility.it
    floor_m2 = sum(hall.floor_area_m2 for hall in plan.halls)
    count = sum(rack.count for rack in plan.racks)
    units = sum(n * units * (1.0 - part) for n, _, part, units in _devices(found))
    room, loops = thermal.room, thermal.loops
    yield from differs("air of the halls", room.air_m3, 4.0 * floor_m2)
    yield from differs("structure", room.structure_j_k, 50e3 * floor_m2 + 60e3 * count)
    films = 5.0 * (2.0 * floor_m2 + 4.0 * count)
    yield from differs("conductance of the structure", room.structure_w_k, films)
    yield from differs("servers", room.server_j_k, 6e3 * units)
    liquid = sum(n * watts * part for n, watts, part, _ in _devices(found))
    liquid *= plan.demand_factor * plan.diversity
    if found.facility.cooling.liquid is not None:
        yield from differs("cold plates", loops.plate_j_k, 0.3 * liquid)


def routes(found: Design) -> Iterator[str]:
    """50 m to the hall and half of the perimeter of a square one; the longest row of racks."""
    plan, cooling = found.facility.it, found.facility.cooling
    given = found.project.cooling.hydraulics
    if given is None or given.plant_route is None:
        largest_m2 = max(hall.floor_area_m2 for hall in plan.halls)
        expected = 50.0 + 2.0 * math.sqrt(largest_m2)
        yield from differs("plant route", cooling.hydraulics.plant_route_m, expected)
    rows, longest_m = 0, 0.0
    for hall in plan.halls:
        inside = [rack for rack in plan.racks if rack.hall == hall.name]
        wet = sum(
            rack.count
            for rack in inside
            if any(placed.device.liquid_fraction > 0.0 for placed in rack.placed)
        )
        if wet:
            rows += math.ceil(wet / math.ceil(sum(rack.count for rack in inside) / hall.rows))
            longest_m = max(longest_m, hall.route_max_m)
    if rows and cooling.liquid is not None:
        yield from differs("rows with coolant", cooling.hydraulics.rows, rows)
        if given is None or given.tcs_route is None:
            yield from differs("coolant route", cooling.hydraulics.tcs_route_m, longest_m)


def battery_basis(found: Design) -> Iterator[str]:
    """Ten times the autonomy to recharge; ride-through of the starts and the transfer."""
    basis, given = found.facility.electrical.battery, found.project.power.battery
    if given is None or given.recharge_time is None:
        yield from differs("recharge time", basis.recharge_s, 10.0 * basis.autonomy_s)


def _plant(found: Design) -> RidePlant:
    return ride_plant(
        found.cooling,
        found.cooling_flow,
        found.point.heat,
        found.facility.thermal,
        found.facility.site.design,
    )


def ride_stores(found: Design) -> Iterator[str]:
    """Mass times specific heat; half of every loop is on its supply side."""
    plant = _plant(found)
    chw_m3, fws_m3 = 7.0, 3.0
    capacity = _capacities(plant, np.array([chw_m3]), np.array([fws_m3]))[:, 0]
    room, loops = plant.thermal.room, plant.thermal.loops
    air = room.air_m3 / plant.air.volume_m3_kg * plant.air.specific_heat_j_kgk
    expected = {
        "cold_air": room.cold_share * air,
        "hot_air": (1.0 - room.cold_share) * air,
        "servers": room.server_j_k,
        "structure": room.structure_j_k,
        "chw_return": 0.5 * plant.chw_m3 * plant.tank_j_m3k,
    }
    if loops.chw_tank == "mixed":
        usable = loops.tank_usable * chw_m3
        expected["chw_supply"] = (0.5 * plant.chw_m3 + usable) * plant.tank_j_m3k
    cdus = found.cooling.cdus
    if plant.has_liquid and cdus is not None:
        coolant = plant.tcs_m3 * cdus.tcs.rate_w_k(1.0)
        expected |= {"tcs_supply": 0.5 * coolant, "tcs_return": 0.5 * coolant}
        expected["fws_supply"] = (0.5 * plant.fws_m3 + fws_m3) * plant.fws_j_m3k
        expected["fws_return"] = 0.5 * plant.fws_m3 * plant.fws_j_m3k
    for name, value in expected.items():
        if value > 1.0:
            yield from differs(f"store {name}", capacity[NODES.index(name)], value)


def ride_before_a_failure(found: Design) -> Iterator[str]:
    """In normal service the signals are heats, flows and powers of the design hour."""
    plant, flow, heat = _plant(found), found.cooling_flow, found.point.heat
    _, values = case_signals(plant, RideCase("none", "none", lost={}))
    signals = dict(zip(SIGNALS, values[0], strict=True))
    expected = {
        "it_air_w": heat.air_it_w,
        "it_air_w_k": heat.air_it_w / found.cooling.chain.crah.server_rise_k,
        "room_w": heat.hall_losses_w + heat.lights_w + heat.people_w + heat.envelope_w,
        "chw_pump_w": flow.power.chw_pumps_w,
    }
    if plant.has_liquid:
        expected |= {"liquid_w": heat.liquid_it_w, "fws_pump_w": flow.power.fws_pumps_w}
        expected["tcs_w_k"] = found.cooling.cdus.tcs.rate_w_k(flow.tcs_flow_m3_s)  # type: ignore[union-attr]
    for name, value in expected.items():
        if not (plant.direct and name == "chw_pump_w"):
            yield from differs(f"signal {name}", signals[name], value)
    if not plant.direct and signals["chiller_w"] < flow.chiller_load_w * (1.0 - 1e-9):
        yield f"chillers before a failure: {signals['chiller_w']!r} of {flow.chiller_load_w!r} W"
    temperatures = dict(zip(NODES, first_temperatures(plant), strict=True))
    if not plant.direct:
        warmer = plant.chilled_w / plant.chw_w_k
        after = temperatures["chw_return"] - temperatures["chw_supply"]
        yield from differs("rise of the chilled water", after, warmer)
    if plant.has_liquid:
        taken = (heat.liquid_it_w + flow.power.cdu_pumps_w) / expected["tcs_w_k"]
        after = temperatures["tcs_return"] - temperatures["tcs_supply"]
        yield from differs("rise of the coolant", after, taken)
        after = temperatures["fws_return"] - temperatures["fws_supply"]
        yield from differs(
            "rise of the facility water", after, flow.facility_water_w / plant.fws_w_k
        )


RESOLVED: tuple[Callable[[Design], Iterator[str]], ...] = (
    racks,
    coolant,
    sizing_factors,
    thermal_masses,
    routes,
    battery_basis,
    ride_stores,
    ride_before_a_failure,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every figure that the second calculation does not find."""
    for one in RESOLVED:
        yield from one(found)
