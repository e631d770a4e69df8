"""Harmonic currents: distortion, K-factor, permissible transformer load."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.core.equation import equation
from facility.core.kinds import Current, Fraction, Ratio
from facility.core.sources import DERIVED, Source

_C57_110 = Source("ieee-c57-110", "formula, no source read", verified="memory")

K_RATINGS = (1, 4, 9, 13, 20, 30, 40, 50)
"""K-factor ratings of UL 1561."""

RECTIFIER_ORDERS = (5, 7, 11, 13, 17, 19, 23, 25)
"""Characteristic harmonics of a six-pulse rectifier up to the 25th."""


@dataclass(frozen=True)
class HarmonicSpectrum:
    """Harmonic currents by order, in any unit they all share; order 1 is the fundamental."""

    currents: tuple[tuple[int, float], ...]  # Order and current; the fundamental is among them

    @property
    def fundamental(self) -> float:
        """Current of order 1."""
        return dict(self.currents)[1]

    @property
    def harmonics(self) -> float:
        """Root of the sum of squares of all orders above 1."""
        return math.sqrt(sum(i * i for order, i in self.currents if order > 1))

    @property
    def rms(self) -> float:
        """Root of the sum of squares of all orders."""
        return math.sqrt(sum(i * i for _, i in self.currents))

    @property
    def triplen(self) -> float:
        """Root of the sum of squares of the orders that are multiples of three."""
        return math.sqrt(sum(i * i for order, i in self.currents if order % 3 == 0))

    @property
    def weighted(self) -> float:
        """Root of the sum of squares of current times order."""
        return math.sqrt(sum((order * i) ** 2 for order, i in self.currents))


def rectifier_spectrum(distortion: float) -> HarmonicSpectrum:
    r"""Return a six-pulse spectrum of a stated distortion, fundamental 1.

    An ideal rectifier draws :math:`I_h \propto 1/h` at its characteristic orders; the amplitude
    is scaled to the distortion that is known. It is a shape, not a measurement.
    """
    unit = math.sqrt(sum(1.0 / order**2 for order in RECTIFIER_ORDERS))
    return HarmonicSpectrum(
        ((1, 1.0), *((order, distortion / (order * unit)) for order in RECTIFIER_ORDERS))
    )


@equation("THD_I", r"I_H / I_1", Source("definition", "total harmonic distortion"))
def current_distortion(harmonics: Ratio, fundamental: Ratio) -> Fraction:
    """Return the total harmonic distortion of a current.

    harmonics: root of the sum of squares of the harmonics, without the fundamental.
    fundamental: on the same base.
    """
    return harmonics / fundamental


@equation("K", r"\left(\frac{\sqrt{\sum_h (h I_h)^2}}{\sqrt{\sum_h I_h^2}}\right)^2", DERIVED)
def k_factor(weighted: Ratio, rms: Ratio) -> Ratio:
    r"""Return the K-factor of a current, which is also its harmonic loss factor.

    The eddy loss of a winding goes with the square of current and of frequency. Against the loss
    of a sinusoidal current of the same root mean square it is larger by
    :math:`\sum (I_h/I_{rms})^2 h^2`.

    weighted: root of the sum of squares of current times order, fundamental included.
    rms: root mean square of the current, on the same base.
    """
    return (weighted / rms) ** 2


@equation("I_{max}", r"\sqrt{\frac{1 + K_r\,P_{EC}}{1 + K\,P_{EC}}}", _C57_110)
def harmonic_capability(factor: Ratio, eddy_loss: Fraction, rated: Ratio) -> Ratio:
    """Return the permissible transformer current with harmonics over its rated current.

    The winding loss, resistive and eddy, is held at what the transformer is rated for: its rated
    current at the K-factor of its rating (UL 1561), 1 of a sinusoidal current.

    factor: k-factor (harmonic loss factor) of the current.
    eddy_loss: of the winding at rated current over its resistive loss.
    rated: K rating of the transformer; 1 where it is made for sinusoidal currents.
    """
    return ((1.0 + rated * eddy_loss) / (1.0 + factor * eddy_loss)) ** 0.5


@equation(
    "I_N",
    r"\sqrt{|\sum I_x|^2 (1 - t^2) + (t \sum |I_x|)^2}",
    DERIVED,
    excel="SQRT({phasor_a}^2*(1-{triplen}^2)+({triplen}*{lines_a})^2)",
)
def harmonic_neutral(phasor_a: Current, lines_a: Current, triplen: Fraction) -> Current:
    r"""Return the neutral current of loads to neutral that share a spectrum.

    Three phases 120 degrees apart at the fundamental are 360 degrees apart at its multiples of
    three: these add as plain numbers. All other orders stand 120 degrees apart, in either turn, and
    add as the fundamental does. With :math:`t = I_{triplen} / I_{rms}` of every line, the others
    are :math:`\sqrt{1 - t^2}` of it. Three equal lines give :math:`3 t I`.

    phasor_a: magnitude of the sum of the line phasors, taken at their root mean square.
    lines_a: sum of the magnitudes of the line-to-neutral currents, root mean square.
    triplen: triplen harmonics of the currents over their root mean square.
    """
    return (phasor_a**2 * (1.0 - triplen**2) + (triplen * lines_a) ** 2) ** 0.5


def k_rating(factor: float) -> int | None:
    """Return the smallest standard K rating not below `factor`; None above the highest rating."""
    return next((rating for rating in K_RATINGS if rating >= factor), None)
