"""Cases of the cooling at work: after a failure, in the loops, behind rear doors; sensors."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from facility.cooling.chain.sizing import solve_cooling
from facility.cooling.ride_through.signals import _liquid_signals, _plant_signals, fan_power_part
from facility.cooling.room.study import sensor_rows
from facility.model.facility import Weather
from facility.study.cooling_hour import cooling_hour
from tests.hand.registry import case
from tests.study.helpers import SHORTEST, design_of, reference, si
from tests.study.tariff.test_tank import TARIFF
from tests.study.transient.helpers import plant_of

# --- after a failure --------------------------------------------------------------------------


@case("fans-left-at-full-speed")
def _() -> float:
    """Four units at 80 % of their air; two are left and move their rated air."""
    unit = SimpleNamespace(air_flow_m3_s=10.0)
    chain = SimpleNamespace(crah=SimpleNamespace(unit=unit, factors={"least_fan_flow": 0.3}))
    plant = SimpleNamespace(
        banks={"fans": SimpleNamespace(running=4)},
        design=SimpleNamespace(chain=chain),
        flow=SimpleNamespace(crah_airflow_m3_s=32.0),
    )
    part = fan_power_part(plant, np.array([2.0]), np.array([0.625]))  # type: ignore[arg-type]
    return float(part[0])


@case("chillers-left-at-capacity")
def _() -> float:
    """Two of three chillers of 1 MW; none of the heat rejection has failed."""
    chilled = SimpleNamespace(load_w=2.5e6, capacity_w=1e6)
    power = SimpleNamespace(chw_pumps_w=1e4)
    plant = SimpleNamespace(
        design=SimpleNamespace(chilled=chilled),
        direct=False,
        flow=SimpleNamespace(chiller_load_w=2.4e6, power=power),
        banks={"chillers": SimpleNamespace(running=3), "rejection": SimpleNamespace(running=0)},
        chw_w_k=1e5,
    )
    at = {name: np.ones(1) for name in ("chw_pumps", "chw_pumps flow", "rejection")}
    at["chillers"] = np.array([2.0])
    return float(_plant_signals(plant, at)["chiller_w"][0])  # type: ignore[arg-type]


@case("coolant-heat-of-half-the-racks")
def _() -> float:
    plant = plant_of("nvl72-hall")
    parts = ("cdus", "fws_pumps", "fws_rejection")
    names = (*parts, *(f"{part} flow" for part in parts), "coolant")
    at = {name: np.ones(1) for name in names} | {"liquid": np.array([0.5]), "dry": np.zeros(1)}
    at["cdus"] *= plant.banks["cdus"].running
    return float(_liquid_signals(plant, at)["liquid_w"][0]) / plant.heat.liquid_it_w


# --- loops and doors --------------------------------------------------------------------------

LIQUID = """\
schema_version: 1
site: {station: ashburn, design_dry_bulb: 25 degC, design_wet_bulb: 18 degC}
it:
  {gpu_model: B200 NVL72, gpus: 576, network: {topology: none}, storage: {count: 0},
   management: {count: 0}}
power: {redundancy: N+1}
criteria: {liquid_class: W40}
cooling:
  method: hybrid
  facility_water: {source: SOURCE}
  hydraulics: {plant_route: 50 m, rejection_route: 30 m}
"""


@case("pipe-of-a-dry-cooler-loop")
def _() -> float:
    loop = design_of(LIQUID.replace("SOURCE", "dry_cooler")).hydraulics.loop("fws")
    assert loop is not None
    return loop.stretches[0].length_m


@case("power-for-the-heat-of-coolant")
def _() -> float:
    """Of the flow, over its parts: chilled water serves air and coolant by their heats."""
    flow = design_of(LIQUID.replace("SOURCE", "chilled_water")).cooling_flow
    power = flow.power
    shared = power.chw_pumps_w + power.chillers_w
    shared += power.condenser_pumps_w + power.heat_rejection_fans_w
    parts = power.cdu_pumps_w + power.fws_pumps_w + flow.coolant_of_chilled * shared
    return (flow.on_ups_coolant_w + flow.mech_coolant_w) / parts


@case("facility-water-below-its-coolant")
def _() -> float:
    """At 30 % of the load the water still leaves no warmer than the coolant that enters."""
    found = design_of(LIQUID.replace("SOURCE", "dry_cooler"))
    weather = Weather(20.0, 15.0, 101325.0)
    heat = cooling_hour(found, weather, 0.3).point.heat
    flow = solve_cooling(found.cooling, heat, weather)
    return float(flow.fws_return_c <= flow.tcs_return_c)


DOORS = """\
schema_version: 1
site: {station: ashburn}
it:
  halls:
    - name: Hall 1
      racks:
        - {name: B300, count: 20, devices: [{model: DGX B300 AC, count: 3}], feeds: [A, B]}
power: {redundancy: 2N}
cooling: {method: air, air: {terminal: active-rear-door}}
"""


@case("rise-of-a-room-with-doors")
def _() -> float:
    """What the room and the doors' fans add, less what the doors take, over its air."""
    value = design_of(DOORS).trace.value
    heat_w = value("heat.room") + value("doors.fan_power") - value("doors.heat")
    added_k = heat_w * 0.857 / (1020.0 * value("air.it_flow"))
    stated_k = design_of(DOORS).cooling.chain.crah.path.room_rise_k
    return value("air.room_rise") / (stated_k + added_k)


# --- sensors ----------------------------------------------------------------------------------


@case("sensors-of-the-air-units")
def _() -> float:
    """Over the units installed, in the halls and in the electrical rooms."""
    found = reference("dgx-su-32")
    rows = sensor_rows(found.cooling, found.facility.it)
    count = next(row.count for row in rows if row.quantity == "supply and return air temperature")
    return count / (si(found, "crah.count") + si(found, "crah.electrical_count"))


# --- chillers at a constant condenser flow ----------------------------------------------------


def _condenser_flow(it_fraction: float) -> float:
    """Return the condenser water at a part of the load: 8 L/s for two chillers of 70 kW."""
    found = design_of(
        SHORTEST,
        "cooling.plant.condenser_flow=8 L/s",
        "cooling.plant.chiller.capacity=70 kW",
        "cooling.plant.heat_rejection=tower",
    )
    assert found.cooling.chilled.duty == 2
    weather = Weather(30.0, 24.0, 101325.0)
    heat = cooling_hour(found, weather, it_fraction).point.heat
    return float(solve_cooling(found.cooling, heat, weather).condenser_flow_m3_s)


@case("condenser-flow-of-two-chillers")
def _() -> float:
    return _condenser_flow(1.0)


@case("condenser-flow-of-one-of-two-chillers")
def _() -> float:
    return _condenser_flow(0.4)


@case("reserve-of-a-tank-for-ride-through")
def _() -> float:
    tank = ("cooling.storage.volume=40 m3", "cooling.storage.reserve=25 %")
    loops = design_of(SHORTEST, *TARIFF, *tank).facility.thermal.loops
    assert loops.reserve
    return loops.chw_tank_m3


@case("pipe-of-the-condenser-water")
def _() -> float:
    """Chillers and towers 30 m apart."""
    loop = design_of(LIQUID.replace("SOURCE", "chilled_water")).hydraulics.loop("cw")
    assert loop is not None
    return loop.stretches[0].length_m
