"""Part-load curve of supplies: the published points, the inverse, and its limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.physics.machines.psu import curve_segment, loss_of_input, loss_of_output
from facility.study.resolve.it.supplies import efficiency_curve

# 80 PLUS, 230 V internal redundant, load in % of rating: efficiency in %.
TITANIUM = {10: 90, 20: 94, 50: 96, 100: 91}
CURVE = efficiency_curve("80 PLUS Titanium")


@pytest.mark.parametrize(("load", "efficiency"), TITANIUM.items())
def test_curve_passes_through_the_certification_points(load: int, efficiency: int) -> None:
    output_w = 6 * 3300.0 * load / 100
    loss_w = loss_of_output(output_w, 6, 3300.0, CURVE)
    assert output_w / (output_w + loss_w) == pytest.approx(efficiency / 100, rel=1e-12)


def test_shelves_at_132_kw_add_two_and_a_half_percent() -> None:
    """The GB200 rack figure read as DC: about 2.5 % more at the AC side."""
    curve = efficiency_curve("ORv3 5.5 kW")
    assert loss_of_output(132e3, 8, 33e3, curve) / 132e3 == pytest.approx(0.025, abs=0.001)


@given(st.floats(0.0, 60e3), st.integers(1, 12), st.floats(500.0, 33e3))
def test_loss_of_input_inverts_loss_of_output(output_w: float, live: int, rating_w: float) -> None:
    loss_w = loss_of_output(output_w, live, rating_w, CURVE)
    again_w = loss_of_input(output_w + loss_w, live, rating_w, CURVE)
    assert again_w == pytest.approx(loss_w, rel=1e-9, abs=1e-9 * live * rating_w)


@given(st.floats(0.0, 3.0), st.floats(0.0, 3.0))
def test_input_rises_with_output(one: float, other: float) -> None:
    low, high = sorted((one, other))
    losses = [loss_of_output(x * 6600.0, 2, 3300.0, CURVE) for x in (low, high)]
    assert low * 6600.0 + losses[0] <= high * 6600.0 + losses[1] + 1e-9


def test_unloaded_supplies_keep_the_loss_of_their_lowest_point() -> None:
    assert loss_of_output(0.0, 6, 3300.0, CURVE) == pytest.approx(6 * 3300 * 0.1 * (1 / 0.9 - 1))
    assert loss_of_input(100.0, 6, 3300.0, CURVE) == 100.0


def test_no_live_supply_cannot_carry_anything() -> None:
    with pytest.raises(ZeroDivisionError):
        loss_of_output(1000.0, 0, 3300.0, CURVE)


def test_segment_holds_the_last_efficiency_above_rating() -> None:
    assert curve_segment(CURVE, 1.4)[2:] == (0.91, 0.91)
    assert curve_segment(((1.0, 0.97),), 0.3)[2:] == (0.97, 0.97)
