"""Line values of a panel by state, and measures of their balance."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.model import Circuit, Panel

IntArray = NDArray[np.int64]
Objective = Literal["current", "va"]

TIE = 1e-3
"""Peaks within this fraction count as equal."""

TURN = np.exp(-2j * np.pi / 3.0 * np.array([0.0, -1.0, 1.0]))
"""Rotates the phase voltages of A, B, C (0, -120, 120 degrees) to zero, by conjugate."""


def line_parts(circuit: Circuit, start: int, panel: Panel, objective: Objective) -> ComplexArray:
    """Return the contribution of `circuit` to lines A, B, C by state, starting on phase `start`.

    Phasor currents [A] for the objective ``current``, schedule VA for ``va``.
    """
    states = len(panel.states)
    if objective == "current":
        return currents(class_power(circuit, start, states), panel.v_ll)[:, :3]
    parts = np.zeros((states, 3), dtype=np.complex128)
    for state in range(states):
        for pole, value_va in enumerate(circuit.pole_va(state)):
            parts[state, (start + pole) % 3] += value_va
    return parts


def reuse_numbers(now: IntArray, counts: IntArray) -> IntArray:
    """Return indices from 0, each as often as in `counts`, equal to `now` where possible.

    Others take the remaining indices, in order; -1 in `now` means unassigned.
    """
    left = counts.copy()
    found = np.full(len(now), -1, dtype=np.int64)
    for index, number in enumerate(now.tolist()):
        if number >= 0 and left[number] > 0:
            left[number] -= 1
            found[index] = number
    found[found < 0] = np.repeat(np.arange(len(left)), left)
    return found


def numbered(keys: Iterable[Hashable]) -> IntArray:
    """Return an index for each key, from 0 in order of first appearance; equal keys share it."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)


def rounded_scores(scores: FloatArray) -> FloatArray:
    """Return scores of order one without their last digits, which are rounding.

    Sorted by them, equals keep their order on every processor.
    """
    return np.round(scores, 12)


def peak(totals: ComplexArray) -> FloatArray:
    """Return the largest magnitude over states and lines (the last two axes)."""
    return np.asarray(np.abs(totals).max(axis=(-2, -1)))


def unevenness(totals: ComplexArray) -> FloatArray:
    """Return the imbalance of the normal state: max deviation from the mean / mean."""
    return uneven(totals[..., 0, :])


def uneven(lines: ComplexArray) -> FloatArray:
    """Return the imbalance of line phasors (last axis): max deviation from the mean / mean."""
    size = np.abs(lines)
    mean = size.mean(axis=-1)
    deviation = np.abs(size - mean[..., None]).max(axis=-1)
    return np.asarray(np.where(mean > 0.0, deviation / np.where(mean > 0.0, mean, 1.0), 0.0))


def neutral_then_imbalance(totals: ComplexArray) -> FloatArray:
    """Return the ranking of equal peaks: neutral current, then imbalance, of the normal state.

    The neutral current / mean line current counts in steps of `TIE`, so that negligible amperes do
    not outweigh an imbalance; the imbalance, at most 2, counts within a step.
    """
    lines = totals[..., 0, :]
    mean = np.abs(lines).mean(axis=-1)
    neutral = np.abs(lines.sum(axis=-1))
    share = np.where(mean > 0.0, neutral / np.where(mean > 0.0, mean, 1.0), 0.0)
    return np.asarray(TIE * np.ceil(share / TIE - 1e-6) + TIE / 4.0 * unevenness(totals))
