"""Dry and adiabatic coolers over hours."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.cooling.plant.rejection import Rejection, SinkWater, reject, sink_water
from facility.cooling.plant.sinks import Sink, size_sink
from facility.cooling.plant.water import SUPPLY_KG_M3, pad_evaporation
from facility.core.kinds import FloatArray
from facility.core.sources import Source
from facility.core.trace import Quiet
from facility.model.cooling.units import DryCoolerUnit, Pads
from facility.model.facility import Weather
from tests.cooling.helpers import WARM, case

P = 101325.0
RANGE_K = 5.56
RATE_W_K = 2931e3 / RANGE_K
UNIT = DryCoolerUnit("BAC", 2931e3, 35.0, 46.11, 40.55, 117.68e3, 0.5, True, Source("test"))
PADS = Pads(0.7, None, 5.0)


WARM_DAY = Weather(35.0, 20.0, P)


def built(pads: Pads | None, weather: Weather = WARM_DAY, air_c: float = 35.0) -> Sink:
    """Return the coolers of one rating, 5.55 K above the air `air_c`."""
    water = case(WARM, "{facility_water: {source: dry_cooler, fluid: water}}").chain.facility_water
    assert water is not None
    assert water.sink is not None
    plan = replace(water.sink, unit=UNIT, pump=None, pads=pads)
    return size_sink(plan, 2931e3, air_c + 5.55, RANGE_K, weather, 0.0, 0, ("here", "", None))  # type: ignore[arg-type]


DRY, WET = built(None), replace(built(None), plan=replace(built(None).plan, pads=PADS))
"""The same coolers without pads and with: wetted above 35 degC where nothing else is said."""


def run(sink: Sink, dry_c: list[float], wet_c: list[float], wanted_c: float) -> Rejection:
    weather = Weather(np.array(dry_c), np.array(wet_c), np.full(len(dry_c), P))  # type: ignore[arg-type]
    hours = Quiet(heat=np.full(len(dry_c), 2931e3))  # type: ignore[arg-type]
    water = sink_water(sink, "x", RANGE_K, wanted_c, weather, 0.0, hours)
    return reject(sink, "x", "heat", RANGE_K, water, hours)


def above(sink: Sink, least_c: float) -> Sink:
    return replace(sink, plan=replace(sink.plan, pads=replace(PADS, above_c=least_c)))


def of(value: float) -> FloatArray:
    return np.asarray(value)


def wetted(water: SinkWater) -> list[bool]:
    assert water.pads is not None
    return list(of(water.pads.leaving_c) < of(water.pads.dry_c))


def test_dry_coolers_give_their_data_sheet_at_its_point() -> None:
    """BAC TDFS1238N: 2931 kW at 35 degC air, fluid 46.1 to 40.6 degC, full fans."""
    found = run(DRY, [35.0], [22.0], 30.0)
    assert of(found.water.leaving_c)[0] == pytest.approx(40.55, abs=0.02)
    assert of(found.fans_w)[0] == pytest.approx(117.68e3, rel=1e-3)


def test_fans_slow_down_to_the_set_point_and_pads_help_when_dry_misses_it() -> None:
    hours = [10.0, 36.0, 40.0], [6.0, 21.0, 22.0], 38.0
    dry, wet = run(DRY, *hours), run(WET, *hours)
    assert of(dry.water.leaving_c)[0] == pytest.approx(38.0, abs=1e-4)
    assert of(dry.fans_w)[0] < 0.3 * DRY.fan_w
    assert wetted(wet.water) == [False, True, True]
    assert wet.water.pads is not None
    assert wet.water.pads.leaving_c == pytest.approx([10.0, 36.0 - 0.7 * 15.0, 40.0 - 0.7 * 18.0])
    assert np.all(of(wet.water.leaving_c)[1:] < of(dry.water.leaving_c)[1:])
    evaporated = pad_evaporation(WET, wet, np.full(3, P))
    assert evaporated[0] == 0.0
    assert np.all(evaporated[1:] > 0.0)


def test_pads_stay_dry_below_the_air_they_are_wetted_above() -> None:
    hours = [30.0, 34.0, 36.0], [15.0, 17.0, 18.0], 30.0
    assert wetted(run(WET, *hours).water) == [False, False, True]
    assert wetted(run(above(WET, 32.0), *hours).water) == [False, True, True]


def test_pads_give_the_air_the_water_they_lose() -> None:
    """Full fans; humidity ratios, volumes and enthalpies of psychrolib.

    The water brings its own enthalpy at the wet bulb: air and water together keep theirs.
    """
    psychrolib.SetUnitSystem(psychrolib.SI)
    before, behind = (psychrolib.GetHumRatioFromTWetBulb(t, 20.0, P) for t in (36.0, 24.8))
    rated, now = ((35.0, 0.0), (24.8, behind))
    volumes = [psychrolib.GetMoistAirVolume(t, w, P) for t, w in (rated, now)]
    air_kg_s = RATE_W_K / 1006.0 * volumes[0] / volumes[1]
    found = run(WET, [36.0], [20.0], 20.0)
    assert of(found.water.air_ratio)[0] == pytest.approx(1.0, abs=1e-6)
    water_kg_s = pad_evaporation(WET, found, np.array([P]))[0] * SUPPLY_KG_M3
    assert water_kg_s == pytest.approx(air_kg_s * (behind - before), rel=1e-3)
    gained = psychrolib.GetMoistAirEnthalpy(24.8, behind) - psychrolib.GetMoistAirEnthalpy(
        36.0, before
    )
    assert gained == pytest.approx(4186.0 * 20.0 * water_kg_s / air_kg_s, rel=2e-2)


def test_coolers_are_sized_for_the_air_behind_their_pads_or_that_at_which_they_start() -> None:
    """40 degC air of 20 degC wet bulb: 26 degC behind pads of 70 %."""
    weather = Weather(40.0, 20.0, P)
    for start_c, air_c in ((None, 26.0), (20.0, 26.0), (32.0, 32.0), (45.0, 40.0)):
        sink = built(replace(PADS, above_c=start_c), weather, air_c)
        assert sink.air_c == pytest.approx(air_c)
        assert sink.approach_k == pytest.approx(5.55)
    small, large = (built(pads, weather, 40.0).fan_w for pads in (PADS, None))
    assert small < 0.5 * large


@given(st.floats(-20.0, 44.0), st.floats(0.0, 6.0))
def test_dry_coolers_never_gain_by_warmer_air(air_c: float, up: float) -> None:
    found = run(DRY, [air_c, air_c + up], [air_c - 5.0, air_c + up - 5.0], 36.0)
    leaving_c, fans_w = of(found.water.leaving_c), of(found.fans_w)
    assert leaving_c[0] <= leaving_c[1] + 1e-6
    assert fans_w[0] <= fans_w[1] * (1.0 + 1e-5) + 1e-3


@given(st.floats(-20.0, 48.0), st.floats(0.0, 25.0), st.floats(0.1, 0.95), st.floats(20.0, 45.0))
def test_pads_never_warm_the_water_nor_cost_fans_and_better_ones_help_more(
    air_c: float, depression_k: float, effectiveness: float, wanted_c: float
) -> None:
    hours = [air_c], [air_c - depression_k], wanted_c
    weak, strong = (
        replace(WET, plan=replace(WET.plan, pads=Pads(part, 5.0, 5.0)))
        for part in (0.5 * effectiveness, effectiveness)
    )
    runs = [run(sink, *hours) for sink in (DRY, weak, strong)]
    for worse, better in pairwise(runs):
        assert of(better.water.leaving_c)[0] <= of(worse.water.leaving_c)[0] + 1e-6
        assert of(better.fans_w)[0] <= of(worse.fans_w)[0] * (1.0 + 1e-5) + 1e-3
