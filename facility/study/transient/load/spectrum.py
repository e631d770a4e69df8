"""Spectrum of a load, and its energy in a frequency band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.core.kinds import FloatArray

_RATE_HZ = 256.0
"""Minimum samples per second, for lines up to 100 Hz."""
_MIN_SAMPLES, _MAX_SAMPLES = 512, 1 << 17


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Mean square of a load by frequency; with the square of the mean, the total mean square."""

    frequency_hz: FloatArray  # Increasing, without 0
    energy: FloatArray  # Mean square at each, in W2
    mean_w: float  # Mean of the load

    @property
    def variation(self) -> float:
        """Mean square about the mean, in W2."""
        return float(self.energy.sum())

    @property
    def total(self) -> float:
        """Mean square, in W2."""
        return self.variation + self.mean_w**2

    @property
    def amplitude_w(self) -> FloatArray:
        """Amplitude of the sine at each frequency."""
        return np.sqrt(2.0 * self.energy)

    def in_band(self, low_hz: float, high_hz: float) -> float:
        """Return the mean square between two frequencies, both included, in W2."""
        energy = (self.frequency_hz >= low_hz) & (self.frequency_hz <= high_hz)
        return float(self.energy[energy].sum())


def sample_count(period_s: float) -> int:
    """Return the number of samples of a period for lines up to 100 Hz, a power of two."""
    required = np.clip(period_s * _RATE_HZ, _MIN_SAMPLES, _MAX_SAMPLES)
    return int(2 ** np.ceil(np.log2(required)))


def spectrum_of(samples_w: FloatArray, interval_s: float, repeats: bool = True) -> Spectrum:
    """Return the spectrum of equally spaced samples.

    samples_w: The load [W].
    repeats: Whether the samples are whole periods. If not, the deviation from the mean gets a Hann
        window against leakage from the jump between end and start, and is scaled to its mean
        square.
    """
    count = len(samples_w)
    mean_w = float(np.mean(samples_w))
    about = samples_w - mean_w
    faded = about if repeats else about * np.hanning(count + 1)[:-1]
    lines = np.abs(np.fft.rfft(faded)[1:]) ** 2 * (2.0 / count**2)
    if count % 2 == 0:
        lines[-1] /= 2.0
    square = float(lines.sum())
    if not repeats and square > 0.0:
        lines *= float(np.mean(about**2)) / square
    frequency_hz = np.asarray(np.fft.rfftfreq(count, interval_s)[1:], dtype=float)
    return Spectrum(frequency_hz, lines, mean_w)
