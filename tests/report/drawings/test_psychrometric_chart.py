"""The psychrometric chart: its lines against psychrolib, its envelopes against the class."""

from __future__ import annotations

from functools import cache

import numpy as np
import psychrolib
import pytest

from facility.core.views import view_value
from facility.files.project.file import apply_sets, example_text, parse_project
from facility.report.drawings.charts.psychrometric import (
    Curve,
    PsychrometricChart,
    psychrometric_chart,
    psychrometric_drawing,
)
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import design

TENTH_PERCENT = 1e-3
"""psychrolib rounds constants of the same relations."""


@cache
def chart(*sets: str) -> PsychrometricChart:
    plan = design(apply_sets(parse_project(example_text("dgx-su-32")), list(sets)))
    return psychrometric_chart(plan, cooling_hour(plan, plan.facility.site.design))


@pytest.fixture(autouse=True)
def _si() -> None:
    psychrolib.SetUnitSystem(psychrolib.SI)


@pytest.mark.parametrize("sets", [(), ("site.elevation=1600 m",)])
def test_lines_are_those_of_psychrolib(sets: tuple[str, ...]) -> None:
    found = chart(*sets)
    for curve, humidity in zip(
        (found.saturation, *found.humidities), (1.0, 0.2, 0.4, 0.6, 0.8), strict=True
    ):
        for at_c, ratio in list(zip(curve.dry_bulb_c, curve.humidity_ratio, strict=True))[::20]:
            expected = psychrolib.GetHumRatioFromRelHum(at_c, humidity, found.pressure_pa)
            assert ratio == pytest.approx(expected, rel=TENTH_PERCENT)


def corners(curve: Curve) -> tuple[float, float, float]:
    return (
        float(curve.dry_bulb_c.min()),
        float(curve.dry_bulb_c.max()),
        float(curve.humidity_ratio.max()),
    )


def test_envelopes_end_where_the_classes_do() -> None:
    found = chart()
    recommended, allowable = (corners(curve) for curve in found.envelopes)
    assert recommended[:2] == (18.0, 27.0)  # recommended, A1 to A4, 2021
    assert allowable[:2] == (10.0, 35.0)  # allowable, A2
    for corner, dew_c in ((recommended, 15.0), (allowable, 21.0)):
        expected = psychrolib.GetHumRatioFromTDewPoint(dew_c, found.pressure_pa)
        assert corner[2] == pytest.approx(expected, rel=TENTH_PERCENT)
    assert found.derated_k == 0.0


def test_allowable_is_derated_with_altitude_and_recommended_is_not() -> None:
    found = chart("site.elevation=1800 m")
    recommended, allowable = (corners(curve) for curve in found.envelopes)
    assert found.derated_k == pytest.approx(3.0)  # 900 m over 900 m, 300 m a kelvin in A2
    assert allowable[1] == pytest.approx(32.0)
    assert recommended[1] == 27.0


def test_what_is_recommended_ends_where_the_elevation_ends_what_is_allowed() -> None:
    """H1 at 3,000 m: 25 degC less 2,100 m at 500 m a kelvin is 20.8, under the 22 recommended."""
    found = chart("site.elevation=3000 m", "criteria.air_class=H1")
    recommended, allowable = (corners(curve) for curve in found.envelopes)
    assert allowable[1] == pytest.approx(20.8)
    assert recommended[:2] == (18.0, pytest.approx(20.8))


def test_envelopes_stay_below_saturation() -> None:
    for curve in chart().envelopes:
        for at_c, ratio in zip(curve.dry_bulb_c, curve.humidity_ratio, strict=True):
            most = psychrolib.GetSatHumRatio(at_c, chart().pressure_pa)
            assert ratio <= most * (1.0 + TENTH_PERCENT)


def test_every_hour_of_the_year_is_on_the_chart_below_saturation() -> None:
    found = chart()
    assert found.hours.hours.sum() == 8760
    rows, columns = np.nonzero(found.hours.hours)
    half_c = 0.5 * (found.hours.dry_bulb_c[1] - found.hours.dry_bulb_c[0])
    for row, column in zip(rows, columns, strict=True):
        warm_c = found.hours.dry_bulb_c[column] + half_c
        assert (
            found.hours.humidity_ratio[row]
            < 1.1 * psychrolib.GetSatHumRatio(warm_c, found.pressure_pa)
            + 0.5 * found.hours.humidity_ratio[0]
            + 0.00025
        )


def test_points_are_the_states_of_air() -> None:
    found = chart()
    points = {point.name: point for point in (*found.outdoors, *found.indoors)}
    assert points["return air"].dry_bulb_c > points["supply air"].dry_bulb_c
    outdoor = points["outdoors, design"]
    expected = psychrolib.GetHumRatioFromTWetBulb(39.7, 28.9, found.pressure_pa)
    assert outdoor.humidity_ratio == pytest.approx(expected, rel=2e-3)
    assert "outdoors, this hour" not in points
    dew_c = psychrolib.GetTDewPointFromHumRatio(
        24.0, points["supply air"].humidity_ratio, found.pressure_pa
    )
    assert dew_c == pytest.approx(15.0, abs=0.02)


@pytest.mark.parametrize("system", ["si", "ip"])
def test_the_figure_shows_the_points_in_its_units(system: str) -> None:
    found = chart()
    drawn = psychrometric_drawing(found, system)  # type: ignore[arg-type]
    (supply,) = drawn.of("supply air")
    expected = view_value(found.indoors[0].dry_bulb_c, "temperature", system)  # type: ignore[arg-type]
    assert supply.value == pytest.approx(expected)
    assert f"Dry bulb ({'°F' if system == 'ip' else '°C'})" in drawn.texts
    named = {entry.name for entry in drawn.legend}
    assert {"Recommended", "Allowable, class A2", "Saturation"} <= named
    assert found.hours is not None
    assert drawn.cells is not None
    assert np.nansum(drawn.cells.values) == pytest.approx(8760.0)
