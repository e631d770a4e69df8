"""Cases of defaults that follow other inputs, and of loads and devices derived from them."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace

import numpy as np

from facility.catalogue.series import LOAD
from facility.catalogue.series.text import _table
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.facility import Weather
from facility.power.battery.tables import _at_end_voltage
from facility.power.panels.board.motor_devices import motor_device
from facility.power.panels.design.lineups import unevenness
from facility.power.train.after_failure import failure_output
from facility.power.train.schemes import Shares
from facility.power.train.state import Wiring
from facility.study.annual.measures import machine_figures
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design
from facility.study.resolve.cooling.air import _for_equipment
from facility.study.resolve.cooling.it import _halls, published_air
from facility.study.resolve.cooling.liquid_path import _with_fluid
from facility.study.resolve.cooling.parts import cdu_pump_w
from facility.study.resolve.cooling.plant import _fraction
from facility.study.resolve.it.short_form import _in_its_air
from facility.study.transient.load.averaging import smoothed
from facility.study.transient.load.profile import Profile
from tests.hand.registry import case
from tests.power.helpers import bare, chain, panel_loads
from tests.power.it.helpers import plan_of
from tests.study.helpers import SHORTEST, design_of, reference

# --- power ------------------------------------------------------------------------------------


@case("ups-output-with-a-feed-lost")
def _() -> float:
    """2N: all of the load on one feed; 1, 2 and 3 kW of wiring lost, a board of 4 kW."""
    wiring = Wiring(1e3, 2e3, 3e3, 4e3)
    feeds = Shares(("A", "B"), (0.5, 0.5), ((0.0, 1.0), (1.0, 0.0)))
    found = failure_output(chain(redundancy="2N"), wiring, None, feeds, 0, bare(100e3))
    return float(found.total.w)


@case("unevenness-of-two-systems")
def _() -> float:
    on_bus = panel_loads(("A", 0, 3e3), ("A", 1, 1e3), ("B", 0, 2e3), ("B", 1, 2e3))
    return unevenness(on_bus, chain(redundancy="2N").scheme, 2)


@case("battery-table-between-two-end-voltages")
def _() -> float:
    listed = ((1.67, 10.0, 100.0), (1.75, 10.0, 80.0), (1.67, 20.0, 60.0), (1.75, 20.0, 50.0))
    names = ("end_voltage_v_per_cell", "minutes", "watts")
    rows = [SimpleNamespace(si=dict(zip(names, row, strict=True)).__getitem__) for row in listed]
    _, watts = _at_end_voltage(tuple(rows), "watts", 1.71)  # type: ignore[arg-type]
    return float(watts[0])


@case("compressor-device-of-50-a")
def _() -> float:
    sizes = (15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 110.0, 125.0)
    return motor_device("compressor", 50.0, "NEC", sizes).rating_a


@case("compressor-largest-device-of-50-a")
def _() -> float:
    sizes = (15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 110.0, 125.0)
    return motor_device("compressor", 50.0, "NEC", sizes).max_a


@case("battery-recharge-time")
def _() -> float:
    found = design_of(SHORTEST, "power.battery.autonomy=6 min")
    return found.facility.electrical.battery.recharge_s


# --- IT ---------------------------------------------------------------------------------------


@case("servers-in-the-air-of-a-rack")
def _() -> float:
    """Air for 2.5 servers, and room for four."""
    placed = plan_of(gpu_model="H100 SXM5", gpus="64").racks[0].placed[0]
    flow = published_air(placed.device, placed.input_w)
    assert flow is not None
    limits = SimpleNamespace(max_air_m3_s=2.5 * flow, max_heat_w=math.inf)
    return float(_in_its_air(4, "", placed, limits)[0])  # type: ignore[arg-type]


@case("load-file-of-a-leap-year-of-minutes")
def _() -> float:
    text = b"hour,load_kw\n" + b"1,1\n" * (366 * 24 * 60)
    return float(len(_table(text, None, "", LOAD, bool).lines))


def _racks(*heat_w: float) -> tuple[tuple[str, float], ...]:
    racks = [
        SimpleNamespace(rack=SimpleNamespace(hall=hall, count=count), heat_w=q)
        for hall, count, q in zip(("one", "two"), (3, 1), heat_w, strict=True)
    ]
    return _halls(racks)  # type: ignore[arg-type]


@case("air-share-of-a-hall")
def _() -> float:
    return dict(_racks(10e3, 20e3))["one"]


@case("air-share-of-a-hall-without-air")
def _() -> float:
    return dict(_racks(0.0, 0.0))["one"]


# --- cooling ----------------------------------------------------------------------------------


@case("cdu-pumps-by-their-flow")
def _() -> float:
    return cdu_pump_w(None, 0.020, Trace())


@case("rack-drop-with-another-fluid")
def _() -> float:
    liquid = reference("nvl72-hall").cooling.chain.liquid
    assert liquid is not None
    rack = liquid.racks[0]
    return _with_fluid(rack, 1.25, "PG40").drop_pa / rack.drop_pa


@case("coolant-sizing-factor-of-a-hybrid-rack")
def _() -> float:
    plan = reference("nvl72-hall").cooling.chain.cdu
    assert plan is not None
    return plan.sizing_factor


@case("air-sizing-factor-of-a-hybrid-rack")
def _() -> float:
    return reference("nvl72-hall").cooling.chain.crah.sizing_factor


@cache
def _room(height: str) -> Design:
    return design_of(SHORTEST, f"cooling.thermal.room_height={height}")


@case("room-air-over-its-floor")
def _() -> float:
    found = _room("4 m").facility
    return found.thermal.room.air_m3 / sum(hall.floor_area_m2 for hall in found.it.halls)


@case("room-structure-over-its-floor")
def _() -> float:
    """Less what its racks store."""
    found = _room("4 m").facility
    racks = sum(rack.count for rack in found.it.racks)
    floor_m2 = sum(hall.floor_area_m2 for hall in found.it.halls)
    return (found.thermal.room.structure_j_k - 60e3 * racks) / floor_m2


@case("no-such-wet-bulb")
def _() -> float:
    try:
        cooling_hour(design_of(SHORTEST), Weather(40.0, 5.0, 101325.0))
    except FacilityError as error:
        return float(error.code == "IMPOSSIBLE_AIR")
    return 0.0


# --- the year and the load --------------------------------------------------------------------


@case("full-load-hours-of-a-machine")
def _() -> float:
    """Pumps of 100 kW at the design hour, which run 4 h at 50 kW and 2 h at 100 kW."""
    power_w = np.array([50e3] * 4 + [100e3] * 2)
    noted: dict[str, float] = {}
    none = np.zeros(6)

    class Powers(dict[str, np.ndarray]):
        def __missing__(self, key: str) -> np.ndarray:
            return power_w if key == "cooling.fws_pumps" else none

    class Design:
        fws_pumps_w = 100e3

        def __getattr__(self, name: str) -> float:
            return 0.0

    year = SimpleNamespace(
        power_w=Powers(), hours=SimpleNamespace(total=lambda w: float(np.sum(w)) * 3600.0)
    )
    found = SimpleNamespace(note=lambda id, value, *_: noted.__setitem__(id, value))
    machine_figures(year, Design(), found)  # type: ignore[arg-type]
    return noted["annual.full_load_hours.fws_pumps"]


@case("ramp-of-an-averaged-square-wave")
def _() -> float:
    """A load of 2 and 12 MW, 30 s each, averaged over 10 s."""
    edges = np.array([0.0, 30.0, 30.0 + 1e-6, 60.0 - 1e-6, 60.0])
    load = Profile(edges, np.array([12e6, 12e6, 2e6, 2e6, 12e6]))
    return smoothed(load, 10.0, 1.0).ramp


# --- supply air, chillers, service ------------------------------------------------------------


@case("supply-air-for-equipment-of-30-degrees")
def _() -> float:
    device = SimpleNamespace(inlet_min_c=None, inlet_max_c=30.0)
    rack = SimpleNamespace(count=1, placed=[SimpleNamespace(device=device, count=1, input_w=1.0)])
    over = SimpleNamespace(worst_k=2.0, lost_k=1.5, words="")
    plan = SimpleNamespace(racks=[rack])
    return _for_equipment(plan, over, (27.0, ""), (18.0, ""))[0]  # type: ignore[arg-type]


@case("carnot-fraction-of-a-chiller")
def _() -> float:
    rated = SimpleNamespace(evaporator_k=1.5, condenser_k=2.0)
    return _fraction(6.0, 7.0, 30.0, rated, Trace())[0]  # type: ignore[arg-type]


@case("lift-of-a-chiller")
def _() -> float:
    rated = SimpleNamespace(evaporator_k=1.5, condenser_k=2.0)
    return _fraction(6.0, 7.0, 30.0, rated, Trace())[1]  # type: ignore[arg-type]


LOW_VOLTAGE = """\
schema_version: 1
site:
  place: London
  country: GB
  elevation: 25 m
  design_dry_bulb: 36 degC
  design_wet_bulb: 22 degC
  utility_voltage: 400 V
it: {gpu_model: H100 SXM5, gpus: 16}
power: {redundancy: N}
cooling: {method: air}
"""


@case("fault-level-of-a-british-low-voltage-service")
def _() -> float:
    return float(design_of(LOW_VOLTAGE).facility.site.fault_level_va or 0.0)
