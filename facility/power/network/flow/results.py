"""From voltages and currents per unit to what is reported: loadings, amperes, watts."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    """What is solved, filled part by part: of a `Flow`, and the least voltages of the cords.

    `least` is the square of the least voltage at the end of each cord, infinite where it is dead.
    The numbers of one state lie together.
    """

    voltage_pu: FloatArray
    loading: FloatArray
    current_a: FloatArray
    output_w: FloatArray
    output_va: FloatArray
    loss_w: FloatArray
    neutral_a: FloatArray | None
    circuit_loading: FloatArray
    circuit_loss_w: FloatArray
    least: FloatArray

    def repeated(self, states: int) -> Arrays:
        """Return the arrays of one state for a number of states like it."""
        columns = {name: one for name, one in vars(self).items() if one is not None}
        return replace(
            self, **{name: np.repeat(one.T, states, axis=0).T for name, one in columns.items()}
        )


def new_arrays(compiled: Compiled, states: int) -> Arrays:
    """Return empty arrays for a number of states."""
    rows, phases = compiled.order.size, compiled.phases
    links = compiled.branches.row.size + compiled.cords.source.size

    def empty(*shape: int) -> FloatArray:
        return np.empty((states, *shape[::-1])).T

    return Arrays(
        voltage_pu=empty(rows),
        loading=empty(rows),
        current_a=empty(rows, phases),
        output_w=empty(rows),
        output_va=empty(rows),
        loss_w=empty(rows),
        neutral_a=empty(rows) if phases == 3 else None,
        circuit_loading=empty(links),
        circuit_loss_w=empty(links),
        least=empty(compiled.cords.source.size),
    )


def write(
    compiled: Compiled, cords: Ints, routes: Routes, solution: Solution, arrays: Arrays, to: Ints
) -> None:
    """Write the states of a network, or of a part of it with some `cords`, as the states `to`."""
    _equipment(compiled, routes, solution, arrays, to)
    branches = compiled.branches
    _circuits(compiled, branches.link, solution.current[branches.column], arrays, to)
    _cords(compiled, cords, routes, solution, arrays, to)


def _equipment(
    compiled: Compiled, routes: Routes, solution: Solution, arrays: Arrays, to: Ints
) -> None:
    ratings, place = compiled.ratings, np.ix_(compiled.order, to)
    current = solution.current[: compiled.order.size]
    through = solution.through
    plain = _plain_rows(compiled)
    through[plain] = current[plain]
    squares = _square(solution.voltage)
    size, amperes = np.sqrt(squares), np.sqrt(_square(current))
    power_w = (solution.voltage * current.conj()).real * (BASE_VA / compiled.phases)
    total_w = power_w.sum(axis=1)
    arrays.voltage_pu[place] = np.where(routes.live, size.min(axis=1), np.nan)
    arrays.output_w[place] = total_w
    size *= amperes
    arrays.output_va[place] = size.sum(axis=1) * (BASE_VA / compiled.phases)
    amperes *= ratings.base_a[:, None, None]
    for phase in range(compiled.phases):
        arrays.current_a[:, phase][place] = amperes[:, phase]
    if arrays.neutral_a is not None:
        neutral = np.sqrt(_square(current.sum(axis=1)))
        arrays.neutral_a[place] = neutral * ratings.base_a[:, None]
    carried = _square(through)
    arrays.loss_w[place] = _losses(compiled, routes, carried, squares, total_w)
    arrays.loading[place] = _loading(compiled, routes, carried, power_w)


def _plain_rows(compiled: Compiled) -> Ints:
    return np.concatenate([np.arange(level.lo, level.special) for level in compiled.levels])


def _losses(
    compiled: Compiled,
    routes: Routes,
    carried: FloatArray,
    squares: FloatArray,
    output_w: FloatArray,
) -> FloatArray:
    """Return series, no-load and conversion losses by row [W].

    `carried` and `squares` are the squares of current and voltage by phase [per unit].
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


def _cords(
    compiled: Compiled, number: Ints, routes: Routes, solution: Solution, arrays: Arrays, to: Ints
) -> None:
    """Write the circuits of the cords, and the least voltages at their ends."""
    cords = compiled.cords
    count, phases, width = solution.cord_current.shape
    step = max(1, _BLOCK // (phases * width))
    for lo in range(0, count, step):
        part = slice(lo, lo + step)
        current = solution.cord_current[part]
        _circuits(compiled, cords.link[part], current, arrays, to)
        volts = solution.voltage[cords.source[part]]
        volts -= cords.impedance[part] * current
        square = _square(volts)
        square[~cords.used[part]] = np.inf
        least = square.min(axis=1)
        least[~routes.cord_live[part]] = np.inf
        arrays.least[np.ix_(number[part], to)] = least


def _circuits(
    compiled: Compiled,
    number: Ints,
    current: NDArray[np.complex128],
    arrays: Arrays,
    to: Ints,
) -> None:
    """Write loading and loss of circuits from their currents."""
    ratings, place = compiled.ratings, np.ix_(number, to)
    square = _square(current)
    largest = np.sqrt(square.max(axis=1))
    largest *= ratings.circuit_per_current[number, None]
    arrays.circuit_loading[place] = largest
    loss_w = square.sum(axis=1)
    loss_w *= ratings.circuit_ohm[number, None] * (BASE_VA / compiled.phases)
    arrays.circuit_loss_w[place] = loss_w


@dataclass(frozen=True, eq=False)
class Served:
    """What the loads get; see `Flow`."""

    pattern: NDArray[np.int32]
    dropped_w: FloatArray
    off: Bools
    unprotected: Bools
    load_voltage_pu: FloatArray


def served(
    compiled: Compiled, routes: Routes, least: FloatArray, load_factor: FloatArray | None
) -> Served:
    """Return what the loads get; `least` as in `Arrays`."""
    cords = compiled.cords
    row = cords.load_table[:, None] + routes.pattern
    safe = routes.cord_live & routes.protected[cords.source]
    any_safe = np.zeros(row.shape, dtype=bool)
    volts = np.full(row.shape, np.inf)
    for side, loads in cords.sides:
        any_safe[loads] |= safe[side]
        volts[loads] = np.minimum(volts[loads], least[side])
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
