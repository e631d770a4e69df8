"""Autonomy at any load: the data sheet gives itself back, and more load never lasts longer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.power.battery.sizing import autonomy_s
from tests.power.battery.helpers import PANASONIC, PERFECT, Backup, backup

ROWS = table("electrical/battery_vrla_panasonic_up_pw1245").rows
FOUND: Backup = backup(400e3, "N+1")


@pytest.mark.parametrize("end_v", [1.6, 1.65, 1.7, 1.75, 1.8])
def test_every_point_of_the_data_sheet_is_given_back(end_v: float) -> None:
    given_ = {**PERFECT, **PANASONIC, "end_voltage": f"{end_v} V", "strings": 1}
    found = backup(10e3, **given_).design
    rows = [row for row in ROWS if row.si("end_voltage_v_per_cell") == end_v]
    loads = np.array([40.0 * row.si("watts_per_block") for row in rows])
    times = np.array([row.si("minutes") for row in rows])
    assert len(rows) == 16
    np.testing.assert_allclose(autonomy_s(found, loads), times, rtol=1e-9)


def test_states_in_the_results_are_those_of_the_function() -> None:
    load_w = FOUND.trace.value("battery.load_normal")
    every, left = FOUND.design.ups.modules_per_system, FOUND.design.ups.modules_per_system - 1
    for id, modules, new in (
        ("normal", every, False),
        ("normal_new", every, True),
        ("failure", left, False),
        ("failure_new", left, True),
    ):
        expected = float(autonomy_s(FOUND.design, load_w, modules, new=new))
        assert FOUND[f"battery.autonomy_{id}"] == expected
    assert FOUND["battery.autonomy_normal"] > FOUND["battery.autonomy_failure"]
    assert FOUND["battery.autonomy_failure_new"] > FOUND["battery.autonomy_failure"]


def test_the_time_wanted_is_reached_in_the_designed_state() -> None:
    assert FOUND["battery.autonomy_design"] >= 600.0
    assert FOUND.check("BATTERY-AUTONOMY").outcome == "PASS"
    short = backup(400e3, strings=FOUND.bank.strings_per_set - 3)
    assert short["battery.autonomy_design"] < 600.0
    assert short.check("BATTERY-AUTONOMY").failed


def test_beyond_the_table_the_time_is_a_bound_and_says_so() -> None:
    """The table runs from 5 to 60 min."""
    loads = np.array([0.0, 1e3, 5e6])
    np.testing.assert_allclose(autonomy_s(FOUND.design, loads), [3600.0, 3600.0, 0.0])
    light = backup(50e3, "2N", strings=9)
    assert light["battery.autonomy_normal"] == pytest.approx(3600.0)
    assert "at least" in light.results["battery.autonomy_normal"].basis
    heavy = backup(400e3, strings=1)
    assert not any(key.startswith("battery.autonomy_design") for key in heavy.results)
    wanted = heavy.check("BATTERY-AUTONOMY")
    assert wanted.failed
    assert wanted.why.startswith("outside the table of ")
    assert heavy.check("BATTERY-RIDE-THROUGH").outcome == "NOT_EVALUATED"  # 45 s of 300 s


def test_no_module_in_service_carries_nothing() -> None:
    found = autonomy_s(FOUND.design, np.full(3, 300e3), np.array([0, 1, 2]))
    assert found[0] == 0.0
    assert 0.0 < found[1] < found[2]


def test_thousands_of_states_at_once_are_those_one_by_one() -> None:
    loads = np.linspace(5e4, 9e5, 500)
    together = autonomy_s(FOUND.design, loads)
    assert together.shape == loads.shape
    assert [float(autonomy_s(FOUND.design, w)) for w in loads[::50]] == list(together[::50])


@given(load_w=st.floats(0.0, 2e6), more=st.floats(0.0, 2e6), modules=st.integers(0, 3))
def test_more_load_or_fewer_modules_never_last_longer(
    load_w: float, more: float, modules: int
) -> None:
    here = float(autonomy_s(FOUND.design, load_w, modules))
    assert float(autonomy_s(FOUND.design, load_w + more, modules)) <= here * (1 + 1e-12)
    assert float(autonomy_s(FOUND.design, load_w, modules + 1)) >= here * (1 - 1e-12)
    assert float(autonomy_s(FOUND.design, load_w, modules, new=True)) >= here


def test_without_a_table_the_time_is_not_a_number() -> None:
    found = backup(400e3, technology="flooded")
    assert found.design.bank is None
    assert np.all(np.isnan(autonomy_s(found.design, np.array([1e5, 2e5]))))
