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
    """What does not change with time."""

    # Set points of the supplies [degC].
    air_c: float
    tcs_c: float
    fws_c: float
    chw_c: float
    # What the heat rejection of the facility water can come down to: wet or dry bulb, and the
    # approach of the exchanger between [degC].
    sink_c: float
    recirculation: float  # Part of the inlet air that is exhaust
    server_effectiveness: float  # Rise of the air through the equipment over metal minus inlet
    structure_w_k: float  # Conductance of the structure to the hot air [W/K]
    # Heat that the valves of the coils let pass for each kelvin that these are too warm [W/K].
    valve_w_k: float
    shutdown_c: float  # Temperature of the inlet air from which the equipment sheds its load [degC]
    plate_limit_c: float  # Temperature of the chips from which the equipment sheds its load [degC]


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
    history = np.empty((steps + 1, nodes, cases))
    history[0] = start_c
    trial, derived = state.copy(), _derived(settings, signals)
    wet = bool(signals[:, _COOLANT].any())
    balances = [_Balances(settings, of, wet) for of in (state, trial, trial, trial)]
    first, second, third, fourth = (one.rates for one in balances)
    halves = np.array([0.5 * step_s, 0.5 * step_s, step_s])
    ahead = list(zip((first, second, third), halves, balances[1:], strict=True))
    then = [*signals[0], *derived[0]]
    for n in range(steps):
        now = then
        middle, then = ([*signals[m], *derived[m]] for m in (2 * n + 1, 2 * n + 2))
        balances[0].fill(now)
        first *= per_j
        for (before, ahead_s, one), values in zip(ahead, (middle, middle, then), strict=True):
            np.multiply(before, ahead_s, trial)
            np.add(state, trial, trial)
            one.fill(values)
            one.rates *= per_j
        second += third
        second *= 2.0
        second += first
        second += fourth
        second *= step_s / 6.0
        state += second
        history[n + 1] = state[:nodes]
    stored_j = (capacity_j_k * (state[:nodes] - start_c)).sum(axis=0)
    times = np.asarray(step_s * np.arange(steps + 1), dtype=np.float64)
    return Ride(settings, times, history, state[nodes], state[nodes + 1], stored_j)


def _derived(p: Settings, signals: FloatArray) -> FloatArray:
    """Return what follows from the signals alone, shape (times, 5, cases), for `_Balances`.

    What comes in whatever the temperatures are [W]; the air through the equipment from the supply
    side, all that moves, and what passes beside it; the conductance of the coils where they work
    [W/K].
    """
    it_air, supply, from_air = (signals[:, n] for n in (0, 3, 5))
    through = (1.0 - p.recirculation) * it_air
    moved = np.maximum(supply, through)
    constant_w, works = signals[:, _CONSTANT].sum(axis=1), np.maximum(from_air, 1.0)
    return np.stack([constant_w, through, moved, moved - through, works], axis=1)


class _Balances:
    """The heat into every store in a state [W], then what comes in and what is taken away.

    Views of the rows and settings as arrays are made once: a step has few cases, and takes its time
    in calls. Where nothing is `wet` the loops of coolant and facility water rest.
    """

    def __init__(self, p: Settings, state: FloatArray, wet: bool) -> None:
        k, e = p.recirculation, p.server_effectiveness
        self.rates = np.zeros_like(state)
        self._into, self._state, self._wet = list(self.rates), list(state), wet
        self._layers = state[11:-3], state[12:-2], self.rates[12:-2]
        self._zero, self._rise, self._structure, self._valve = (
            np.array(value) for value in (0.0, e, p.structure_w_k, p.valve_w_k)
        )
        self._fresh, self._exhaust, self._whole = (
            np.array(value) for value in (1.0 - k, k * e, 1.0 - k * (1.0 - e))
        )
        self._air_c, self._tcs_c, self._fws_c, self._chw_c, self._sink_c = (
            np.array(value) for value in (p.air_c, p.tcs_c, p.fws_c, p.chw_c, p.sink_c)
        )
        self._shutdown_c, self._plate_limit_c = p.shutdown_c, p.plate_limit_c

    def fill(self, s: list[FloatArray]) -> None:
        """Work out the rates by the signals of a time, and what is derived from them."""
        into = self._into
        to_water = self._air(s)
        taken = self._liquid(s) if self._wet else (_NOTHING, _NOTHING)
        wr, first, last = self._state[10], self._state[11], self._state[-3]
        chw, pump_w, electrical_w, most = s[16:20]
        chilled = np.minimum(chw * (wr - self._chw_c), most)
        chilled = np.maximum(chilled, self._zero)
        np.add(chw * (last - wr) + to_water + taken[1] + pump_w, electrical_w, into[10])
        np.subtract(chw * (wr - first), chilled, into[11])
        above, layers, rates = self._layers
        if len(layers):
            np.multiply(chw, above - layers, rates)
        into[-2] += s[20]
        np.add(chilled, taken[0], into[-1])

    def _air(self, s: list[FloatArray]) -> FloatArray:
        """Fill in the balances of the halls; return what the coils give to the water [W]."""
        it_air, it_w, room_w, supply, fan_w, from_air, to_water = s[:7]
        through, moved, beside, works = s[21:]
        cold, hot, metal, mass, coil = self._state[:5]
        inlet = (self._fresh * cold + self._exhaust * metal) / self._whole
        rise = self._rise * (metal - inlet)
        wanted = supply * (hot - self._air_c) + fan_w
        over = hot - coil
        taken = np.maximum(from_air * over, self._zero)
        excess = wanted / works - over
        passed = to_water * (coil - self._state[-3])
        passed = np.minimum(passed, wanted + self._valve * excess)
        passed = np.maximum(passed, self._zero)
        into_mass = self._structure * (hot - mass)
        heat_w = it_w * _kept(inlet, self._shutdown_c)
        into = self._into
        np.add(moved * (hot - cold) - taken, fan_w, into[0])
        mixed = through * (inlet + rise - hot) + beside * (cold - hot)
        np.subtract(mixed + room_w, into_mass, into[1])
        np.subtract(heat_w, it_air * rise, into[2])
        into[3][:] = into_mass
        np.subtract(taken, passed, into[4])
        into[-2][:] = heat_w
        return np.asarray(passed)

    def _liquid(self, s: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """Fill in the balances of both loops; return what the outdoors and the chillers get [W]."""
        liquid_w, plate_w_k, tcs, cdu_w_k, pump_w, fws, fws_pump_w, sink_w_k, exchanger = s[7:16]
        plate, ts, tr, fs, fr = self._state[5:10]
        into_tcs = plate_w_k * (plate - ts)
        cdu = np.minimum(tcs * (tr - self._tcs_c), cdu_w_k * (tr - fs))
        cdu = np.maximum(cdu, self._zero)
        excess = fws * (fr - self._fws_c)
        sink = np.maximum(np.minimum(excess, sink_w_k * (fr - self._sink_c)), self._zero)
        chilled = np.minimum(excess - sink, exchanger * (fr - self._state[-3]))
        chilled = np.maximum(chilled, self._zero)
        heat_w = liquid_w * _kept(plate, self._plate_limit_c)
        into = self._into
        np.subtract(heat_w, into_tcs, into[5])
        np.subtract(tcs * (tr - ts), cdu, into[6])
        np.add(tcs * (ts - tr) + into_tcs, pump_w, into[7])
        np.subtract(fws * (fr - fs) - sink, chilled, into[8])
        np.add(fws * (fs - fr) + cdu, fws_pump_w, into[9])
        into[-2] += heat_w
        return sink, chilled


def _kept(temperature_c: FloatArray, limit_c: float) -> FloatArray:
    """Return the part of its load that equipment keeps at a temperature."""
    if np.maximum.reduce(temperature_c) <= limit_c:
        return _WHOLE
    part = (limit_c + _SHED_K - temperature_c) / _SHED_K
    return np.asarray(np.maximum(np.minimum(part, 1.0), 0.0))
