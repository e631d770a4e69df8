"""Harmonics of circuits and panels: what the neutral carries with them, and the K-factor.

A spectrum is stated for the supplies of the racks, or as the third harmonic of one circuit; nothing
is assumed where neither is. Line currents are root mean square, harmonics included: the power
factor of a supply is that of all its current. Triplen harmonics of loads to neutral are taken to be
in phase, which is the worst case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.physics.circuits import continuous_limit
from facility.physics.harmonics import Spectrum, current_distortion, harmonic_neutral, k_factor
from facility.physics.harmonics import k_rating as k_rating_for
from facility.power.panel_currents import class_power, currents
from facility.power.panel_model import Circuit, Panel
from facility.power.panels import PanelSet

RACK_CLASSES = ("IT-AI", "IT-NET", "IT-STO", "IT-MGT")
_FULL = Source("design practice", "neutral bar as the bus, 100 %", verified="memory")
_NO_LOAD_A = 1e-9
_WHERE = "power.transformer.it_harmonics"


@dataclass(frozen=True)
class HarmonicLoad:
    """Harmonics of a circuit or panel in one state.

    Attributes
    ----------
    neutral_a : float or None
        Neutral current with triplen harmonics [A]; None where a spectrum is missing.
    phasor_a : float
        Neutral current as the phasor sum of the line currents, without triplen harmonics [A].
    distortion : float or None
        Total harmonic distortion of the current; None where a spectrum is missing.
    k_factor : float or None
        K-factor of the current; None where a spectrum is missing.
    unknown : tuple[str, ...]
        Circuits with a load whose spectrum is not stated.
    """

    neutral_a: float | None
    phasor_a: float
    distortion: float | None
    k_factor: float | None
    unknown: tuple[str, ...]

    @property
    def k_rating(self) -> int | None:
        """Smallest standard K rating for the K-factor, None where it is not known."""
        return None if self.k_factor is None else k_rating_for(self.k_factor)

    @property
    def note(self) -> str:
        """The harmonics in a few words, e.g. ``"THD 12 %, K 1.4 (K-4)"``."""
        if self.distortion is None or self.k_factor is None:
            if not self.unknown:
                return ""
            return f"harmonics not stated ({len(self.unknown)} circuits)"
        rating = f" (K-{self.k_rating})" if self.k_rating else " (above K-50)"
        return f"THD {self.distortion:.1%}, K {self.k_factor:.2f}{rating}"


def rack_spectrum(given: Sequence[tuple[int, float]]) -> Spectrum | None:
    """Return the spectrum of the racks from (order, current over the fundamental), None of none."""
    return Spectrum(((1, 1.0), *given)) if given else None


def circuit_spectrum(circuit: Circuit, racks: Spectrum | None) -> Spectrum | None:
    """Return the spectrum of a circuit: its own third harmonic, or that of the racks."""
    if circuit.third_harmonic is not None:
        return Spectrum(((1, 1.0), (3, circuit.third_harmonic)))
    return racks if circuit.class_code in RACK_CLASSES else None


def circuit_harmonics(
    circuit: Circuit, v_ll: float, racks: Spectrum | None, state: int = 0
) -> HarmonicLoad:
    """Return the harmonics of one circuit in one of the states of its panel.

    The neutral of a one-pole circuit carries all of its current, whatever its harmonics.
    """
    return _harmonics([(circuit, 0)], v_ll, racks, state)


def panel_harmonics(panel: Panel, racks: Spectrum | None, state: int = 0) -> HarmonicLoad:
    """Return the harmonics of the circuits placed in `panel` in one of its states.

    Parameters
    ----------
    panel : Panel
        Panel with circuits placed.
    racks : Spectrum or None
        Spectrum of the supplies of the racks; None where it is not stated.
    state : int
        Index in ``panel.states``.
    """
    placed = [(c, start) for c in panel.circuits if (start := panel.start(c)) is not None]
    return _harmonics(placed, panel.v_ll, racks, state)


def _harmonics(
    placed: Iterable[tuple[Circuit, int]], v_ll: float, racks: Spectrum | None, state: int
) -> HarmonicLoad:
    power = np.zeros(6, dtype=np.complex128)
    lines_a = triplen_a = total_a = 0.0
    orders: dict[int, float] = {}
    unknown = []
    for circuit, start in placed:
        legs = class_power(circuit, start, len(circuit.power_va))[state]
        power += legs
        amperes = np.abs(legs) / np.repeat([v_ll / 3.0**0.5, v_ll], 3)
        own_a, neutral_a = float(amperes.sum()), float(amperes[:3].sum())
        if own_a <= _NO_LOAD_A:
            continue
        spectrum = circuit_spectrum(circuit, racks)
        if spectrum is None:
            unknown.append(circuit.id)
            continue
        total_a += own_a
        lines_a += neutral_a
        triplen_a += neutral_a * spectrum.triplen / spectrum.rms
        for order, current in spectrum.currents:
            orders[order] = orders.get(order, 0.0) + own_a * current / spectrum.rms
    phasor_a = float(np.abs(currents(power, v_ll)[3]))
    if unknown or total_a == 0.0:
        return HarmonicLoad(None if unknown else 0.0, phasor_a, None, None, tuple(unknown))
    whole = Spectrum(tuple(sorted(orders.items())))
    share = triplen_a / lines_a if lines_a else 0.0
    return HarmonicLoad(
        float(harmonic_neutral.si(phasor_a, lines_a, share)), phasor_a,
        float(current_distortion.si(whole.harmonics, whole.fundamental)),
        float(k_factor.si(whole.weighted, whole.rms)), (),
    )  # fmt: skip


def neutral_rule(code: str, edition: str) -> Rule:
    """Return the rule that holds the neutral current against the neutral bar of a panel."""
    source = (
        Source("nec-220-61", "220.61(C), no reduction for nonlinear loads", edition)
        if code == "NEC"
        else Source("iec-60364-5-52-annex-e", "annex E")
    )
    return Rule(
        "PANEL-NEUTRAL", "Neutral current with harmonics within the neutral bar",
        Severity.VIOLATION, source,
        "Use a panel with a 200 % neutral, or supplies with less third harmonic.",
    )  # fmt: skip


def harmonic_checks(
    panels: PanelSet, given: Sequence[tuple[int, float]], criteria: Criteria, trace: Trace
) -> Iterator[Check]:
    """Yield the check of the neutral of the panels, by hall and feed, each for its worst panel.

    Normal state and each feed lost. Panels whose loads are all between lines have no neutral
    current and no check.

    Parameters
    ----------
    panels : PanelSet
        Panels of the halls.
    given : sequence of (int, float)
        Order and current over the fundamental of the supplies of the racks; empty if not stated.
    criteria : Criteria
        Code, edition and continuous factor.
    trace : Trace
        Takes the assumption about the neutral bar.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for index, panel in enumerate(panels.panels):
        if any(c.connection == "L-N" and abs(c.total_va()) > 0.0 for c in panel.circuits):
            groups.setdefault((panel.hall, panel.side), []).append(index)
    if not groups:
        return
    racks = rack_spectrum(given)
    rating_a = trace.assume(
        "panels.neutral_rating", panels.basis.bus_a, "current", "neutral bar as the bus", _FULL
    )
    rule = neutral_rule(criteria.code, criteria.edition)
    factor = 1.0 if panels.basis.listed_100 else criteria.continuous_factor
    limit_a = float(continuous_limit.si(rating_a, factor))
    for (hall, feed), rows in groups.items():
        subject = f"{hall}, feed {feed}"
        if racks is None:
            yield rule.not_evaluated(
                subject,
                f"no spectrum of the racks is stated ({_WHERE}); without triplen harmonics the "
                f"neutral of a panel carries at most {panels.line_a[rows, :, 3].max():.1f} A",
            )
        else:
            yield _worst([panels.panels[row] for row in rows], racks, subject, limit_a, rule)


def _worst(
    members: Sequence[Panel], racks: Spectrum, subject: str, limit_a: float, rule: Rule
) -> Check:
    every = [
        (panel_harmonics(panel, racks, state), f"{panel.tag}, {name}")
        for panel in members
        for state, name in enumerate(panel.states)
    ]
    load, where = max(every, key=lambda item: item[0].neutral_a or 0.0)
    neutral_a = load.neutral_a or 0.0
    text = (
        f"{where}: {neutral_a:.1f} A of {limit_a:.0f} A, {load.phasor_a:.1f} A without triplen "
        f"harmonics; {load.note}"
    )
    return rule.compare(subject, neutral_a, "<=", limit_a, "current", text)
