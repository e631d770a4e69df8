"""Temperatures after a failure: the lumped model, stepped through time for many cases at once.

Twelve stores of heat and the supply side of the chilled water exchange heat by streams and
conductances::

    servers - cold air - hot air - structure        air of the halls
    hot air - coils                                 water and metal in them, to the chilled water
    exhaust - doors                                 the same of rear doors
    plates - TCS supply - TCS return                coolant, CDUs to the facility water
    FWS supply - FWS return                         tower or dry cooler, or the chilled water
    CHW return - CHW supply (one layer or several)  chillers

Every store is mixed; a stream of capacity rate c from A to B brings c (T_A - T_B). What takes heat
holds its set point as long as it can: it takes the heat that is too much, no more than its
effectiveness allows, and never gives heat. Server fans keep their flow; air that the air handlers
do not supply comes from the hot side. Coils in which refrigerant boils give what they pass to
their own compressors, up to what these can take. Equipment that gets too hot sheds its load and
stops. The classical fourth-order Runge-Kutta method keeps the sum of all heat exactly, since every
exchange enters two balances with opposite sign.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from facility.cooling.ride_through.balances import BalancePlan, Balances
from facility.cooling.ride_through.stores import NODES, SIGNALS, Settings
from facility.core.kinds import FloatArray

_STABLE = 0.7
"""Step over the shortest time constant; the method is stable up to 2.78."""
_LAYERS = len(NODES) - 1
_WEIGHTS = np.array([1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 1.0])
"""Of the four changes of a step: by a half, a half, a whole and a sixth of it."""


@dataclass(frozen=True, eq=False)
class Ride:
    """What became of the cases."""

    settings: Settings
    time_s: FloatArray  # Times [s]; shape (times,)
    # Temperatures in the order of `NODES`, the layers of the chilled-water supply last [degC];
    # shape (times, nodes, cases).
    temperature_c: FloatArray
    supplied_j: FloatArray  # Heat that came in [J]; shape (cases,)
    removed_j: FloatArray  # Heat that chillers and heat rejection took [J]; shape (cases,)
    stored_j: FloatArray  # Heat that the stores hold [J]; shape (cases,)
    _index: dict[str, int] = field(
        default_factory=lambda: {name: n for n, name in enumerate(NODES)}, repr=False
    )

    def node(self, name: str) -> FloatArray:
        """Return the temperatures of a store, shape (times, cases); of several layers the last."""
        if name == "chw_supply":
            return self.temperature_c[:, -1]
        return self.temperature_c[:, self._index[name]]

    def inlet(self, recirculation: float) -> FloatArray:
        """Return the equipment inlet at a part of exhaust in it, shape (times, cases)."""
        return inlet_air(
            self.node("cold_air"),
            self.node("servers"),
            recirculation,
            self.settings.server_effectiveness,
        )


def inlet_air(
    cold_c: FloatArray, metal_c: FloatArray, recirculation: float, effectiveness: float
) -> FloatArray:
    """Return the inlet air of the equipment from the supply side and its metal.

    T_in = (1 - k) T_cold + k T_exh and T_exh = T_in + e (T_metal - T_in), solved for T_in.
    """
    k, e = recirculation, effectiveness
    return ((1.0 - k) * cold_c + k * e * metal_c) / (1.0 - k * (1.0 - e))


def step_for(
    capacity_j_k: FloatArray, signals: FloatArray, settings: Settings, wanted_s: float
) -> float:
    """Return a step that resolves the shortest time constant, no longer than wanted [s]."""
    return _STABLE * min(wanted_s / _STABLE, fastest_store(capacity_j_k, signals, settings)[1])


def fastest_store(
    capacity_j_k: FloatArray, signals: FloatArray, settings: Settings
) -> tuple[str, float]:
    """Return the store of the shortest time constant, and that [s].

    Every store has the time constant of its capacity over all streams and conductances at it.
    """
    s = {name: signals[:, n].max(axis=0) for n, name in enumerate(SIGNALS)}
    air = np.maximum(s["it_air_w_k"], s["supply_air_w_k"])
    coil = s["coil_air_w_k"] + np.maximum(s["coil_water_w_k"], settings.valve_w_k)
    flows = {
        "cold_air": air,
        "hot_air": air + settings.structure_w_k,
        "servers": s["it_air_w_k"],
        "structure": settings.structure_w_k,
        "coils": coil,
        "doors": s["door_air_w_k"] + np.maximum(s["door_water_w_k"], settings.door_valve_w_k),
        "plates": s["plate_w_k"],
        "tcs_supply": s["tcs_w_k"],
        "tcs_return": s["tcs_w_k"] + s["cdu_w_k"],
        "fws_supply": s["fws_w_k"] + s["cdu_w_k"],
        "fws_return": s["fws_w_k"] + s["sink_w_k"],
        "chw_return": s["chw_w_k"],
        "chw_supply": s["chw_w_k"],
    }
    found = {}
    for n, name in enumerate(NODES):
        rows = capacity_j_k[n:] if n == _LAYERS else capacity_j_k[n : n + 1]
        with np.errstate(divide="ignore"):
            found[name] = float((rows / flows[name]).min())
    return min(found.items(), key=lambda one: one[1])


def run(
    settings: Settings,
    capacity_j_k: FloatArray,
    start_c: FloatArray,
    signals: FloatArray,
    step_s: float,
) -> Ride:
    """Return the temperatures of all cases over time.

    settings: What does not change.
    capacity_j_k, start_c: Heat capacities [J/K] and first temperatures [degC], shape (nodes,
        cases).
    signals: Signals in the order of `SIGNALS`, at every half step, shape (2 steps + 1, signals,
        cases).
    """
    steps = len(signals) // 2
    nodes, cases = capacity_j_k.shape
    plan = BalancePlan(settings, nodes, signals)
    state = np.zeros((plan.rows, cases))
    state[:nodes], state[-1] = start_c, 1.0
    per_j = 1.0 / np.vstack([capacity_j_k, np.ones((plan.rows - nodes, cases))])
    history = np.empty((steps + 1, nodes, cases))
    history[0] = start_c
    trial, whole, middle = state.copy(), Balances(plan, cases), Balances(plan, cases)
    moved, change = np.empty((4, *state.shape)), np.empty_like(state)
    first, second, third, fourth = moved
    half, full, sixth = (per_j * (part * step_s) for part in (0.5, 1.0, 1.0 / 6.0))
    ahead = (
        (first, half, middle, second),
        (second, half, middle, third),
        (third, full, whole, fourth),
    )
    moments = plan.times()
    whole.at(next(moments))
    for n, (between, then) in enumerate(zip(moments, moments, strict=True), 1):
        whole.fill(state, first)
        middle.at(between)
        whole.at(then)
        for before, per_w, one, rates in ahead:
            np.multiply(before, per_w, out=before)
            np.add(state, before, out=trial)
            one.fill(trial, rates)
        np.multiply(fourth, sixth, out=fourth)
        np.dot(_WEIGHTS, moved.reshape(4, -1), out=change.reshape(-1))
        np.add(state, change, out=state)
        history[n] = state[:nodes]
    stored_j = (capacity_j_k * (state[:nodes] - start_c)).sum(axis=0)
    times = np.asarray(step_s * np.arange(steps + 1), dtype=np.float64)
    return Ride(settings, times, history, state[nodes], state[nodes + 1], stored_j)
