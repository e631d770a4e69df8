"""Power flow of a network over its states: live equipment, voltages, loading and loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.power.network.flow.compile import Compiled, compile_network
from facility.power.network.flow.results import Amounts, Arrays, Solved, new_arrays, served, write
from facility.power.network.flow.sweep import TOLERANCE, Solution, sweep
from facility.power.network.flow.transfer import Routes, islands, route, touched
from facility.power.network.graph.types import Outage

__all__ = [
    "Base",
    "Flow",
    "FlowOutcome",
    "base_state",
    "compile_network",
    "solve",
    "solve_from",
    "with_batteries",
]

_CHUNK_ELEMENTS = 524_288
_MIN_CHUNK = 32
_START = 2_000
_MAX_STATES = 64
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FlowOutcome:
    """Results of the states. Arrays are (equipment, states) unless stated otherwise."""

    outages: tuple[Outage, ...]
    live: Bools  # Energised at its output
    taken: NDArray[np.int8]  # Index of the link in use, -1 if dead, on battery, or a source
    on_battery: Bools  # Converter that runs with a dead input
    # Maximum loading over phases and over the limits in kVA, kW and A, of the units in service; nan
    # without a rating, or if dead.
    loading: FloatArray
    output_w: FloatArray  # Power at its output, all phases [W]
    # In the order of `Network.links`; nan without a rating. Shape (links, states).
    circuit_loading: FloatArray
    pattern: NDArray[np.int32]  # Set of live cords: bit 0 is cord 0; shape (loads, states)
    dropped_w: FloatArray  # Power not served [W]; shape (loads, states)
    off: Bools  # Whether something has stopped; shape (loads, states)
    # Served, but by no live cord with a running converter upstream;
    # shape (loads, states).
    unprotected: Bools
    # Minimum voltage over live cords and the phases they use; nan if none is alive. Shape (loads,
    # states).
    load_voltage_pu: FloatArray
    iterations: int  # Maximum iterations over cords and equipment of any state


@dataclass(frozen=True, eq=False)
class Flow(FlowOutcome, Amounts):
    """Power flow of all states, with all quantities."""


def solve(
    compiled: Compiled,
    outages: Sequence[Outage],
    *,
    batteries: bool = False,
    load_factor: FloatArray | None = None,
) -> Flow:
    """Solve the power flow of a network in all states.

    Sources maintain their nominal voltage, and so do converters at their output. Steady state of
    each phase, neutral without impedance; loads draw constant power at the voltage of their cord;
    the no-load loss of a transformer is a conductance at its output. The input current of a
    converter is balanced, and follows the positive sequence of its input voltage.

    compiled: From `compile_network`.
    outages: The states; one with no tags is the normal state.
    batteries: Whether converters with a dead input run from their batteries; otherwise the
        batteries are exhausted and the converters are off.
    load_factor: Load power / power of its kind, for each load and state; default 1, shape
        (loads, states).

    Raises ``NETWORK_VALUE`` for load factors of another shape, or not finite, or below zero;
    ``NETWORK_TAG`` for an unknown tag, ``NETWORK_COLLAPSE`` for a state without a voltage solution:
    the network cannot carry the load.
    """
    factor = _checked(load_factor, len(compiled.network.loads), len(outages))
    routes = route(compiled, outages, batteries)
    arrays, amounts = new_arrays(compiled, len(outages))
    rounds = [
        _sweep(part, outages, routes, arrays, amounts, factor).rounds
        for part in _whole(compiled, len(outages))
    ]
    found = _outcome(compiled, outages, routes, arrays, max(rounds, default=0), factor)
    return Flow(**vars(found), **vars(amounts))


@dataclass(frozen=True, eq=False)
class Base:
    """State with nothing out of service, the basis of `solve_from`."""

    compiled: Compiled
    batteries: bool  # See `solve`
    # The state.
    routes: Routes
    arrays: Arrays
    # Output current of the converters [per unit]; shape (converters, phases, 1).
    converter_current: NDArray[np.complex128]
    # Row of the converter that supplies each row, itself if a converter; otherwise another row.
    hangs_on: Ints


def base_state(compiled: Compiled, *, batteries: bool = False) -> Base:
    """Return the state with nothing out of service; see `solve` for the errors raised."""
    outages = [Outage("normal")]
    routes = route(compiled, outages, batteries)
    arrays, _ = new_arrays(compiled, 1)
    (whole,) = _whole(compiled, 1)
    solution = _sweep(whole, outages, routes, arrays)
    rows = np.arange(compiled.order.size)
    return Base(
        compiled=compiled,
        batteries=batteries,
        routes=routes,
        arrays=arrays,
        converter_current=solution.current[compiled.converters],
        hangs_on=islands(compiled, routes, rows, np.zeros_like(rows)),
    )


def with_batteries(base: Base) -> Base:
    """Return the base state with batteries; identical if no converter needs one."""
    routes = vars(route(base.compiled, [Outage("normal")], True))
    if all(np.array_equal(one, routes[name]) for name, one in vars(base.routes).items()):
        return replace(base, batteries=True)
    return base_state(base.compiled, batteries=True)


def solve_from(
    base: Base, outages: Sequence[Outage], routes: Routes
) -> Iterator[tuple[Ints, FlowOutcome]]:
    """Solve the power flow in many states by their differences from the base state.

    A converter maintains its output voltage, so its downstream network is solved again only if an
    outage affects it. The states differ from those of `solve` within `TOLERANCE`.

    base: From `base_state`.

    Raises as `solve`.

    Yields
    ------
    tuple of ndarray and Outcome
        Which outages were solved together, and their results.
    """
    compiled = base.compiled
    changed = touched(compiled, base.routes, routes)
    for states in _together(base, changed[compiled.converters]):
        part = _part(base, np.asarray(changed[:, states].any(axis=1)), np.arange(states.size))
        requested, own = [outages[state] for state in states], routes.of_states(states)
        arrays = base.arrays.repeated(states.size)
        rounds = _sweep(part, requested, own, arrays).rounds
        yield states, _outcome(compiled, requested, own, arrays, rounds)


def _together(base: Base, changed: Bools) -> Iterator[Ints]:
    """Yield states to solve together: states that affect the same or little more.

    Each is solved for everything that one of them affects, and another part takes as long as
    `_START` rows of a state. `changed` refers to converters, shape (converters, states).
    """
    converters = base.compiled.converters
    rows = np.bincount(base.hangs_on, minlength=base.compiled.order.size)[converters]
    keys = [(int(one.sum()), one.tobytes()) for one in changed.T]
    chosen: list[int] = []
    all_of = np.zeros(converters.size, dtype=bool)
    for state in sorted(range(len(keys)), key=keys.__getitem__):
        more = all_of | changed[:, state]
        own, now, then = (int(rows[one].sum()) for one in (changed[:, state], all_of, more))
        alone = now * len(chosen) + own + _START
        if chosen and (len(chosen) == _MAX_STATES or then * (len(chosen) + 1) > alone):
            yield np.array(chosen, dtype=np.intp)
            chosen, more = [], changed[:, state]
        chosen.append(state)
        all_of = more
    if chosen:
        yield np.array(chosen, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class _Part:
    """States that are solved together, with their rows and cords."""

    compiled: Compiled
    rows: Ints
    cords: Ints
    states: Ints


def _whole(compiled: Compiled, states: int) -> Iterator[_Part]:
    """Yield the whole network with ranges of states."""
    rows, cords = np.arange(compiled.order.size), np.arange(compiled.cords.source.size)
    step = max(_MIN_CHUNK, _CHUNK_ELEMENTS // (compiled.phases * (rows.size + cords.size)))
    for lo in range(0, states, step):
        yield _Part(compiled, rows, cords, np.arange(lo, min(states, lo + step)))


def _part(base: Base, changed: Bools, states: Ints) -> _Part:
    """Return states with the network outside converters, and the rows that are `changed`."""
    compiled, converters = base.compiled, base.compiled.converters
    selected = np.zeros(changed.size, dtype=bool)
    selected[converters] = ~changed[converters]
    solved = ~selected[base.hangs_on]
    rows = np.flatnonzero(solved | selected)
    cords = np.flatnonzero(solved[compiled.cords.source])
    current = np.where(selected[converters, None, None], base.converter_current, 0.0)
    return _Part(compiled.part(rows, cords, current), rows, cords, states)


def _outcome(
    compiled: Compiled,
    outages: Sequence[Outage],
    routes: Routes,
    arrays: Arrays,
    rounds: int,
    factor: FloatArray | None = None,
) -> FlowOutcome:
    number = np.argsort(compiled.order)
    found = {name: one for name, one in vars(arrays).items() if name != "min_square"}
    return FlowOutcome(
        outages=tuple(outages),
        live=routes.live[number],
        taken=routes.taken[number],
        on_battery=routes.on_battery[number],
        iterations=rounds,
        **found,
        **vars(served(compiled, routes, arrays.min_square, factor)),
    )


def _sweep(
    part: _Part,
    outages: Sequence[Outage],
    routes: Routes,
    arrays: Arrays,
    amounts: Amounts | None = None,
    factor: FloatArray | None = None,
) -> Solution:
    own = routes.part(part.rows, part.cords)
    if part.states.size < routes.live.shape[1]:
        own = own.of_states(part.states)
    solution = sweep(part.compiled, own, None if factor is None else factor[:, part.states])
    bad = np.flatnonzero(~(solution.error < TOLERANCE))
    if bad.size:
        state = int(bad[0])
        magnitude = np.abs(solution.voltage[:, :, state]).min(axis=1)
        magnitude[~own.live[:, state]] = np.inf
        row = int(np.argmin(np.where(np.isnan(magnitude), -1.0, magnitude)))
        raise FacilityError(
            "NETWORK_COLLAPSE",
            part.compiled.equipment(row).tag,
            f"no voltage solution in the state {outages[int(part.states[state])].id!r}; the"
            " lowest voltage is at this point. The impedances are too large for the load.",
            "Check impedances and load, or the ratings that are overloaded in this state.",
        )
    write(Solved(part.compiled, part.cords, own, solution, part.states), arrays, amounts)
    return solution


def _checked(factor: FloatArray | None, loads: int, states: int) -> FloatArray | None:
    if factor is None:
        return None
    factor = np.asarray(factor, dtype=np.float64)
    if factor.shape != (loads, states) or not np.all(np.isfinite(factor) & (factor >= 0.0)):
        raise FacilityError(
            "NETWORK_VALUE",
            "load_factor",
            f"the load factors have shape {factor.shape}, expected ({loads}, {states}), "
            "each finite and not below zero.",
            "Provide one number for each load and state.",
        )
    return factor
