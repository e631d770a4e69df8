"""Temperatures after a failure: the lumped model, integrated in time for many cases at once.

Twelve stores of heat and the supply side of the chilled water exchange heat by streams and
conductances::

    servers - cold air - hot air - structure        air of the halls
    hot air - coils                                 water and metal in them, to the chilled water
    exhaust - doors                                 the same of rear doors
    plates - TCS supply - TCS return                coolant, CDUs to the facility water
    FWS supply - FWS return                         tower or dry cooler, or the chilled water
    CHW return - CHW supply (one layer or several)  chillers

Every store is mixed; a stream of capacity rate c from A to B brings c (T_A - T_B). Heat removal
maintains its set point as long as possible: it removes the excess heat, at most what its
effectiveness allows, and never adds heat. Server fan flow is constant; air not supplied by the air
handlers comes from the hot side. Direct-expansion coils reject their heat to
their own compressors, up to compressor capacity. Overheated equipment sheds its load and
stops. The classical fourth-order Runge-Kutta method conserves total heat exactly, since every
exchange enters two balances with opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.stores import NODES, SIGNALS, Settings
from facility.core.kinds import FloatArray

_SHED_K = 5.0
"""Temperature range above the limit within which equipment sheds all of its load."""
# Rows that `with_derived` adds to the signals, in its order; a *widened* rate includes its factor
# of valve over coil conductance.
_DERIVED = (
    "through", "moved", "bypass", "widened", "fan_widened", "door_widened", "door_fan_widened",
    "structure", "valve", "door_valve", "one",
)  # fmt: skip
_ROWS = {name: n for n, name in enumerate((*SIGNALS, *_DERIVED))}
_LIMITED = (
    "air_shed", "liquid_shed", "taken", "door_taken", "passed", "door_passed", "cdu", "sink",
    "chilled",
)  # fmt: skip
"""Heats that are the smaller of two flows, never negative: `BalancePlan._flows` adds both flows of
each in this order."""
_SOURCES = (
    "it_air_w", "room_w", "fan_w", "door_fan_w", "liquid_w", "cdu_pump_w", "fws_pump_w",
    "chw_pump_w", "electrical_w",
)  # fmt: skip
_ADDED = 2
"""Rows of a state after its stores: heat supplied, heat removed."""
_AT_ONCE = 64
"""Times whose capacity rates are computed together."""
_Ints = NDArray[np.intp]


def with_derived(p: Settings, signals: FloatArray) -> FloatArray:
    """Return the signals with derived signals, shape (times, rows, cases).

    The air through the equipment from the supply side, total air flow, and bypass flow;
    coil heat above the set point as passed by their valves, and fans
    likewise, also for rear doors; constant conductances.
    """
    it_air, supply, fan, from_air, door_fan, door_air = (signals[:, _ROWS[name]] for name in (
        "it_air_w_k", "supply_air_w_k", "fan_w", "coil_air_w_k", "door_fan_w", "door_air_w_k",
    ))  # fmt: skip
    through = (1.0 - p.recirculation) * it_air
    moved = np.maximum(supply, through)
    wider = 1.0 + p.valve_w_k / np.maximum(from_air, 1.0)
    at_doors = 1.0 + p.door_valve_w_k / np.maximum(door_air, 1.0)
    fixed = (p.structure_w_k, p.valve_w_k, p.door_valve_w_k, 1.0)
    constants = (np.full_like(it_air, value) for value in fixed)
    required = (supply * wider, fan * wider, it_air * at_doors, door_fan * at_doors)
    derived = (through, moved, moved - through, *required, *constants)
    return np.concatenate([signals, np.stack(derived, axis=1)], axis=1)


def _inlet(p: Settings) -> tuple[float, float]:
    """Return the weights of supply side and metal in the inlet air: see `model.inlet_air`."""
    k, e = p.recirculation, p.server_effectiveness
    whole = 1.0 - k * (1.0 - e)
    return (1.0 - k) / whole, k * e / whole


class BalancePlan:
    """Differences, capacity rates and sums of the balances.

    settings: Constants.
    stores: Number of stores, counting each layer of the chilled-water supply.
    signals: In the order of `SIGNALS`, shape (times, signals, cases).

    A state has a row for each store, one for heat supplied, one for heat removed, and a row
    of ones for the flow offsets.
    """

    def __init__(self, settings: Settings, stores: int, signals: FloatArray) -> None:
        self.stores, self.direct = stores, settings.direct
        self.rows = stores + _ADDED + 1
        self.exchanger = bool(signals[:, _ROWS["plate_exchanger_w_k"]].any())
        self.warmer = bool(signals[:, _ROWS["sink_warmer_w"]].any())
        self._settings, self._signals = settings, signals
        self._index = {name: n for n, name in enumerate(NODES)} | {"last": stores - 1}
        self._weights: list[Mapping[str, float]] = []
        self._offsets: list[float] = []
        self._rates: list[str] = []
        self._names: dict[str, int] = {}
        self._flows(settings)
        self._flow("sink warmer", "sink_warmer_w", {}, 1.0)
        self.layers = [f"layer {n}" for n in range(len(NODES), stores)]
        for n, name in enumerate(self.layers, len(NODES)):
            self._index |= {f"above {name}": n - 1, name: n}
            self._flow(name, "chw_w_k", {f"above {name}": 1.0, name: -1.0})
        self.flows = len(self._rates)
        self.differences = np.zeros((self.flows, self.rows))
        for n, weights in enumerate(self._weights):
            for store, weight in weights.items():
                self.differences[n, self._index[store]] += weight
        self.differences[:, -1] = self._offsets
        self.rates: _Ints = np.array([_ROWS[name] for name in self._rates], dtype=np.intp)
        self.sources: _Ints = np.array([_ROWS[name] for name in _SOURCES], dtype=np.intp)
        others = (*_LIMITED, "fws_chilled", *_SOURCES)
        self.terms = {name: self.flows + n for n, name in enumerate(others)}
        self.sums = self._sums()

    def _flow(
        self, name: str, rate: str, weights: Mapping[str, float], offset: float = 0.0
    ) -> None:
        """Add a flow: the signal `rate` times a weighted difference of stores."""
        self._names[name] = len(self._rates)
        self._rates.append(rate)
        self._weights.append(weights)
        self._offsets.append(offset)

    def row(self, name: str) -> int:
        """Return the row of a flow."""
        return self._names[name]

    def _flows(self, p: Settings) -> None:
        """Add the flows: pairs with the smaller one effective, then the others.

        `Balances` takes slices of them. The first nine are those of `_LIMITED`, the next nine,
        named ``limit``, their bounds, both in its order; the flow of doors follows that of the air
        handlers where both exist.
        """
        fresh, metal = _inlet(p)
        inlet = {"cold_air": fresh, "servers": metal}
        e, flow = p.server_effectiveness, self._flow
        rise = {"cold_air": -e * fresh, "servers": e * (1.0 - metal)}
        out = {"cold_air": fresh * (1.0 - e), "servers": metal + e * (1.0 - metal)}
        over = {n: w / _SHED_K for n, w in inlet.items()}
        flow("air_shed", "it_air_w", over, -p.shutdown_c / _SHED_K)
        flow("liquid_shed", "liquid_w", {"plates": 1.0 / _SHED_K}, -p.plate_limit_c / _SHED_K)
        flow("taken", "coil_air_w_k", {"hot_air": 1.0, "coils": -1.0})
        flow("door_taken", "door_air_w_k", {**out, "doors": -1.0})
        flow("passed", "coil_water_w_k", {"coils": 1.0, "last": -1.0})
        flow("door_passed", "door_water_w_k", {"doors": 1.0, "last": -1.0})
        flow("cdu", "tcs_w_k", {"tcs_return": 1.0}, -p.tcs_c)
        flow("sink", "fws_w_k", {"fws_return": 1.0}, -p.fws_c)
        flow("chilled", "chw_w_k", {"chw_return": 1.0}, -p.chw_c)
        flow("air_shed limit", "it_air_w", {}, 1.0)
        flow("liquid_shed limit", "liquid_w", {}, 1.0)
        flow("taken limit", "coil_air_w_k", {"hot_air": 1.0, "coils": -1.0})
        flow("door_taken limit", "door_air_w_k", {**out, "doors": -1.0})
        flow("passed limit", "widened", {"hot_air": 1.0}, -p.air_c)
        flow("door_passed limit", "door_widened", rise)
        flow("cdu limit", "cdu_w_k", {"tcs_return": 1.0, "fws_supply": -1.0})
        flow("sink limit", "sink_w_k", {"fws_return": 1.0}, -p.sink_c)
        flow("chilled limit", "chiller_w", {}, 1.0)
        flow("fws_chilled limit", "plate_exchanger_w_k", {"fws_return": 1.0, "last": -1.0})
        flow("beyond", "valve", {"hot_air": 1.0, "coils": -1.0})
        flow("door beyond", "door_valve", {**out, "doors": -1.0})
        flow("fan", "fan_widened", {}, 1.0)
        flow("door fan", "door_fan_widened", {}, 1.0)
        flow("into cold", "moved", {"hot_air": 1.0, "cold_air": -1.0})
        flow("through", "through", {**out, "hot_air": -1.0})
        flow("bypass", "bypass", {"cold_air": 1.0, "hot_air": -1.0})
        flow("carried", "it_air_w_k", rise)
        flow("into mass", "structure", {"hot_air": 1.0, "structure": -1.0})
        flow("into tcs", "plate_w_k", {"plates": 1.0, "tcs_supply": -1.0})
        flow("tcs", "tcs_w_k", {"tcs_return": 1.0, "tcs_supply": -1.0})
        flow("fws", "fws_w_k", {"fws_return": 1.0, "fws_supply": -1.0})
        flow("back", "chw_w_k", {"last": 1.0, "chw_return": -1.0})
        flow("into first", "chw_w_k", {"chw_return": 1.0, "chw_supply": -1.0})

    def _sums(self) -> FloatArray:
        """Return the matrix that sums the terms into the balances, heat in and heat removed.

        A term with ``-`` leaves the store.
        """
        taken = () if self.direct else ("passed", "door_passed")
        compressed = ("passed",) if self.direct else ()
        into: dict[str, tuple[str, ...]] = {
            "cold_air": ("into cold", "-taken", "fan_w"),
            "hot_air": ("through", "bypass", "room_w", "door_fan_w", "-door_taken", "-into mass"),
            "servers": ("it_air_w", "-air_shed", "-carried"),
            "structure": ("into mass",),
            "coils": ("taken", "-passed"),
            "doors": ("door_taken", "-door_passed"),
            "plates": ("liquid_w", "-liquid_shed", "-into tcs"),
            "tcs_supply": ("tcs", "-cdu"),
            "tcs_return": ("-tcs", "into tcs", "cdu_pump_w"),
            "fws_supply": ("fws", "-sink", "-fws_chilled"),
            "fws_return": ("-fws", "cdu", "fws_pump_w"),
            "chw_return": ("back", *taken, "fws_chilled", "chw_pump_w", "electrical_w"),
            "chw_supply": ("into first", "-chilled"),
        }
        into |= {name: (name,) for name in self.layers}
        rows = [(self._index[store], of_store) for store, of_store in into.items()]
        rows.append((self.stores, (*_SOURCES, "-air_shed", "-liquid_shed")))
        rows.append((self.stores + 1, ("chilled", "sink", *compressed)))
        found = np.zeros((self.rows, self.flows + len(self.terms)))
        known = self._names | self.terms
        for row, terms in rows:
            for term in terms:
                found[row, known[term.removeprefix("-")]] += -1.0 if term.startswith("-") else 1.0
        return found

    def times(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield capacity rates and sources of each time."""
        for first in range(0, len(self._signals), _AT_ONCE):
            some = with_derived(self._settings, self._signals[first : first + _AT_ONCE])
            rates, sources = (some.take(rows, axis=1) for rows in (self.rates, self.sources))
            yield from zip(rates, sources, strict=True)


class Balances:
    """The heat into every store in a state [W], then heat supplied and heat removed.

    Every stream and conductance is a capacity rate times a difference of temperatures: the first
    product of matrices gives all differences, the second sums the flows of the balances. With
    few cases a step costs as much as its numpy calls, of which there are nine.
    """

    def __init__(self, plan: BalancePlan, cases: int) -> None:
        self._plan = plan
        self._terms = np.zeros((plan.flows + len(plan.terms), cases))
        self._flows, self._others = self._terms[: plan.flows], self._terms[plan.flows :]
        wide, first = len(_LIMITED), plan.row(_LIMITED[0])
        self._one, self._limit = (self._flows[n : n + wide] for n in (first, first + wide))
        self._limited, self._chilled = self._others[:wide], self._others[wide]
        self._sources = self._others[wide + 1 :]
        self._required, self._beyond, self._fan = (
            self._flows[plan.row(name) : plan.row(name) + 2]
            for name in ("passed limit", "beyond", "fan")
        )
        self._exchanged = self._flows[plan.row("fws_chilled limit")]
        self._water = self._flows[plan.row("sink")]
        self._sink = self._limited[_LIMITED.index("sink")]
        self._compressors = self._flows[plan.row("chilled limit")]
        self._sink_limit, self._warmer = (
            self._flows[plan.row(name)] for name in ("sink limit", "sink warmer")
        )
        self._zero = np.array(0.0)

    def at(self, moment: tuple[FloatArray, FloatArray]) -> None:
        """Set the capacity rates and sources of a time: see `BalancePlan.times`."""
        self._rates, self._sources[:] = moment

    def fill(self, state: FloatArray, rates: FloatArray) -> None:
        """Write the heat into every store in `state` to `rates` [W]."""
        plan, flows, required = self._plan, self._flows, self._required
        np.dot(plan.differences, state, out=flows)
        np.multiply(flows, self._rates, out=flows)
        np.add(required, self._fan, out=required)
        np.subtract(required, self._beyond, out=required)
        if plan.direct:
            np.minimum(required[0], self._compressors, out=required[0])
        if plan.warmer:
            np.subtract(self._sink_limit, self._warmer, out=self._sink_limit)
        np.minimum(self._one, self._limit, out=self._limited)
        np.maximum(self._limited, self._zero, out=self._limited)
        if plan.exchanger:
            np.subtract(self._water, self._sink, out=self._chilled)
            np.minimum(self._chilled, self._exchanged, out=self._chilled)
            np.maximum(self._chilled, self._zero, out=self._chilled)
        np.dot(plan.sums, self._terms, out=rates)


_STABLE = 0.7
"""Step over the shortest time constant; the method is stable up to 2.78."""
_LAYERS = len(NODES) - 1
_WEIGHTS = np.array([1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 1.0])
"""Weights of the four stages of a step: 1/2, 1/2, 1 and 1/6."""


@dataclass(frozen=True, eq=False)
class Ride:
    """Temperatures and heat balance of the cases over time."""

    settings: Settings
    time_s: FloatArray  # Times [s]; shape (times,)
    # Temperatures in the order of `NODES`, the layers of the chilled-water supply last [degC];
    # shape (times, nodes, cases).
    temperature_c: FloatArray
    supplied_j: FloatArray  # Heat supplied [J]; shape (cases,)
    removed_j: FloatArray  # Heat that chillers and heat rejection removed [J]; shape (cases,)
    stored_j: FloatArray  # Heat stored [J]; shape (cases,)
    _index: dict[str, int] = field(
        default_factory=lambda: {name: n for n, name in enumerate(NODES)}, repr=False
    )

    def node(self, name: str) -> FloatArray:
        """Return the temperatures of a store, shape (times, cases); the last of several layers."""
        if name == "chw_supply":
            return self.temperature_c[:, -1]
        return self.temperature_c[:, self._index[name]]

    def inlet(self, recirculation: float) -> FloatArray:
        """Return the equipment inlet for an exhaust fraction, shape (times, cases)."""
        return inlet_air(
            self.node("cold_air"),
            self.node("servers"),
            recirculation,
            self.settings.server_effectiveness,
        )


def together(runs: Sequence[Ride]) -> Ride:
    """Return the cases of several runs of equal times as one, in order."""
    if len(runs) == 1:
        return runs[0]
    return replace(
        runs[0],
        temperature_c=np.concatenate([one.temperature_c for one in runs], axis=2),
        supplied_j=np.concatenate([one.supplied_j for one in runs]),
        removed_j=np.concatenate([one.removed_j for one in runs]),
        stored_j=np.concatenate([one.stored_j for one in runs]),
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
    capacity_j_k: FloatArray, signals: FloatArray, settings: Settings, longest_s: float
) -> float:
    """Return a step that resolves the shortest time constant, no longer than `longest_s` [s]."""
    return _STABLE * min(longest_s / _STABLE, fastest_store(capacity_j_k, signals, settings)[1])


def fastest_store(
    capacity_j_k: FloatArray, signals: FloatArray, settings: Settings
) -> tuple[str, float]:
    """Return the store of the shortest time constant, and its time constant [s].

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

    settings: Constants.
    capacity_j_k, start_c: Heat capacities [J/K] and initial temperatures [degC], shape (nodes,
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
    stages = (
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
        for before, per_w, one, rates in stages:
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
