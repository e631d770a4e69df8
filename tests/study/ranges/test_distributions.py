"""Ranges as typed: what they mean, what is refused and where, and their quantiles."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import facility
from facility.core.errors import FacilityError
from facility.model.inputs.ranges import Ranged, Spread

FEW = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}


def ranged(field: str, text: str) -> Ranged:
    (found,) = facility.project({**FEW, "ranges": [{"field": field, "range": text}]}).spread
    return found


READ = (
    ("site.tariff", "0.04 .. 0.06 USD/kWh", "uniform", 0.04 / 3.6e6, 0.06 / 3.6e6),
    ("site.tariff", "uniform(0.04 EUR/kWh, 60 EUR/MWh)", "uniform", 0.04 / 3.6e6, 0.06 / 3.6e6),
    ("cooling.supply_air", "24 degC .. 27 degC", "uniform", 24.0, 27.0),
    ("cooling.supply_air", "24 .. 27 degC", "uniform", 24.0, 27.0),
    ("cooling.supply_air", "normal(75.2 degF, 0.5 K)", "normal", 22.0, 26.0),
    ("it.load_factor", "70 .. 90 %", "uniform", 0.7, 0.9),
    ("it.load_factor", "normal(80 %, 2 %)", "normal", 0.72, 0.88),
    ("it.load_factor", "normal(95 %, 2 %, 90 %, 99 %)", "normal", 0.90, 0.99),
    ("it.load_factor", "triangular(60, 80, 90 %)", "triangular", 0.6, 0.9),
    ("house.people", "4 .. 8", "uniform", 4.0, 8.0),
    ("site.elevation", "-10 m .. 40 m", "uniform", -10.0, 40.0),
)


@pytest.mark.parametrize(("field", "text", "form", "low", "high"), READ)
def test_text_is_read_in_the_units_typed(
    field: str, text: str, form: str, low: float, high: float
) -> None:
    spread = ranged(field, text).spread
    assert spread.form == form
    assert (spread.low, spread.high) == pytest.approx((low, high), rel=1e-12)
    assert spread.shown().startswith(form)


REFUSED = (
    ("it.load_factor", "normal(95 %, 2 %)", "RANGE_BOUNDS", "range", "0.62% of the distribution"),
    ("cooling.plant.pump.efficiency", "60 .. 130 %", "RANGE_BOUNDS", "range", "50.00%"),
    ("cooling.supply_air", "-400 .. 27 degC", "RANGE_BOUNDS", "range", "at least"),
    ("it.rack_power", "1 W .. 40 kW", "RANGE_BOUNDS", "range", "at least"),
    ("cooling.supply_air", "24 .. 27", "UNIT_MISSING", "range", "no unit"),
    ("cooling.supply_air", "24 kW .. 27 kW", "UNIT_WRONG", "range", "not a temperature"),
    ("cooling.supply_air", "normal(24 degC, 1 degC)", "UNIT_WRONG", "range", "difference"),
    ("site.tariff", "cheap", "RANGE_TEXT", "range", "not a valid distribution"),
    ("site.tariff", "lognormal(1, 2)", "RANGE_TEXT", "range", "not a valid distribution"),
    ("site.tariff", "0.06 .. 0.04 USD/kWh", "RANGE_TEXT", "range", "are not ascending"),
    ("site.tariff", "0.06 .. 0.06 USD/kWh", "RANGE_TEXT", "range", "are not ascending"),
    ("it.load_factor", "normal(80 %, 0 %)", "RANGE_TEXT", "range", "are not ascending"),
    ("it.load_factor", "triangular(60 %, 95 %, 90 %)", "RANGE_TEXT", "range", "are not ascending"),
    ("it.load_factor", "triangular(60 %, 90 %)", "RANGE_TEXT", "range", "2 numbers"),
    ("it.load_factor", "9**9 .. 1", "NOT_A_NUMBER", "range", "not a number"),
    ("house.people", "1.5 .. 8", "NOT_A_COUNT", "range", "not a whole number"),
    ("cooling.method", "1 .. 2", "RANGE_FIELD", "field", "not a single number"),
    ("power.generator.steps", "10 .. 20 %", "RANGE_FIELD", "field", "not a single number"),
    ("it.loadfactor", "1 .. 2", "UNKNOWN_FIELD", "field", "no field"),
)


@pytest.mark.parametrize(("field", "text", "code", "place", "words"), REFUSED)
def test_what_is_no_range_is_refused_at_its_place(
    field: str, text: str, code: str, place: str, words: str
) -> None:
    with pytest.raises(FacilityError, match=words.replace("(", r"\(")) as caught:
        ranged(field, text)
    assert (caught.value.code, caught.value.where) == (code, f"ranges[0].{place}")


def test_two_ranges_of_one_input_are_refused_and_an_index_is_one_path() -> None:
    rows = [
        {"field": field, "range": "1 .. 4"}
        for field in ("it.halls[0].racks[1].count", "it.halls.0.racks.1.count")
    ]
    with pytest.raises(FacilityError) as caught:
        facility.project({**FEW, "ranges": rows})
    assert (caught.value.code, caught.value.where) == ("RANGE_TWICE", "ranges[1].field")


SPREADS = (
    Spread("uniform", "ratio", 2.0, 6.0, 4.0),
    Spread("triangular", "ratio", 2.0, 6.0, 3.0),
    Spread("triangular", "ratio", 2.0, 6.0, 2.0),
    Spread("normal", "ratio", 2.0, 6.0, 4.0, 0.5),
    Spread("normal", "ratio", 3.5, 6.0, 4.0, 1.0),
)


@pytest.mark.parametrize("spread", SPREADS)
def test_a_quantile_has_its_part_below_it(spread: Spread) -> None:
    for part in (0.001, 0.05, 0.3, 0.5, 0.77, 0.95, 0.999):
        assert spread.below(spread.at(part)) == pytest.approx(part, abs=1e-12)
    assert spread.at(0.0) == pytest.approx(spread.low, abs=1e-9)
    assert spread.at(1.0) == pytest.approx(spread.high, abs=1e-9)
    assert (spread.below(1.0), spread.below(7.0)) == (0.0, 1.0)


def test_quantiles_are_the_published_ones() -> None:
    assert SPREADS[0].at(0.05) == pytest.approx(2.2)
    assert SPREADS[1].at(0.25) == pytest.approx(3.0), "the part below the mode is (c - a)/(b - a)"
    assert SPREADS[1].at(0.95) == pytest.approx(6.0 - math.sqrt(0.05 * 4.0 * 3.0))
    whole = NormalDist(4.0, 0.5)
    assert SPREADS[3].at(0.95) == pytest.approx(whole.inv_cdf(0.95), rel=1e-4), "cut at 4 sd"


def test_every_whole_number_of_a_range_is_as_likely() -> None:
    spread = ranged("house.people", "4 .. 8").spread
    drawn = [spread.at(part) for part in (np.arange(1000) + 0.5) / 1000]
    values, counts = np.unique(drawn, return_counts=True)
    assert list(values) == [4.0, 5.0, 6.0, 7.0, 8.0]
    assert set(counts) == {200}
    assert spread.typed(5.0) == "5"


def test_a_value_is_typed_to_the_last_digit() -> None:
    for field, text in (
        ("site.tariff", "0.04 .. 0.06 EUR/kWh"),
        ("cooling.supply_air", "20 .. 27 degC"),
    ):
        spread = ranged(field, text).spread
        value = spread.at(0.123456789)
        typed = facility.project(FEW).with_({field: spread.typed(value)})
        section, _, name = field.partition(".")
        assert getattr(getattr(typed, section), name).si == value
