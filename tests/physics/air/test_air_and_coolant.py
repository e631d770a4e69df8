"""Airflow, containment mixing, coolant properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.physics.air.psychrometrics import enthalpy
from facility.physics.air.sensible import (
    air_flow_for_heat,
    air_temperature_rise,
    exhaust_temperature,
    inlet_temperature,
    moist_air_specific_heat,
    supply_air_flow,
)
from facility.physics.liquids.coolant import (
    capacity_rate,
    coolant_flow_for_heat,
    coolant_temperature_rise,
    tabulated,
)
from tests.formulas.machines import return_temperature

LEAK = st.floats(0.0, 0.8)


@given(st.floats(15.0, 30.0), st.floats(5.0, 25.0), LEAK, LEAK, st.floats(1e3, 1e7))
def test_mixing_closes_the_energy_of_the_room(
    supply_c: float, rise_k: float, bypass: float, recirculation: float, heat_w: float
) -> None:
    volume, heat = 0.86, 1020.0
    it_flow = air_flow_for_heat.si(heat_w, rise_k, volume, heat)
    flow = supply_air_flow.si(it_flow, bypass, recirculation)
    exhaust = exhaust_temperature.si(supply_c, rise_k, recirculation)
    back = return_temperature.si(supply_c, exhaust, bypass)
    assert heat * flow / volume * (back - supply_c) == pytest.approx(heat_w, rel=1e-9)
    inlet = inlet_temperature.si(supply_c, exhaust, recirculation)
    assert exhaust - inlet == pytest.approx(rise_k, rel=1e-9)
    assert supply_c <= inlet + 1e-12
    assert back <= exhaust + 1e-12


def test_inlet_is_not_the_supply_where_exhaust_recirculates() -> None:
    exhaust = exhaust_temperature.si(24.0, 12.0, 0.2)
    assert exhaust == pytest.approx(39.0)
    assert inlet_temperature.si(24.0, exhaust, 0.2) == pytest.approx(27.0)


@pytest.mark.parametrize("leak", [-0.1, 1.0, 1.5])
def test_a_leak_outside_its_range_is_refused(leak: float) -> None:
    with pytest.raises(FacilityError, match="OUT_OF_RANGE"):
        supply_air_flow.si(10.0, leak, 0.0)
    with pytest.raises(FacilityError, match="OUT_OF_RANGE"):
        supply_air_flow.si(10.0, 0.0, leak)


@given(st.floats(0.0, 0.03))
def test_specific_heat_is_the_slope_of_the_enthalpy(w: float) -> None:
    slope = enthalpy.si(31.0, w) - enthalpy.si(30.0, w)
    assert moist_air_specific_heat.si(w) == pytest.approx(slope, rel=1e-9)


@given(st.floats(1e3, 1e8), st.floats(2.0, 30.0))
def test_flow_and_rise_are_inverse(heat_w: float, rise_k: float) -> None:
    flow = air_flow_for_heat.si(heat_w, rise_k, 0.86, 1015.0)
    assert air_temperature_rise.si(heat_w, flow, 0.86, 1015.0) == pytest.approx(rise_k)
    liquid = coolant_flow_for_heat.si(heat_w, rise_k, 1010.0, 3990.0)
    assert coolant_temperature_rise.si(heat_w, liquid, 1010.0, 3990.0) == pytest.approx(rise_k)
    assert capacity_rate.si(liquid, 1010.0, 3990.0) * rise_k == pytest.approx(heat_w)


def test_pg25_takes_1_49_litres_a_minute_per_kilowatt_at_10_kelvin() -> None:
    """Case CDU01: 1 MW from 40 to 50 C; OCP's rule of thumb is 1.5."""
    rows = table("cooling/fluid_properties").select(fluid="PG25")
    t = [row.si("t_c") for row in rows]
    rho = tabulated(45.0, t, [row.si("rho_kg_m3") for row in rows])
    cp = tabulated(45.0, t, [row.si("cp_j_kgk") for row in rows])
    flow = coolant_flow_for_heat.si(1e6, 10.0, rho, cp)
    assert flow * 60e3 / 1e3 == pytest.approx(1.489, rel=0.002)
    assert flow * rho == pytest.approx(25.093, rel=0.002)


@pytest.mark.parametrize(("fluid", "name"), [("water", "Water"), ("PG25", "INCOMP::AL[0.25]")])
def test_table_between_its_rows_is_that_of_coolprop(fluid: str, name: str) -> None:
    """Linear between rows 5 K apart: 0.05 % in density and heat, 2 % in viscosity."""
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI
    rows = table("cooling/fluid_properties").select(fluid=fluid)
    t = [row.si("t_c") for row in rows]
    for column, key, tolerance in (
        ("rho_kg_m3", "D", 5e-4),
        ("cp_j_kgk", "C", 5e-4),
        ("mu_mpas", "V", 0.02),
    ):
        values = [row.si(column) for row in rows]
        for at in (7.5, 22.5, 37.5, 57.5):
            theirs = props(key, "T", at + 273.15, "P", 3e5, name)
            assert tabulated(at, t, values) == pytest.approx(theirs, rel=tolerance)


def test_properties_are_never_extrapolated() -> None:
    for at in (4.9, 60.1, np.array([20.0, 61.0])):
        with pytest.raises(FacilityError) as refused:
            tabulated(at, [5.0, 60.0], [1.0, 2.0], "cooling.cdu.tcs_supply")
        assert refused.value.code == "OUT_OF_RANGE"
        assert refused.value.where == "cooling.cdu.tcs_supply"
        assert "5 to 60 degC" in refused.value.message
