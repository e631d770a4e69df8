"""The cooling at any hour: it is that of the design at the design hour, and refuses nonsense."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import example_names, example_text, parse_project
from facility.model.facility import Weather
from facility.physics.elementwise import cached_calls
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design, design
from tests.study.tariff.test_tank import tanked


@cache
def found(name: str) -> Design:
    return design(parse_project(example_text(name)))


@pytest.mark.parametrize("name", example_names())
def test_design_hour_and_mean_year_hour_are_those_of_the_design(name: str) -> None:
    plan = found(name)
    site = plan.facility.site
    assert cooling_hour(plan, site.design).point.cooling == plan.cooling_flow
    mean = cooling_hour(plan, site.mean, plan.facility.load.mean)
    assert mean.point.facility_w == plan.mean.facility_w


@pytest.mark.parametrize("name", example_names())
def test_steps_are_those_of_the_flow(name: str) -> None:
    hour = cooling_hour(found(name), found(name).facility.site.design)
    flow = hour.point.cooling
    assert hour.step("crah.airflow") == flow.crah_airflow_m3_s
    assert hour.step("load.cooling") == pytest.approx(flow.power.total_w, rel=1e-12)
    air_cooled = found(name).facility.cooling.chilled_water.sink.kind == "air_cooled"
    at_plant = "plant.condenser_heat" if air_cooled else "plant.rejection.rejected"
    rejected = hour.step(at_plant) + hour.step("fws.rejection.rejected")
    assert rejected == pytest.approx(flow.rejected_w, rel=1e-12)


def test_an_hour_of_a_tank_is_that_of_the_year() -> None:
    """Charged, emptied or at rest: the meter of the hour reads what it reads in the year."""
    plan = tanked("300 m3")
    assert plan.year is not None
    year = plan.year.year
    charged_w = year.hours.spread(year.balance.cooling.tank_w)
    for index in (int(np.argmax(charged_w)), int(np.argmin(charged_w)), 4000):
        tank = year.tank(index)
        assert tank.charge_w - tank.discharge_w == charged_w[index]
        hour = cooling_hour(plan, year.outdoors(index), float(year.load[index]), tank)
        assert hour.point.facility_w == pytest.approx(year.facility_w[index], rel=1e-11)
    assert charged_w.max() > 0.0 > charged_w.min()


def test_warmer_outdoors_never_needs_less_power() -> None:
    plan = found("nvl72-hall")
    pressure_pa = plan.facility.site.pressure_pa
    powers = [
        cooling_hour(plan, Weather(at_c, at_c - 1.0, pressure_pa)).point.facility_w
        for at_c in (-20.0, -5.0, 5.0, 15.0, 25.0, 35.0)
    ]
    assert powers == sorted(powers)
    assert powers[-1] > powers[0]


@pytest.mark.parametrize(
    ("change", "fraction", "code", "where"),
    [
        ({"wet_bulb_c": 60.0, "dry_bulb_c": 20.0}, 1.0, "OUT_OF_RANGE", "wet_bulb"),
        ({"dry_bulb_c": 61.0}, 1.0, "OUT_OF_RANGE", "dry_bulb"),
        ({"dry_bulb_c": float("nan")}, 1.0, "OUT_OF_RANGE", "dry_bulb"),
        ({"wet_bulb_c": -61.0}, 1.0, "OUT_OF_RANGE", "wet_bulb"),
        ({"dry_bulb_c": 50.0, "wet_bulb_c": 0.0}, 1.0, "IMPOSSIBLE_AIR", "wet_bulb"),
        ({}, 1.01, "IT_FRACTION", "it_load"),
        ({}, -0.1, "IT_FRACTION", "it_load"),
        ({}, float("nan"), "IT_FRACTION", "it_load"),
    ],
)
def test_nonsense_is_refused_with_a_code(
    change: dict[str, float], fraction: float, code: str, where: str
) -> None:
    plan = found("dgx-su-32")
    weather = replace(plan.facility.site.design, **change)
    with pytest.raises(FacilityError) as caught:
        cooling_hour(plan, weather, fraction)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_what_was_asked_of_the_same_hours_is_kept_and_of_others_not() -> None:
    asked: list[float] = []

    @cached_calls
    def doubled(values: np.ndarray | float, by: float) -> np.ndarray | float:
        asked.append(by)
        return values * by

    hours = np.arange(5.0)
    first = doubled(hours, 2.0)
    assert doubled(hours.copy(), 2.0) is first
    assert doubled(hours, 3.0) == pytest.approx(hours * 3.0)
    assert doubled(hours + 1.0, 2.0) == pytest.approx((hours + 1.0) * 2.0)
    assert doubled(hours, 2.0) is first
    assert asked == [2.0, 3.0, 2.0]
    assert [doubled(4.0, 2.0) for _ in range(2)] == [8.0, 8.0]
    assert len(asked) == 5
