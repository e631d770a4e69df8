"""The lumped model against closed forms, its own balance of heat, and finer steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import time_to
from facility.cooling.ride_through.model import inlet_air, step_for
from facility.cooling.ride_through.schedule import PARTS, RideCase
from facility.cooling.ride_through.signals import simulate
from facility.cooling.ride_through.stores import NODES, SIGNALS
from facility.physics.air.sensible import exhaust_temperature, inlet_temperature
from tests.study.helpers import PROJECTS
from tests.study.transient.helpers import QUIET, followed, plant_of, shortened, utility

EVERY = tuple(RideCase(part, part, lost={part: 1}) for part in PARTS)
CASES = (*EVERY, utility(), utility("fans", "cdus"), utility("fans", "cdus", "chw_pumps"))


def test_one_store_follows_its_exponential() -> None:
    """Structure beside air of endless capacity: RK4 leaves 1e-9 of the rise at this step."""
    ride = followed(
        {"hot_air": 1e18, "structure": 5e6},
        {"hot_air": 40.0, "structure": 20.0},
        {},
        replace(QUIET, structure_w_k=2e4),
        900.0,
        1.0,
    )
    exact = 40.0 - 20.0 * np.exp(-ride.time_s / 250.0)
    assert ride.node("structure")[:, 0] == pytest.approx(exact, abs=1e-7)


def two_node_rise(
    heat_w: float, time_s: NDArray[np.float64], store: float, mass: float, between: float
) -> NDArray[np.float64]:
    """Return the rise of a heated store coupled to a mass that is heated by it alone.

    C dT/dt = q - G (T - T_m) and C_m dT_m/dt = G (T - T_m), both at rest at t = 0: T - T_m goes to
    q C_m / (G (C + C_m)) with the time constant C C_m / (G (C + C_m)), and C T + C_m T_m = q t.
    """
    both = store + mass
    lag_k = heat_w * mass / (between * both)
    settled = -np.expm1(-time_s * between * both / (store * mass))
    return np.asarray(heat_w * time_s / both + lag_k * mass / both * settled)


def test_two_stores_follow_their_closed_form() -> None:
    air, mass, between = 3.5e6, 16.8e6, 5e4
    ride = followed(
        {"hot_air": air, "structure": mass},
        {},
        {"room_w": 1e6},
        replace(QUIET, structure_w_k=between),
        900.0,
        1.0,
    )
    exact = two_node_rise(1e6, ride.time_s, air, mass, between)
    assert ride.node("hot_air")[:, 0] - 20.0 == pytest.approx(exact, abs=1e-6)
    rates = np.diff(ride.node("hot_air")[:, 0])
    assert rates[0] == pytest.approx(1e6 / air, rel=0.01)
    assert rates[-1] == pytest.approx(1e6 / (air + mass), rel=1e-4)


def test_air_alone_rises_at_the_published_limit() -> None:
    """333 W for each m3 of air: 0.29 K/s, the limit of a room without masses."""
    ride = followed({"hot_air": 3000.0 * 1.16 * 1006.0}, {}, {"room_w": 1e6}, QUIET, 60.0)
    assert (ride.node("hot_air")[-1, 0] - 20.0) / 60.0 == pytest.approx(0.29, abs=0.005)


def test_coolant_loop_with_its_pumps_on_takes_81_s_for_10_k() -> None:
    """Published: 2 m3 of PG25, 1 MW, nothing taken away."""
    half = 0.5 * 2.0 * 1011.0 * 3985.0
    ride = followed(
        {"tcs_supply": half, "tcs_return": half},
        {},
        {"cdu_pump_w": 1e6, "tcs_w_k": 1e5},
        QUIET,
        120.0,
    )
    mean = 0.5 * (ride.node("tcs_supply") + ride.node("tcs_return"))
    reached_s = np.interp(30.0, mean[:, 0], ride.time_s)
    assert reached_s == pytest.approx(81.0, abs=0.5)


def test_inlet_is_that_of_the_design() -> None:
    exhaust = exhaust_temperature.si(24.0, 14.0, 0.05)
    inlet = inlet_temperature.si(24.0, exhaust, 0.05)
    metal = inlet + 14.0 / 0.4
    found = inlet_air(np.array([24.0]), np.array([metal]), 0.05, 0.4)
    assert found[0] == pytest.approx(inlet, abs=1e-12)


EVERY_PLANT = [
    *((name,) for name in PROJECTS),
    *(
        ("dgx-su-32", f"cooling.air.terminal={terminal}")
        for terminal in ("rear-door", "active-rear-door", "crac")
    ),
]


def test_a_door_without_water_warms_to_the_exhaust() -> None:
    """Air of 24 and servers of 44 degC without end: exhaust of 34 degC, G / C = 1 / 60 s."""
    ride = followed(
        {"cold_air": 1e18, "servers": 1e18, "hot_air": 1e18, "doors": 6e5},
        {"cold_air": 24.0, "servers": 44.0, "hot_air": 24.0, "doors": 20.0},
        {"it_air_w_k": 2e4, "supply_air_w_k": 2e4, "door_air_w_k": 1e4},
        QUIET,
        300.0,
        1.0,
    )
    exact = 34.0 - 14.0 * np.exp(-ride.time_s / 60.0)
    assert ride.node("doors")[:, 0] == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize(("compressor_w", "heat_w"), [(3e5, 1e5), (6e4, 6e4), (0.0, 0.0)])
def test_a_boiling_coil_takes_what_it_passes_or_its_compressor_can(
    compressor_w: float, heat_w: float
) -> None:
    """Air of 40, refrigerant of 10 degC, G = 10 and 5 kW/K in series: 100 kW."""
    ride = followed(
        {"cold_air": 1e18, "hot_air": 1e18, "coils": 1e5},
        {"cold_air": 20.0, "hot_air": 40.0, "coils": 25.0, "chw_supply": 10.0},
        {
            "supply_air_w_k": 1e4,
            "coil_air_w_k": 1e4,
            "coil_water_w_k": 5e3,
            "chiller_w": compressor_w,
        },
        replace(QUIET, direct=True),
        300.0,
        1.0,
    )
    assert ride.node("coils")[-1, 0] == pytest.approx(40.0 - heat_w / 1e4, abs=1e-3)
    assert ride.node("chw_supply")[-1, 0] == 10.0


@pytest.mark.parametrize("sets", EVERY_PLANT, ids=lambda sets: sets[-1])
def test_normal_service_stays_where_it_is(sets: tuple[str, ...]) -> None:
    plant = plant_of(*sets)
    ride = simulate(plant, [RideCase("normal", "nothing fails")])
    drift = np.abs(ride.temperature_c - ride.temperature_c[:1]).max()
    assert drift < 1e-6
    assert ride.inlet(plant.settings.recirculation)[0, 0] == pytest.approx(plant.flow.inlet_c)


@pytest.mark.parametrize("sets", EVERY_PLANT, ids=lambda sets: sets[-1])
def test_every_joule_is_somewhere(sets: tuple[str, ...]) -> None:
    ride = simulate(plant_of(*sets), CASES)
    left = ride.supplied_j - ride.removed_j - ride.stored_j
    assert np.abs(left / ride.supplied_j).max() < 1e-9
    assert (ride.removed_j > 0.0).all()


@pytest.mark.parametrize("name", ["mixed-hall", "nvl72-hall"])
def test_halving_the_step_converges(name: str) -> None:
    """Where valves open and ramps end the method is of lower order."""
    plant = shortened(plant_of(name), 120.0)
    steps = (1.0, 0.5, 0.25)
    found = [simulate(plant, CASES, step_s=step_s).temperature_c for step_s in steps]
    first = np.abs(found[0] - found[1][::2]).max()
    second = np.abs(found[1] - found[2][::2]).max()
    assert first < 0.1
    assert second < 0.7 * first


def test_a_case_is_the_same_alone_and_among_others() -> None:
    plant, cases = shortened(plant_of("nvl72-hall"), 200.0), CASES[-4:]
    together = simulate(plant, cases)
    for column, case in enumerate(cases):
        alone = simulate(plant, [case])
        apart = np.abs(alone.temperature_c[..., 0] - together.temperature_c[..., column])
        assert apart.max() < 1e-9


def test_the_step_follows_the_fastest_store() -> None:
    capacity = np.full((len(NODES), 1), 1e9)
    signals = np.ones((1, len(SIGNALS), 1))
    assert step_for(capacity, signals, QUIET, 1.0) == pytest.approx(1.0)
    capacity[NODES.index("cold_air")] = 0.5
    assert step_for(capacity, signals, QUIET, 1.0) == pytest.approx(0.35)


ROOM = {"cold_air": 4e3, "hot_air": 6e3, "servers": 2.4e5, "structure": 2e5}
WARM = {"cold_air": 22.0, "hot_air": 34.0, "servers": 46.0, "structure": 34.0}


@settings(max_examples=8, deadline=None)
@given(
    heats=st.lists(st.floats(2e3, 4e4), min_size=2, max_size=8),
    limit_c=st.floats(36.0, 60.0),
    between=st.floats(0.0, 200.0),
)
def test_more_heat_never_lasts_longer(heats: list[float], limit_c: float, between: float) -> None:
    signals = {"it_air_w": np.sort(heats), "it_air_w_k": 500.0}
    ride = followed(ROOM, WARM, signals, replace(QUIET, structure_w_k=between), 200.0, 1.0)
    times = time_to(ride.inlet(0.0), limit_c, ride.time_s)
    assert (times[1:] <= times[:-1]).all()
    left = ride.supplied_j - ride.removed_j - ride.stored_j
    assert np.abs(left / ride.supplied_j).max() < 1e-9


@settings(max_examples=8, deadline=None)
@given(
    tanks=st.lists(st.floats(0.0, 60.0), min_size=2, max_size=8),
    limit_c=st.floats(26.0, 34.0),
    on_ups=st.booleans(),
)
def test_more_storage_never_lasts_shorter(tanks: list[float], limit_c: float, on_ups: bool) -> None:
    plant = shortened(plant_of("dgx-su-32"), 400.0)
    case = utility("fans", "chw_pumps") if on_ups else RideCase("c", "", lost={"chillers": 1})
    ride = simulate(plant, [case], step_s=2.0, chw_tank_m3=np.sort(tanks), of_case=[0] * len(tanks))
    times = time_to(ride.inlet(plant.settings.recirculation), limit_c, ride.time_s)
    assert (times[1:] >= times[:-1]).all()
