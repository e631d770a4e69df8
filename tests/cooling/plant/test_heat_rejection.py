"""Towers and dry coolers: correlation, box, rating point, fans that slow down."""

from __future__ import annotations

from dataclasses import replace

import ht
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.cooling.chain.design_checks import design_checks
from facility.cooling.plant.sinks import Sink, dry_cooler_coil, size_sink
from facility.core.sources import Source
from facility.model.cooling.chain import SinkPlan
from facility.model.cooling.units import DryCoolerUnit
from facility.model.facility import Weather
from facility.physics.exchangers.dry_cooler import (
    dry_cooler_leaving_temperature,
    entering_air_temperature,
    fluid_side_effectiveness,
)
from facility.physics.plant.tower.yorkcalc import (
    YORKCALC,
    YORKCALC_BOX,
    tower_leaving_temperature,
    yorkcalc_approach,
    yorkcalc_outside,
)
from facility.physics.roots import root_between
from tests.cooling.helpers import WARM, case

BAC = DryCoolerUnit("BAC", 2931e3, 35.0, 46.11, 40.55, 117.68e3, 0.5, True, Source("test"))


def test_the_coefficients_are_those_of_the_catalogue() -> None:
    """The 27 coefficients in code, term by term against the reference table."""
    written = {
        f"{k}{j}{i}": c
        for k, plane in enumerate(YORKCALC)
        for j, line in enumerate(plane)
        for i, c in enumerate(line)
    }
    for row in table("cooling/cooling_tower_coefficients").select(model="YorkCalc"):
        powers = {"T": 0, "R": 0, "L": 0}
        for factor in str(row["term"]).split("*"):
            letter, _, power = factor.partition("^")
            if letter in powers:
                powers[letter] = int(power or 1)
        key = f"{powers['L']}{powers['R']}{powers['T']}"
        assert written.pop(key) == pytest.approx(row.si("coefficient"), rel=1e-12)
    assert not written


def test_the_box_is_that_of_the_catalogue() -> None:
    row = table("cooling/cooling_tower_limits").get("YorkCalc")
    assert YORKCALC_BOX["wet bulb"] == (row.si("twb_min_c"), row.si("twb_max_c"))
    assert YORKCALC_BOX["range"] == (row.si("range_min_k"), row.si("range_max_k"))
    assert YORKCALC_BOX["water flow ratio"] == (
        row.si("water_ratio_min"),
        row.si("water_ratio_max"),
    )
    assert YORKCALC_BOX["water over air flow ratio"][1] == row.si("max_liquid_to_gas")
    assert YORKCALC_BOX["approach"] == (row.si("approach_min_k"), row.si("approach_max_k"))


def test_the_approach_is_not_constant() -> None:
    summer = yorkcalc_approach.si(25.5556, 5.5556, 1.0, 1.0)
    winter = yorkcalc_approach.si(0.0, 5.5556, 1.0, 1.0)
    assert summer == pytest.approx(3.84, abs=0.01)
    assert winter == pytest.approx(11.15, abs=0.01)


@given(st.floats(-5.0, 29.0), st.floats(2.0, 12.0), st.floats(0.15, 1.0))
def test_more_air_never_warms_the_water(wet_c: float, range_k: float, air: float) -> None:
    less = yorkcalc_approach.si(wet_c, range_k, 1.0, air)
    assert yorkcalc_approach.si(wet_c, range_k, 1.0, min(air * 1.05, 1.0)) <= less + 1e-9


def test_outside_the_box_the_edge_is_taken_and_named() -> None:
    edge = yorkcalc_approach.si(29.4444, 5.5556, 1.0, 1.0)
    assert yorkcalc_approach.si(32.0, 5.5556, 1.0, 1.0) == edge
    assert yorkcalc_outside(32.0, 5.5556, 1.0, 1.0) == ("wet bulb",)
    assert yorkcalc_outside(20.0, 30.0, 0.5, 1.0) == ("range", "water flow ratio")
    assert yorkcalc_outside(20.0, 5.0, 1.0, 1.0) == ()
    assert tower_leaving_temperature.si(32.0, edge) == 32.0 + edge


def test_approach_takes_arrays() -> None:
    wet = np.array([0.0, 10.0, 35.0])
    singles = [yorkcalc_approach.si(float(t), 5.0, 1.0, 0.8) for t in wet]
    np.testing.assert_allclose(yorkcalc_approach.si(wet, 5.0, 1.0, 0.8), singles, rtol=1e-14)


def test_dry_cooler_gives_back_its_rating_point() -> None:
    """BAC: 2931 kW from 46.11 to 40.55 C in 35 C air: 0.500 on the fluid side."""
    coil = dry_cooler_coil(BAC)
    effectiveness = coil.effectiveness(coil.first_w_k, coil.second_w_k)
    assert effectiveness == pytest.approx(0.500, abs=0.001)
    assert effectiveness == pytest.approx(fluid_side_effectiveness.si(46.11, 40.55, 35.0))
    heat_w = coil.heat(coil.first_w_k, coil.second_w_k, 46.11, 35.0)
    assert heat_w == pytest.approx(2931e3, rel=1e-6)
    out_c = dry_cooler_leaving_temperature.si(35.0, 5.56, effectiveness)
    assert out_c == pytest.approx(40.55, abs=1e-6)


@given(st.floats(0.2, 2.0), st.floats(0.2, 2.0))
def test_a_dry_cooler_does_better_with_more_air(air: float, fluid: float) -> None:
    coil = dry_cooler_coil(BAC)
    fluid_w_k = fluid * coil.second_w_k
    heats = [coil.heat(x * coil.first_w_k, fluid_w_k, 46.0, 35.0) for x in (air, 1.1 * air)]
    assert heats[0] < heats[1]


def test_the_air_taken_in_is_warmer_than_outdoors() -> None:
    assert entering_air_temperature.si(35.0, 1.5) == 36.5


@given(st.floats(0.05, 20.0), st.floats(1.0, 9.0))
@example(0.0546875, 9.0)  # the first estimates fall on the lower end
def test_roots_are_found_to_rounding(root: float, steepness: float) -> None:
    found = root_between(lambda x: x**steepness - root**steepness, 0.01, 25.0)
    assert found == pytest.approx(root, rel=1e-9)


def test_a_root_at_an_end_is_taken_and_none_is_refused() -> None:
    assert root_between(lambda x: x - 1.0, 1.0, 2.0) == 1.0
    assert root_between(lambda x: x - 2.0, 1.0, 2.0) == 2.0
    with pytest.raises(ValueError, match="sign"):
        root_between(lambda x: x, 1.0, 2.0)


def plan(unit: DryCoolerUnit = BAC) -> SinkPlan:
    chain = case(WARM, "{facility_water: {source: dry_cooler, fluid: water}}").chain
    assert chain.facility_water is not None
    assert chain.facility_water.sink is not None
    return replace(chain.facility_water.sink, unit=unit, pump=None)


def dry(approach_k: float, pressure_pa: float = 101325.0, range_k: float = 5.56) -> Sink:
    weather = Weather(35.0, 20.0, pressure_pa)
    return size_sink(plan(), 2931e3, 35.0 + approach_k, range_k, weather, 0.0, 0, "here")


def test_at_its_rating_one_dry_cooler_and_its_fans_are_enough() -> None:
    """117.68 kW of fans for 2,931 kW from 46.11 to 40.55 degC in air of 35 degC: 4.0 %."""
    sink = dry(5.55)
    assert sink.duty == 1
    assert sink.fan_w / sink.heat_w == pytest.approx(0.04015, rel=1e-3)


def test_dry_coolers_in_thin_air_grow_and_their_fans_follow_the_density() -> None:
    """At 83,431 Pa (1,609 m) the fans move 0.8234 of the mass: worked with the library `ht`.

    Conductance by the films of the rating (air half of the fluid, ^0.8); the tubes keep theirs.
    """
    thin = 83431.0 / 101325.0
    sink = dry(5.55, 83431.0)
    rate = 2931e3 / 5.56
    ntu = ht.NTU_from_effectiveness(5.56 / 11.11, 1.0, subtype="crossflow")
    coolers = rate / sink.unit_w_k
    air = coolers * thin  # over the fluid, whose rate stays
    films = 1.5 / (1.0 / thin**0.8 + 0.5)
    units = ntu * coolers * films
    least, most = min(air, 1.0), max(air, 1.0)
    effectiveness = ht.effectiveness_from_NTU(units / least, least / most, subtype="crossflow")
    assert effectiveness * least == pytest.approx(5.56 / 11.11, rel=1e-3)
    assert coolers > 1.05
    assert sink.fan_w == pytest.approx(coolers * 117.68e3 * thin, rel=1e-6)


@pytest.mark.parametrize(
    ("approach_k", "range_k", "rule", "failed"),
    [
        (3.01, 10.0, "DRY-COOLER-APPROACH", False),
        (2.99, 10.0, "DRY-COOLER-APPROACH", True),
        (3.5, 5.56, "DRY-COOLER-FANS", False),
        (2.5, 5.56, "DRY-COOLER-FANS", True),
    ],
)
def test_dry_coolers_out_of_proportion_warn_with_the_sensible_value(
    approach_k: float, range_k: float, rule: str, failed: bool
) -> None:
    this = case(WARM, "{facility_water: {source: dry_cooler, fluid: water}}").sized()
    assert this.water is not None
    sink = dry(approach_k, range_k=range_k)
    changed = replace(this, water=replace(this.water, sink=sink))
    check = next(c for c in design_checks(changed) if c.rule == rule)
    assert (check.failed, check.severity.value) == (failed, "WARNING")
    least_k = sink.min_approach_k
    at_least = dry(least_k, range_k=range_k)
    assert at_least.fan_w / at_least.heat_w == pytest.approx(0.06, rel=1e-6)
    assert f"{35.0 + max(3.0, least_k):.1f} degC or higher" in check.why
