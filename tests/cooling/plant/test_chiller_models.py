"""Chiller models at and beyond the edges of their boxes, and plants without towers, over hours."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.cooling.plant.chillers import eir_curves
from facility.cooling.plant.dry_hours import AirCooledUnit, air_cooled_hours
from facility.physics.plant.chiller.curves import EirCurves, biquadratic
from facility.physics.plant.chiller.lift import lift_cop
from facility.physics.plant.chiller.reformulated import ReformulatedCurves, reformulated_part_load
from facility.physics.plant.chiller.switched import LiftLimits, anchored_lift_cop, switched_hours
from facility.study.resolve.cooling.plant_options import reformulated_curves

WATER = LiftLimits(
    evaporator_approach_k=2.0, to_condensing_k=5.56 + 2.0, least_lift_k=5.0, cop_limit=14.0
)
SETS = [
    str(row["name"])
    for row in table("cooling/chillers_eir").rows
    if str(row["condenser"]) != "AirCooled"
]
REFORMULATED = [str(row["name"]) for row in table("cooling/chillers_reformulated_eir").rows]
YORK = "York YT 1055kW/5.96COP/Vanes"
DOE2 = "DOE-2 Centrifugal/5.50COP"


@cache
def curves(name: str) -> EirCurves:
    return eir_curves(table("cooling/chillers_eir").get(name))


@cache
def reformulated(name: str) -> ReformulatedCurves:
    return reformulated_curves(table("cooling/chillers_reformulated_eir").get(name))


# --- reformulated EIR -------------------------------------------------------------------------


@pytest.mark.parametrize("name", REFORMULATED)
def test_reformulated_curves_give_the_ratios_published_with_them(name: str) -> None:
    """The columns of the ratios at the reference point were computed apart, to four digits."""
    row, found = table("cooling/chillers_reformulated_eir").get(name), reformulated(name)
    x, y = row.si("t_chw_lvg_ref_c"), row.si("t_cond_lvg_ref_c")
    expected = [row.si(f"{curve}_at_ref") for curve in ("capft", "eirft", "eirfplr")]
    computed = [
        biquadratic.si(x, y, *found.capacity_curve),
        biquadratic.si(x, y, *found.input_curve),
        reformulated_part_load.si(y, 1.0, *found.part_load_curve),
    ]
    assert computed == pytest.approx(expected, abs=6e-4)


def test_leaving_condenser_water_closes_the_heat_balance() -> None:
    found = reformulated("McQuay WSC 471kW/5.89COP/Vanes")
    rate_w_k, load_w = 80e3, 400e3
    point = found.at(8.0, 27.0, load_w, rate_w_k)
    assert point.clipped == ()
    leaving_c = 27.0 + (load_w + point.power_w) / rate_w_k
    direct_w, _ = found._power(8.0, leaving_c, load_w)
    assert point.power_w == pytest.approx(direct_w, rel=1e-9)


def test_both_forms_of_one_machine_agree_near_their_reference() -> None:
    """The sets of one machine were fitted to the same data: within 5 % of each other there."""
    row = table("cooling/chillers_reformulated_eir").get("McQuay WSC 471kW/5.89COP/Vanes")
    found = reformulated_curves(row)
    twin = curves("McQuay WSC 471kW/5.89COP/Vanes")
    load_w, rate_w_k = 0.9 * found.capacity_w, row.si("m_cond_ref_kg_s") * 4186.0
    entering_c = row.si("t_cond_lvg_ref_c") - load_w * (1.0 + 1.0 / found.cop) / rate_w_k
    x = row.si("t_chw_lvg_ref_c")
    ours = found.at(x, entering_c, load_w, rate_w_k).power_w
    assert ours == pytest.approx(float(twin.over_hours(x, entering_c, load_w).power_w), rel=0.05)


def test_reformulated_hours_are_the_points_one_by_one_and_name_what_is_clipped() -> None:
    found = reformulated("McQuay WSC 471kW/5.89COP/Vanes")
    x = np.array([8.0, 20.0, 8.0, 8.0])
    y = np.array([27.0, 27.0, 5.0, 27.0])
    load_w = np.array([400e3, 400e3, 400e3, 700e3])
    hours = found.over_hours(x, y, load_w, 80e3)
    points = [
        found.at(float(a), float(b), float(q), 80e3) for a, b, q in zip(x, y, load_w, strict=True)
    ]
    assert hours.power_w == pytest.approx([point.power_w for point in points])
    assert [point.clipped for point in points] == [
        (),
        ("leaving chilled water",),
        ("leaving condenser",),
        ("leaving condenser", "part load"),
    ]
    assert list(hours.clipped) == [False, True, True, True]


# --- the switch to the lift model -------------------------------------------------------------


def test_inside_the_box_the_curves_hold_alone() -> None:
    york = curves(YORK)
    x, y = np.linspace(*york.box_chw_c, 9)[:, None], np.linspace(*york.box_condenser_c, 7)[None, :]
    load_w = 0.95 * york.over_hours(x, y, 0.0).capacity_w
    found = switched_hours(york, WATER, x, y, load_w)
    assert not found.by_lift.any()
    assert not found.clipped.any()
    assert found.power_w == pytest.approx(york.over_hours(x, y, load_w).power_w, rel=1e-12)


@pytest.mark.parametrize("x_c", [8.0, 18.0])
def test_a_load_no_chiller_can_take_does_not_raise_its_cop(x_c: float) -> None:
    """Inside and above the box: the COP is that of the largest part load, not load over power."""
    york = curves(YORK)
    most_w = york.box_plr[1] * york.over_hours(x_c, 22.0, 0.0).capacity_w
    found = switched_hours(york, WATER, x_c, 22.0, np.array([1.0, 1.5, 3.0]) * most_w)
    assert found.cop == pytest.approx(float(found.cop[0]), rel=1e-12)
    assert found.power_w == pytest.approx(found.power_w[0] * np.array([1.0, 1.5, 3.0]))
    assert found.clipped[1:].all()


@pytest.mark.parametrize("name", SETS)
def test_continuous_at_every_edge_of_the_box(name: str) -> None:
    one = curves(name)
    load_w, middle_c = 0.7 * one.capacity_w, float(np.mean(one.box_condenser_c))
    step = 1e-7
    for x, y in (
        (one.box_chw_c[1], middle_c),
        (one.box_chw_c[0], middle_c),
        (one.box_chw_c[1], one.box_condenser_c[1]),
        (one.box_chw_c[1], one.box_condenser_c[0]),
    ):
        around_x, around_y = np.array([x - step, x, x + step]), np.array([y - step, y, y + step])
        found = switched_hours(one, WATER, around_x, around_y, load_w)
        assert found.cop == pytest.approx(float(found.cop[1]), rel=1e-6)


@pytest.mark.parametrize("name", SETS)
def test_warmer_water_never_lowers_the_cop_beyond_the_box(name: str) -> None:
    """At a fixed condenser, above the box, for every set of the catalogue; and a ceiling holds."""
    one = curves(name)
    x = np.linspace(one.box_chw_c[1], 32.0, 60)
    for y in (*one.box_condenser_c, float(np.mean(one.box_condenser_c)), 40.0):
        found = switched_hours(one, WATER, x, y, 0.7 * one.capacity_w)
        assert np.all(np.diff(found.cop) >= -1e-12)
        assert np.all(found.cop <= max(14.0, float(found.cop[0])) + 1e-12)


@pytest.mark.parametrize("name", SETS)
def test_a_warmer_condenser_always_costs_beyond_the_box(name: str) -> None:
    one = curves(name)
    y = np.linspace(one.box_condenser_c[1], 45.0, 40)
    found = switched_hours(one, WATER, one.box_chw_c[1], y, 0.7 * one.capacity_w)
    assert np.all(np.diff(found.power_w) > 0.0)
    assert found.by_lift[1:].all()


def test_the_trap_of_the_doe2_set_is_gone() -> None:
    """Extrapolated, it gives 4.08 at 20 degC and 2.91 at 25 degC against 5.87 at 10 degC."""
    doe2 = curves(DOE2)
    chilled_c = np.array([10.0, 20.0, 25.0])
    full_w = doe2.over_hours(chilled_c, 29.44, 1e6).capacity_w
    cop = switched_hours(doe2, WATER, chilled_c, 29.44, full_w).cop
    assert cop[0] == pytest.approx(5.87, abs=0.02)
    assert cop[0] < cop[1] < cop[2] < 14.0


def test_lift_model_by_hand() -> None:
    """COP 6 at 10/37 degC: fraction 6 * 27 / 283.15; at 20/37 degC 293.15 / 17 of that."""
    found = anchored_lift_cop.si(6.0, 10.0, 37.0, 20.0, 37.0, 5.0, 14.0)
    assert found == pytest.approx(6.0 * 27.0 / 283.15 * 293.15 / 17.0, rel=1e-12)
    assert anchored_lift_cop.si(6.0, 10.0, 37.0, 36.0, 37.0, 5.0, 14.0) == 14.0


# --- air-cooled chillers and their coil -------------------------------------------------------

AIR_UNIT = AirCooledUnit(
    0.45,
    LiftLimits(2.0, 15.0, 5.0, 14.0),
    least_air_c=13.0,
    coil_effectiveness=0.7,
    coil_fan_ratio=0.04,
)


def test_climate_matters_to_air_cooled_chillers_by_lift() -> None:
    """The Carrier set clips at 23.9 to 29.4 degC and gives every climate one COP."""
    air_c = np.array([20.0, 30.0, 40.0])
    found = air_cooled_hours(AIR_UNIT, air_c, np.full(3, 1e6), 18.0, 26.0)
    expected = lift_cop.si(0.45, 16.0, air_c + 15.0, 5.0, 14.0)
    assert found.cop == pytest.approx(expected)
    assert found.cop[0] > 1.5 * found.cop[2]


def test_free_cooling_coil_takes_all_some_or_nothing() -> None:
    """Return 26, supply 18, effectiveness 0.7: all below 26 - 8/0.7 = 14.57 degC of air."""
    found = air_cooled_hours(
        AIR_UNIT, np.array([14.5, 14.6, 20.0, 26.0, 35.0]), np.full(5, 1e6), 18.0, 26.0
    )
    assert found.free_share == pytest.approx([1.0, 0.7 * 11.4 / 8.0, 0.525, 0.0, 0.0])
    assert found.chillers_w[0] == 0.0
    assert found.fans_w == pytest.approx(40e3 * found.free_share)


@given(st.floats(-30.0, 45.0), st.floats(0.0, 10.0))
def test_compressors_of_air_cooled_chillers_never_gain_by_warmer_air(air: float, up: float) -> None:
    found = air_cooled_hours(AIR_UNIT, np.array([air, air + up]), np.full(2, 1e6), 18.0, 26.0)
    assert found.chillers_w[0] <= found.chillers_w[1] + 1e-6
