"""Power flow of a network over its states: what is alive, every voltage, loading and loss."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.power.network.flow.compile import Compiled, compile_network
from facility.power.network.flow.results import new_arrays, write
from facility.power.network.flow.sweep import TOLERANCE, Solution, sweep
from facility.power.network.flow.transfer import Routes, read_outages, route
from facility.power.network.graph.types import Outage

__all__ = ["Flow", "compile_network", "solve"]

_CHUNK_ELEMENTS = 524_288
_LEAST_CHUNK = 64
_THREADS = 2
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Flow:
    """Power flow of all states. Arrays are (equipment, states) unless said otherwise.

    Attributes
    ----------
    outages : tuple[Outage, ...]
        The states.
    live : ndarray, bool
        Energised at its output.
    taken : ndarray, int8
        Number of the link in use, -1 where dead, on battery, or a source.
    on_battery : ndarray, bool
        Converter that runs although its input is dead.
    voltage_pu : ndarray
        Least phase voltage at its output over the nominal phase voltage; nan where dead.
    loading : ndarray
        Largest loading over phases and over the limits in kVA, kW and A, of the units in
        service; nan where there is no rating, or dead.
    current_a : ndarray, shape (equipment, 3 or 1, states)
        Phase currents at its output, all units [A].
    output_w, output_va : ndarray
        Power at its output, all phases; the apparent power is the sum over phases [W], [VA].
    loss_w : ndarray
        Loss of the equipment: series, no-load, conversion [W].
    neutral_a : ndarray or None
        Neutral current at its output [A]; None for a balanced network.
    circuit_loading, circuit_loss_w : ndarray, shape (links, states)
        In the order of `Network.links`; loading nan where there is no rating [1], [W].
    pattern : ndarray, int, shape (loads, states)
        Set of live cords: bit 0 is cord 0.
    dropped_w, off, unprotected : ndarray, shape (loads, states)
        Power not served [W]; something has stopped; served, but by no live cord that has a running
        converter between it and the sources.
    load_voltage_pu : ndarray, shape (loads, states)
        Least voltage over live cords and the phases they use; nan where none is alive.
    iterations : int
        Most rounds over cords and equipment that a state took.
    """

    outages: tuple[Outage, ...]
    live: Bools
    taken: NDArray[np.int8]
    on_battery: Bools
    voltage_pu: Floats
    loading: Floats
    current_a: Floats
    output_w: Floats
    output_va: Floats
    loss_w: Floats
    neutral_a: Floats | None
    circuit_loading: Floats
    circuit_loss_w: Floats
    pattern: NDArray[np.int32]
    dropped_w: Floats
    off: Bools
    unprotected: Bools
    load_voltage_pu: Floats
    iterations: int


def solve(
    compiled: Compiled,
    outages: Sequence[Outage],
    *,
    batteries: bool = False,
    load_factor: Floats | None = None,
) -> Flow:
    """Solve the power flow of a network in all states.

    Sources hold their nominal voltage, and so do converters at their output. Steady state of each
    phase, neutral without impedance; loads draw constant power at the voltage of their cord; the
    no-load loss of a transformer is a conductance at its output. The input current of a converter
    is balanced, and follows the positive sequence of its input voltage.

    Parameters
    ----------
    compiled : Compiled
        From `compile_network`.
    outages : sequence of Outage
        The states; one with no tags is the normal state.
    batteries : bool
        Whether converters whose input is dead run from their batteries; without, the batteries
        are exhausted and the converters stand still.
    load_factor : ndarray, shape (loads, states), optional
        Power of each load in each state over that of its kind; 1 where not given.

    Raises
    ------
    FacilityError
        ``NETWORK_VALUE`` for load factors of another shape, or not finite, or below zero;
        ``NETWORK_TAG`` for a tag that is not in the network, ``NETWORK_COLLAPSE`` for a state
        whose voltages do not settle: the network cannot carry the load.
    """
    out = read_outages(compiled, outages)
    factor = _checked(load_factor, len(compiled.network.loads), len(outages))
    arrays = new_arrays(compiled, len(outages))
    width = compiled.phases * (compiled.order.size + compiled.cords.source.size)
    step = min(_CHUNK_ELEMENTS // width, -(-len(outages) // _THREADS))
    step = max(_LEAST_CHUNK, step)
    starts = range(0, len(outages), step)

    def chunk(lo: int) -> int:
        hi = min(len(outages), lo + step)
        routes = route(compiled, out, lo, hi, batteries)
        part = None if factor is None else factor[:, lo:hi]
        solution = sweep(compiled, routes, part)
        bad = np.flatnonzero(~(solution.error < TOLERANCE))
        if bad.size:
            _refuse(compiled, routes, solution, outages[lo + int(bad[0])], int(bad[0]))
        write(compiled, routes, solution, arrays, slice(lo, hi), part)
        return solution.rounds

    if len(starts) == 1:
        iterations = chunk(0)
    else:
        with ThreadPoolExecutor(_THREADS) as pool:
            iterations = max(pool.map(chunk, starts), default=0)
    return Flow(outages=tuple(outages), iterations=iterations, **vars(arrays))


def _checked(factor: Floats | None, loads: int, states: int) -> Floats | None:
    if factor is None:
        return None
    factor = np.asarray(factor, dtype=np.float64)
    if factor.shape != (loads, states) or not np.all(np.isfinite(factor) & (factor >= 0.0)):
        raise FacilityError(
            "NETWORK_VALUE",
            "load_factor",
            f"the load factors have shape {factor.shape}, expected ({loads}, {states}), "
            "each finite and not below zero.",
            "Give one number for each load and state.",
        )
    return factor


def _refuse(
    compiled: Compiled, routes: Routes, solution: Solution, outage: Outage, state: int
) -> None:
    magnitude = np.abs(solution.voltage[:, :, state]).min(axis=1)
    magnitude[~routes.live[:, state]] = np.inf
    row = int(np.argmin(np.where(np.isnan(magnitude), -1.0, magnitude)))
    raise FacilityError(
        "NETWORK_COLLAPSE",
        compiled.equipment(row).tag,
        f"in the state {outage.id!r} the voltages do not settle; the lowest is here. The "
        "impedances are too large for the load.",
        "Check impedances and load, or the ratings that this state overloads.",
        exit_code=4,
    )
