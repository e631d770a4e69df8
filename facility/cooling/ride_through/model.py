"""Temperatures after a failure: the lumped model, stepped through time for many cases at once.

Eleven stores of heat and the supply side of the chilled water exchange heat by streams and
conductances::

    servers - cold air - hot air - structure        air of the halls
    hot air - coils                                 water and metal in them, to the chilled water
    plates - TCS supply - TCS return                coolant, CDUs to the facility water
    FWS supply - FWS return                         tower or dry cooler, or the chilled water
    CHW return - CHW supply (one layer or several)  chillers

Every store is mixed; a stream of capacity rate c from A to B brings c (T_A - T_B). What takes heat
holds its set point as long as it can: it takes the heat that is too much, no more than its
effectiveness allows, and never gives heat. Server fans keep their flow; air that the air handlers
do not supply comes from the hot side. Equipment that gets too hot sheds its load and stops. The
classical fourth-order Runge-Kutta method keeps the sum of all heat exactly, since every exchange
enters two balances with opposite sign.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from facility.core.kinds import FloatArray

NODES = (
    "cold_air",
    "hot_air",
    "servers",
    "structure",
    "coils",
    "plates",
    "tcs_supply",
    "tcs_return",
    "fws_supply",
    "fws_return",
    "chw_return",
    "chw_supply",
)
"""The stores; the last one stands for as many layers as the supply of the chilled water has."""

SIGNALS = (
    "it_air_w_k",
    "it_air_w",
    "room_w",
    "supply_air_w_k",
    "fan_w",
    "coil_air_w_k",
    "coil_water_w_k",
    "liquid_w",
    "plate_w_k",
    "tcs_w_k",
    "cdu_w_k",
    "cdu_pump_w",
    "fws_w_k",
    "fws_pump_w",
    "sink_w_k",
    "plate_exchanger_w_k",
    "chw_w_k",
    "chw_pump_w",
    "electrical_w",
    "chiller_w",
)
"""What changes with time: heats and powers in W, capacity rates and conductances in W/K."""

_SHED_K = 5.0
"""Over this range above its limit equipment sheds all of its load."""
_STABLE = 0.7
"""Step over the shortest time constant; the method is stable up to 2.78."""
_CONSTANT = [
    SIGNALS.index(name)
    for name in ("room_w", "fan_w", "cdu_pump_w", "fws_pump_w", "chw_pump_w", "electrical_w")
]
_COOLANT = slice(SIGNALS.index("liquid_w"), SIGNALS.index("plate_exchanger_w_k") + 1)
_LAYERS = len(NODES) - 1
_NOTHING, _WHOLE = np.zeros(1), np.ones(1)


@dataclass(frozen=True)
class Settings:
    """What does not change with time.

    Attributes
    ----------
    air_c, tcs_c, fws_c, chw_c : float
        Set points of the supplies [degC].
    sink_c : float
        What the heat rejection of the facility water can come down to: wet or dry bulb, and the
        approach of the exchanger between [degC].
    recirculation : float
        Part of the inlet air that is exhaust.
    server_effectiveness : float
        Rise of the air through the equipment over metal minus inlet.
    structure_w_k : float
        Conductance of the structure to the hot air [W/K].
    valve_w_k : float
        Heat that the valves of the coils let pass for each kelvin that these are too warm [W/K].
    shutdown_c, plate_limit_c : float
        Inlet air and chips from which the equipment sheds its load [degC].
    """

    air_c: float
    tcs_c: float
    fws_c: float
    chw_c: float
    sink_c: float
    recirculation: float
    server_effectiveness: float
    structure_w_k: float
    valve_w_k: float
    shutdown_c: float
    plate_limit_c: float


@dataclass(frozen=True, eq=False)
class Ride:
    """What became of the cases.

    Attributes
    ----------
    time_s : ndarray, shape (times,)
        Times [s].
    temperature_c : ndarray, shape (times, nodes, cases)
        Temperatures in the order of `NODES`, the layers of the chilled-water supply last [degC].
    supplied_j, removed_j, stored_j : ndarray, shape (cases,)
        Heat that came in, that chillers and heat rejection took, and that the stores hold [J].
    """

    settings: Settings
    time_s: FloatArray
    temperature_c: FloatArray
    supplied_j: FloatArray
    removed_j: FloatArray
    stored_j: FloatArray
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
    """Return a step that resolves the shortest time constant, no longer than wanted [s].

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
        "plates": s["plate_w_k"],
        "tcs_supply": s["tcs_w_k"],
        "tcs_return": s["tcs_w_k"] + s["cdu_w_k"],
        "fws_supply": s["fws_w_k"] + s["cdu_w_k"],
        "fws_return": s["fws_w_k"] + s["sink_w_k"],
        "chw_return": s["chw_w_k"],
        "chw_supply": s["chw_w_k"],
    }
    shortest = wanted_s / _STABLE
    for n, name in enumerate(NODES):
        rows = capacity_j_k[n:] if n == _LAYERS else capacity_j_k[n : n + 1]
        with np.errstate(divide="ignore"):
            shortest = min(shortest, float((rows / flows[name]).min()))
    return _STABLE * shortest


def run(
    settings: Settings,
    capacity_j_k: FloatArray,
    start_c: FloatArray,
    signals: FloatArray,
    step_s: float,
) -> Ride:
    """Return the temperatures of all cases over time.

    Parameters
    ----------
    settings : Settings
        What does not change.
    capacity_j_k, start_c : ndarray, shape (nodes, cases)
        Heat capacities [J/K] and first temperatures [degC].
    signals : ndarray, shape (2 steps + 1, signals, cases)
        Signals in the order of `SIGNALS`, at every half step.
    step_s : float
        Step [s].
    """
    steps = len(signals) // 2
    nodes, cases = capacity_j_k.shape
    state = np.zeros((nodes + 2, cases))
    state[:nodes] = start_c
    per_j = 1.0 / np.vstack([capacity_j_k, np.ones((2, cases))])
    constant_w = signals[:, _CONSTANT].sum(axis=1)
    history = np.empty((steps + 1, nodes, cases))
    history[0] = start_c
    half_s = 0.5 * step_s
    wet = bool(signals[:, _COOLANT].any())
    for n in range(steps):
        now, middle, then = signals[2 * n : 2 * n + 3]
        now_w, middle_w, then_w = constant_w[2 * n : 2 * n + 3]
        first = _rates(settings, now, now_w, state, wet) * per_j
        second = _rates(settings, middle, middle_w, state + half_s * first, wet) * per_j
        third = _rates(settings, middle, middle_w, state + half_s * second, wet) * per_j
        fourth = _rates(settings, then, then_w, state + step_s * third, wet) * per_j
        second += third
        second *= 2.0
        second += first
        second += fourth
        second *= step_s / 6.0
        state = state + second
        history[n + 1] = state[:nodes]
    stored_j = (capacity_j_k * (state[:nodes] - start_c)).sum(axis=0)
    times = np.asarray(step_s * np.arange(steps + 1), dtype=np.float64)
    return Ride(settings, times, history, state[nodes], state[nodes + 1], stored_j)


def _rates(
    p: Settings, signals: FloatArray, constant_w: FloatArray, state: FloatArray, wet: bool
) -> FloatArray:
    """Return the heat into every store [W], then what comes in and what is taken away.

    `constant_w` is what comes in whatever the temperatures are; where nothing is `wet` the loops of
    coolant and facility water rest.
    """
    rates = np.zeros_like(state)
    to_water = _air(p, signals, state, rates)
    taken = _liquid(p, signals, state, rates) if wet else (_NOTHING, _NOTHING)
    wr, first, last = state[10], state[11], state[-3]
    chw, most = signals[16], signals[19]
    chilled = np.maximum(np.minimum(chw * (wr - p.chw_c), most), 0.0)
    rates[10] = chw * (last - wr) + to_water + taken[1] + signals[17] + signals[18]
    rates[11] = chw * (wr - first) - chilled
    if len(state) > len(NODES) + 2:
        rates[12:-2] = chw * (state[11:-3] - state[12:-2])
    rates[-2] += constant_w
    rates[-1] = chilled + taken[0]
    return rates


def _air(p: Settings, signals: FloatArray, state: FloatArray, rates: FloatArray) -> FloatArray:
    """Fill in the balances of the halls; return what the coils give to the water [W]."""
    it_air, it_w, room_w, supply, fan_w, from_air, to_water = signals[:7]
    cold, hot, metal, mass, coil, water = *state[:5], state[-3]
    k, e = p.recirculation, p.server_effectiveness
    inlet = ((1.0 - k) * cold + (k * e) * metal) / (1.0 - k * (1.0 - e))
    rise = e * (metal - inlet)
    exhaust, given = inlet + rise, it_air * rise
    through = (1.0 - k) * it_air
    moved = np.maximum(supply, through)
    wanted = supply * (hot - p.air_c) + fan_w
    over = hot - coil
    taken = np.maximum(from_air * over, 0.0)
    excess = wanted / np.maximum(from_air, 1.0) - over
    passed = np.minimum(to_water * (coil - water), wanted + p.valve_w_k * excess)
    passed = np.maximum(passed, 0.0)
    into_mass = p.structure_w_k * (hot - mass)
    heat_w = it_w * _kept(inlet, p.shutdown_c)
    rates[0] = moved * (hot - cold) - taken + fan_w
    rates[1] = through * (exhaust - hot) + (moved - through) * (cold - hot) + room_w - into_mass
    rates[2] = heat_w - given
    rates[3] = into_mass
    rates[4] = taken - passed
    rates[-2] = heat_w
    return np.asarray(passed)


def _liquid(
    p: Settings, signals: FloatArray, state: FloatArray, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Fill in the balances of both loops; return what the outdoors and the chillers get [W]."""
    liquid_w, plate_w_k, tcs, cdu_w_k, pump_w, fws, fws_pump_w, sink_w_k, exchanger = signals[7:16]
    plate, ts, tr, fs, fr = state[5:10]
    into_tcs = plate_w_k * (plate - ts)
    cdu = np.maximum(np.minimum(tcs * (tr - p.tcs_c), cdu_w_k * (tr - fs)), 0.0)
    excess = fws * (fr - p.fws_c)
    sink = np.maximum(np.minimum(excess, sink_w_k * (fr - p.sink_c)), 0.0)
    chilled = np.maximum(np.minimum(excess - sink, exchanger * (fr - state[-3])), 0.0)
    heat_w = liquid_w * _kept(plate, p.plate_limit_c)
    rates[5] = heat_w - into_tcs
    rates[6] = tcs * (tr - ts) - cdu
    rates[7] = tcs * (ts - tr) + into_tcs + pump_w
    rates[8] = fws * (fr - fs) - sink - chilled
    rates[9] = fws * (fs - fr) + cdu + fws_pump_w
    rates[-2] += heat_w
    return sink, chilled


def _kept(temperature_c: FloatArray, limit_c: float) -> FloatArray:
    """Return the part of its load that equipment keeps at a temperature."""
    if temperature_c.max() <= limit_c:
        return _WHOLE
    part = (limit_c + _SHED_K - temperature_c) / _SHED_K
    return np.asarray(np.maximum(np.minimum(part, 1.0), 0.0))
