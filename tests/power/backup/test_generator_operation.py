"""Generators at work: load steps, motor start, minimum load, fuel, leading load."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.trace import Findings
from facility.physics.machines.motor_start import starting_power, voltage_dip
from facility.power.backup.fuel import FuelCurve, fuel_curve
from facility.power.backup.study import MotorLoad, study_generators
from tests.power.helpers import Built, build, chain, demand, site

C15 = {"model": "C15 GC 500 ekW standby"}
CHILLER = MotorLoad("chiller compressor", 400e3)


def studied(built: Built, motor: MotorLoad | None = CHILLER) -> Findings:
    return study_generators(built.design, built.demand, built.flow, built.flow, motor, built.trace)


def of(rule: str, study: Findings) -> Check:
    (found,) = [check for check in study.checks if check.rule == rule]
    return found


def study(motor: MotorLoad | None = CHILLER, **generator: Any) -> Findings:
    return studied(build(redundancy="2N", generator=generator), motor)


def si(found: Findings, key: str) -> float:
    return float(found.results[key].si)


# --- load steps -------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["LV", "MV"])
@pytest.mark.parametrize("scheme", ["N", "N+1", "2N", "3N/2", "block-redundant"])
@pytest.mark.parametrize("buses", ["1", "2"])
def test_the_steps_sum_to_the_load(scheme: str, side: str, buses: str) -> None:
    built = build(redundancy=scheme, ups={"buses": buses}, generator={"connection": side})
    count = int(si(studied(built), "generator.steps"))
    total = sum(built.trace.value(f"generator.step.{n}.load") for n in range(1, count + 1))
    assert total == pytest.approx(built.flow.generators.load_w)
    systems = len(built.flow.systems)
    assert count == systems * int(buses) + systems


def test_steps_as_given() -> None:
    found = study(steps=["50 %", "30 %", "20 %"])
    assert si(found, "generator.steps") == 3
    whole = si(found, "generator.first_step") / 0.5
    assert si(found, "generator.largest_step") == pytest.approx(0.5 * whole)
    with pytest.raises(ValueError, match="sum to 80"):
        chain(generator={"steps": ["50 %", "30 %"]})


def test_a_sheet_that_takes_the_full_block() -> None:
    """3516E: 100 % block load within class G3; any step up to it passes."""
    found = study()
    first, later = of("GENERATOR-FIRST-STEP", found), of("GENERATOR-LATER-STEPS", found)
    assert (first.outcome, first.limit) == ("PASS", 1.0)
    assert (later.outcome, later.limit) == ("PASS", 1.0)


def test_a_step_that_no_sheet_states_is_not_evaluated() -> None:
    found = study(**C15)
    assert of("GENERATOR-FIRST-STEP", found).outcome == "NOT_EVALUATED"
    assert of("GENERATOR-LATER-STEPS", found).outcome == "NOT_EVALUATED"
    assert si(found, "generator.first_step") > 0


def test_steps_of_class_g2() -> None:
    """G2 is tested with 0-50-80-100 %: 50 % from no load, 30 % up to 80 %, 20 % beyond."""
    own = {"rating": "1000 kW", "performance_class": "G2", "redundancy": "N", "count": "4"}
    load_w = build(redundancy="2N", generator=own).flow.generators.load_w
    derate = build(redundancy="2N", generator=own).design.generators.derate
    part = load_w / (4e6 * derate)
    good = study(**own, steps=["40 %", "30 %", "30 %"])
    assert of("GENERATOR-FIRST-STEP", good).limit == pytest.approx(0.5)
    assert of("GENERATOR-FIRST-STEP", good).value == pytest.approx(0.4 * part)
    late = study(**own, steps=["30 %", "25 %", "45 %"])
    assert of("GENERATOR-LATER-STEPS", late).failed
    assert of("GENERATOR-LATER-STEPS", late).limit == pytest.approx(0.2)


def test_fewer_sets_on_the_bus_make_larger_steps() -> None:
    all_on, one_on = study(), study(running_sets="1")
    sets = build(redundancy="2N").design.generators.duty
    ratio = si(one_on, "generator.first_step") / si(all_on, "generator.first_step")
    assert ratio == pytest.approx(sets)
    assert si(one_on, "generator.voltage_dip") > si(all_on, "generator.voltage_dip")
    with pytest.raises(FacilityError) as caught:
        study(running_sets="50")
    assert caught.value.where == "power.generator.running_sets"


def test_first_step_by_the_maker() -> None:
    found = study(**C15, first_step="1 %")
    assert of("GENERATOR-FIRST-STEP", found).failed
    assert of("GENERATOR-LATER-STEPS", found).outcome == "NOT_EVALUATED"


def test_the_load_is_that_of_the_plant_with_everything_in_it() -> None:
    """IT through the UPS, cooling, house, losses and recharge, and on MV the transformers."""
    built = build(redundancy="2N", generator={"connection": "MV"})
    found = studied(built)
    ups = built.design.ups
    charge_w = 0.10 * ups.modules * ups.module.rating_w
    assert si(found, "generator.load") == pytest.approx(built.flow.utility.demand_w + charge_w)
    assert si(found, "generator.design_load") == pytest.approx(si(found, "generator.load"))
    assert found.results["generator.connection"].si == "MV"


# --- motor start ------------------------------------------------------------------------------


def test_dip_of_the_published_case() -> None:
    """600 A of locked rotor on 5,000 A of available fault current: 10.7 %."""
    rated_a, reactance = 1000.0, 0.2
    assert rated_a / reactance == 5000.0
    assert voltage_dip.si(600.0, rated_a, reactance) == pytest.approx(0.107, abs=5e-4)


def test_direct_start_dips_more_than_a_drive() -> None:
    drive, direct = study(), study(motor_start="direct")
    assert si(direct, "generator.starting_kva") == pytest.approx(
        6.0 * si(drive, "generator.starting_kva")
    )
    assert si(drive, "generator.starting_kva") == pytest.approx(400e3 / 0.90)
    assert si(direct, "generator.voltage_dip") > 4.0 * si(drive, "generator.voltage_dip")


def test_largest_motor_as_given_or_unknown() -> None:
    assert si(study(largest_motor="2 MW"), "generator.starting_kva") == pytest.approx(2e6 / 0.9)
    unknown = study(motor=None)
    assert of("GENERATOR-VOLTAGE-DIP", unknown).outcome == "NOT_EVALUATED"
    assert "generator.voltage_dip" not in unknown.results


def test_recalled_limits_are_advised() -> None:
    """Class G2 was read, the transient limits of G3 were not."""
    for name, recalled in (("G2", False), ("G3", True)):
        found = study(performance_class=name)
        (advice,) = [c for c in found.checks if c.rule == "MEMORY-DATA"]
        assert advice.failed is recalled
    assert of("GENERATOR-VOLTAGE-DIP", study(performance_class="G2")).limit == pytest.approx(0.20)
    open_limit = of("GENERATOR-VOLTAGE-DIP", study(performance_class="G4"))
    assert open_limit.outcome == "NOT_EVALUATED"


@given(st.floats(1e3, 1e7), st.floats(1.0, 3.0), st.floats(1e5, 1e8), st.floats(0.05, 0.5))
def test_a_larger_motor_never_dips_less(
    input_w: float, more: float, sets_va: float, reactance: float
) -> None:
    small, large = (
        voltage_dip.si(starting_power.si(w, 0.85, 6.0), sets_va, reactance)
        for w in (input_w, input_w * more)
    )
    assert 0.0 < small <= large < 1.0


# --- fuel -------------------------------------------------------------------------------------


def curve_of(**generator: Any) -> FuelCurve:
    found = fuel_curve(build(redundancy="2N", generator=generator).design.generators)
    assert found is not None
    return found


def test_fuel_of_the_data_sheet() -> None:
    """3516E: 735.6, 559.9, 406.7 and 236.8 L/h at 100, 75, 50 and 25 % of 2,750 kW."""
    curve = curve_of(model="3516E (standby / mission critical)")
    for part, litres in ((1.0, 735.6), (0.75, 559.9), (0.5, 406.7), (0.25, 236.8)):
        flow = curve.at(part * 2.75e6)
        assert flow is not None
        assert flow * 3.6e6 == pytest.approx(litres, abs=0.05)
    assert curve.at(0.2 * 2.75e6) is None
    assert curve.at(1.01 * 2.75e6) is None


def test_fuel_of_the_chart() -> None:
    """Chart: 1,000 kW takes 71.1 gal/h at full load and 36.4 at half, 1,250 kW 88.8."""
    gallon = 3.785411784e-3 / 3600.0
    one, between, beyond = (curve_of(rating=f"{kw} kW") for kw in (1000, 1125, 4500))
    assert one.at(1.0e6) == pytest.approx(71.1 * gallon)
    assert one.at(0.5e6) == pytest.approx(36.4 * gallon)
    assert between.at(1.125e6) == pytest.approx((71.1 + 88.8) / 2 * gallon)
    assert beyond.at(4.5e6) == pytest.approx(2 * 159.6 * gallon)
    assert "upper end of the chart" in beyond.words


def test_tank_for_the_hours_asked_for() -> None:
    day, two = study(fuel_hours="24 h"), study(fuel_hours="48 h")
    rate = si(day, "generator.fuel_rate")
    assert si(day, "generator.tank") == pytest.approx(rate * 86400 / 0.9)
    assert si(two, "generator.tank") == pytest.approx(2 * si(day, "generator.tank"))
    assert of("GENERATOR-FUEL", day).outcome == "PASS"
    small = study(tank="1 m3")
    assert of("GENERATOR-FUEL", small).failed
    assert si(small, "generator.fuel_time") == pytest.approx(0.9 / rate)
    full = study(tank="1 m3", tank_usable="100 %")
    assert si(full, "generator.fuel_time") == pytest.approx(1.0 / rate)


def test_fuel_is_not_extrapolated() -> None:
    """One set of 20 MW carries 4.4 MW, less than a quarter, where the chart ends."""
    found = study(rating="20000 kW")
    assert of("GENERATOR-FUEL", found).outcome == "NOT_EVALUATED"
    assert "generator.fuel_rate" not in found.results


@given(st.floats(0.25, 1.0), st.floats(0.25, 1.0), st.sampled_from([60, 500, 2000, 3000]))
def test_fuel_grows_with_the_load(one: float, two: float, rating_kw: int) -> None:
    curve = curve_of(rating=f"{rating_kw} kW")
    low, high = (curve.at(part * curve.basis_w) for part in sorted((one, two)))
    assert low is not None
    assert high is not None
    assert low <= high


# --- the rest ---------------------------------------------------------------------------------


def test_minimum_load() -> None:
    built = build(redundancy="2N")
    found = studied(built)
    plant, ups = built.design.generators, built.design.ups
    load_w = built.flow.generators.load_w - 0.1 * ups.modules * ups.module.rating_w
    assert si(found, "generator.loading_least") == pytest.approx(
        load_w / (plant.count * plant.rating_w)
    )
    assert of("GENERATOR-MINIMUM-LOAD", study(count="40", rating="500 kW")).failed
    assert of("GENERATOR-MINIMUM-LOAD", study(minimum_load="95 %")).failed


def test_leading_load() -> None:
    assert of("GENERATOR-LEADING-PF", study()).outcome == "NOT_EVALUATED"
    some = of("GENERATOR-LEADING-PF", study(filter_capacitive="10 kvar"))
    much = of("GENERATOR-LEADING-PF", study(filter_capacitive="900 kvar"))
    assert some.outcome == "PASS"
    assert much.failed
    less = of("GENERATOR-LEADING-PF", study(filter_capacitive="10 kvar", leading_limit="10 %"))
    assert less.limit == pytest.approx(some.limit / 2)


def test_start_time() -> None:
    assert of("GENERATOR-START-TIME", study()).outcome == "PASS"
    assert of("GENERATOR-START-TIME", study(start_time="15 s")).failed


@given(st.floats(0.0, 4000.0), st.floats(0.0, 4000.0))
def test_a_higher_site_never_has_less_installed(one: float, two: float) -> None:
    own = {"rating": "1000 kW", "connection": "LV"}
    low, high = (
        build(redundancy="2N", at=site(elevation_m=m), generator=own).design.generators.count
        for m in sorted((one, two))
    )
    assert low <= high


@given(st.floats(5e5, 6e6), st.floats(1.0, 2.0))
def test_more_load_never_needs_fewer_sets(it_w: float, more: float) -> None:
    own = {"rating": "1000 kW", "connection": "LV"}
    one, two = (
        build(demand(w), redundancy="N", generator=own).design.generators.count
        for w in (it_w, it_w * more)
    )
    assert one <= two


def test_a_plant_without_sets_is_not_evaluated() -> None:
    found = study(count="0")
    assert not found.results
    assert {check.outcome.value for check in found.checks} == {"NOT_EVALUATED"}
    assert len(found.checks) == len({check.rule for check in study().checks} - {"MEMORY-DATA"})
