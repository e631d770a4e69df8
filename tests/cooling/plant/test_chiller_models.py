"""Chiller models at and beyond the edges of their boxes, over hours."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from facility.catalogue import table
from facility.cooling.plant.chillers import eir_curves
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.chiller.switched import LiftLimits, anchored_lift_cop, switched_hours

WATER = LiftLimits(
    evaporator_approach_k=2.0, to_condensing_k=5.56 + 2.0, min_lift_k=5.0, cop_limit=14.0
)
SETS = [
    str(row["name"])
    for row in table("cooling/chillers_eir").rows
    if str(row["condenser"]) != "AirCooled"
]
YORK = "York YT 1055kW/5.96COP/Vanes"
DOE2 = "DOE-2 Centrifugal/5.50COP"


@cache
def curves(name: str) -> EirCurves:
    return eir_curves(table("cooling/chillers_eir").get(name))


# --- the switch to the lift model -------------------------------------------------------------


def test_inside_the_box_the_curves_hold_alone() -> None:
    york = curves(YORK)
    x, y = (
        np.linspace(*york.range_chw_c, 9)[:, None],
        np.linspace(*york.range_condenser_c, 7)[None, :],
    )
    load_w = 0.95 * york.over_hours(x, y, 0.0).capacity_w
    found = switched_hours(york, WATER, x, y, load_w)
    assert not found.by_lift.any()
    assert not found.clipped.any()
    assert found.power_w == pytest.approx(york.over_hours(x, y, load_w).power_w, rel=1e-12)


@pytest.mark.parametrize("x_c", [8.0, 18.0])
def test_a_load_no_chiller_can_take_does_not_raise_its_cop(x_c: float) -> None:
    """Inside and above the box: the COP is that of the largest part load, not load over power."""
    york = curves(YORK)
    most_w = york.range_plr[1] * york.over_hours(x_c, 22.0, 0.0).capacity_w
    found = switched_hours(york, WATER, x_c, 22.0, np.array([1.0, 1.5, 3.0]) * most_w)
    assert found.cop == pytest.approx(float(found.cop[0]), rel=1e-12)
    assert found.power_w == pytest.approx(found.power_w[0] * np.array([1.0, 1.5, 3.0]))
    assert found.clipped[1:].all()


@pytest.mark.parametrize("name", SETS)
def test_continuous_at_every_edge_of_the_box(name: str) -> None:
    one = curves(name)
    load_w, middle_c = 0.7 * one.capacity_w, float(np.mean(one.range_condenser_c))
    step = 1e-7
    for x, y in (
        (one.range_chw_c[1], middle_c),
        (one.range_chw_c[0], middle_c),
        (one.range_chw_c[1], one.range_condenser_c[1]),
        (one.range_chw_c[1], one.range_condenser_c[0]),
    ):
        around_x, around_y = np.array([x - step, x, x + step]), np.array([y - step, y, y + step])
        found = switched_hours(one, WATER, around_x, around_y, load_w)
        assert found.cop == pytest.approx(float(found.cop[1]), rel=1e-6)


@pytest.mark.parametrize("name", SETS)
def test_warmer_water_never_lowers_the_cop_beyond_the_box(name: str) -> None:
    """At a fixed condenser, above the box, for every set of the catalogue; and a ceiling holds."""
    one = curves(name)
    x = np.linspace(one.range_chw_c[1], 32.0, 60)
    for y in (*one.range_condenser_c, float(np.mean(one.range_condenser_c)), 40.0):
        found = switched_hours(one, WATER, x, y, 0.7 * one.capacity_w)
        assert np.all(np.diff(found.cop) >= -1e-12)
        assert np.all(found.cop <= max(14.0, float(found.cop[0])) + 1e-12)


@pytest.mark.parametrize("name", SETS)
def test_a_warmer_condenser_always_costs_beyond_the_box(name: str) -> None:
    one = curves(name)
    y = np.linspace(one.range_condenser_c[1], 45.0, 40)
    found = switched_hours(one, WATER, one.range_chw_c[1], y, 0.7 * one.capacity_w)
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
