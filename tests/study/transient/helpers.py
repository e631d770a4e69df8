"""Small lumped models with known solutions, and the models of the reference projects."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.model import Ride, run
from facility.cooling.ride_through.plant import RidePlant, ride_plant
from facility.cooling.ride_through.schedule import PowerState, RideCase
from facility.cooling.ride_through.stores import NODES, SIGNALS, Settings
from tests.study.helpers import reference

Floats = NDArray[np.float64]
SHORT = "cooling.thermal.horizon=240 s"
BARE = (
    "cooling.on_ups.0=crah_fans",
    "cooling.on_ups.1=cdu_pumps",
    "cooling.thermal.chilled_water_tank=0 m3",
    "cooling.thermal.facility_water_tank=0 m3",
)
"""Water pumps stated to wait for the generators, and no buffer."""
UTILITY = PowerState(on_ups=(1.0, 1.0), on_board=(0.0, 1.0), restored_s=30.0)
QUIET = Settings(
    air_c=20.0,
    tcs_c=-100.0,
    fws_c=-100.0,
    chw_c=-100.0,
    sink_c=0.0,
    recirculation=0.0,
    server_effectiveness=0.5,
    structure_w_k=0.0,
    valve_w_k=0.0,
    shutdown_c=1e6,
    plate_limit_c=1e6,
)


@cache
def plant_of(name: str, *sets: str) -> RidePlant:
    """Return the lumped model of a reference project with changes."""
    found = reference(name, SHORT, *sets)
    return ride_plant(
        found.cooling,
        found.cooling_flow,
        found.point.heat,
        found.facility.thermal,
        found.facility.site.design,
    )


def shortened(plant: RidePlant, horizon_s: float) -> RidePlant:
    """Return a model that is followed for another time."""
    restart = replace(plant.thermal.restart, horizon_s=horizon_s)
    return replace(plant, thermal=replace(plant.thermal, restart=restart))


def utility(*supplied: Any) -> RideCase:
    """Return the loss of the utility for 30 s with some parts on the UPS."""
    return RideCase("utility", "loss of utility", UTILITY, frozenset(supplied))


def followed(
    capacity: dict[str, Any],
    start: dict[str, float],
    signals: dict[str, Any],
    settings: Settings,
    horizon_s: float,
    step_s: float = 0.5,
) -> Ride:
    """Return a model of a few stores, all other ones at rest; values may be arrays over columns."""
    columns = max(np.size(value) for value in (*capacity.values(), *signals.values()))
    at = np.ones((len(NODES), columns))
    first = np.full((len(NODES), columns), 20.0)
    for name, value in capacity.items():
        at[NODES.index(name)] = value
    for name, value in start.items():
        first[NODES.index(name)] = value
    given = np.zeros((2 * round(horizon_s / step_s) + 1, len(SIGNALS), columns))
    for name, value in signals.items():
        given[:, SIGNALS.index(name)] = value
    return run(settings, at, first, given, step_s)
