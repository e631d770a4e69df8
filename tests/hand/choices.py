"""Cases of choices: tanks, pumps, coolant units, battery blocks, units that carry a load."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from facility.cooling.liquid.selection import _sized, rank_cdus
from facility.cooling.parts.counting import fewest_units
from facility.cooling.parts.pumping import LoopPump
from facility.cooling.ride_through.tanks import Bridge, chw_bridge, fws_bridge, size_from
from facility.core.check import Severity
from facility.core.choice import Alternative
from facility.core.sources import DERIVED
from facility.core.trace import SILENT, Trace
from facility.model.inputs.it import NetworkSection
from facility.power.battery.sizing import _chosen, _size_strings
from facility.study.design.cooling_choice import _size
from facility.study.design.plants import Tried, chosen
from facility.study.failures.study import _units_needed
from facility.study.resolve.it.network import Cluster, _switch
from tests.hand.plant_sizing import _uneven
from tests.hand.registry import case
from tests.power.battery.helpers import backup
from tests.study.failures.helpers import board, load, network, source
from tests.study.helpers import reference

# --- counts -----------------------------------------------------------------------------------


@case("fewest-units-that-suffice")
def _() -> float:
    return float(fewest_units(1, lambda units: units * 250.0 < 1600.0))


@case("fewest-units-where-none-suffice")
def _() -> float:
    return float(fewest_units(1, lambda units: units * 250.0 < 1600.0, limit=6))


@case("units-that-carry-the-normal-load")
def _() -> float:
    """Four modules: 55 % in service, 61 % after the loss of the utility, 90 % after a failure."""
    net = network(source("U"), board("X", "U", units=4), loads=(load("R", "X"),))
    states = [SimpleNamespace(case=SimpleNamespace(kind=k)) for k in ("normal", "utility", "unit")]
    columns = [np.array([np.nan, part]) for part in (0.55, 0.61, 0.90)]
    found = _units_needed(net, tuple(states), columns)  # type: ignore[arg-type]
    return float(found["X"])


# --- tanks ------------------------------------------------------------------------------------


@case("tank-of-the-next-standard-size")
def _() -> float:
    return size_from(3.2)


@case("tank-of-just-a-standard-size")
def _() -> float:
    return size_from(16.0)


_RESTART = SimpleNamespace(chiller_s=120.0, chiller_ramp_s=180.0, rejection_s=30.0, ramp_s=60.0)


def _facility_water() -> Bridge:
    flow = SimpleNamespace(facility_water_w=1e6, fws_return_c=42.0, fws_supply_c=32.0)
    plant = SimpleNamespace(thermal=SimpleNamespace(restart=_RESTART), flow=flow)
    return fws_bridge(plant, 15.0)  # type: ignore[arg-type]


@case("facility-water-restart-time")
def _() -> float:
    return _facility_water().wait_s


@case("facility-water-buffer")
def _() -> float:
    water = SimpleNamespace(properties={"density_kg_m3": 993.0, "specific_heat_j_kgk": 4178.0})
    return _facility_water().volume_m3(water)  # type: ignore[arg-type]


@case("chilled-water-restart-time")
def _() -> float:
    design = SimpleNamespace(chilled=SimpleNamespace(plan=SimpleNamespace(rise_k=8.0)))
    flow = SimpleNamespace(chiller_load_w=1e6)
    return chw_bridge(design, flow, _RESTART, 15.0).wait_s  # type: ignore[arg-type]


# --- pumps and coolant units ------------------------------------------------------------------


@case("pump-of-a-loop")
def _() -> float:
    return LoopPump.sized(SimpleNamespace(efficiency=0.65), 0.01, 200e3).power_w  # type: ignore[arg-type]


def _coolant_units(heat_w: float, flows: float) -> tuple[int, int]:
    """Return CDUs by flow and approach, and by a rated heat of 400 kW.

    flows: Coolant flow over the rated flow of a unit.
    """
    cdus = reference("nvl72-hall").cooling.cdus
    assert cdus is not None
    unit = replace(cdus.plan.unit, capacity_w=400e3)
    water = reference("nvl72-hall").cooling.chain.facility_water
    duty = SimpleNamespace(plan=cdus.plan, water=water)
    flow_m3_s = flows * unit.tcs_flow_m3_s
    design, by_heat = _sized(unit, duty, heat_w, flow_m3_s)  # type: ignore[arg-type]
    return design.duty, by_heat


@case("coolant-units-by-rated-heat")
def _() -> float:
    return float(_coolant_units(900e3, 1.5)[1])


@case("coolant-units-by-flow")
def _() -> float:
    return float(_coolant_units(50e3, 2.5)[0])


# --- battery blocks ---------------------------------------------------------------------------


@case("battery-strings-of-a-block")
def _() -> float:
    made = _uneven("2", 1.0, "bus")
    basis, block, ups = made.design.basis, made.bank.block, made.design.ups
    return float(_size_strings(basis, block, ups, 320e3, SILENT)[1])


@case("battery-block-within-its-strings")
def _() -> float:
    """The smaller block needs 13 strings, more than ten: the larger, which needs two, is taken."""
    made = _uneven("2", 1.0, "bus")
    large = made.bank.block
    small = replace(large, model="small", watts=large.watts / 10.0)
    found = _chosen(made.design.basis, (small, large), made.design.ups, 125e3, made.trace)
    return float(found.watts[0] / large.watts[0])


def _ranked(*offers: tuple[str, float, float]) -> list[str]:
    """Return the models in their order: name, coolant flow over the loop's, pump power [W]."""
    cdus = reference("nvl72-hall").cooling.cdus
    assert cdus is not None
    plan = cdus.plan
    flow_m3_s = plan.unit.tcs_flow_m3_s
    candidates = [
        SimpleNamespace(
            model=name,
            mount="in-row",
            to_air=False,
            unit=replace(
                plan.unit,
                tcs_flow_m3_s=flow_m3_s * size,
                fws_flow_m3_s=plan.unit.fws_flow_m3_s * size,
                capacity_w=plan.unit.capacity_w * size,
                pump_w=pump_w,
            ),
            head_pa=300e3,
            supply_min_c=None,
            supply_max_c=None,
        )
        for name, size, pump_w in offers
    ]
    duty = SimpleNamespace(
        plan=plan,
        water=reference("nvl72-hall").cooling.chain.facility_water,
        heat_w=50e3,
        flow_m3_s=flow_m3_s,
        heads_pa={"in-row": 200e3},
        racks=(),
        mount="",
    )
    return [one.model for one in rank_cdus(candidates, duty)]  # type: ignore[arg-type]


@case("coolant-units-fewest-first")
def _() -> float:
    """Units for 0.4 and 1.2 times the flow: three against one, though three pump with less."""
    return float(_ranked(("three", 0.4, 1e3), ("one", 1.2, 5e3)).index("one"))


@case("coolant-units-least-pump-power-of-as-many")
def _() -> float:
    return float(_ranked(("more", 1.3, 5e3), ("less", 1.2, 4e3)).index("less"))


def _switch_for(servers: int) -> str:
    """Return the switch chosen for servers of eight GPUs with 400 Gbit/s each."""
    book = SimpleNamespace(
        get=lambda model, where: SimpleNamespace(category="switch", model=model, source=DERIVED)
    )
    cluster = Cluster(servers, 8 * servers, 8, "H100 SXM5")
    return _switch(NetworkSection(), cluster, book, Trace())[0].model  # type: ignore[arg-type]


@case("largest-cluster-on-switches-of-64-ports")
def _() -> float:
    """The largest number of servers of three that the smaller switch carries in three tiers."""
    return float(max(n for n in (4096, 8192, 8193) if _switch_for(n) == "QM9700"))


# --- cooling machines by result ---------------------------------------------------------------


def _chosen_of(*offers: tuple[str, float, float, int, str]) -> str:
    """Return the one chosen of offers: name, loss and installed kW, machines, advice that fails."""
    found = [
        Tried(
            Alternative(name, {}, 1e3 * loss_kw, 1e3 * kw, machines),
            reference("nvl72-hall").cooling,
            {advice: Severity.ADVICE} if advice else {},
            frozenset(),
        )
        for name, loss_kw, kw, machines, advice in offers
    ]
    place = SimpleNamespace(hours=None)
    choice = chosen("chillers", place, found, frozenset(("UNIT-SIZE",)))  # type: ignore[arg-type]
    assert choice is not None
    return choice[1].figures.name


_CHILLERS = (("2", 40.0, 200.0, 8, ""), ("3", 41.0, 160.0, 9, ""), ("4", 41.2, 150.0, 10, ""))


@case("chillers-within-a-tenth-of-the-least-installed")
def _() -> float:
    return float(_chosen_of(*_CHILLERS))


@case("chillers-none-smaller-than-the-catalogue")
def _() -> float:
    small = [(*one[:4], "UNIT-SIZE of chillers") for one in _CHILLERS[1:]]
    return float(_chosen_of(_CHILLERS[0], *small))


@case("chiller-largest-of-its-share")
def _() -> float:
    return float(_size(1000e3 / 3.0).removesuffix(" kW"))


@case("coolant-units-chosen-for-eight-racks")
def _() -> float:
    """The name of the chosen units starts with their number and ends with the model."""
    choice = next(one for one in reference("nvl72-hall").choices if one.subject == "CDUs")
    count, model = choice.chosen.name.split(" x ")
    return float(count) if model == "XDU1350" else 0.0


# --- gassing ----------------------------------------------------------------------------------


@case("battery-gassing-current-on-float")
def _() -> float:
    return backup(boost_charge=False).trace.value("battery.gassing_current")
