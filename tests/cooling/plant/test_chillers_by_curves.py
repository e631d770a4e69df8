"""Chillers of a designed plant by their curve set, and the water that its towers are held to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import facility
from facility.catalogue import table
from facility.cooling.plant.chilled_water import ChilledWater, ChilledWaterState, chilled_water_at
from facility.cooling.plant.chillers import (
    CURVE_SETS,
    capacity_ratio,
    cop_by_curves,
    curves_of,
    eir_curves,
)
from facility.core.errors import FacilityError
from facility.core.trace import Quiet
from facility.model.facility import Weather
from facility.study.studies import StudyContext

YORK = "York YT 1055kW/5.96COP/Vanes"
CARRIER = "Carrier 30XA500 1609.4kW/2.9COP"
COILS = "heat.coils"
BY_CURVES: dict[str, Any] = {
    "chilled_water_supply": "7 degC",
    "chiller": {"model": YORK, "performance": "curves"},
}


def design_of(plant: dict[str, Any], **cooling: Any) -> StudyContext:
    given = {
        "schema_version": 1,
        "site": {"station": "ashburn"},
        "it": {"gpu_model": "H100 SXM5", "gpus": 512},
        "cooling": {"method": "air", "plant": plant, **cooling},
    }
    return facility.design(facility.project(given))


def at_work(design: ChilledWater, part: Any, weather: Weather) -> ChilledWaterState:
    coils = part * (design.load_w - design.pump.power_w)
    return chilled_water_at(design, COILS, weather, 0.0, Quiet(**{COILS: coils}))


@pytest.mark.parametrize(("name", "range_k"), [(YORK, 5.56), (CARRIER, 0.0)])
def test_a_chiller_at_its_reference_point_has_its_reference_cop(name: str, range_k: float) -> None:
    """Capacity and COP of the data sheet; the curves are fits that meet it within 2 %."""
    kind = "air_cooled" if name == CARRIER else "tower"
    asked = {"heat_rejection": kind, "chiller": {"model": name, "performance": "curves"}}
    plan = design_of(asked).cooling.chilled.plan.chiller
    row = table(CURVE_SETS).get(name)
    curves = eir_curves(row)
    point = (row.si("t_chw_lvg_ref_c"), row.si("t_cond_ent_ref_c"))
    cop = cop_by_curves(curves, replace(plan, altitude_k=0.0), point, 2.0, row.si("cap_ref_kw"), 1)
    assert cop == pytest.approx(row.si("cop_ref"), rel=0.02)


def test_a_set_is_taken_in_proportion_to_the_capacity_and_shared_by_the_running() -> None:
    plan = design_of(BY_CURVES).cooling.chilled.plan.chiller
    one, double = (curves_of(plan, plan.rated_w * size) for size in (1.0, 2.0))
    assert one is not None
    assert double is not None
    assert one.capacity_w == pytest.approx(1055e3)
    point, load_w = (7.0, 24.0), 800e3
    alone = cop_by_curves(one, plan, point, 7.0, load_w, 1)
    assert cop_by_curves(double, plan, point, 7.0, 2.0 * load_w, 1) == pytest.approx(alone)
    assert cop_by_curves(one, plan, point, 7.0, 3.0 * load_w, 3) == pytest.approx(alone)
    assert cop_by_curves(one, plan, point, 7.0, load_w, 4) < 0.9 * alone


def test_the_lift_stays_where_it_is_not_asked_otherwise() -> None:
    open_, lift = (
        design_of({"chiller": {"model": YORK} | more}) for more in ({}, {"performance": "lift"})
    )
    assert open_.cooling.chilled == lift.cooling.chilled
    assert open_.cooling.chilled.curves is None


@pytest.mark.parametrize("supply_c", [7.0, 18.0])
def test_hours_are_the_points_one_by_one(supply_c: float) -> None:
    """Inside the box of the curves, and beyond it."""
    plant = BY_CURVES | {
        "chilled_water_supply": f"{supply_c} degC",
        "condenser_setpoint_approach": "4 K",
    }
    design = design_of(plant).cooling.chilled
    dry_c, wet_c = np.array([-5.0, 8.0, 20.0, 33.0]), np.array([-7.0, 5.0, 17.0, 26.0])
    part = np.array([0.0, 0.3, 0.7, 1.0])
    hours = at_work(design, part, Weather(dry_c, wet_c, np.full(4, 1e5)))  # type: ignore[arg-type]
    for n in range(4):
        point = at_work(design, float(part[n]), Weather(float(dry_c[n]), float(wet_c[n]), 1e5))
        assert np.asarray(hours.cop)[n] == pytest.approx(point.cop, rel=1e-12)
        assert np.asarray(hours.power_w)[n] == pytest.approx(point.power_w, rel=1e-9)


def test_power_falls_with_part_load_and_colder_water_as_the_curves_say() -> None:
    design = design_of(BY_CURVES).cooling.chilled
    warm, cold = (at_work(design, 1.0, Weather(w, w, 101325.0)) for w in (24.0, 12.0))
    assert cold.cop > 1.2 * warm.cop
    assert design.curves is not None
    each_w = warm.load_w / design.chillers.running(warm.load_w, design.plan.pumping.stage_up)
    by_hand = design.curves.over_hours(7.0, warm.rejection.water.leaving_c, each_w).power_w
    assert warm.chillers_w == pytest.approx(warm.load_w / each_w * float(by_hand))


def test_towers_are_held_to_the_wet_bulb_between_the_least_and_the_design() -> None:
    """9 K above the wet bulb, from 16 degC; never warmer than at design."""
    held = {"condenser_setpoint_approach": "9 K", "condenser_water_least": "16 degC"}
    design = design_of(BY_CURVES | held).cooling.chilled
    found = [
        at_work(design, 1.0, Weather(wet_c, wet_c, 101325.0)).rejection.water.leaving_c
        for wet_c in (-5.0, 12.0, 27.0)
    ]
    assert found == pytest.approx([16.0, 21.0, design.leaving_c])


def test_air_cooled_chillers_in_thin_air_take_more_power() -> None:
    asked = {
        "heat_rejection": "air_cooled",
        "chilled_water_supply": "7 degC",
        "chiller": {"model": CARRIER, "performance": "curves"},
    }
    design = design_of(asked).cooling.chilled
    chiller = design.plan.chiller
    high = replace(design, plan=replace(design.plan, chiller=replace(chiller, altitude_k=4.0)))
    weather = Weather(36.0, 22.0, 101325.0)
    assert at_work(high, 1.0, weather).cop < 0.95 * at_work(design, 1.0, weather).cop


def test_chillers_are_sized_for_their_capacity_at_the_design_hour() -> None:
    """33 degC at the condenser takes 15 % of what the York gives at its rating of 29.4 degC."""
    named = design_of(BY_CURVES).cooling.chilled
    open_ = design_of(BY_CURVES | {"chiller": {"performance": "curves"}}).cooling.chilled
    for design in (named, open_):
        assert design.curves is not None
        there_w = design.curves.at(7.0, design.leaving_c, 1.0).capacity_w
        assert there_w == pytest.approx(design.capacity_w)
        assert there_w < 0.99 * design.rated_w
    assert named.capacity_w == pytest.approx(0.85 * 1066e3, rel=1e-3)
    assert open_.duty * open_.capacity_w == pytest.approx(open_.load_w)


ENDS_AT_29 = "York YT 1368kW/7.35COP/VSD"


@pytest.mark.parametrize(("model", "warmer_ratio"), [(YORK, 0.8526), (ENDS_AT_29, 1.0)])
def test_capacity_follows_the_curve_to_the_edge_of_its_range(
    model: str, warmer_ratio: float
) -> None:
    """Condenser water of 29.44 and 32.44 degC, chilled water of 6.67 degC, by the columns.

    YT 1055: (0.1786 - 0.3935 - 0.0265 + 3.0162 - 2.9898 + 1.0763) over the same with 2.7373,
    -2.4624 and 0.9768: 0.8614 / 1.0103. YT 1368 ends at 29.44 degC, where the polynomial beyond
    says 0.5135 / 0.7777 = 0.66: EnergyPlus limits the inputs of a curve to their range, and the
    lift beyond that of the rating is a warning.
    """
    by_curves = {"chilled_water_supply": "7 degC"}
    design = design_of(by_curves | {"chiller": {"model": model, "performance": "curves"}})
    plan = design.cooling.chilled.plan.chiller
    assert capacity_ratio(plan, 6.67, 29.44) == pytest.approx(1.0, rel=1e-6)
    assert capacity_ratio(plan, 6.67, 32.44) == pytest.approx(warmer_ratio, abs=1e-4)
    assert capacity_ratio(replace(plan, altitude_k=3.0), 6.67, 29.44) == pytest.approx(
        warmer_ratio, abs=1e-4
    )
    (check,) = (one for one in design.checks if one.rule == "CURVE-BOX")
    assert check.failed


def test_a_stated_capacity_is_that_of_the_rating_and_less_is_there_in_warm_water() -> None:
    """Rated for 1 % more than half the load each, two do not carry it in the design hour."""
    load_w = design_of(BY_CURVES).cooling.chilled.load_w
    stated = {"capacity": f"{1.01 * load_w / 2e3:.6f} kW", "count": 2, "redundancy": "N"}
    checks = {}
    for performance in ("lift", "curves"):
        asked = {"model": YORK, "performance": performance, **stated}
        design = design_of(BY_CURVES | {"chiller": asked})
        (checks[performance],) = (c for c in design.checks if c.rule == "CHILLER-CAPACITY")
    assert checks["lift"].outcome == "PASS"
    assert checks["curves"].outcome == "FAIL"


@pytest.mark.parametrize(
    ("plant", "cooling", "code"),
    [
        ({"chiller": {"model": "WSC100M", "performance": "curves"}}, {}, "CHILLER_CURVES"),
        ({"chiller": {"carnot_fraction": 0.6, "performance": "curves"}}, {}, "CHILLER_CURVES"),
        ({"chiller": {"performance": "curves"}}, {"air": {"terminal": "crac"}}, "CHILLER_CURVES"),
        (
            {"heat_rejection": "dry_cooler", "condenser_setpoint_approach": "4 K"},
            {},
            "COOLING_CONTRADICTION",
        ),
        ({"chilled_water_supply": "16 degC"}, {"air": {"terminal": "crac"}}, "AIR_CONTRADICTION"),
    ],
)
def test_what_does_not_go_together_is_refused(
    plant: dict[str, Any], cooling: dict[str, Any], code: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(plant, **cooling)
    assert caught.value.code == code
