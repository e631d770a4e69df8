"""Hall geometry: given, or by the named rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.trace import Trace
from facility.physics.facility.hall import hall_area, route_longest, route_mean
from tests.power.it.helpers import plan_of


def test_area_is_racks_times_their_cell() -> None:
    """Ten racks of 0.8 m in rows 2.7 m apart: a strip of 8 m by 2.7 m."""
    assert hall_area.si(10, 0.8, 2.7, 1.0) == pytest.approx(8.0 * 2.7)


@given(st.integers(2, 60), st.floats(0.5, 1.0))
def test_mean_route_is_the_mean_over_the_racks_of_a_row(racks: int, pitch_m: float) -> None:
    """Panel at the end of the row, rack centres at half pitches: summed one by one."""
    by_rack = [(k + 0.5) * pitch_m + 5.0 for k in range(racks)]
    assert route_mean.si(racks, pitch_m, 5.0, 0, 2.7) == pytest.approx(sum(by_rack) / racks)
    assert route_longest.si(racks, pitch_m, 5.0, 0, 2.7) >= max(by_rack)


def test_wall_rule_adds_the_way_along_the_wall() -> None:
    by_rule = {}
    for rule in ("row-end", "wall"):
        (hall,) = plan_of(
            gpu_model="H100 SXM5", gpus="10000", halls=[{"name": "H", "route_rule": rule}]
        ).halls
        by_rule[rule] = hall
    rows = by_rule["wall"].rows
    assert by_rule["wall"].route_mean_m - by_rule["row-end"].route_mean_m == pytest.approx(
        rows * 2.7 / 4
    )
    assert by_rule["wall"].route_max_m - by_rule["row-end"].route_max_m == pytest.approx(
        rows * 2.7 / 2
    )


def test_rack_pitch_is_the_width_of_the_reference_rack() -> None:
    """800 mm for DGX H100 racks, 600 mm for NVL72 (catalogue of cabinets)."""
    assert plan_of(gpu_model="H100 SXM5", servers="8").halls[0].rack_pitch_m == pytest.approx(0.8)
    assert plan_of(gpu_model="B200 NVL72", servers="8").halls[0].rack_pitch_m == pytest.approx(0.6)


def test_geometry_by_rule_is_in_the_ledger() -> None:
    trace = Trace()
    plan_of(
        trace=trace,
        gpu_model="H100 SXM5",
        servers="8",
        halls=[{"name": "H", "floor_area": "200 m2"}],
    )
    ids = {a.id for a in trace.ledger}
    assert "it.hall.1.circulation" not in ids
    assert {"it.hall.1.rack_pitch", "it.hall.1.rows", "it.hall.1.drops"} <= ids
    assert trace.value("it.hall.1.floor_area") == 200.0
