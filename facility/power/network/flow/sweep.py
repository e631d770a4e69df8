"""Backward-forward sweep: currents from the cords upstream, voltages from the sources.

A state is a tree once its transfer is known: the sum of the currents and the sum of the voltage
drops solve it, and constant power at the resulting voltage is found by iteration, all states at
once. In each iteration the cords are calculated twice, so their power matches their own voltage
drop, then two sweeps pass over the equipment with constant power to the cords. Tips are calculated
with their cords.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray, FloatArray
from facility.physics.machines.ups import ups_loss
from facility.power.network.flow.compile import BASE_VA, Compiled, Level
from facility.power.network.flow.transfer import Routes

TOLERANCE = 2e-11
"""Maximum remaining voltage change by further iterations [per unit].

The changes of the iterations fall by a constant ratio, about 1 to 300, estimated from the last two.
"""
ROUNDS = 60
_UNCHECKED = 2
_BLOCK = 8192
_TURN = np.exp(-2j * np.pi / 3.0 * np.arange(3))[:, None]
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])
"""Next and previous phase of each phase."""
_DELTA = np.exp(-1j * np.pi / 6.0) / math.sqrt(3.0)
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Solution:
    """Voltages and currents of a range of states [per unit]."""

    voltage: ComplexArray  # At the output; shape (rows, phases, states)
    # At the output of each row, and in each branch;
    # shape (rows + branches of special rows, phases, states).
    current: ComplexArray
    cord_current: ComplexArray  # In each cord; shape (cords, phases, states)
    # Of special rows: output and no-load current; shape (rows, phases, states).
    through: ComplexArray
    error: FloatArray  # Remaining voltage change by further iterations; shape (states,)
    rounds: int  # Number of iterations


def sweep(compiled: Compiled, routes: Routes, load_factor: FloatArray | None = None) -> Solution:
    """Solve a range of states with known transfer.

    load_factor: Load power / power of its kind, shape (loads, states).

    A state that has not converged has an error above `TOLERANCE`, or NaN.
    """
    work = _Sweeper(compiled, routes, load_factor)
    error = change = np.full(routes.live.shape[1], np.inf)
    rounds = 0
    with np.errstate(all="ignore"):
        while rounds < ROUNDS and not np.all(error < TOLERANCE):
            rounds += 1
            check, before = rounds > _UNCHECKED, change
            change = np.maximum(work.cords(check), work.equipment(check))
            error = np.where(change < TOLERANCE, change, _left(before, change))
    work.end()
    return Solution(work.voltage, work.current, work.cord_current, work.through, error, rounds)


def _left(before: FloatArray, change: FloatArray) -> FloatArray:
    """Return the sum of all remaining changes, by the ratio of the last two; otherwise infinity."""
    falling = (change < before) & np.isfinite(before)
    return np.where(falling, change**2 / (before - change), np.inf)


class _SpecialRows:
    """State-dependent data of the special rows of one level."""

    def __init__(self, compiled: Compiled, routes: Routes, level: Level) -> None:
        branches, ratings = compiled.branches, compiled.ratings
        rows = np.arange(level.special, level.hi)
        units = routes.units[rows]
        branch = branches.first[rows][:, None] + np.maximum(routes.taken[rows], 0)
        circuit = branches.impedance[branch]
        own = ratings.impedance[rows, None] / np.maximum(units, 1)
        shunt = ratings.no_load[rows, None] * units * routes.live[rows]
        singles = level.multiple - level.special
        many = np.arange(level.branches.start + singles, level.branches.stop)
        used = routes.taken[branches.row[many]] == branches.choice[many, None]
        self.source = branches.source[branch[singles:]]
        self.circuit = circuit[:, None, :]
        self.impedance = (circuit + own)[:, None, :]
        self.shunt = shunt[:, None, :] if np.any(shunt) else None
        self.row = branches.row[many] - level.special
        self.used = used.astype(np.float64)[:, None, :]
        self.first = int(branches.column[level.branches.start])
        self.count = level.branches.stop - level.branches.start
        converters = level.special + level.converters
        self.converters = converters
        self.input_column = branches.column[branches.first[converters]]
        self.input = np.ones((converters.size, 1, routes.live.shape[1]), dtype=np.complex128)
        self.fed = routes.live[converters] & ~routes.on_battery[converters]


class _Sweeper:
    """Solver of one range of states."""

    def __init__(self, compiled: Compiled, routes: Routes, load_factor: FloatArray | None) -> None:
        self.compiled, self.routes = compiled, routes
        cords, branches = compiled.cords, compiled.branches
        rows, states = routes.live.shape
        self.turn = _TURN[: compiled.phases]
        self.drops = bool(compiled.tips.impedance.any())
        self.levels = tuple(level for level in compiled.levels if level.lo < compiled.tips.first)
        self.voltage = np.empty((rows, compiled.phases, states), dtype=np.complex128)
        self.voltage[:] = self.turn
        extra = int((branches.column >= rows).sum())
        shape = (rows + extra, compiled.phases, states)
        self.current = np.zeros(shape, dtype=np.complex128)
        self.through = np.zeros(self.voltage.shape, dtype=np.complex128)
        self.cord_current = np.zeros((cords.source.size, *shape[1:]), dtype=np.complex128)
        self.load = np.empty((compiled.loaded.size, *shape[1:]), dtype=np.complex128)
        self.power = np.empty_like(self.load)
        step = max(1, _BLOCK // (compiled.phases * states))
        self.spare = np.empty((step, *shape[1:]), dtype=np.complex128)
        self.supplying = [tile for level in self.levels for tile in _tiles(level, step)]
        pattern = cords.table[:, None] + routes.pattern[cords.load]
        self.neutral = _drawn(cords.neutral, pattern[: cords.neutral_end])
        self.pair = _drawn(cords.pair, pattern[cords.pair_begin :])
        if load_factor is not None:
            factor = load_factor[cords.load][:, None]
            self.neutral *= factor[: cords.neutral_end]
            self.pair *= factor[cords.pair_begin :]
        self.special = {
            number: _SpecialRows(compiled, routes, level)
            for number, level in enumerate(self.levels)
            if level.special < level.hi
        }

    def cords(self, check: bool) -> FloatArray:
        """Calculate every cord at the voltage of its connection point, then at its own drop.

        Returns the maximum voltage change at the end of a cord, by state; without `check` infinity.
        """
        tips = self.compiled.tips
        count, phases, states = self.cord_current.shape
        worst = np.zeros(phases * states * 2)
        step = max(1, _BLOCK // (phases * states))
        buffers = np.empty((3, min(step, count), phases, states), dtype=np.complex128)
        for lo in range(0, count, step):
            hi = min(count, lo + step)
            plugged, volts, change = buffers[:, : hi - lo]
            current, z = self.cord_current[lo:hi], tips.impedance[lo:hi]
            np.take(self.voltage, tips.entry[lo:hi], axis=0, out=plugged, mode="clip")
            if check:
                change[:] = current
            for _ in range(2 if self.drops else 1):
                np.subtract(plugged, np.multiply(z, current, out=volts), out=volts)
                self._draw(lo, hi, np.conjugate(volts, out=volts), current)
            if check:
                change -= current
                change *= z
                np.maximum(worst, _largest(change), out=worst)
        total = self.compiled.cord_sums.of(_as_real(self.cord_current))
        self.load = total.view(np.complex128).reshape(self.load.shape)
        if self.compiled.converter_current is not None:
            self.load += self.compiled.converter_current
        return self._by_state(worst) if check else np.full(states, np.inf)

    def _by_state(self, worst: FloatArray) -> FloatArray:
        largest: FloatArray = worst.reshape(-1, self.voltage.shape[2], 2).max(axis=(0, 2))
        return largest

    def _draw(self, lo: int, hi: int, volts: ComplexArray, current: ComplexArray) -> None:
        """Set the currents of a range of cords from the conjugate voltages at their ends."""
        begin, end = self.compiled.cords.pair_begin, self.compiled.cords.neutral_end
        stop = min(hi, end) - lo
        if stop > 0:
            np.divide(self.neutral[lo : lo + stop], volts[:stop], out=current[:stop])
        if hi <= begin:
            return
        current[max(0, stop) :] = 0.0
        start = max(lo, begin)
        between = volts[start - lo :]
        drawn = self.pair[start - begin : hi - begin] / (between - between.take(_NEXT, axis=1))
        current[start - lo :] += drawn - drawn.take(_LAST, axis=1)

    def equipment(self, check: bool) -> FloatArray:
        """Sweep over the equipment, with constant power of the rows that supply cords.

        Returns the maximum voltage change, by state; without `check` infinity.
        """
        for loads, rows in self.supplying:
            power = np.conjugate(self.load[loads], out=self.power[loads])
            power *= self.voltage[rows]
        swept = self.voltage[: self.compiled.tips.first]
        before = swept.copy() if check else None
        self._backward()
        self._forward()
        for loads, rows in self.supplying:
            load = np.divide(self.power[loads], self.voltage[rows], out=self.load[loads])
            np.conjugate(load, out=load)
        self._backward()
        self._forward()
        if before is None:
            return np.full(self.voltage.shape[2], np.inf)
        before -= swept
        return self._by_state(_largest(before))

    def _backward(self) -> None:
        """Sum the currents from the lowest level to the sources."""
        flat = _as_real(self.current)
        for number in range(len(self.levels) - 1, -1, -1):
            level = self.levels[number]
            if level.sums is not None:
                flat[level.lo : level.hi] = level.sums.of(flat)
                self.current[level.loaded] += self.load[level.loads]
            else:
                self.current[level.loaded] = self.load[level.loads]
            if number in self.special:
                self._branches(self.special[number], level)

    def _branches(self, part: _SpecialRows, level: Level) -> None:
        """Transform the current of special rows to their input."""
        rows = slice(level.special, level.hi)
        through = self.through[rows]
        through[:] = self.current[rows]
        if part.shunt is not None:
            through += part.shunt * self.voltage[rows]
        taken = through
        if level.converters.size or level.delta_wye.size:
            taken = through.copy()
        if self.compiled.phases == 3 and level.delta_wye.size:
            turned = through[level.delta_wye]
            taken[level.delta_wye] = _DELTA * (turned - turned.take(_NEXT, axis=1))
        if level.converters.size:
            taken[level.converters] = self._rectified(part)
        singles = level.multiple - level.special
        self.current[part.first : part.first + singles] = taken[:singles]
        if part.count > singles:
            many = slice(part.first + singles, part.first + part.count)
            np.multiply(taken[part.row], part.used, out=self.current[many])

    def _rectified(self, part: _SpecialRows) -> ComplexArray:
        """Return the balanced input current of the converters of a level."""
        rows, ratings = part.converters, self.compiled.ratings
        output = (self.voltage[rows] * self.current[rows].conj()).real.sum(axis=1)
        output_w = output * (BASE_VA / self.compiled.phases)
        loss_w = converter_loss(self.compiled, self.routes, rows, output_w)
        input_va = (output_w + loss_w) * (1.0 - 1j * ratings.converter[3, rows, None])
        drawn = np.where(part.fed, input_va / BASE_VA, 0.0)[:, None]
        current: ComplexArray = drawn / part.input.conj() * self.turn
        return current

    def _forward(self) -> None:
        """Calculate the voltages from the sources downstream."""
        for number, level in enumerate(self.levels[1:], 1):
            self._plain_voltages(level)
            if number in self.special:
                special, source = self.voltage[level.special : level.multiple], level.source
                singles = source[level.special - level.lo :]
                np.take(self.voltage, singles, axis=0, out=special, mode="clip")
                self._special_voltages(self.special[number], level)

    def _plain_voltages(self, level: Level) -> None:
        """Calculate the voltages of plain rows from their source, in cache-sized blocks."""
        plain = level.special - level.lo
        for lo in range(0, plain, len(self.spare)):
            hi = min(plain, lo + len(self.spare))
            rows = slice(level.lo + lo, level.lo + hi)
            volts = self.voltage[rows]
            np.take(self.voltage, level.source[lo:hi], axis=0, out=volts, mode="clip")
            if level.impedance is not None:
                drop = self.spare[: hi - lo]
                volts -= np.multiply(level.impedance[lo:hi], self.current[rows], out=drop)

    def end(self) -> None:
        """Fill in the tips from their cords."""
        tips, rows = self.compiled.tips, len(self.voltage)
        if tips.first < rows:
            out = self.current[tips.first : rows]
            np.take(self.cord_current, tips.cord, axis=0, out=out, mode="clip")
            self._plain_voltages(self.compiled.levels[-1])

    def _special_voltages(self, part: _SpecialRows, level: Level) -> None:
        """Calculate the voltages of special rows from their source to their output."""
        phases, states = self.voltage.shape[1:]
        if level.multiple < level.hi:
            self.voltage[level.multiple : level.hi] = self.voltage[
                part.source[:, None, :], np.arange(phases)[:, None], np.arange(states)
            ]
        now = self.voltage[level.special : level.hi]
        through = self.through[level.special : level.hi]
        if level.converters.size:
            drop = part.circuit[level.converters] * self.current[part.input_column]
            part.input = (now[level.converters] - drop) * self.turn.conj()
            part.input = part.input.mean(axis=1, keepdims=True)
        if phases == 3 and level.delta_wye.size:
            above, circuit = now[level.delta_wye], part.circuit[level.delta_wye]
            zero = through[level.delta_wye].mean(axis=1, keepdims=True)
            turned = np.conj(_DELTA) * (above - above.take(_LAST, axis=1))
            now[level.delta_wye] = turned + circuit * zero
        now -= part.impedance * through
        now[level.converters] = self.turn


def converter_loss(
    compiled: Compiled, routes: Routes, rows: Ints, output_w: FloatArray
) -> FloatArray:
    """Return the loss of converters by row and state [W], including dead ones.

    rows: Row indices, shape (converters,).
    output_w: Power at their output, all phases [W], shape (converters, states).
    """
    constant, linear, quadratic, _ = compiled.ratings.converter[:, rows, None]
    units = np.maximum(routes.units[rows], 1)
    rating_w = compiled.ratings.rating_w[rows, None]
    return np.asarray(ups_loss.si(output_w, units, rating_w, constant, linear, quadratic))


def _tiles(level: Level, step: int) -> Iterator[tuple[slice, slice | Ints]]:
    """Yield the rows of a level that supply cords: their indices among these, and the rows."""
    first = level.loads.start
    for lo in range(first, level.loads.stop, step):
        hi = min(level.loads.stop, lo + step)
        if isinstance(level.loaded, slice):
            start = level.loaded.start - first
            yield slice(lo, hi), slice(start + lo, start + hi)
        else:
            yield slice(lo, hi), level.loaded[lo - first : hi - first]


def _drawn(table: ComplexArray, rows: Ints) -> ComplexArray:
    """Return the power of each cord, shape (cords, phases, states)."""
    found = np.empty((rows.shape[0], table.shape[1], rows.shape[1]), dtype=np.complex128)
    for phase in range(table.shape[1]):
        np.take(table[:, phase], rows, out=found[:, phase], mode="clip")
    return found


def _as_real(values: ComplexArray) -> FloatArray:
    """Return the values of each row with real and imaginary parts adjacent."""
    return values.reshape(len(values), math.prod(values.shape[1:])).view(np.float64)


def _largest(change: ComplexArray) -> FloatArray:
    """Return the maximum magnitude over the first axis, real and imaginary."""
    parts = _as_real(change)
    if not len(parts):
        return np.zeros(parts.shape[1])
    largest: FloatArray = np.maximum(parts.max(axis=0), -parts.min(axis=0))
    return largest
