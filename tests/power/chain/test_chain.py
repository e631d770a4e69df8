"""The chain as a whole: energy, states, floors, trace, checks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.trace import Trace, explain
from facility.power.chain.sizing import size_chain, solve_chain
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand
from tests.power.helpers import SCHEMES, build, criteria, demand, site

RACK_SYSTEMS = ("415Y/240", "208Y/120")


def _loads(load: ChainDemand) -> float:
    return load.it_w + load.mech_ups_w + load.mech_w + load.house_w


def _assert_closes(flow: ChainFlow, load: ChainDemand) -> None:
    assert flow.utility.demand_w == pytest.approx(_loads(load) + flow.losses_w, rel=1e-12)
    for part in flow.parts:
        assert part.loss_w >= 0.0
        places = part.hall_w + part.electrical_room_w + part.outdoors_w
        assert places == pytest.approx(part.loss_w, rel=1e-12, abs=1e-9)
    assert flow.hall_w + flow.electrical_room_w + flow.outdoors_w == pytest.approx(
        flow.losses_w, rel=1e-12
    )


@pytest.mark.parametrize("rack_system", RACK_SYSTEMS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_energy_closes_and_nothing_is_overloaded(scheme: str, rack_system: str) -> None:
    built = build(redundancy=scheme, distribution={"rack_system": rack_system})
    _assert_closes(built.flow, built.demand)
    assert not [c for c in built.design.checks if c.failed and c.severity == "VIOLATION"]
    flow = built.flow
    for loadings in (flow.ups.loading, flow.ups.loading_va, flow.transformers, flow.pdus):
        assert 0.0 <= loadings.normal <= loadings.failure <= 1.0
    assert flow.ups.losses_failure_w >= flow.ups.losses_w
    assert flow.utility.demand_va == pytest.approx(
        np.hypot(flow.utility.demand_w, flow.utility.demand_var)
    )
    amperes = flow.utility.demand_va / (np.sqrt(3.0) * 13800.0)
    assert flow.utility.current_a == pytest.approx(amperes)


@settings(max_examples=40)
@given(
    scheme=st.sampled_from(SCHEMES),
    rack_system=st.sampled_from(RACK_SYSTEMS),
    it_w=st.floats(5e4, 3e7),
    mech=st.floats(0.0, 0.5),
    factor=st.floats(0.85, 1.0),
    growth=st.floats(0.0, 0.3),
    fraction=st.floats(0.0, 1.0),
)
def test_energy_closes_and_more_load_never_takes_less(
    scheme: str,
    rack_system: str,
    it_w: float,
    mech: float,
    factor: float,
    growth: float,
    fraction: float,
) -> None:
    load = demand(it_w, factor, 0.1 * mech * it_w, mech * it_w)
    built = build(
        load, by=criteria(growth), redundancy=scheme, distribution={"rack_system": rack_system}
    )
    _assert_closes(built.flow, load)
    less = solve_chain(built.design, load.at_it_fraction(fraction))
    _assert_closes(less, load.at_it_fraction(fraction))
    assert less.utility.demand_w <= built.flow.utility.demand_w * (1 + 1e-12)
    assert less.ups.loading.failure <= built.flow.ups.loading.failure * (1 + 1e-12)
    assert built.flow.ups.loading.failure * (1.0 + growth) <= 1.0 + 1e-9


@settings(max_examples=30)
@given(scheme=st.sampled_from(SCHEMES), it_w=st.floats(1e5, 3e7), more=st.floats(1.0, 1.5))
def test_counts_never_fall_below_the_floor(scheme: str, it_w: float, more: float) -> None:
    first = build(demand(it_w), redundancy=scheme).design
    grown = build(demand(it_w * more), redundancy=scheme, floor=first.choices).design
    back = build(demand(it_w), redundancy=scheme, floor=grown.choices).design
    for low, high in pairwise((first.choices, grown.choices, back.choices)):
        assert high.ups.model == low.ups.model
        assert high.generators.model == low.generators.model
        assert high.ups.modules_per_system >= low.ups.modules_per_system
        assert high.transformers.count >= low.transformers.count
        assert high.transformers.rating_va >= low.transformers.rating_va
        assert high.generators.count >= low.generators.count
    assert back.choices == grown.choices
    assert not [c for c in grown.checks if c.rule == "UPS-LOADING-FAILURE" and c.failed]


def test_arrays_solve_hour_by_hour() -> None:
    built = build(redundancy="3N/2", distribution={"rack_system": "208Y/120"})
    hours = np.linspace(0.2, 1.0, 5)
    load = built.demand
    whole = solve_chain(
        built.design,
        replace(load, it_w=load.it_w * hours, it_va=load.it_va * hours, mech_w=load.mech_w * hours),
    )
    for index, fraction in enumerate(hours):
        part = load.at_it_fraction(float(fraction))
        single = solve_chain(built.design, replace(part, mech_w=load.mech_w * float(fraction)))
        assert whole.utility.demand_w[index] == pytest.approx(single.utility.demand_w, rel=1e-12)
        assert whole.losses_w[index] == pytest.approx(single.losses_w, rel=1e-12)
        assert whole.ups.loading.failure[index] == pytest.approx(single.ups.loading.failure)
        assert whole.pdus.failure[index] == pytest.approx(single.pdus.failure)
        assert whole.transformers.failure[index] == pytest.approx(single.transformers.failure)


def test_wiring_losses_are_the_stated_fractions_at_the_design_load() -> None:
    built = build(redundancy="N", distribution={"branch_loss": "1 %", "feeder_loss": "0.7 %"})
    assert built.flow.part("branch").loss_w == pytest.approx(0.01 * built.demand.it_w)
    assert built.flow.part("feeder").loss_w == pytest.approx(0.007 * built.demand.it_w)
    assert built.flow.part("rack_pdu").loss_w == pytest.approx(0.005 * built.demand.it_w)
    half = solve_chain(built.design, built.demand.at_it_fraction(0.5))
    assert half.part("branch").loss_w == pytest.approx(0.0025 * built.demand.it_w)


def test_growth_sizes_the_plant_and_not_the_bill() -> None:
    ups = {"model": "9395XR-600"}
    none = build(redundancy="N+1", ups=ups)
    grown = build(redundancy="N+1", ups=ups, by=criteria(growth=0.5))
    assert (none.design.ups.duty, grown.design.ups.duty) == (6, 9)
    assert grown.design.generators.duty > none.design.generators.duty
    assert grown.flow.part("branch").loss_w == none.flow.part("branch").loss_w
    assert grown.flow.utility.demand_w < 1.02 * none.flow.utility.demand_w


def test_heat_lies_where_the_equipment_stands() -> None:
    flow = build(redundancy="N").flow
    assert flow.part("ups").electrical_room_w == flow.part("ups").loss_w
    assert flow.part("transformer").outdoors_w == flow.part("transformer").loss_w
    assert flow.part("rack_pdu").hall_w == flow.part("rack_pdu").loss_w
    feeder = flow.part("feeder")
    assert feeder.hall_w == pytest.approx(feeder.electrical_room_w)


TRACED = {
    "ups.losses": lambda f: f.ups.losses_w,
    "ups.output": lambda f: f.ups.output_w,
    "ups.loading_normal": lambda f: f.ups.loading.normal,
    "ups.loading_failure": lambda f: f.ups.loading.failure,
    "losses.pdu_transformer": lambda f: f.part("pdu_transformer").loss_w,
    "losses.transformer": lambda f: f.part("transformer").loss_w,
    "load.losses": lambda f: f.losses_w,
    "generator.load": lambda f: f.generators.load_w,
    "generator.loading": lambda f: f.generators.loading,
    "utility.demand": lambda f: f.utility.demand_w,
    "utility.demand_kva": lambda f: f.utility.demand_va,
    "utility.current": lambda f: f.utility.current_a,
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_trace_says_what_the_flow_says(scheme: str) -> None:
    built = build(redundancy=scheme, distribution={"rack_system": "208Y/120"})
    for id, found in TRACED.items():
        assert built.trace.value(id) == float(found(built.flow)), id
    assert solve_chain(built.design, built.demand) == built.flow
    design = built.design
    assert built.trace.value("ups.modules") == design.ups.modules
    assert built.trace.value("ups.modules.duty") == design.ups.duty
    assert built.trace.value("generator.count") == design.generators.count
    assert built.trace.value("generator.count.duty") == design.generators.duty
    assert built.trace.value("generator.design_load") == pytest.approx(
        built.flow.generators.load_w, rel=1e-12
    )
    assert built.trace.value("transformer.count") == design.transformers.count
    assert design.pdus is not None
    assert built.trace.value("pdu.count") == design.pdus.count
    tree = "\n".join(explain(built.trace, "utility.demand_kva"))
    for word in ("losses.ups", "ups.module_rating", "power.branch_loss", "lbnl-dcpro-manual"):
        assert word in tree


def test_sizing_is_deterministic_and_repeats_with_its_own_floor() -> None:
    built = build(redundancy="4N/3")
    again = size_chain(
        built.design.chain, site(), criteria(), built.demand, built.design.choices, Trace()
    )
    assert again.choices == built.design.choices
    assert solve_chain(again, built.demand) == built.flow


def test_the_maintenance_bypass_of_a_bus_carries_the_rating_of_its_ups() -> None:
    """Five modules of 1,000 kVA on duty are 6,956 A at 415 V, loaded or not; 4,800 A go through."""
    ups = {"module_rating": "1000 kW", "modules_per_system": "6"}
    check = build(demand(2e6), redundancy="N+1", ups=ups).check("UPS-OUTPUT-BUS")
    assert check.failed
    assert check.value == pytest.approx(5e6 / (3.0**0.5 * 415.0))
    assert check.limit == 4800.0
    assert "maintenance bypass" in check.why


def test_a_large_single_system_is_warned_about() -> None:
    """10 MW on one 415 V bus is 14 kA; a 6000 A breaker carries 6000 / 1.25 = 4800 A for hours."""
    check = build(demand(10e6), redundancy="N+1").check("UPS-OUTPUT-BUS")
    assert check.failed
    assert check.limit == 4800.0
    assert "4,800 A" in check.why  # 80 % of 6000 A where the breaker is not listed for 100 %
    assert not build(demand(2e6), redundancy="N+1").check("UPS-OUTPUT-BUS").failed


def test_no_advice_to_shrink_a_redundant_system() -> None:
    checks = build(redundancy="2(N+1)").design.checks
    words = " ".join(f"{c.why} {c.remedy}" for c in checks).casefold()
    assert "right-siz" not in words
    assert "oversized" not in words


def test_buses_split_a_system_and_have_spare_modules_each() -> None:
    load = demand(9.9e6)
    one = build(load, redundancy="N+1", ups={"model": "9395XR-1935"})
    six = build(load, redundancy="N+1", ups={"model": "9395XR-1935", "buses": "6"})
    assert (one.design.ups.duty, one.design.ups.modules) == (6, 7)
    assert (six.design.ups.duty, six.design.ups.modules) == (6, 12)
    assert not six.check("UPS-OUTPUT-BUS").failed
    assert six.check("UPS-SPARE").outcome == "PASS"
    assert six.flow.ups.loading.failure == pytest.approx(one.flow.ups.loading.failure)
    assert six.trace.value("ups.loading_failure") == pytest.approx(
        six.flow.ups.loading.failure, rel=1e-12
    )
    _assert_closes(six.flow, load)
