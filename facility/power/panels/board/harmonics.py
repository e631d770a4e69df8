"""Harmonics of circuits and panels: neutral current with harmonics, and K-factor.

A spectrum is specified for the rack supplies, or as the third harmonic of one circuit; nothing is
assumed if neither is. Line currents are root mean square, harmonics included: the power factor of
a supply refers to its total current. Triplen harmonics of line-to-neutral loads are assumed to be
in phase, the worst case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray
from facility.core.table import Value
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    harmonic_neutral,
    k_factor,
)
from facility.physics.circuits.harmonics import k_rating as k_rating_for
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.model import Circuit, Panel

RACK_CLASSES = ("IT-AI", "IT-NET", "IT-STO", "IT-MGT")
_NO_LOAD_A = 1e-9


@dataclass(frozen=True)
class HarmonicLoad:
    """Harmonics of a circuit or panel in one state."""

    # Neutral current with triplen harmonics [A]; None if the spectrum of a line-to-neutral load is
    # missing.
    neutral_a: float | None
    # Neutral current as the phasor sum of the line currents, without triplen harmonics [A].
    phasor_a: float
    # Total harmonic distortion of the current; None if a spectrum is missing.
    distortion: float | None
    k_factor: float | None  # K-factor of the current; None if a spectrum is missing
    unknown: tuple[str, ...]  # Loaded circuits without a specified spectrum

    @property
    def k_rating(self) -> int | None:
        """Smallest standard K rating for the K-factor; None if unknown."""
        return None if self.k_factor is None else k_rating_for(self.k_factor)

    @property
    def note(self) -> str:
        """Short text of the harmonics, e.g. ``"THD 12 %, K 1.4 (K-4)"``."""
        if self.distortion is None or self.k_factor is None:
            if not self.unknown:
                return ""
            return f"harmonics not specified ({len(self.unknown)} circuits)"
        rating = f" (K-{self.k_rating})" if self.k_rating else " (above K-50)"
        return f"THD {self.distortion:.1%}, K {self.k_factor:.2f}{rating}"


def rack_spectrum(given: Sequence[tuple[int, float]]) -> HarmonicSpectrum | None:
    """Return the rack spectrum from (order, current / fundamental); None if empty."""
    return HarmonicSpectrum(((1, 1.0), *given)) if given else None


def circuit_spectrum(circuit: Circuit, racks: HarmonicSpectrum | None) -> HarmonicSpectrum | None:
    """Return the spectrum of a circuit: its third harmonic if specified, or the rack spectrum."""
    if circuit.third_harmonic is not None:
        return HarmonicSpectrum(((1, 1.0), (3, circuit.third_harmonic)))
    return racks if circuit.class_code in RACK_CLASSES else None


def panel_harmonics(panel: Panel, racks: HarmonicSpectrum | None, state: int = 0) -> HarmonicLoad:
    """Return the harmonics of the placed circuits of `panel` in one state.

    racks: Spectrum of the rack supplies; None if not specified.
    state: Index in ``panel.states``.
    """
    placed = [(c, start) for c in panel.circuits if (start := panel.start(c)) is not None]
    return _harmonics(placed, panel.v_ll, racks, state)


def harmonic_values(panel: Panel) -> dict[str, Value]:
    """Return the neutral current with harmonics and a note, by key, for a results table.

    Normal state. Empty if no circuit specifies its third harmonic; without the neutral if a
    line-to-neutral load does not.
    """
    if all(circuit.third_harmonic is None for circuit in panel.circuits):
        return {}
    load = panel_harmonics(panel, None)
    values = {"harmonics": Value(load.note, "", "weighted by the current of all circuits")}
    if load.neutral_a is not None:
        basis = "with third harmonics, in phase"
        values["current.n_harmonics"] = Value(load.neutral_a, "current", basis)
    return values


def _harmonics(
    placed: Iterable[tuple[Circuit, int]], v_ll: float, racks: HarmonicSpectrum | None, state: int
) -> HarmonicLoad:
    power = np.zeros(6, dtype=np.complex128)
    orders: dict[int, _Order] = {}
    unknown, to_neutral = [], False
    for circuit, start in placed:
        legs = class_power(circuit, start, len(circuit.power_va))[state]
        amperes = np.abs(legs) / np.repeat([v_ll / 3.0**0.5, v_ll], 3)
        if amperes.sum() <= _NO_LOAD_A:
            continue
        power += legs
        spectrum = circuit_spectrum(circuit, racks)
        if spectrum is None:
            unknown.append(circuit.id)
            to_neutral |= bool(amperes[:3].sum() > _NO_LOAD_A)
            continue
        for order, current in spectrum.currents:
            sums = orders.setdefault(order, _Order(np.zeros(6, dtype=np.complex128), np.zeros(6)))
            sums.power_va += legs * current / spectrum.rms
            sums.amperes += amperes * current / spectrum.rms
    phasor_a = float(np.abs(currents(power, v_ll)[3]))
    neutral_a = None if to_neutral else _neutral(orders, v_ll)
    if unknown or not orders:
        return HarmonicLoad(neutral_a, phasor_a, None, None, tuple(unknown))
    whole = HarmonicSpectrum(
        tuple((n, float(sums.amperes.sum())) for n, sums in sorted(orders.items()))
    )
    return HarmonicLoad(
        neutral_a,
        phasor_a,
        float(current_distortion.si(whole.harmonics, whole.fundamental)),
        float(k_factor.si(whole.weighted, whole.rms)),
        (),
    )


@dataclass(eq=False)
class _Order:
    """Currents of one order, as power on the six classes at this current [VA], and in A."""

    power_va: ComplexArray
    amperes: NDArray[np.float64]


def _neutral(orders: dict[int, _Order], v_ll: float) -> float:
    """Return the neutral current: of each order separately, then of all orders.

    A multiple of three adds arithmetically for any loads; any other order adds like the
    fundamental.
    """
    if not orders:
        return 0.0
    found = list(orders.values())
    phasors_a = np.abs(currents(np.stack([sums.power_va for sums in found]), v_ll)[:, 3])
    lines_a = np.array([sums.amperes[:3].sum() for sums in found])
    triplen = np.array([1.0 if order % 3 == 0 else 0.0 for order in orders])
    return float(np.linalg.norm(harmonic_neutral.si(phasors_a, lines_a, triplen)))
