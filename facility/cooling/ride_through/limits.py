"""Limits of the temperatures after a failure, and time to each limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.model import Ride
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import RideCase, it_fraction
from facility.core.kinds import FloatArray
from facility.model.facility import Criteria

Grade = Literal["recommended", "class", "allowable"]
"""Meaning of an exceeded limit: outside the recommended range, the facility water class, or
the equipment limits."""
PASSED_K = 0.01
"""Minimum exceedance of a limit."""
SERIES = {
    "inlet": "Equipment inlet, mean",
    "inlet_worst": "Equipment inlet, worst",
    "return_air": "Return air",
    "chw_supply": "Chilled water, supply",
    "fws_supply": "Facility water, supply",
    "tcs_supply": "Coolant, supply",
    "tcs_return": "Coolant, return",
    "plates": "Chips and cold plates",
}
"""Displayed temperatures, by name."""
_SETTLED_K_S, _LAST_S = 0.1 / 60.0, 60.0
"""Drift below which a temperature is steady, 0.1 K/min, and the time over which it is measured."""


@dataclass(frozen=True)
class Limit:
    """A limit of one temperature."""

    id: str  # Key of the results
    title: str  # Display text
    series: str  # Temperature it applies to, see `series_of`
    grade: Grade  # Meaning of an exceedance
    limit_c: float | None  # The limit [degC]; None if not specified

    @property
    def of_liquid(self) -> bool:
        """Whether it applies to the coolant or the facility water."""
        return not self.series.startswith("inlet")


def limits_of(plant: RidePlant, criteria: Criteria) -> tuple[Limit, ...]:
    """Return the limits of a design: for air, and for coolant if any."""
    return tuple(_limits(plant, criteria))


def _limits(plant: RidePlant, criteria: Criteria) -> Iterator[Limit]:
    crah, cdus = plant.design.chain.crah, plant.design.cdus
    name = criteria.air_class
    yield Limit("recommended", f"{name} recommended", "inlet_worst", "recommended",
                criteria.air_recommended_max_c)  # fmt: skip
    yield Limit("allowable", f"{name} allowable", "inlet_worst", "allowable",
                criteria.air_allowable_max_c)  # fmt: skip
    if crah.inlet_limit_c is not None:
        yield Limit("equipment", "inlet limit of the equipment", "inlet_worst", "allowable",
                    crah.inlet_limit_c)  # fmt: skip
    if plant.has_liquid and cdus is not None:
        water = plant.design.chain.facility_water
        if water is not None:
            yield Limit("fws_class", f"{water.liquid_class} facility water", "fws_supply", "class",
                        water.class_max_c)  # fmt: skip
        yield Limit("coolant", "coolant supply of the equipment", "tcs_supply", "allowable",
                    cdus.plan.tcs_supply_max_c)  # fmt: skip
        yield Limit("plates", "chips and cold plates", "plates", "allowable",
                    plant.thermal.loops.plate_limit_c)  # fmt: skip


def series_of(plant: RidePlant, ride: Ride) -> dict[str, FloatArray]:
    """Return the displayed temperatures, by name; shape (times, columns) [degC].

    ``inlet`` and ``inlet_worst`` start at their design values; with rear doors the worst rack
    draws only door discharge air.
    """
    crah, flow = plant.design.chain.crah, plant.flow
    mean = ride.inlet(plant.settings.recirculation)
    worst = ride.node("hot_air")
    if plant.doors is None:
        worst = ride.inlet(crah.worst_recirculation)
    found = {
        "inlet": mean + (flow.inlet_c - mean[0, 0]),
        "inlet_worst": worst + (flow.inlet_worst_c - worst[0, 0]),
        "return_air": ride.node("hot_air"),
    }
    if not plant.direct:
        found["chw_supply"] = ride.node("chw_supply")
    if plant.has_liquid:
        names = ("fws_supply", "tcs_supply", "tcs_return", "plates")
        found |= {name: ride.node(name) for name in names}
    return found


def while_running(
    series_c: FloatArray, limit: Limit, cases: Sequence[RideCase], time_s: FloatArray
) -> FloatArray:
    """Return a temperature for comparison with its limit: the initial value while equipment is off.

    Operating limits do not apply to equipment without power.

    series_c: Temperature [degC], shape (times, columns).
    cases: Case of each column.
    """
    counted = series_c
    for column, case in enumerate(cases):
        power = case.power
        before, after = power.it_liquid if limit.of_liquid else power.it_air
        if min(before, after) > 0.0 and not power.exhausted:
            continue
        times, values = zip(*it_fraction(before, after, power), strict=True)
        off = np.interp(time_s, times, values) <= 0.0
        counted = series_c.copy() if counted is series_c else counted
        counted[off, column] = series_c[0, column]
    return counted


def over(temperature_c: float, limit_c: float) -> bool:
    """Return whether a temperature exceeds a limit."""
    return bool(temperature_c > limit_c + PASSED_K)


def time_to(series_c: FloatArray, limit_c: float, time_s: FloatArray) -> FloatArray:
    """Return the time when a limit is exceeded, infinite if it is not; shape (columns,) [s].

    Times within the first step are not resolved and returned as the first step.

    series_c: Temperature [degC], shape (times, columns).
    limit_c: Limit [degC].
    time_s: Times [s], shape (times,).
    """
    edge_c = limit_c + PASSED_K
    above = series_c > edge_c
    found = np.full(series_c.shape[1], np.inf)
    for column in np.flatnonzero(above.any(axis=0)):
        after = int(np.argmax(above[:, column]))
        if after == 0:
            found[column] = time_s[1]
            continue
        low_c, high_c = series_c[after - 1, column], series_c[after, column]
        part = (edge_c - low_c) / (high_c - low_c)
        at_s = time_s[after - 1] + part * (time_s[after] - time_s[after - 1])
        found[column] = max(at_s, time_s[1])
    return found


def settled(series_c: FloatArray, time_s: FloatArray) -> NDArray[np.bool_]:
    """Return whether a temperature is steady in the last minute; shape (columns,)."""
    first = int(np.searchsorted(time_s, time_s[-1] - _LAST_S))
    drift = np.abs(series_c[-1] - series_c[first])
    return np.asarray(drift <= _SETTLED_K_S * (time_s[-1] - time_s[first]))


def rises(temperature_c: FloatArray, horizon_s: float) -> bool:
    """Return whether a temperature simulated over a horizon still rises in its last minute.

    temperature_c: Temperature at equal steps over the horizon [degC], shape (times,).
    """
    last = max(round(_LAST_S / horizon_s * (len(temperature_c) - 1)), 1)
    return bool(temperature_c[-1] - temperature_c[-1 - last] > _SETTLED_K_S * _LAST_S)
