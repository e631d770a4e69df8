"""Cases of the power chain: UPS, batteries, generators, transformers, faults."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from facility.cooling.ride_through.schedule import PowerState
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT
from facility.physics.circuits.harmonics import k_rating
from facility.physics.facility.hall import hall_area, route_longest, route_mean
from facility.physics.faults.currents import interrupting_multiplier
from facility.physics.machines.generator import sets_needed
from facility.physics.machines.ups import fit_loss_curve
from facility.power.backup.study import study_generators
from facility.power.battery.sizing import autonomy_s
from facility.power.battery.tables import BatteryBlock, temperature_factor
from facility.power.chain.sizing import solve_chain
from facility.power.faults.currents import fault_currents
from facility.power.faults.device_checks import (
    FaultDevice,
    StateCurrents,
    device_checks,
    with_rating,
)
from facility.power.faults.types import FaultSource, FaultTree, Sequences
from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import (
    Cord,
    Equipment,
    Link,
    Load,
    LoadKind,
    Network,
    Outage,
)
from facility.power.substation.interrupting_ratings import StandardRating
from facility.power.train.flow import ups_flows
from facility.power.train.state import Power, UpsOutput
from facility.power.train.types import ChainDemand
from facility.power.ups.study import ups_study
from facility.study.loop import heat_of
from tests.hand.registry import case
from tests.power.battery.helpers import PERFECT, backup
from tests.power.faults.networks import VOLTAGE
from tests.power.helpers import LOSSLESS, Built, bare, build, criteria, demand, site
from tests.study.helpers import design_of

# A module of 100 kW whose loss is 1 % + 3 % x of its rating: 1.75, 2.5, 3.25 and 4 kW.
MODULE = {
    "module_rating": "100 kW",
    "input_power_factor": "0.99",
    "recharge": "10 %",
    "low_line": "10 %",
    "efficiency_25": f"{100 * 0.25 / 0.2675} %",
    "efficiency_50": f"{100 * 0.50 / 0.525} %",
    "efficiency_75": f"{100 * 0.75 / 0.7825} %",
    "efficiency_100": f"{100 / 1.04} %",
}
ON_480 = {"voltage": "480 V", "rack_system": "480Y/277", **LOSSLESS}


@cache
def ups_480(redundancy: str, buses: str = "1", modules: str = "") -> Built:
    given = {**MODULE, "buses": buses} | ({"modules_per_system": modules} if modules else {})
    return build(bare(200e3), redundancy=redundancy, ups=given, distribution=ON_480)


def _study(built: Built, key: str) -> float:
    found = ups_study(built.design, built.flow, built.flow, criteria(), built.trace)
    return float(found.results[key].si)


@case("ups-system-input-without-spares")
def _() -> float:
    return _study(ups_480("N+1"), "ups.input_current_low_line.system")


@case("ups-module-input-low-line")
def _() -> float:
    return _study(ups_480("N+1"), "ups.input_current_low_line")


@case("ups-input-rating-minimum")
def _() -> float:
    return _study(ups_480("N+1"), "ups.input_rating_minimum")


@case("ups-modules-of-two-buses")
def _() -> float:
    return float(ups_480("N+1", "2").design.ups.modules)


@case("ups-system-input-of-two-buses")
def _() -> float:
    return _study(ups_480("N+1", "2"), "ups.input_current_low_line.system")


@case("ups-loading-after-loss-of-two-buses")
def _() -> float:
    return float(ups_480("N+1", "2").flow.ups.loading.failure)


@case("ups-shortlist-after-loss-of-two-buses")
def _() -> float:
    return ups_480("N+1", "2").design.ups.shortlist[0].loading_failure


@case("ups-loss-all-in-service")
def _() -> float:
    return float(ups_480("N+1").flow.ups.losses_w)


@case("ups-loss-after-the-failure")
def _() -> float:
    return float(ups_480("N+1").flow.ups.losses_failure_w)


@case("ups-2n-loading-failure")
def _() -> float:
    return float(ups_480("2N").flow.ups.loading.failure)


@case("ups-2n-modules")
def _() -> float:
    return float(ups_480("2N").design.ups.modules)


@case("ups-falling-loss-is-refused")
def _() -> float:
    """Losses of 3, 2.9, 2.8 and 2.7 % of the rating: positive everywhere, falling with load."""
    try:
        loads, losses = (0.25, 0.5, 0.75, 1.0), (0.030, 0.029, 0.028, 0.027)
        fit_loss_curve(loads, [x / (x + p) for x, p in zip(loads, losses, strict=True)])
    except FacilityError as error:
        return float(error.code == "UPS_CURVE")
    return 0.0


# --- batteries --------------------------------------------------------------------------------

TABLE = [  # one block: 1,000 W for 10 min, 500 W for 20 min
    {"time": "10 min", "block_power": "1000 W"},
    {"time": "20 min", "block_power": "500 W"},
]


@cache
def _batteries() -> Any:
    """Three modules of 100 kW, N+1, each with its own string of 100 blocks: no loss, no ageing."""
    return backup(
        200e3,
        "N+1",
        {"module_rating": "100 kW"},
        arrangement="module",
        blocks_per_string=100,
        strings=1,
        points=TABLE,
        **PERFECT,
    )


@case("battery-time-with-a-unit-lost")
def _() -> float:
    return float(autonomy_s(_batteries().design, 200e3, 2))


@case("battery-time-of-all-units")
def _() -> float:
    return float(autonomy_s(_batteries().design, 200e3))


@case("battery-result-with-a-unit-lost")
def _() -> float:
    return float(_batteries()["battery.autonomy_failure"])


def _block(reference_c: float) -> BatteryBlock:
    block = _batteries().bank.block
    return replace(block, reference_c=reference_c)


@case("battery-warm-room-is-no-credit")
def _() -> float:
    return temperature_factor(35.0, _block(25.0))[0]


# --- generators -------------------------------------------------------------------------------

SETS = {"rating": "1000 kW", "rating_kva": "1250 kVA", "derate": "0.8", "max_loading": "100 %"}


def _plant(growth: float = 0.0, load_w: float = 1e6, **more: Any) -> Built:
    return build(
        bare(load_w),
        by=criteria(growth),
        redundancy="N",
        distribution=ON_480,
        ups={"module_rating": "2000 kW", "recharge": "0 %"},
        generator={**SETS, "connection": "LV", **more},
    )


@cache
def _grown() -> Any:
    built = _plant(0.5)
    grown = built.demand.grown(0.5)
    flow = solve_chain(built.design, grown)
    return built, study_generators(built.design, grown, flow, built.flow, None, built.trace)


@case("generator-step-with-growth")
def _() -> float:
    """Whole load in one step, 50 % growth: output 1.5 MW and its loss over 2 sets x 0.8 MW."""
    built, study = _grown()
    loss_w = float(solve_chain(built.design, built.demand.grown(0.5)).ups.losses_w)
    return float(study.results["generator.first_step"].si) - loss_w / (2 * 0.8e6)


@case("generator-count-derated")
def _() -> float:
    return float(_plant(load_w=900e3).design.generators.count)


@case("generator-loading-derated")
def _() -> float:
    built = _plant()
    return float(built.flow.generators.loading * 2 * 0.8e6 - built.flow.ups.losses_w)


@case("generator-kw-of-kva")
def _() -> float:
    built = build(demand(), redundancy="N", generator={"rating_kva": "1250 kVA"})
    return built.design.generators.rating_w


@case("generator-kva-of-kw")
def _() -> float:
    built = build(demand(), redundancy="N", generator={"rating": "1000 kW"})
    return built.design.generators.rating_va


@case("generator-own-set-on-a-high-site")
def _() -> float:
    """The capacity check knows the derating: 2 duty sets x 1,000 kW x 0.8."""
    found = _plant().check("GENERATOR-CAPACITY")
    assert found.limit is not None
    return found.limit


@case("ups-kva-of-kw")
def _() -> float:
    ups = {"module_rating": "900 kW", "output_power_factor": "0.9"}
    return build(demand(), redundancy="N", ups=ups).design.ups.module.rating_va


@case("ups-kw-of-kva")
def _() -> float:
    ups = {"module_rating_kva": "1000 kVA", "output_power_factor": "0.9"}
    return build(demand(), redundancy="N", ups=ups).design.ups.module.rating_w


@case("generator-largest-of-the-steps")
def _() -> float:
    built = _plant(0.0, steps=["20 %", "50 %", "30 %"])
    found = study_generators(built.design, built.demand, built.flow, built.flow, None, built.trace)
    whole = float(built.flow.generators.loading)
    return float(found.results["generator.largest_step"].si) / whole


# --- harmonics, faults ------------------------------------------------------------------------


@case("k-rating-at-the-rating")
def _() -> float:
    return float(k_rating(4.0) or 0)


@case("k-rating-just-above")
def _() -> float:
    return float(k_rating(4.0 + 1e-9) or 0)


@case("interrupting-multiplier-below-test")
def _() -> float:
    return float(interrupting_multiplier.si(2.0, 6.6))


def _bolted(zero: complex, which: str) -> float:
    """480 V source of 0.01 ohm: no network, no resistance."""
    z = complex(0.0, 0.01)
    part = Sequences(z, zero)
    source = FaultSource("S", "B", "utility", 480.0, part, part)
    found = fault_currents(FaultTree("B", 480.0, (), (source,)), "per-unit", "max", VOLTAGE)
    return float(getattr(found, which)[0])


@case("fault-three-phase")
def _() -> float:
    return _bolted(complex(0.0, 0.01), "three_phase_a")


@case("fault-line-ground-over-three-phase")
def _() -> float:
    return _bolted(complex(0.0, 0.0025), "line_ground_a")


@case("making-peak-of-a-ground-fault")
def _() -> float:
    """The peak of the three-phase fault, times 4/3 for the higher ground fault."""
    z = complex(0.0001, 0.01)
    part = Sequences(z, z / 4.0)
    source = FaultSource("S", "B", "utility", 480.0, part, part)
    tree = FaultTree("B", 480.0, (), (source,))
    high = fault_currents(tree, "per-unit", "max", VOLTAGE)
    low = fault_currents(tree, "per-unit", "min", VOLTAGE)
    device = FaultDevice("D", "B", interrupting_a=65e3)
    states = {"utility": StateCurrents(high, low)}
    found = device_checks([device], states, criteria(code="IEC"))
    (value,) = [c.value for c in found if c.rule == "FAULT-MAKING"]
    assert value is not None
    return value / float(high.peak_a[0])


# --- the network ------------------------------------------------------------------------------


def _phases(powers: list[complex]) -> LoadKind:
    neutral, pair = np.zeros((2, 2, 1, 3), dtype=np.complex128)
    neutral[1, 0] = powers
    total = float(neutral.real.sum())
    return LoadKind("l", neutral, pair, np.array([total, 0.0]), np.array([True, False]))


@case("network-lowest-phase-voltage")
def _() -> float:
    """120 kW on phase A alone through 0.0277128 ohm at 480Y/277: V = 277.128 - 120e3 R / V."""
    volts, ohm = 480.0, 0.0277128
    link = Link("U", "C", ohm, 0.0, 800.0)
    network = Network(
        (Equipment("U", "utility", volts), Equipment("P", "panel", volts, (link,), rating_a=1e3)),
        (Load("L", _phases([120e3, 0.0, 0.0]), (Cord(Link("P")),)),),
        balanced=False,
    )
    flow = solve(compile_network(network), [Outage("normal")])
    return float(flow.voltage_pu[1, 0])


# --- the loop ---------------------------------------------------------------------------------

SMALL = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1, distribution: {branch_loss: 2 %, feeder_loss: 0 %, board_loss: 0 %}}
cooling: {method: air}
"""


@case("hall-losses-at-half-load")
def _() -> float:
    found = design_of(SMALL)
    half = found.point.demand.at_it_fraction(0.5)
    flow = solve_chain(found.chain, half)
    branch_w = flow.part("branch").loss_w
    rest_w = flow.part("rack_pdu").loss_w + flow.part("pdu_transformer").loss_w
    heat = heat_of(found.facility, found.it, flow, 0.5)
    assert abs(heat.hall_losses_w - branch_w - rest_w) < 1e-6 * branch_w
    return float((heat.hall_losses_w - rest_w) / found.it.it_w)


@case("site-frequency-of-the-set")
def _() -> float:
    built = build(demand(), at=site(frequency_hz=50.0), redundancy="N")
    return built.design.generators.frequency_hz


# --- growth and part load ---------------------------------------------------------------------


@case("growth-of-the-cooling")
def _() -> float:
    return demand(mech_w=5e5).grown(0.5).mech_w


@case("growth-of-the-cooling-on-ups")
def _() -> float:
    return demand(mech_ups_w=1e5).grown(0.5).mech_ups_w


@case("growth-leaves-the-house")
def _() -> float:
    return demand(house_w=2e4).grown(0.5).house_w


@case("part-load-apparent-power")
def _() -> float:
    return demand(it_w=2e6, power_factor=0.8).at_it_fraction(0.5).it_va


@case("part-load-peak")
def _() -> float:
    return demand(it_w=2e6, peak=1.5).at_it_fraction(0.5).it_peak_w


@case("part-load-leaves-the-cooling")
def _() -> float:
    return demand(mech_w=5e5).at_it_fraction(0.5).mech_w


# --- what passes between the stages -----------------------------------------------------------


@case("lost-system-loses-nothing")
def _() -> float:
    """2N, one system lost: the other carries 200 kW on two modules."""
    built = ups_480("2N")
    output = UpsOutput(Power(200e3, 0.0), Power(0.0, 0.0))
    flows = ups_flows(built.design.ups, output, built.design.states[1])
    return float(sum(flow.loss_w for flow in flows))


@case("ups-input-apparent-power")
def _() -> float:
    return float(ups_480("N+1").flow.ups.input_va)


@case("ups-output-with-lagging-cooling")
def _() -> float:
    load = ChainDemand(900e3, 900e3, 900e3, 100e3, 0.0, 0.0, 0.0)
    built = build(load, redundancy="N", distribution=ON_480, ups={"module_rating": "2000 kW"})
    return float(built.flow.ups.output_va)


@case("transformers-left-after-a-loss")
def _() -> float:
    given = {"rating": "150 kVA", "count": 3}
    built = build(bare(200e3), redundancy="N+1", ups=MODULE, distribution=ON_480, transformer=given)
    return float(built.flow.transformers.failure / built.flow.transformers.normal)


@case("generator-limit-of-mission-critical")
def _() -> float:
    model = {"model": "3516E (standby / mission critical)"}
    return build(demand(), redundancy="N", generator=model).design.generators.max_loading


@case("generator-limit-of-standby")
def _() -> float:
    model = {"model": "C15 GC 500 ekW standby"}
    return build(demand(), redundancy="N", generator=model).design.generators.max_loading


@case("generator-kva-not-on-the-sheet")
def _() -> float:
    model = {"model": "DQKC 1500 prime"}
    built = build(demand(), at=site(frequency_hz=50.0), redundancy="N", generator=model)
    return built.design.generators.rating_va


@case("generator-derate-by-the-alternator")
def _() -> float:
    built = build(demand(), at=site(elevation_m=1500.0, dry_bulb_c=25.0), redundancy="N")
    return built.design.generators.derate


@case("generator-sets-by-kva")
def _() -> float:
    return float(sets_needed.si(1e6, 1.5e6, 1e6, 1.25e6, 1.0, 1.0))


@case("ups-margin-to-the-loading-limit")
def _() -> float:
    given = {**MODULE, "max_loading": "80 %", "modules_per_system": "5"}
    built = build(bare(200e3), redundancy="N+1", ups=given, distribution=ON_480)
    return built.design.ups.shortlist[0].margin


@case("ups-peak-on-what-is-left")
def _() -> float:
    load = replace(bare(200e3), it_peak_w=250e3)
    built = build(load, redundancy="N+1", ups=MODULE, distribution=ON_480)
    return float(built.check("PEAK-TRANSIENT").limit or 0.0)


@case("ups-parallel-on-one-bus")
def _() -> float:
    given = {"model": "Galaxy VS 150", "modules_per_system": "4", "buses": "2"}
    built = build(bare(200e3), redundancy="N", ups=given)
    return float(built.check("UPS-PARALLEL").value or 0.0)


@case("generator-kva-of-the-check")
def _() -> float:
    built = _plant()
    value_va = float(built.check("GENERATOR-KVA").value or 0.0)
    return value_va * 0.99 - float(built.flow.ups.losses_w)


@case("air-heat-at-half-load")
def _() -> float:
    found = design_of(SMALL)
    heat = heat_of(found.facility, found.it, found.flow, 0.5)
    return heat.air_it_w / found.it.air_w


@case("hall-area-with-circulation")
def _() -> float:
    return float(hall_area.si(10.0, 0.6, 3.0, 1.2))


@case("route-to-the-mean-rack")
def _() -> float:
    return float(route_mean.si(20.0, 0.6, 5.0, 4.0, 3.0))


@case("route-to-the-last-rack")
def _() -> float:
    return float(route_longest.si(20.0, 0.6, 5.0, 4.0, 3.0))


def _parallel(strings: int) -> float:
    given = {"module_rating": "100 kW"}
    found = backup(
        100e3, "N", given, arrangement="module", blocks_per_string=100, strings=strings,
        points=TABLE, **PERFECT,
    )  # fmt: skip
    return float(found.check("BATTERY-PARALLEL").failed)


@case("battery-ten-strings-pass")
def _() -> float:
    return _parallel(10)


@case("battery-eleven-strings-fail")
def _() -> float:
    return _parallel(11)


@case("battery-floor-of-lithium")
def _() -> float:
    return float(backup(technology="li-ion").check("BATTERY-FLOOR").limit or 0.0)


@case("generator-surplus-by-kva-derated")
def _() -> float:
    """Sets of 1,000 kW and only 1,000 kVA: kVA decide; what is permitted over what is asked."""
    built = _plant(rating_kva="1000 kVA")
    rows = [c for c in built.design.checks if c.rule == "INSTALLED-SURPLUS"]
    found = next(c.value for c in rows if c.subject.startswith("generators"))
    return float(found or 0.0) * float(built.flow.generators.load_va)


# --- ratings that bear a fault ----------------------------------------------------------------


def _at(amperes: float, ratio: float) -> StateCurrents:
    """Return a fault of so many amperes at 480 V, with an X/R."""
    size = 480.0 / math.sqrt(3.0) / amperes
    z = complex(1.0, ratio) * size / math.hypot(1.0, ratio)
    part = Sequences(z, z)
    tree = FaultTree("B", 480.0, (), (FaultSource("S", "B", "utility", 480.0, part, part),))
    high, low = (fault_currents(tree, "per-unit", one, VOLTAGE) for one in ("max", "min"))
    return StateCurrents(high, low)


def _rated(amperes: float, ratio: float, code: str) -> float:
    standard = tuple(StandardRating(a, 0.0, PROJECT) for a in (28e3, 42e3, 65e3))
    device = FaultDevice("D", "B", standard=standard)
    chosen = with_rating(device, {"utility": _at(amperes, ratio)}, criteria(code=code))
    return float(chosen.interrupting_a or 0.0)


@case("rating-raised-by-the-x-over-r")
def _() -> float:
    return _rated(27.0e3, 10.0, "NEC")


@case("rating-by-the-nec-below-test")
def _() -> float:
    return _rated(27.9e3, 4.5, "NEC")


@case("rating-by-the-making-capacity")
def _() -> float:
    return _rated(27.9e3, 4.5, "IEC")


@case("fault-of-the-worst-state")
def _() -> float:
    states = {"utility": _at(10e3, 3.0), "generator": _at(20e3, 3.0)}
    found = device_checks([FaultDevice("D", "B", interrupting_a=30e3)], states, criteria())
    return next(float(c.value or 0.0) for c in found if c.rule == "FAULT-INTERRUPTING")


@case("peak-of-two-sources-at-20-hz")
def _() -> float:
    """Peak over sqrt2 times the current of two sources in parallel, by equivalent frequency."""
    parts = [Sequences(z, z) for z in (complex(0.01, 0.01), complex(0.001, 0.02))]
    sources = tuple(
        FaultSource(f"S{n}", "B", "utility", 480.0, part, part) for n, part in enumerate(parts)
    )
    found = fault_currents(FaultTree("B", 480.0, (), sources), "iec-60909", "max", VOLTAGE)
    return float(found.peak_a[0] / found.three_phase_a[0]) / math.sqrt(2.0)


@case("batteries-that-end-without-generators")
def _() -> float:
    """Ten seconds of battery, and nothing that comes back: they end."""
    return float(PowerState(battery_s=10.0).exhausted)
