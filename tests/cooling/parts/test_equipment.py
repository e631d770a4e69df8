"""Air handlers and CDUs: the rating point comes back, and other points follow from it."""

from __future__ import annotations

from dataclasses import replace

import ht
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.cooling.air.crah import crah_coil
from facility.cooling.parts.cdu import rated_exchanger
from facility.core.errors import FacilityError
from facility.model.cooling.units import CduUnit, CrahUnit
from tests.cooling.helpers import AIR, LIQUID, case

CLASS_ROWS = [
    str(row["model"]) for row in table("equipment/crah_crac").select(data_basis="derived")
]


def unit_of(model: str) -> CrahUnit:
    return case(AIR, "{crah: {model: '" + model + "'}}").chain.crah.unit


def xdu1350() -> CduUnit:
    cdu = case(LIQUID).chain.cdu
    assert cdu is not None
    return cdu.unit


@pytest.mark.parametrize("model", CLASS_ROWS)
def test_coil_gives_back_the_rating_of_its_row(model: str) -> None:
    """Net capacity at the row's air and water; the coil takes the fan's heat on top."""
    unit = unit_of(model)
    coil = crah_coil(unit, 0.5)
    heat_w = coil.heat(unit.air_w_k, coil.second_w_k, unit.return_air_c, unit.water_in_c)
    assert heat_w - unit.fan_w == pytest.approx(unit.net_sensible_w, rel=1e-6)
    supply_c = unit.return_air_c - unit.rated_rise_k
    assert supply_c == pytest.approx(
        table("equipment/crah_crac").get(model).si("supply_air_c"), abs=0.05
    )


def test_coil_off_its_rating() -> None:
    unit = unit_of(CLASS_ROWS[3])
    coil = crah_coil(unit, 0.5)
    air, water = unit.air_w_k, coil.second_w_k
    rated = coil.heat(air, water, 36.0, 18.0)
    assert coil.heat(air, water, 40.0, 18.0) == pytest.approx(rated * 22.0 / 18.0)
    assert coil.heat(0.8 * air, water, 36.0, 18.0) < rated
    assert coil.heat(air, 0.8 * water, 36.0, 18.0) < rated
    assert coil.heat(0.5 * air, 0.5 * water, 36.0, 18.0) > 0.5 * rated


def test_xdu1350_gives_back_its_published_point() -> None:
    """1368 kW at 4 K approach with 20.6 kg/s on both sides (Vertiv, through the LBNL record).

    By hand, with 3.98 and 4.18 kJ/(kg K): the coolant falls by 16.7 K of the 20.7 K between the
    entering streams, so that the effectiveness is 0.807 on the side of least capacity rate.
    """
    unit = xdu1350()
    assert unit.capacity_w == 1368e3
    assert unit.tcs_flow_m3_s * 1013.0 == pytest.approx(20.6, rel=0.02)
    published = replace(unit, tcs_flow_m3_s=20.6 / 1014.0, fws_flow_m3_s=20.6 / 995.0)
    exchanger = rated_exchanger(published)
    assert exchanger.first_w_k == pytest.approx(20.6 * 3980.0, rel=2e-3)
    assert exchanger.second_w_k == pytest.approx(20.6 * 4180.0, rel=2e-3)
    approach = exchanger.approach(1368e3, exchanger.first_w_k, exchanger.second_w_k)
    assert approach == pytest.approx(4.0, abs=1e-9)
    ntu = exchanger.conductance_w_k / exchanger.first_w_k
    effectiveness = ht.effectiveness_from_NTU(
        NTU=ntu, Cr=exchanger.first_w_k / exchanger.second_w_k, subtype="counterflow"
    )
    assert effectiveness == pytest.approx(0.807, abs=0.001)


def test_xdu1350_at_half_load_halves_its_approach() -> None:
    """CDU02: at half load and design flows the approach is half."""
    exchanger = rated_exchanger(xdu1350())
    half = exchanger.approach(684e3, exchanger.first_w_k, exchanger.second_w_k)
    assert half == pytest.approx(2.0, abs=1e-9)


@given(st.floats(0.3, 1.0), st.floats(0.3, 1.5), st.floats(1e5, 1.4e6))
def test_approach_falls_with_facility_water_and_rises_with_heat(
    tcs: float, fws: float, heat_w: float
) -> None:
    exchanger = rated_exchanger(xdu1350())
    c_tcs, c_fws = tcs * exchanger.first_w_k, fws * exchanger.second_w_k
    approach = exchanger.approach(heat_w, c_tcs, c_fws)
    assert exchanger.approach(heat_w, c_tcs, 1.1 * c_fws) < approach
    assert exchanger.approach(1.1 * heat_w, c_tcs, c_fws) == pytest.approx(1.1 * approach)


def test_a_rating_that_counterflow_cannot_reach_is_refused() -> None:
    unit = replace(xdu1350(), fws_flow_m3_s=0.012)
    with pytest.raises(FacilityError) as refused:
        rated_exchanger(unit)
    assert refused.value.code == "OUT_OF_RANGE"
    assert refused.value.where == "cooling.cdu.rating"
    assert "XDU1350" in refused.value.message
