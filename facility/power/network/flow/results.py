"""Reported results from per unit voltages and currents: loadings, amperes, watts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.power.network.flow.compile import BASE_VA, Compiled
from facility.power.network.flow.sweep import Solution, converter_loss
from facility.power.network.flow.transfer import Routes

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
_BLOCK = 16_384


@dataclass(frozen=True, eq=False)
class Arrays:
    """Data for outage verdicts, filled in parts: an `Outcome`, and the cord voltages.

    `min_square` is the square of the minimum voltage at the end of each cord, infinite if dead.
    The values of one state are contiguous.
    """

    loading: FloatArray
    output_w: FloatArray
    circuit_loading: FloatArray
    min_square: FloatArray

    def repeated(self, states: int) -> Arrays:
        """Return the arrays of one state repeated for a number of identical states."""
        return Arrays(**{n: np.repeat(a.T, states, axis=0).T for n, a in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Amounts:
    """Further quantities of a `Flow`, filled in parts. Arrays are as in `FlowOutcome`."""

    # Minimum output phase voltage / nominal phase voltage; nan if dead.
    voltage_pu: FloatArray
    # Output phase currents, all units [A]; shape (equipment, 3 or 1, states).
    current_a: FloatArray
    # Output apparent power, from the sum of the complex powers of all phases [VA]: a line-to-line
    # load rotates the power factor of each line by 30 degrees, but not the total.
    output_va: FloatArray
    loss_w: FloatArray  # Loss of the equipment: series, no-load, conversion [W]
    neutral_a: FloatArray | None  # Output neutral current [A]; None for a balanced network
    # Largest line current, in the order of `Network.links` [A]; shape (links, states).
    circuit_a: FloatArray
    circuit_loss_w: FloatArray  # Loss, in the order of `Network.links` [W]; shape (links, states)


def new_arrays(compiled: Compiled, states: int) -> tuple[Arrays, Amounts]:
    """Return empty arrays for a number of states."""
    rows, phases = compiled.order.size, compiled.phases
    links = compiled.branches.row.size + compiled.cords.source.size

    def empty(*shape: int) -> FloatArray:
        return np.empty((states, *shape[::-1])).T

    arrays = Arrays(
        loading=empty(rows),
        output_w=empty(rows),
        circuit_loading=empty(links),
        min_square=empty(compiled.cords.source.size),
    )
    return arrays, Amounts(
        voltage_pu=empty(rows),
        current_a=empty(rows, phases),
        output_va=empty(rows),
        loss_w=empty(rows),
        neutral_a=empty(rows) if phases == 3 else None,
        circuit_a=empty(links),
        circuit_loss_w=empty(links),
    )


@dataclass(frozen=True, eq=False)
class Solved:
    """Solved states of a network, or of a part of it with some `cords`, with indices `to`."""

    compiled: Compiled
    cords: Ints
    routes: Routes
    solution: Solution
    to: Ints


def write(solved: Solved, arrays: Arrays, amounts: Amounts | None) -> None:
    """Write the solution into the arrays."""
    squares = _square(solved.solution.current)
    _equipment(solved, squares, arrays, amounts)
    branches = solved.compiled.branches
    _circuits(solved, branches.link, squares[branches.column], arrays, amounts)
    # Circuits of the cords, and the minimum voltages at their ends
    cords, solution = solved.compiled.cords, solved.solution
    count, phases, width = solution.cord_current.shape
    step = max(1, _BLOCK // (phases * width))
    for lo in range(0, count, step):
        part = slice(lo, lo + step)
        current = solution.cord_current[part]
        _circuits(solved, cords.link[part], _square(current), arrays, amounts)
        volts = solution.voltage[cords.source[part]]
        volts -= cords.impedance[part] * current
        square = _square(volts)
        square[~cords.used[part]] = np.inf
        min_square = square.min(axis=1)
        min_square[~solved.routes.cord_live[part]] = np.inf
        arrays.min_square[np.ix_(solved.cords[part], solved.to)] = min_square


def _equipment(
    solved: Solved, squares: FloatArray, arrays: Arrays, amounts: Amounts | None
) -> None:
    """Write equipment results; `squares` are the squared currents of rows and branches."""
    compiled, solution = solved.compiled, solved.solution
    rows = compiled.order.size
    at = np.ix_(compiled.order, solved.to)
    carried = squares[:rows].copy()
    for level in compiled.levels:
        special = slice(level.special, level.hi)
        carried[special] = _square(solution.through[special])
    power_va = solution.voltage * solution.current[:rows].conj()
    power_w = power_va.real * (BASE_VA / compiled.phases)
    total_w = power_w.sum(axis=1)
    arrays.output_w[at] = total_w
    arrays.loading[at] = _loading(compiled, solved.routes, carried, power_w)
    if amounts is None:
        return
    volts = _square(solution.voltage)
    amounts.loss_w[at] = _losses(compiled, solved.routes, carried, volts, total_w)
    amperes = np.sqrt(squares[:rows])
    lowest = np.sqrt(volts.min(axis=1))
    amounts.voltage_pu[at] = np.where(solved.routes.live, lowest, np.nan)
    reactive_var = power_va.imag.sum(axis=1) * (BASE_VA / compiled.phases)
    amounts.output_va[at] = np.hypot(total_w, reactive_var)
    base_a = compiled.ratings.base_a
    amperes *= base_a[:, None, None]
    for phase in range(compiled.phases):
        amounts.current_a[:, phase][at] = amperes[:, phase]
    if amounts.neutral_a is not None:
        neutral = np.sqrt(_square(solution.current[:rows].sum(axis=1)))
        amounts.neutral_a[at] = neutral * base_a[:, None]


def _losses(
    compiled: Compiled,
    routes: Routes,
    carried: FloatArray,
    squares: FloatArray,
    output_w: FloatArray,
) -> FloatArray:
    """Return series, no-load and conversion losses by row [W].

    `carried` and `squares` are the squared current and voltage by phase [per unit].
    """
    ratings, units = compiled.ratings, np.maximum(routes.units, 1)
    holds = np.zeros(compiled.order.size, dtype=bool)
    holds[: compiled.levels[0].hi] = True
    converters = compiled.converters
    holds[converters] = True
    resistance = np.where(holds, 0.0, ratings.impedance.real)[:, None] / units
    no_load = ratings.no_load[:, None] * units * routes.live
    loss_w: FloatArray = carried.sum(axis=1) * resistance + squares.sum(axis=1) * no_load
    loss_w *= BASE_VA / compiled.phases
    conversion = converter_loss(compiled, routes, converters, output_w[converters])
    loss_w[converters] = np.where(routes.live[converters], conversion, 0.0)
    return loss_w


def _loading(
    compiled: Compiled, routes: Routes, carried: FloatArray, power_w: FloatArray
) -> FloatArray:
    """Return the largest loading over phases and limits; see `Ratings` for the limits."""
    ratings = compiled.ratings
    loading: FloatArray = np.sqrt(carried.max(axis=1)) * ratings.per_current[:, None]
    limited = np.flatnonzero(~np.isnan(ratings.rating_w))
    watts = power_w[limited]
    by_watt = np.fmax(
        watts.sum(axis=1) * ratings.per_watt[limited, None],
        watts.max(axis=1) * ratings.per_phase_watt[limited, None] * (compiled.phases / 3.0),
    )
    loading[limited] = np.fmax(loading[limited], by_watt)
    loading /= np.maximum(routes.units, 1)
    loading[~routes.live] = np.nan
    return loading


def _circuits(
    solved: Solved, number: Ints, square: FloatArray, arrays: Arrays, amounts: Amounts | None
) -> None:
    """Write loading and loss of circuits from their squared currents."""
    ratings, at = solved.compiled.ratings, np.ix_(number, solved.to)
    largest = np.sqrt(square.max(axis=1))
    arrays.circuit_loading[at] = largest * ratings.circuit_per_current[number, None]
    if amounts is not None:
        amounts.circuit_a[at] = largest * ratings.circuit_base_a[number, None]
        loss_w = square.sum(axis=1)
        loss_w *= ratings.circuit_ohm[number, None] * (BASE_VA / solved.compiled.phases)
        amounts.circuit_loss_w[at] = loss_w


@dataclass(frozen=True, eq=False)
class Served:
    """Served load; see `Outcome`."""

    pattern: NDArray[np.int32]
    dropped_w: FloatArray
    off: Bools
    unprotected: Bools
    load_voltage_pu: FloatArray


def served(
    compiled: Compiled, routes: Routes, min_square: FloatArray, load_factor: FloatArray | None
) -> Served:
    """Return the served load; `min_square` as in `Arrays`."""
    cords = compiled.cords
    row = cords.load_table[:, None] + routes.pattern
    safe = routes.cord_live & routes.protected[cords.source]
    any_safe = np.zeros(row.shape, dtype=bool)
    volts = np.full(row.shape, np.inf)
    for side, loads in cords.sides:
        any_safe[loads] |= safe[side]
        volts[loads] = np.minimum(volts[loads], min_square[side])
    volts[np.isinf(volts)] = np.nan
    dropped_w = cords.dropped_w.take(row)
    return Served(
        pattern=routes.pattern,
        dropped_w=dropped_w if load_factor is None else dropped_w * load_factor,
        off=cords.off.take(row),
        unprotected=cords.served.take(row) & ~any_safe,
        load_voltage_pu=np.sqrt(volts),
    )


def _square(values: NDArray[np.complex128]) -> FloatArray:
    found: FloatArray = np.square(values.real)
    found += np.square(values.imag)
    return found
