"""Cases of power equipment: battery share, PDU losses, recharge, sets, fuel, availability."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from facility.core.sources import PROJECT
from facility.core.trace import Findings, Trace
from facility.model.inputs.power.battery import BatterySection
from facility.power.backup.fuel import study_fuel
from facility.power.backup.sets import ranked
from facility.power.backup.steps import load_steps
from facility.power.battery.sizing import size_battery
from facility.power.battery.study import battery_results
from facility.power.chain.solve import solve_chain
from facility.power.network.graph.types import Cord, Equipment, Link, Load
from facility.power.network.outages.availability import load_availability
from facility.power.train.flow import recharge_load, recharging_va
from facility.power.train.state import Power
from facility.power.train.types import GeneratorSet
from facility.study.resolve.power.battery import resolve_battery
from tests.hand.power import MODULE, ON_480, SETS, TABLE, ups_480
from tests.hand.registry import case
from tests.power.battery.helpers import PERFECT, Backup
from tests.power.helpers import LOSSLESS, Built, bare, build, criteria
from tests.study.failures.helpers import kind, network

# --- batteries --------------------------------------------------------------------------------


@cache
def _uneven(buses: str, unevenness: float, arrangement: str) -> Backup:
    """Return batteries for 200 kW on one UPS system whose busiest bus carries more than the mean.

    Strings of 100 blocks that each deliver 1,000 W for 10 min and 500 W for 20 min.
    """
    built = build(
        bare(200e3),
        redundancy="N",
        ups={"module_rating": "100 kW", "modules_per_system": "4", "buses": buses},
        distribution=ON_480,
    )
    design = replace(built.design, chain=replace(built.design.chain, unevenness=unevenness))
    section = BatterySection.model_validate(
        {"arrangement": arrangement, "blocks_per_string": 100, "points": TABLE, **PERFECT}
    )
    by, trace = criteria(), built.trace
    basis = resolve_battery(section, design.chain, by, trace)
    batteries = size_battery(basis, design, 200e3, trace)
    normal_w = max(system.output_w for system in built.flow.systems)
    results = battery_results(batteries, design, normal_w, 0.1, trace)
    return Backup(batteries, results, (), trace)


@case("battery-share-of-the-busiest-bus")
def _() -> float:
    return _uneven("2", 1.25, "bus").bank.set_load_w


@case("battery-strings-of-the-busiest-bus")
def _() -> float:
    return float(_uneven("2", 1.25, "bus").bank.strings_per_set)


@case("battery-share-of-a-module-on-the-busiest-bus")
def _() -> float:
    return _uneven("2", 1.25, "module").bank.set_load_w


@case("battery-autonomy-of-the-busiest-bus")
def _() -> float:
    return _uneven("2", 1.25, "bus")["battery.autonomy_normal"]


# --- PDU transformers -------------------------------------------------------------------------


def _pdu_loss(load_w: float, at_w: float = 0.0) -> float:
    """Return the loss of PDU transformers chosen for one load, at another."""
    wiring = {"voltage": "480 V", "rack_system": "208Y/120", **LOSSLESS}
    built = build(
        bare(load_w),
        redundancy="2N",
        ups={**MODULE, "module_rating": "500 kW"},
        distribution={**wiring, "pdu_transformer": "300 kVA"},
    )
    pdus = built.design.pdus
    assert pdus is not None
    assert pdus.per_carrier == (2 if load_w > 300e3 else 1)
    flow = solve_chain(built.design, bare(at_w or load_w))
    return float(flow.part("pdu_transformer").loss_w)


@case("pdu-loss-at-the-load-of-the-rule")
def _() -> float:
    return _pdu_loss(210e3)


@case("pdu-loss-above-the-load-of-the-rule")
def _() -> float:
    return _pdu_loss(210e3, 294e3)


@case("pdu-loss-of-two-on-each-feed")
def _() -> float:
    return _pdu_loss(420e3)


# --- recharge ---------------------------------------------------------------------------------


@case("recharge-apparent-power")
def _() -> float:
    ups = ups_480("N+1").design.ups
    return float(recharge_load(ups, ups.modules, 0.1).va)


@case("generator-load-with-recharge-in-kva")
def _() -> float:
    built = build(bare(200e3), redundancy="N+1", ups=MODULE, distribution=ON_480, generator=SETS)
    return float(built.flow.generators.load_va)


@case("recharge-of-an-uneven-system")
def _() -> float:
    """One system of three modules; its board carries 209 kW at 0.99, the busiest bus 1.2 of it."""
    built = ups_480("N+1")
    board = Power(209e3, 209e3 * (1.0 / 0.99**2 - 1.0) ** 0.5)
    return recharging_va(built.design.ups, [board], 0.1, 1.2)


# --- generator sets ---------------------------------------------------------------------------


def _two_sections(count: str | None = None) -> Built:
    """Return a plant for 1 MW on two bus sections, each with a spare set of its own."""
    given = {**SETS, "connection": "LV", **({"count": count} if count else {})}
    return build(
        bare(1e6),
        redundancy="N",
        distribution=ON_480,
        ups={"module_rating": "2000 kW", "recharge": "0 %"},
        generator=given,
    )


def _sectioned(built: Built, spare: int) -> Any:
    """Return the design with its sets on two sections, half of the load on each."""
    design = built.design
    generator = replace(design.chain.generator, section_parts=(0.5, 0.5))
    plant = replace(design.generators, section_duty=(2, 2), duty=4, count=4 + spare, spare=spare)
    return replace(design, generators=plant, chain=replace(design.chain, generator=generator))


@case("running-sets-of-a-section-with-its-spare")
def _() -> float:
    built = _two_sections()
    design, trace = _sectioned(built, 2), Trace()
    for id, value, of in (
        ("generator.rating", 1e6, "active_power"),
        ("generator.derate", 0.8, "ratio"),
        ("generator.count", 6.0, "count"),
    ):
        trace.given(id, value, of, PROJECT)
    load_steps(design, built.demand, built.flow, trace)
    return trace.value("generator.running_sets")


def _set(model: str, rating_w: float, *section_duty: int) -> GeneratorSet:
    return GeneratorSet(
        model=model,
        rating_w=rating_w,
        rating_va=rating_w / 0.8,
        rating_basis="",
        max_loading=0.7,
        frequency_hz=60.0,
        source=PROJECT,
        memory=(),
        duty=sum(section_duty),
        section_duty=section_duty,
    )


@case("spare-sets-count-on-their-own-bus")
def _() -> float:
    """The small sets come first by installed kW if a bus of 7 and a spare one is permitted."""
    small, large = _set("small", 1.0e6, 7, 7), _set("large", 2.6e6, 4, 4)
    return ranked([large, small], 2)[0].rating_w


@case("spare-sets-beyond-a-bus")
def _() -> float:
    """Two spare sets on each bus make nine: the large sets are taken."""
    small, large = _set("small", 1.0e6, 7, 7), _set("large", 2.6e6, 4, 4)
    return ranked([large, small], 4)[0].rating_w


# --- fuel -------------------------------------------------------------------------------------


@cache
def _fuel(load_w: float) -> Findings:
    """Fuel of two sets of 1,000 kW on duty and a spare one, by the chart."""
    built = _two_sections()
    design = replace(
        built.design, generators=replace(built.design.generators, count=3, duty=2, spare=1)
    )
    found = Findings(built.trace)
    study_fuel(design, load_w, found)
    return found


@case("fuel-of-two-sets-at-half-load")
def _() -> float:
    return float(_fuel(1e6).results["generator.fuel_rate"].si)


@case("fuel-of-two-sets-between-the-points")
def _() -> float:
    return float(_fuel(1.75e6).results["generator.fuel_rate"].si)


@case("fuel-tank-of-two-sets")
def _() -> float:
    tank, rate = (_fuel(1e6).results[f"generator.{id}"].si for id in ("tank", "fuel_rate"))
    hours = float(_fuel(1e6).results["generator.fuel_time"].si) / 3600.0
    assert hours == pytest.approx(float(tank) * 0.9 / float(rate) / 3600.0)
    return float(tank) / hours


# --- availability -----------------------------------------------------------------------------


def _with_bypass() -> tuple[Any, Load]:
    """Utility, UPS and its output, which a maintenance bypass closed by hand can feed too."""
    fed = Load("R", kind(1), (Cord(Link("O")),))
    equipment = (
        Equipment("U", "utility", 480.0),
        Equipment("X", "ups", 480.0, (Link("U"),)),
        Equipment("B", "maintenance-bypass", 480.0, (Link("U"),)),
        Equipment("O", "ups-output", 480.0, (Link("X"), Link("B"))),
    )
    return network(*equipment, loads=(fed,)), fed


@case("availability-with-a-maintenance-bypass")
def _() -> float:
    net, fed = _with_bypass()
    down = {"utility": 1e-4, "ups": 4e-5, "maintenance-bypass": 1e-6, "ups-output": 1e-5}
    (found,) = load_availability(net, [(fed,)], {}, down)
    return float(found.unavailability or 0.0)


@case("availability-exact-with-a-maintenance-bypass")
def _() -> float:
    net, fed = _with_bypass()
    down = {"utility": 0.1, "ups": 0.2, "maintenance-bypass": 0.3, "ups-output": 0.05}
    (found,) = load_availability(net, [(fed,)], {}, down)
    return float(found.exact or 0.0)
