"""Heat exchangers against ht and published units, and against themselves."""

from __future__ import annotations

import math

import ht
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.physics.exchangers.effectiveness import (
    counterflow_effectiveness,
    counterflow_ntu,
    crossflow_effectiveness,
    heat_exchanged,
    ntu_for,
    scaled_conductance,
)
from tests.formulas.exchangers import parallel_effectiveness

NTU = st.floats(0.01, 12.0)
RATIO = st.floats(0.0, 1.0)
ARRANGEMENTS = {
    "counterflow": counterflow_effectiveness,
    "crossflow": crossflow_effectiveness,
    "parallel": parallel_effectiveness,
}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("ntu", [0.3, 1.0, 2.5, 6.0])
@pytest.mark.parametrize("ratio", [0.2, 0.7, 1.0])
def test_effectiveness_is_that_of_ht(arrangement: str, ntu: float, ratio: float) -> None:
    theirs = ht.effectiveness_from_NTU(NTU=ntu, Cr=ratio, subtype=arrangement)
    assert ARRANGEMENTS[arrangement].si(ntu, ratio) == pytest.approx(theirs, abs=2e-6)


@given(NTU, RATIO)
def test_arrangements_stand_in_order(ntu: float, ratio: float) -> None:
    parallel = parallel_effectiveness.si(ntu, ratio)
    cross = crossflow_effectiveness.si(ntu, ratio)
    counter = counterflow_effectiveness.si(ntu, ratio)
    assert 0.0 < parallel <= cross + 1e-12
    assert cross <= counter + 1e-12
    assert counter < 1.0 + 1e-12


@given(NTU)
def test_all_are_1_less_exp_when_one_stream_keeps_its_temperature(ntu: float) -> None:
    for effectiveness in ARRANGEMENTS.values():
        assert effectiveness.si(ntu, 0.0) == pytest.approx(1.0 - math.exp(-ntu), rel=1e-9)


@given(NTU, st.floats(-1e-9, 1e-9))
def test_counterflow_is_regular_at_balanced_streams(ntu: float, off: float) -> None:
    balanced = ntu / (1.0 + ntu)
    assert counterflow_effectiveness.si(ntu, 1.0 - abs(off)) == pytest.approx(balanced, rel=1e-8)


@given(st.floats(0.01, 0.97), RATIO)
def test_ntu_and_effectiveness_are_inverse(effectiveness: float, ratio: float) -> None:
    ntu = counterflow_ntu.si(effectiveness, ratio)
    assert counterflow_effectiveness.si(ntu, ratio) == pytest.approx(effectiveness, rel=1e-9)
    assert ntu_for(counterflow_effectiveness.si, effectiveness, ratio) == pytest.approx(
        ntu, rel=1e-6
    )


@given(st.floats(0.05, 0.85), RATIO)
def test_crossflow_ntu_is_found(effectiveness: float, ratio: float) -> None:
    ntu = ntu_for(crossflow_effectiveness.si, effectiveness, ratio)
    assert crossflow_effectiveness.si(ntu, ratio) == pytest.approx(effectiveness, abs=1e-9)


def test_crossflow_takes_arrays() -> None:
    ntu, ratio = np.array([0.5, 2.0, 5.0]), np.array([0.0, 0.5, 1.0])
    singles = [
        crossflow_effectiveness.si(float(n), float(c)) for n, c in zip(ntu, ratio, strict=True)
    ]
    np.testing.assert_allclose(crossflow_effectiveness.si(ntu, ratio), singles, rtol=1e-12)


def test_what_no_exchanger_reaches_is_refused() -> None:
    with pytest.raises(FacilityError) as refused:
        ntu_for(parallel_effectiveness.si, 0.6, 1.0, "cooling.crah.rating")
    assert refused.value.code == "OUT_OF_RANGE"
    assert refused.value.where == "cooling.crah.rating"
    for wrong in (1.0, 1.2, -0.1):
        with pytest.raises(FacilityError, match="OUT_OF_RANGE"):
            counterflow_ntu.si(wrong, 0.5)


def test_crah_coil_of_the_published_case() -> None:
    """CRAH01: 15 kg/s of air at 36 C, 5 kg/s of water at 18 C, UA 30 kW/K, crossflow."""
    air_w_k, water_w_k = 15.0 * (1006.0 + 1860.0 * 0.008), 5.0 * 4183.4
    ratio = air_w_k / water_w_k
    effectiveness = crossflow_effectiveness.si(30e3 / air_w_k, ratio)
    assert effectiveness == pytest.approx(0.67094, abs=2e-4)
    heat_w = heat_exchanged.si(effectiveness, air_w_k, 36.0, 18.0)
    assert heat_w == pytest.approx(184.94e3, rel=1e-3)
    assert 36.0 - heat_w / air_w_k == pytest.approx(23.923, abs=0.02)
    assert 18.0 + heat_w / water_w_k == pytest.approx(26.841, abs=0.02)
    counter = heat_exchanged.si(
        counterflow_effectiveness.si(30e3 / air_w_k, ratio), air_w_k, 36, 18
    )
    assert counter == pytest.approx(198.56e3, rel=1e-3)


def test_crah_conductance_of_the_published_case() -> None:
    """CRAH03: counterflow conductance for air leaving at 24 C, same flows."""
    air_w_k, water_w_k = 15.0 * (1006.0 + 1860.0 * 0.008), 5.0 * 4183.4
    ntu = counterflow_ntu.si(12.0 / 18.0, air_w_k / water_w_k)
    assert ntu * air_w_k == pytest.approx(24524.0, rel=1e-3)


@pytest.mark.parametrize(
    ("flow_ratio", "ua", "out_c"), [(1.25, 202.7e3, 44.0), (0.8, 392.3e3, 48.5)]
)
def test_cdu_conductance_of_the_published_cases(flow_ratio: float, ua: float, out_c: float) -> None:
    """CDU03 and CDU04: 1 MW, coolant 50 to 40 C, facility water from 36 C."""
    tcs, fws = 1e5, 1e5 * flow_ratio
    least, most = min(tcs, fws), max(tcs, fws)
    ntu = counterflow_ntu.si(1e6 / (least * 14.0), least / most)
    assert ntu * least == pytest.approx(ua, rel=1e-3)
    assert 36.0 + 1e6 / fws == pytest.approx(out_c)


FLOW = st.floats(0.1, 3.0)


@given(FLOW, FLOW, st.floats(0.2, 3.0))
def test_conductance_follows_the_flows(x: float, y: float, film: float) -> None:
    rated = 3e4
    assert scaled_conductance.si(rated, film, 1.0, 0.8, 1.0, 0.85) == pytest.approx(rated)
    ua = scaled_conductance.si(rated, film, x, 0.8, y, 0.85)
    assert ua <= scaled_conductance.si(rated, film, 1.01 * x, 0.8, y, 0.85)
    assert ua <= scaled_conductance.si(rated, film, x, 0.8, 1.01 * y, 0.85)
    both = scaled_conductance.si(rated, film, x, 0.8, x, 0.8)
    assert both == pytest.approx(rated * x**0.8)
