"""Currents of a panel: phasors from the power on every phase and pair, in every state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray
from facility.core.rounding import argmax_within_rounding
from facility.model.power.hall_distribution import Connection
from facility.physics.circuits import phasor
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel


@dataclass(frozen=True)
class PanelLoad:
    """Load of a panel in one state."""

    state: str  # "normal", "B lost", ...
    power_w: float  # Active power of all circuits
    reactive_var: float  # Reactive power of all circuits
    phase_va: tuple[float, float, float]  # Schedule VA per phase: VA split evenly over poles [VA]
    line_a: tuple[float, float, float]  # Phasor line currents A, B, C [A]
    neutral_a: float  # Phasor neutral current, fundamental only [A]
    schedule_a: tuple[float, float, float]  # Schedule amperes: `phase_va` / V_LN [A]
    imbalance: float  # Maximum deviation from the mean / mean, of `line_a`
    imbalance_va: float  # Maximum deviation from the mean / mean, of `phase_va`

    @property
    def apparent_va(self) -> float:
        """Apparent power of the panel [VA]."""
        return abs(complex(self.power_w, self.reactive_var))

    @property
    def current_max_a(self) -> float:
        """Largest phasor line current [A]."""
        return max(self.line_a)

    @property
    def spread(self) -> float:
        """(Maximum - minimum) / mean line current: the imbalance of some meters."""
        return float(phasor.spread.si(*self.line_a))

    @property
    def worst_line(self) -> str:
        """Line with the largest current."""
        return PHASES[argmax_within_rounding(self.line_a)]


def class_power(circuit: Circuit, start: int, states: int) -> ComplexArray:
    """Return the power of `circuit` on AN, BN, CN, AB, BC, CA by state [VA].

    start: Phase of its first pole, 0 to 2.
    states: Number of states of its panel.
    """
    return _on_classes(circuit.power_va, circuit.connection, start, states)


def _on_classes(
    power_va: tuple[tuple[complex, ...], ...], connection: Connection, start: int, states: int
) -> ComplexArray:
    power = np.zeros((states, 6), dtype=np.complex128)
    offset = 0 if connection == "L-N" else 3
    legs = np.asarray(power_va, dtype=np.complex128)
    for leg in range(legs.shape[1]):
        power[:, offset + (start + leg) % 3] += legs[:, leg]
    return power


def panel_power(panel: Panel) -> ComplexArray:
    """Return the power on AN, BN, CN, AB, BC, CA by state, of the placed circuits [VA]."""
    total = np.zeros((len(panel.states), 6), dtype=np.complex128)
    for circuit in panel.circuits:
        start = panel.start(circuit)
        if start is not None:
            total += class_power(circuit, start, len(panel.states))
    return total


def currents(power_va: ComplexArray, v_ll: float) -> ComplexArray:
    """Return the phasors I_A, I_B, I_C, I_N (last axis) of power on the six classes (last axis).

    power_va: Complex power on AN, BN, CN, AB, BC, CA [VA], shape (..., 6).
    v_ll: Line-to-line voltage [V].
    """
    an, bn, cn, ab, bc, ca = np.moveaxis(power_va, -1, 0)
    lines = phasor.line_currents.si(an, bn, cn, ab, bc, ca, v_ll)
    return np.stack([np.asarray(line) for line in lines], axis=-1)


def by_start(circuit: Circuit, v_ll: float) -> ComplexArray:
    """Return the phasors of A, B, C, N of a circuit, by its start phase and state [A]."""
    states = len(circuit.power_va)
    power = np.stack([class_power(circuit, start, states) for start in range(3)])
    return currents(power, v_ll)


def schedule_va(panel: Panel) -> NDArray[np.float64]:
    """Return the schedule VA by state and phase, of the placed circuits."""
    total = np.zeros((len(panel.states), 3))
    for circuit in panel.circuits:
        start = panel.start(circuit)
        if start is None:
            continue
        for state in range(len(panel.states)):
            for pole, value_va in enumerate(circuit.pole_va(state)):
                total[state, (start + pole) % 3] += value_va
    return total


def panel_loads(panel: Panel) -> tuple[PanelLoad, ...]:
    """Return the load of `panel` in each of its states."""
    power = panel_power(panel)
    amperes = np.abs(currents(power, panel.v_ll))
    phase_va = schedule_va(panel)
    uneven = np.asarray(phasor.imbalance.si(*amperes[:, :3].T))
    uneven_va = np.asarray(phasor.imbalance.si(*phase_va.T))
    loads = []
    for s, state in enumerate(panel.states):
        total = complex(power[s].sum())
        a, b, c, n = (float(x) for x in amperes[s])
        va = (float(phase_va[s, 0]), float(phase_va[s, 1]), float(phase_va[s, 2]))
        a_s, b_s, c_s = (float(phasor.schedule_current.si(x, panel.v_ln)) for x in va)
        loads.append(
            PanelLoad(
                state,
                total.real,
                total.imag,
                va,
                (a, b, c),
                n,
                (a_s, b_s, c_s),
                float(uneven[s]),
                float(uneven_va[s]),
            )
        )
    return tuple(loads)


def circuit_current(circuit: Circuit, v_ll: float) -> NDArray[np.float64]:
    """Return the largest line current of `circuit` in each state [A]; read-only."""
    return _largest(circuit.power_va, circuit.connection, v_ll)


@lru_cache(maxsize=4096)
def _largest(
    power_va: tuple[tuple[complex, ...], ...], connection: Connection, v_ll: float
) -> NDArray[np.float64]:
    power = _on_classes(power_va, connection, 0, len(power_va))
    found = np.abs(currents(power, v_ll))[:, :3].max(axis=1)
    found.setflags(write=False)
    return np.asarray(found)
