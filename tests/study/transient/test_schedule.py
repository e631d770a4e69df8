"""What works when, after a failure; limits passed; buffers found."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from facility.cooling.ride_through.limits import limits_of, series_of, settled, time_to
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import (
    Bank,
    Knots,
    PowerState,
    RideCase,
    it_fraction,
    loop_flow,
    units_at_work,
)
from facility.cooling.ride_through.signals import fan_power_part, simulate
from facility.cooling.ride_through.storage import storage_needed
from facility.model.cooling.thermal import Restart
from tests.study.helpers import reference
from tests.study.transient.helpers import UTILITY, plant_of, shortened, utility

RESTART = Restart(
    ramp_s=15.0,
    chiller_s=240.0,
    chiller_ramp_s=120.0,
    rejection_s=60.0,
    step_s=5.0,
    pump_changeover_s=10.0,
    standby_pump_s=None,
    standby_rejection=False,
    header_flow=0.0,
    horizon_s=1800.0,
)
DUTY = Bank(installed=3, running=2)


def at(knots: Knots, time_s: float) -> float:
    times, values = zip(*knots, strict=True)
    return float(np.interp(time_s, times, values))


def test_chillers_wait_for_power_and_for_their_restart() -> None:
    knots = units_at_work("chillers", DUTY, utility("fans"), RESTART)
    assert at(knots, 0.0) == 2.0
    assert at(knots, 2.0) == at(knots, 30.0 + 240.0) == 0.0
    assert at(knots, 30.0 + 240.0 + 60.0) == pytest.approx(1.5)
    assert at(knots, 2000.0) == 3.0


def test_what_the_ups_supplies_does_not_stop() -> None:
    assert units_at_work("fans", DUTY, utility("fans"), RESTART) == ((0.0, 2.0),)
    stopped = units_at_work("fans", DUTY, utility(), RESTART)
    assert at(stopped, 29.0) == 0.0
    assert at(stopped, 30.0 + 15.0) == 3.0


def test_a_standby_chiller_replaces_a_lost_one_after_its_restart() -> None:
    knots = units_at_work("chillers", DUTY, RideCase("c", "", lost={"chillers": 1}), RESTART)
    assert at(knots, 5.0) == at(knots, 240.0) == 1.0
    assert at(knots, 400.0) == 2.0
    alone = units_at_work("chillers", Bank(1, 1), RideCase("c", "", lost={"chillers": 1}), RESTART)
    assert at(alone, 1800.0) == 0.0


def test_a_standby_pump_brings_the_unit_back() -> None:
    case = RideCase("p", "", lost={"cdus": 1}, back_s=10.0)
    knots = units_at_work("cdus", Bank(4, 4), case, RESTART)
    assert at(knots, 5.0) == 3.0
    assert at(knots, 12.0) == 4.0
    gone = units_at_work("cdus", Bank(4, 4), replace(case, back_s=None), RESTART)
    assert at(gone, 100.0) == 3.0


def test_a_standby_pump_of_a_loop_starts_after_its_delay_and_chillers_after_their_restart() -> None:
    stopped = frozenset(("chillers",))
    case = RideCase("p", "", pumps={"chw_pumps": 0.0}, standby_s=15.0, stopped=stopped)
    flow = loop_flow("chw_pumps", case, RESTART)
    assert [at(flow, t) for t in (0.0, 1.0, 15.0, 22.5, 30.0)] == [1.0, 0.0, 0.0, 0.5, 1.0]
    assert at(loop_flow("fws_pumps", case, RESTART), 10.0) == 1.0
    chillers = units_at_work("chillers", Bank(3, 2, 2), case, RESTART)
    assert at(chillers, 1.0) == at(chillers, 15.0 + 15.0 + 240.0) == 0.0
    assert at(chillers, 400.0) == 2.0
    alone = replace(case, standby_s=None, headers={"chw_pumps": 0.5}, pumps={"chw_pumps": 0.8})
    assert at(loop_flow("chw_pumps", alone, RESTART), 900.0) == pytest.approx(0.4)
    assert at(units_at_work("chillers", Bank(3, 2, 2), alone, RESTART), 900.0) == 0.0


def test_half_the_power_is_half_the_units() -> None:
    power = PowerState(on_board=(0.5, 0.5))
    knots = units_at_work("fans", Bank(4, 4), RideCase("b", "", power), RESTART)
    assert at(knots, 100.0) == 2.0


@pytest.mark.parametrize(
    ("flow_m3_s", "moved", "power"), [(2.0, 1.0, 0.5), (16.0, 0.625, 0.5 / 0.8**3)]
)
def test_fans_left_speed_up_from_no_less_than_their_least_speed(
    flow_m3_s: float, moved: float, power: float
) -> None:
    """Two of 10 m3/s, at least half speed: at 2 m3/s both idle, at 16 one goes from 80 to 100 %."""
    unit = SimpleNamespace(air_flow_m3_s=10.0)
    crah = SimpleNamespace(unit=unit, factors={"least_fan_flow": 0.5})
    plant = SimpleNamespace(
        banks={"fans": Bank(2, 2)},
        design=SimpleNamespace(chain=SimpleNamespace(crah=crah)),
        flow=SimpleNamespace(crah_airflow_m3_s=flow_m3_s),
    )
    found = fan_power_part(cast(RidePlant, plant), np.ones(1), np.full(1, moved))
    assert found == pytest.approx([power])


def test_units_are_left_with_the_racks_whose_heat_they_take() -> None:
    """Air 0.6 and coolant 0.2 served: units half of whose heat is in coolant have 0.4 of power."""
    power = PowerState(on_ups=(0.6, 0.6), on_ups_coolant=(0.2, 0.2))
    case = RideCase("b", "", power, frozenset(("cdus", "chw_pumps")))
    assert power.min_cooling == 0.2
    cdus = units_at_work("cdus", Bank(10, 10, coolant=1.0), case, RESTART)
    pumps = units_at_work("chw_pumps", Bank(10, 10, coolant=0.5), case, RESTART)
    assert (at(cdus, 60.0), at(pumps, 60.0)) == pytest.approx((2.0, 4.0))


def test_empty_batteries_end_what_they_carry() -> None:
    power = replace(UTILITY, restored_s=900.0, battery_s=300.0)
    assert power.exhausted
    case = RideCase("u", "", power, frozenset({"fans"}))
    fans, it = units_at_work("fans", DUTY, case, RESTART), it_fraction(1.0, 1.0, power)
    for knots, whole in ((fans, 2.0), (it, 1.0)):
        assert at(knots, 299.0) == whole
        assert at(knots, 302.0) == at(knots, 899.0) == 0.0
    assert at(fans, 920.0) == 3.0
    assert at(it, 902.0) == 1.0
    assert not replace(power, battery_s=1000.0).exhausted


@pytest.mark.parametrize(("after", "at_1000_s"), [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5)])
def test_a_lost_input_leaves_it_on_battery_until_that_is_empty(
    after: float, at_1000_s: float
) -> None:
    """Full load for 300 s of battery, then what the other supply carries; nothing is restored."""
    power = replace(UTILITY, restored_s=np.inf, battery_s=300.0)
    it = it_fraction(1.0, after, power)
    assert [at(it, time_s) for time_s in (15.0, 299.0, 1000.0)] == [1.0, 1.0, at_1000_s]


def test_generators_that_come_first_interrupt_a_ramp_at_its_height() -> None:
    power = PowerState(on_board=(0.5, 1.0), restored_s=10.0)
    knots = units_at_work("fans", Bank(2, 2), RideCase("b", "", power), RESTART)
    times = [time for time, _ in knots]
    assert times == sorted(set(times))
    assert at(knots, 10.0) == 1.0
    assert at(knots, 25.0) == 2.0


def test_time_to_a_limit_is_interpolated() -> None:
    times = np.array([0.0, 10.0, 20.0])
    series = np.array([[20.0, 40.0, 20.0], [30.0, 41.0, 20.0], [40.0, 42.0, 20.0]])
    found = time_to(series, 35.0 - 0.01, times)
    assert found.tolist() == [pytest.approx(15.0), 10.0, np.inf]


def test_no_time_is_finer_than_the_step() -> None:
    times = np.array([0.0, 10.0, 20.0])
    series = np.array([[20.0, 50.0], [60.0, 50.0], [70.0, 50.0]])
    assert time_to(series, 30.0, times).tolist() == [10.0, 10.0]


def test_at_its_limit_is_not_beyond_it() -> None:
    assert np.isinf(time_to(np.full((3, 1), 40.0), 40.0, np.arange(3.0))[0])


def test_rest_is_less_than_a_tenth_of_a_kelvin_a_minute() -> None:
    times = np.arange(0.0, 300.0)
    series = np.stack([0.0009 * times, 0.01 * times], axis=1)
    assert settled(series, times).tolist() == [True, False]


@pytest.mark.parametrize("kind", ["mixed", "stratified"])
def test_the_buffer_found_is_the_smallest_that_holds(kind: str) -> None:
    sets = (f"cooling.thermal.tank_kind={kind}",)
    plant = shortened(plant_of("dgx-su-32", *sets), 600.0)
    limits = limits_of(plant, reference("dgx-su-32", *sets).facility.criteria)
    case = RideCase("chiller", "", lost={"chillers": 1})
    (found,) = storage_needed(plant, [case], limits)
    assert found.enough
    assert found.chw_m3 is not None
    (limit,) = (one for one in limits if one.id == "equipment")
    tanks = found.chw_m3 * np.array([0.0, 0.98, 1.0])
    ride = simulate(plant, [case], step_s=2.0, chw_tank_m3=tanks, of_case=[0, 0, 0])
    times = time_to(series_of(plant, ride)["inlet_worst"], limit.limit_c or 0.0, ride.time_s)
    assert np.isfinite(times).tolist() == [True, True, False]


def test_no_buffer_helps_where_the_pumps_stand() -> None:
    plant = shortened(plant_of("dgx-su-32"), 300.0)
    limits = limits_of(plant, reference("dgx-su-32").facility.criteria)
    (found,) = storage_needed(plant, [utility("fans")], limits)
    assert found.chw_m3 is None
    assert not found.enough


def test_a_stratified_buffer_lasts_longer() -> None:
    times = {}
    for kind in ("mixed", "stratified"):
        plant = plant_of(
            "dgx-su-32",
            f"cooling.thermal.tank_kind={kind}",
            "cooling.thermal.chilled_water_tank=4 m3",
        )
        ride = simulate(shortened(plant, 600.0), [utility("fans", "chw_pumps")])
        times[kind] = time_to(ride.inlet(0.02), 27.0, ride.time_s)[0]
    assert times["stratified"] > 1.2 * times["mixed"]
