"""From voltages and currents per unit to what is reported: loadings, amperes, watts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.power.network.flow.compile import BASE_VA, Compiled
from facility.power.network.flow.sweep import Solution, converter_loss
from facility.power.network.flow.transfer import Routes

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_BLOCK = 16_384


@dataclass(frozen=True, eq=False)
class Arrays:
    """The arrays of a `Flow`, filled range by range of states."""

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


def new_arrays(compiled: Compiled, states: int) -> Arrays:
    """Return empty arrays for a number of states."""
    rows, loads = compiled.order.size, compiled.cords.load_table.size
    links = compiled.branches.row.size + compiled.cords.source.size
    phases = compiled.phases

    def floats(*shape: int) -> Floats:
        return np.empty((*shape, states))

    return Arrays(
        live=np.empty((rows, states), dtype=bool),
        taken=np.empty((rows, states), dtype=np.int8),
        on_battery=np.empty((rows, states), dtype=bool),
        voltage_pu=floats(rows),
        loading=floats(rows),
        current_a=floats(rows, phases),
        output_w=floats(rows),
        output_va=floats(rows),
        loss_w=floats(rows),
        neutral_a=floats(rows) if phases == 3 else None,
        circuit_loading=floats(links),
        circuit_loss_w=floats(links),
        pattern=np.empty((loads, states), dtype=np.int32),
        dropped_w=floats(loads),
        off=np.empty((loads, states), dtype=bool),
        unprotected=np.empty((loads, states), dtype=bool),
        load_voltage_pu=floats(loads),
    )


def write(
    compiled: Compiled,
    routes: Routes,
    solution: Solution,
    arrays: Arrays,
    states: slice,
    load_factor: Floats | None,
) -> None:
    """Write a range of states into the arrays."""
    _transfer(compiled, routes, arrays, states)
    _equipment(compiled, routes, solution, arrays, states)
    branches = compiled.branches
    _circuits(compiled, branches.link, solution.current[branches.column], arrays, states)
    _loads(compiled, routes, _cords(compiled, routes, solution, arrays, states), arrays, states)
    if load_factor is not None:
        arrays.dropped_w[:, states] *= load_factor


def _transfer(compiled: Compiled, routes: Routes, arrays: Arrays, states: slice) -> None:
    order = compiled.order
    arrays.live[order, states] = routes.live
    arrays.taken[order, states] = routes.taken
    arrays.on_battery[order, states] = routes.on_battery


def _equipment(
    compiled: Compiled, routes: Routes, solution: Solution, arrays: Arrays, states: slice
) -> None:
    order, ratings = compiled.order, compiled.ratings
    current = solution.current[: order.size]
    through = solution.through
    plain = _plain_rows(compiled)
    through[plain] = current[plain]
    squares = _square(solution.voltage)
    size, amperes = np.sqrt(squares), np.sqrt(_square(current))
    power_w = (solution.voltage * current.conj()).real * (BASE_VA / compiled.phases)
    total_w = power_w.sum(axis=1)
    arrays.voltage_pu[order, states] = np.where(routes.live, size.min(axis=1), np.nan)
    arrays.output_w[order, states] = total_w
    size *= amperes
    arrays.output_va[order, states] = size.sum(axis=1) * (BASE_VA / compiled.phases)
    amperes *= ratings.base_a[:, None, None]
    arrays.current_a[order, :, states] = amperes
    if arrays.neutral_a is not None:
        neutral = np.sqrt(_square(current.sum(axis=1)))
        arrays.neutral_a[order, states] = neutral * ratings.base_a[:, None]
    carried = _square(through)
    arrays.loss_w[order, states] = _losses(compiled, routes, carried, squares, total_w)
    arrays.loading[order, states] = _loading(compiled, routes, carried, power_w)


def _plain_rows(compiled: Compiled) -> NDArray[np.intp]:
    return np.concatenate([np.arange(level.lo, level.special) for level in compiled.levels])


def _converter_rows(compiled: Compiled) -> NDArray[np.intp]:
    return np.concatenate([level.special + level.converters for level in compiled.levels])


def _losses(
    compiled: Compiled, routes: Routes, carried: Floats, squares: Floats, output_w: Floats
) -> Floats:
    """Return series, no-load and conversion losses by row [W].

    `carried` and `squares` are the squares of current and voltage by phase [per unit].
    """
    ratings, units = compiled.ratings, np.maximum(routes.units, 1)
    holds = np.zeros(compiled.order.size, dtype=bool)
    holds[: compiled.levels[0].hi] = True
    converters = _converter_rows(compiled)
    holds[converters] = True
    resistance = np.where(holds, 0.0, ratings.impedance.real)[:, None] / units
    no_load = ratings.no_load[:, None] * units * routes.live
    loss_w: Floats = carried.sum(axis=1) * resistance + squares.sum(axis=1) * no_load
    loss_w *= BASE_VA / compiled.phases
    conversion = converter_loss(compiled, routes, converters, output_w[converters])
    loss_w[converters] = np.where(routes.live[converters], conversion, 0.0)
    return loss_w


def _loading(compiled: Compiled, routes: Routes, carried: Floats, power_w: Floats) -> Floats:
    """Return the largest loading over phases and limits; see `Ratings` for the limits."""
    ratings = compiled.ratings
    loading: Floats = np.sqrt(carried.max(axis=1)) * ratings.per_current[:, None]
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
    compiled: Compiled, routes: Routes, solution: Solution, arrays: Arrays, states: slice
) -> Floats:
    """Write the circuits of the cords; return the square of the least voltage at their ends."""
    cords = compiled.cords
    count, phases, width = solution.cord_current.shape
    least = np.empty((count, width))
    step = max(1, _BLOCK // (phases * width))
    for lo in range(0, count, step):
        part = slice(lo, lo + step)
        current = solution.cord_current[part]
        _circuits(compiled, cords.link[part], current, arrays, states)
        volts = solution.voltage[cords.source[part]]
        volts -= cords.impedance[part] * current
        square = _square(volts)
        square[~cords.used[part]] = np.inf
        square.min(axis=1, out=least[part])
    least[~routes.cord_live] = np.inf
    return least


def _circuits(
    compiled: Compiled,
    number: NDArray[np.intp],
    current: NDArray[np.complex128],
    arrays: Arrays,
    states: slice,
) -> None:
    """Write loading and loss of circuits from their currents."""
    ratings = compiled.ratings
    square = _square(current)
    largest = np.sqrt(square.max(axis=1))
    largest *= ratings.circuit_per_current[number, None]
    arrays.circuit_loading[number, states] = largest
    loss_w = square.sum(axis=1)
    loss_w *= ratings.circuit_ohm[number, None] * (BASE_VA / compiled.phases)
    arrays.circuit_loss_w[number, states] = loss_w


def _loads(
    compiled: Compiled, routes: Routes, least: Floats, arrays: Arrays, states: slice
) -> None:
    """Write what the loads get; `least` is the square of the least voltage of each cord."""
    cords = compiled.cords
    row = cords.load_table[:, None] + routes.pattern
    arrays.pattern[:, states] = routes.pattern
    arrays.dropped_w[:, states] = cords.dropped_w.take(row)
    arrays.off[:, states] = cords.off.take(row)
    safe = routes.cord_live & routes.protected[cords.source]
    any_safe = np.zeros(row.shape, dtype=bool)
    volts = np.full(row.shape, np.inf)
    for side, loads in cords.sides:
        any_safe[loads] |= safe[side]
        volts[loads] = np.minimum(volts[loads], least[side])
    arrays.unprotected[:, states] = cords.served.take(row) & ~any_safe
    volts[np.isinf(volts)] = np.nan
    arrays.load_voltage_pu[:, states] = np.sqrt(volts)


def _square(values: NDArray[np.complex128]) -> Floats:
    found: Floats = np.square(values.real)
    found += np.square(values.imag)
    return found
