"""Transformers and generators: ratings, losses, counts, derating."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.physics.machines.generator import set_loading, sets_needed, site_derate
from facility.physics.machines.transformer import (
    losses_of_efficiency,
    transformer_efficiency,
    transformer_loss,
    transformer_reactive,
)
from facility.power.backup.sizing import derating
from facility.power.substation.count import size_transformers
from facility.power.substation.units import mv_units, pdu_units
from facility.power.train.flow import recharging_va
from facility.power.train.state import Power
from tests.power.helpers import LOSSLESS, bare, build, chain, criteria, demand, site


@given(st.floats(1e4, 5e6), st.floats(0.1, 1.0), st.floats(0.9, 0.999))
def test_one_efficiency_gives_the_losses_back(rating: float, load: float, eta: float) -> None:
    no_load_w, load_loss_w = losses_of_efficiency.si(rating, load, eta)
    assert transformer_efficiency.si(load, rating, 1.0, no_load_w, load_loss_w) == pytest.approx(
        eta
    )
    assert math.sqrt(no_load_w / load_loss_w) == pytest.approx(load)


def test_reactive_power_is_that_of_the_series_impedance() -> None:
    """Against the phasor calculation: S lost in Z = (r + jx) at the current of the load."""
    rating, z, load_loss, load_va = 1e6, 0.0575, 9e3, 0.8e6
    r = load_loss / rating
    impedance = complex(r, math.sqrt(z * z - r * r)) * 480.0**2 / rating
    current = load_va / (math.sqrt(3.0) * 480.0)
    lost = 3.0 * current**2 * impedance
    assert transformer_reactive.si(load_va, 1, rating, load_loss, z) == pytest.approx(lost.imag)
    assert transformer_loss.si(load_va, 1, rating, 0.0, load_loss) == pytest.approx(lost.real)


def test_standard_size_of_the_published_example() -> None:
    """30 A at 208 V is 10.8 kVA; the standard size is 15 kVA (UFC 3-520-01, E23)."""
    wiring = chain(distribution={"rack_system": "208Y/120", "voltage": "415 V"}).wiring
    units = pdu_units(wiring)
    assert [u.rating_va for u in units[:3]] == [15e3, 30e3, 45e3]
    design = size_transformers(units, ("A",), 1, 10.8e3, 1.0, 0)
    assert (design.unit.rating_va, design.count) == (15e3, 1)


def test_mv_ratings_are_of_the_family_of_the_code() -> None:
    basis = chain().transformer
    assert [u.rating_va for u in mv_units(basis, "NEC", 13.8e3)][-2:] == [2.0e6, 2.5e6]
    assert 1.6e6 in [u.rating_va for u in mv_units(basis, "IEC", 20e3)]


def test_transformer_count_as_built_must_be_shared_evenly() -> None:
    with pytest.raises(FacilityError) as caught:
        build(redundancy="3N/2", transformer={"count": "4"})
    assert caught.value.code == "COUNT_NOT_EVEN"
    assert caught.value.where == "power.transformer.count"


def test_too_small_a_transformer_as_built_is_a_violation() -> None:
    built = build(redundancy="2N", transformer={"count": "2", "rating": "1500 kVA"})
    assert built.design.transformers.count == 2
    assert built.check("TRANSFORMER-LOADING-FAILURE").failed
    assert built.flow.transformers.failure > 1.9 * built.flow.transformers.normal


def test_losses_given_are_used() -> None:
    unit = {"rating": "2500 kVA", "no_load_loss": "2 kW", "load_loss": "20 kW"}
    built = build(redundancy="N", transformer=unit)
    design = built.design.transformers
    load_va = built.flow.systems[0].board_va
    expected = design.count * 2e3 + load_va**2 / (design.count * 2.5e6**2) * 20e3
    assert built.flow.part("transformer").loss_w == pytest.approx(expected)
    advised = [c for c in built.design.checks if c.rule == "MEMORY-DATA" and c.failed]
    assert not [c for c in advised if "transformers" in c.subject]


def test_pdu_transformers_stand_where_voltages_differ() -> None:
    none = build(redundancy="N+1", distribution={"rack_system": "415Y/240"})
    low = build(redundancy="N+1", distribution={"rack_system": "208Y/120"})
    assert none.design.pdus is None
    assert none.flow.part("pdu_transformer").loss_w == 0.0
    assert low.design.pdus is not None
    assert low.design.chain.wiring.lv_voltage_v == 480.0
    assert low.flow.pdus.failure == pytest.approx(2.0 * low.flow.pdus.normal)
    assert low.flow.pdus.failure <= 1.0
    assert low.flow.part("pdu_transformer").hall_w > 0.0


def test_pdu_transformers_as_built_too_few() -> None:
    low = {"rack_system": "208Y/120", "pdu_transformer": "300 kVA", "pdus": "4"}
    assert build(redundancy="N", distribution=low).check("PDU-LOADING").failed


def test_fault_level() -> None:
    unknown = build(redundancy="N").check("UTILITY-FAULT-LEVEL")
    assert unknown.outcome == "PASS"
    assert (
        "upper bound with an infinite utility source (site.fault_level not specified)"
        in unknown.why
    )
    known = build(redundancy="N", at=site(fault_level_va=500e6)).check("UTILITY-FAULT-LEVEL")
    assert known.outcome == "PASS"
    assert "kA" in known.why


def test_fault_level_behind_the_least_impedance_stated() -> None:
    """1,000 kVA, 5.75 %, 415 V, an unlimited utility: 1,391 A / 0.0575 = 24.2 kA at the nameplate.

    IEC 60076-1 allows 10 % below it: 26.9 kA; IEEE C57.12 7.5 %, 26.2 kA.
    """
    unit = {"rating": "1000 kVA", "impedance": "5.75 %", "count": 1}
    for tolerance, found in (("0 %", "24.2"), ("7.5 %", "26.2"), ("10 %", "26.9")):
        faults = {"transformer_tolerance": tolerance}
        built = build(demand(4e5), redundancy="N", transformer=unit, faults=faults)
        why = built.check("UTILITY-FAULT-LEVEL").why
        assert why.startswith(f"{found} kA downstream of one transformer")


def test_the_only_transformer_cannot_be_its_own_spare() -> None:
    """N+1 with one transformer installed: with one out of service nothing is left."""
    built = build(demand(400e3), redundancy="N+1", transformer={"count": "1"})
    assert built.check("TRANSFORMER-LOADING-NORMAL").outcome == "PASS"
    assert built.check("TRANSFORMER-LOADING-FAILURE").failed
    assert built.check("TRANSFORMER-SPARE").failed
    enough = build(demand(400e3), redundancy="N+1", transformer={"count": "2"})
    assert not enough.check("TRANSFORMER-LOADING-FAILURE").failed
    assert not enough.check("TRANSFORMER-SPARE").failed


def test_spare_asked_for_beside_several_systems_is_checked() -> None:
    section = {"count": "2", "rating": "5000 kVA", "redundancy": "N+1"}
    assert build(redundancy="2N", transformer=section).check("TRANSFORMER-SPARE").failed


def test_transformers_without_spare_carry_the_recharge_too() -> None:
    """900 kW through a 95 % efficient UPS is 947 kW; 10 % of 900 kW recharge makes it 1037 kW.

    At unity power factor one transformer of 1000 kVA carries the load, and not the recharge.
    """
    points = {25: "94 %", 50: "95.5 %", 75: "95.5 %", 100: "95 %"}
    curve = {f"efficiency_{load}": eta for load, eta in points.items()}
    ups = {"module_rating": "900 kW", "input_power_factor": "1", **curve}
    given = {"rating": "1000 kVA", "count": "1"}
    built = build(bare(900e3), redundancy="N", ups=ups, transformer=given, distribution=LOSSLESS)
    normal, check = built.check("TRANSFORMER-LOADING-NORMAL"), built.check("TRANSFORMER-RECHARGE")
    assert not normal.failed
    assert normal.value == pytest.approx(0.9474, abs=0.002)
    assert check.failed
    assert check.value == pytest.approx(1.0374, abs=0.002)
    free = build(bare(900e3), redundancy="N", ups=ups, distribution=LOSSLESS)
    assert free.design.transformers.unit.rating_va == 1.5e6
    assert not free.check("TRANSFORMER-RECHARGE").failed


def test_chargers_stand_evenly_on_the_buses_whatever_the_racks_do() -> None:
    """Buses at 1.5 times the mean: 1.5 x 947 kW of load and 90 kW of charging, by hand 1,511 kW."""
    ups = {"module_rating": "900 kW", "input_power_factor": "1"}
    built = build(bare(900e3), redundancy="N", ups=ups, distribution=LOSSLESS)
    board = Power(947e3, 0.0)
    assert recharging_va(built.design.ups, [board], 0.1, 1.5) == pytest.approx(1510.5e3)


def test_parallel_transformers_add_their_fault_current() -> None:
    """2500 kVA, 5.75 %, 480 V: 52.3 kA behind one (transformer sheet), 104.6 kA behind two."""
    section = {"rating": "2500 kVA", "count": "2", "impedance": "5.75 %"}
    volts = {"voltage": "480 V", "rack_system": "480Y/277"}
    why = (
        build(redundancy="N", transformer=section, distribution=volts)
        .check("UTILITY-FAULT-LEVEL")
        .why
    )
    one, two = 52.3 / 0.925, 104.6 / 0.925
    found = [float(number) for number in re.findall(r"([\d.]+) kA", why)]
    assert found == [pytest.approx(one, abs=0.1), pytest.approx(two, abs=0.1)]


def test_frequency_of_an_own_set_is_not_known() -> None:
    own = build(generator={"rating": "1000 kW"}).check("GENERATOR-FREQUENCY")
    assert own.outcome == "NOT_EVALUATED"


# --- generators -------------------------------------------------------------------------------


def test_alternator_derating_of_the_published_case() -> None:
    """Alternator at 1500 m and 50 degC: 0.97 x 0.94 = 0.9118 (Stamford rule, Wacker table)."""
    engine, by_altitude, by_ambient = derating(1500.0, 50.0)
    assert (by_altitude, by_ambient) == (0.97, 0.94)
    assert site_derate.si(1.0, by_altitude, by_ambient) == pytest.approx(0.9118, abs=1e-4)
    assert engine == pytest.approx(0.8)


@pytest.mark.parametrize(("altitude_m", "ambient_c"), [(4100.0, 20.0), (0.0, 56.0)])
def test_no_extrapolation_of_the_derating(altitude_m: float, ambient_c: float) -> None:
    with pytest.raises(FacilityError) as caught:
        derating(altitude_m, ambient_c)
    assert caught.value.code == "OUT_OF_RANGE"
    given_derate = build(
        redundancy="N", at=site(altitude_m, ambient_c), generator={"derate": "40 %"}
    )
    assert given_derate.design.generators.derate == pytest.approx(0.4)


def test_altitude_lowers_the_capacity_and_never_raises_the_load() -> None:
    own = {"rating": "500 kW", "rating_kva": "625 kVA"}
    low = build(redundancy="2N", generator=own)
    high = build(redundancy="2N", generator=own, at=site(elevation_m=3000.0))
    assert high.design.generators.derate < low.design.generators.derate
    assert high.design.generators.duty > low.design.generators.duty
    raised = [flow.load_w - flow.step_up_w for flow in (high.flow.generators, low.flow.generators)]
    assert raised[0] == raised[1]  # but for the step-up transformers of more sets


@pytest.mark.parametrize("side", ["LV", "MV"])
def test_generators_carry_more_than_it(side: str) -> None:
    built = build(redundancy="N+1", generator={"connection": side})
    flow, load = built.flow, built.demand
    ups = built.design.ups
    recharge_w = 0.10 * ups.modules * ups.module.rating_w
    expected = (
        flow.ups.input_w + recharge_w + load.mech_w + load.house_w + flow.part("lv_board").loss_w
    )
    if side == "MV":
        expected = flow.utility.demand_w + recharge_w
    assert flow.generators.load_w == pytest.approx(expected)
    assert flow.generators.load_w > load.it_w + load.mech_w


def test_large_plants_are_at_medium_voltage() -> None:
    """Three sets of 3,438 kVA are 14,349 A at 415 V, three of 625 kVA 2,255 A at 480 V."""
    large = build(redundancy="N+1")
    small = build(
        demand(3e5, mech_w=5e4),
        redundancy="N+1",
        generator={"model": "C15 GC 500 ekW standby"},
        distribution={"voltage": "480 V", "rack_system": "480Y/277"},
    )
    assert (large.design.generators.connection, small.design.generators.connection) == ("MV", "LV")
    kept = {entry.id: entry for entry in small.trace.ledger}["power.generator.connection"]
    assert "2,255 A" in kept.basis
    given = build(redundancy="N+1", generator={"connection": "LV"})
    assert given.design.generators.connection == "LV"
    assert "power.generator.connection" not in given.trace.ledger


def test_sets_of_the_sites_frequency() -> None:
    fifty = build(redundancy="N+1", at=site(frequency_hz=50.0))
    assert fifty.design.generators.frequency_hz == 50.0
    wrong = build(
        redundancy="N+1",
        at=site(frequency_hz=50.0),
        generator={"model": "C175-16 3000 ekW standby"},
    )
    assert wrong.check("GENERATOR-FREQUENCY").failed
    with pytest.raises(FacilityError) as caught:
        build(redundancy="N+1", at=site(frequency_hz=25.0))
    assert (caught.value.code, caught.value.exit_code) == ("NO_GENERATOR", 4)


def test_c175_sheet_ratings() -> None:
    """C175-16: 3,000 ekW and 3,750 kVA standby."""
    built = build(redundancy="N", generator={"model": "C175-16 3000 ekW standby"})
    plant = built.design.generators
    assert (plant.rating_w, plant.rating_va) == (3.0e6, 3.75e6)
    assert plant.max_loading == pytest.approx(0.70)
    assert plant.count == plant.duty + 1


def test_generators_as_built_too_few_are_a_violation() -> None:
    built = build(redundancy="2N", generator={"rating": "1000 kW", "count": "3"})
    assert built.design.generators.count == 3
    assert built.check("GENERATOR-CAPACITY").failed


@pytest.mark.parametrize(("redundancy", "holds"), [({}, True), ({"redundancy": "N+1"}, False)])
def test_the_only_set_stated_is_on_duty(redundancy: dict[str, str], holds: bool) -> None:
    """One set as built carries the load, unless a spare one is asked for too."""
    sets = {"rating": "3000 kW", "count": "1"} | redundancy
    built = build(bare(1.0e6), redundancy="N+1", generator=sets)
    assert built.check("GENERATOR-CAPACITY").failed is not holds
    assert ("power.generator.redundancy" in built.trace.ledger) is holds


def test_kva_may_decide_the_number_of_sets() -> None:
    own = {"rating": "2000 kW", "rating_kva": "2000 kVA", "max_loading": "100 %", "redundancy": "N"}
    lagging = build(bare(3.9e6, 0.8), redundancy="N", generator=own)
    assert lagging.design.generators.duty >= 3


@given(st.floats(1e4, 5e7), st.floats(1.0, 3.0), st.floats(0.5, 1.0))
def test_sets_are_enough_and_monotone(load_w: float, more: float, derate: float) -> None:
    args = (2.75e6, 3.438e6, 0.85, derate)
    n = sets_needed.si(load_w, load_w, *args)
    assert set_loading.si(load_w, n, 2.75e6, derate) <= 0.85 * (1 + 1e-8)
    assert sets_needed.si(load_w * more, load_w * more, *args) >= n


def test_transformer_units_keep_the_floor() -> None:
    units = mv_units(chain().transformer, "NEC", 13.8e3)
    free = size_transformers(units, ("A",), 1, 1.4e6, 1.0, 0)
    held = size_transformers(units, ("A",), 1, 1.4e6, 1.0, 0, floor=(2, 2.0e6))
    assert (free.per_carrier, free.unit.rating_va) == (1, 1.5e6)
    assert (held.per_carrier, held.unit.rating_va) == (2, 2.0e6)
    grown = size_transformers(units, ("A",), 1, 4.4e6, 1.0, 0, floor=(2, 2.0e6))
    assert (grown.per_carrier, grown.unit.rating_va) == (2, 2.5e6)


@pytest.mark.parametrize("scheme", ["N", "N+1", "2N", "3N/2"])
@pytest.mark.parametrize("buses", [1, 2, 3])
def test_each_lineup_has_transformers_of_its_own(scheme: str, buses: int) -> None:
    """A UPS system with several output buses has as many LV boards, each with transformers."""
    stated = {"rating": "2500 kVA"}
    built = build(redundancy=scheme, ups={"buses": str(buses)}, transformer=stated)
    design = built.design.transformers
    assert design.per_carrier % buses == 0
    assert built.flow.transformers.failure <= 1.0 + 1e-9
    single = build(redundancy=scheme, ups={"buses": "1"}, transformer=stated)
    one, many = single.check("LV-BOARD-BUS"), built.check("LV-BOARD-BUS")
    assert one.value is not None
    assert many.value is not None
    assert many.value == pytest.approx(one.value / buses, rel=0.02)


def test_a_lineup_keeps_its_own_spare_transformer() -> None:
    built = build(redundancy="N+1", ups={"buses": "2"})
    design = built.design.transformers
    assert design.per_carrier == design.duty_per_carrier + 2
    assert not built.check("TRANSFORMER-SPARE").failed


def test_transformers_that_the_lineups_cannot_share_are_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        build(redundancy="2N", ups={"buses": "2"}, transformer={"count": "6"})
    assert caught.value.code == "COUNT_NOT_EVEN"
    assert "multiple of 4" in caught.value.hint


def test_lv_board_limits_of_both_codes() -> None:
    """6,000 A in 240.6(A) over the factor 1.25; 6,300 A in the IEC list, at the lowest voltage."""
    for code, limit_a in (("NEC", 6000.0 / 1.25), ("IEC", 6300.0 * 0.95)):
        check = build(demand(5e6), by=criteria(code=code), redundancy="N").check("LV-BOARD-BUS")
        assert check.limit == pytest.approx(limit_a)
        assert check.failed


def test_blocks_have_pdus_of_their_own() -> None:
    load = demand(3.2e6)
    low = {"rack_system": "208Y/120"}
    built = build(load, redundancy="block-redundant", blocks="4", distribution=low)
    assert built.design.pdus is not None
    assert built.design.pdus.per_carrier % 4 == 0


def test_transformers_with_bus_ties_carry_two_boards() -> None:
    """Three lineups of one system: behind a tie two thirds of its load hang on one transformer."""
    apart, tied = (
        build(redundancy="N", ups={"buses": "3"}, distribution={"ties": flag})
        for flag in ("false", "true")
    )
    board_va = float(tied.flow.systems[0].board_va) / 3.0
    behind_va = [
        b.design.transformers.count / 3 * b.design.transformers.unit.rating_va
        for b in (apart, tied)
    ]
    assert behind_va[0] * 0.95 < 2.0 * board_va <= behind_va[1] * 0.95
