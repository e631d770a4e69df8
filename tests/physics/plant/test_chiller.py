"""Chillers: curve sets inside their box, the trap outside it, the lift model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.cooling.plant.chillers import eir_curves
from facility.physics.plant.chiller.curves import EirCurves, biquadratic, eir_power
from facility.physics.plant.chiller.lift import (
    carnot_fraction,
    compressor_power,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
    useful_condensing_temperature,
)
from tests.cooling.helpers import rows

CURVES = list(rows("chiller_curves.csv"))
DOE2 = "DOE-2 Centrifugal/5.50COP"


def curves(name: str) -> EirCurves:
    return eir_curves(table("cooling/chillers_eir").get(name))


@pytest.mark.parametrize("row", CURVES, ids=lambda row: row["id"])
def test_curve_set_of_the_published_case(row: dict[str, str]) -> None:
    """Cases CHL01 to CHL20, inputs clipped to the box, relative tolerance of the cases 1e-3."""
    point = curves(row["name"]).at(
        float(row["chilled_water_c"]), float(row["condenser_c"]), float(row["part_load"])
    )
    assert point.capacity_w == pytest.approx(float(row["capacity_kw"]) * 1e3, rel=1e-3)
    assert point.power_w == pytest.approx(float(row["power_kw"]) * 1e3, rel=1e-3)
    assert point.cop == pytest.approx(float(row["cop"]), rel=1e-3)


@pytest.mark.parametrize(("chilled_c", "wrong_cop"), [(15.0, 5.3424), (20.0, 4.0827)])
def test_a_curve_is_never_read_outside_its_box(chilled_c: float, wrong_cop: float) -> None:
    """CHL22, CHL23: unclipped, the DOE-2 set says that warmer water lowers the COP."""
    doe2 = curves(DOE2)
    unclipped = doe2.cop / biquadratic.si(chilled_c, 29.44, *doe2.input_curve)
    assert unclipped == pytest.approx(wrong_cop, rel=1e-3)
    point, edge = doe2.at(chilled_c, 29.44, 1.0), doe2.at(doe2.range_chw_c[1], 29.44, 1.0)
    assert point.cop == edge.cop
    assert point.cop > unclipped
    assert point.clipped == ("leaving chilled water",)
    assert edge.clipped == ()


def test_warmer_water_raises_the_cop_of_the_lift_model_where_the_curve_would_lower_it() -> None:
    york = curves("York YT 1055kW/5.96COP/Vanes").at(6.67, 29.44, 1.0)
    fraction = carnot_fraction.si(york.cop, 4.67, 29.44 + 10.0 / 1.8 + 2.0)
    assert fraction == pytest.approx(0.6873, rel=1e-3)  # CHL25
    cops = [
        lift_cop.si(fraction, chilled_c - 2.0, 29.44 + 10.0 / 1.8 + 2.0, 5.0, 100.0)
        for chilled_c in (6.67, 15.0, 20.0, 25.0)
    ]
    assert cops[0] == pytest.approx(york.cop)
    assert cops[1] == pytest.approx(8.194, rel=1e-3)  # CHL26
    assert cops[3] == pytest.approx(14.538, rel=1e-3)  # CHL28
    assert cops == sorted(cops)


def test_below_its_least_load_a_machine_cycles() -> None:
    york = curves("York YT 1055kW/5.96COP/Vanes")
    least = york.range_plr[0]
    at_least, half = york.at(6.67, 29.44, least), york.at(6.67, 29.44, 0.5 * least)
    assert half.power_w == pytest.approx(0.5 * at_least.power_w)
    assert half.cop == pytest.approx(at_least.cop)
    assert "part load" in york.at(6.67, 29.44, 2.0).clipped
    assert eir_power.si(1e6, 5.0, 1.0, 1.0, 1.0) == 2e5


EVAPORATING = st.floats(0.0, 25.0)
CONDENSING = st.floats(15.0, 60.0)


@given(EVAPORATING, CONDENSING)
def test_cop_rises_with_warmer_water_and_colder_sinks(te: float, tc: float) -> None:
    cop = lift_cop.si(0.65, te, tc, 5.0, 14.0)
    assert 0.0 < cop <= 14.0
    assert lift_cop.si(0.65, te + 1.0, tc, 5.0, 14.0) >= cop
    assert lift_cop.si(0.65, te, tc - 1.0, 5.0, 14.0) >= cop
    if tc - te > 5.0 and cop < 14.0:
        assert carnot_fraction.si(cop, te, tc) == pytest.approx(0.65)
        assert cop < (te + 273.15) / (tc - te)


@given(EVAPORATING, st.floats(0.3, 0.75))
def test_a_sink_colder_than_useful_saves_nothing(te: float, fraction: float) -> None:
    useful_c = useful_condensing_temperature.si(fraction, te, 5.0, 14.0)
    best = lift_cop.si(fraction, te, useful_c, 5.0, 14.0)
    assert lift_cop.si(fraction, te, useful_c - 5.0, 5.0, 14.0) == pytest.approx(best)
    assert lift_cop.si(fraction, te, useful_c + 1.0, 5.0, 14.0) < best


def test_catalogue_chillers_reach_plausible_carnot_fractions() -> None:
    """Water-cooled machines with full ratings: 0.5 to 0.8 of the Carnot efficiency."""
    for name in ("WSC100M", "EWWDC14I-SS"):
        row = table("equipment/chillers").get(name)
        te = evaporating_temperature.si(row.si("chw_leaving_c"), 2.0)
        tc = condensing_temperature.si(row.si("condenser_leaving_c"), 2.0)
        assert 0.5 < carnot_fraction.si(row.si("cop"), te, tc) < 0.8
        power_w = compressor_power.si(row.si("capacity_kw"), row.si("cop"))
        assert power_w == pytest.approx(row.si("power_input_kw"), rel=1e-3)
