"""Fans and pumps: efficiencies, part load, pump work that ends as heat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import Row, table
from facility.physics.plant.fans_pumps import (
    fan_power,
    heat_with_pump_work,
    part_load_power_ratio,
    pump_power,
    running_fans_power,
    running_pumps_power,
    staged_fans_power,
)
from tests.formulas.machines import specific_fan_power

CURVES = table("cooling/fan_pump_part_load").rows


def test_fan_of_the_published_case() -> None:
    """FAN01: 10 m3/s, 600 Pa, 0.65 x 0.92 x 0.97."""
    power_w = fan_power.si(10.0, 600.0, 0.65, 0.92, 0.97)
    assert power_w == pytest.approx(10344.0, rel=1e-3)
    assert specific_fan_power.si(power_w, 10.0) == pytest.approx(1034.0, rel=1e-3)


@pytest.mark.parametrize("row", CURVES, ids=lambda row: str(row["curve"]))
def test_part_load_curve_gives_its_check_values(row: Row) -> None:
    coefficients = [row.si(c) for c in ("c0", "c1", "c2", "c3")]
    half, full = (part_load_power_ratio.si(x, *coefficients) for x in (0.5, 1.0))
    assert half == pytest.approx(row.si("value_at_half"), abs=2e-5)
    assert full == pytest.approx(row.si("value_at_full"), abs=2e-4)


@given(st.integers(1, 50), st.integers(0, 10))
def test_running_the_spare_fans_too_saves_power(duty: int, spare: int) -> None:
    """The same air through n + s fans takes (n / (n + s))^2 of the power of n."""
    few = running_fans_power.si(float(duty), 5e3, 1.0, 1.0)
    share = duty / (duty + spare)
    ratio = part_load_power_ratio.si(share, 0.0, 0.0, 0.0, 1.0)
    many = running_fans_power.si(float(duty + spare), 5e3, ratio, 1.0)
    assert many == pytest.approx(few * share**2)
    assert running_pumps_power.si(float(duty + spare), 5e3, ratio) == pytest.approx(many)


@given(st.floats(1e4, 1e8), st.floats(1e4, 4e5), st.floats(0.3, 0.9), st.floats(2.0, 15.0))
def test_pump_work_is_part_of_the_heat_the_loop_carries(
    heat_w: float, head_pa: float, efficiency: float, range_k: float
) -> None:
    total_w = heat_with_pump_work.si(heat_w, head_pa, efficiency, 998.0, 4184.0, range_k)
    flow = total_w / (998.0 * 4184.0 * range_k)
    assert total_w - heat_w == pytest.approx(pump_power.si(flow, head_pa, efficiency), rel=1e-6)


def test_staged_fans_follow_load_and_speed() -> None:
    assert staged_fans_power.si(1e5, 0.125, 0.5) == pytest.approx(6250.0)
