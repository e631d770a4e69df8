"""Cases of harmonic currents and batteries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from facility.core.errors import FacilityError
from facility.physics.battery import block_power
from facility.physics.harmonics import Spectrum, current_distortion, k_factor, k_rating


def _spectrum(**currents: float) -> Spectrum:
    """Return the spectrum of currents named by order: ``h1``, ``h3``."""
    return Spectrum(tuple((int(name.removeprefix("h")), amps) for name, amps in currents.items()))


def _distortion(**currents: float) -> float:
    spectrum = _spectrum(**currents)
    return float(current_distortion.si(spectrum.harmonics, spectrum.fundamental))


def _rms(**currents: float) -> float:
    return _spectrum(**currents).rms


def _k_factor(**currents: float) -> float:
    spectrum = _spectrum(**currents)
    return float(k_factor.si(spectrum.weighted, spectrum.rms))


def _k_rating(**currents: float) -> float:
    found = k_rating(_k_factor(**currents))
    if found is None:
        raise FacilityError("NO_K_RATING", "verification", "beyond the standard ratings.", "")
    return float(found)


def _delivered(
    cell_w: float, cells: float, time_s: float, block_v: float, capacity_as: float
) -> float:
    """Return the energy of a discharge over the product of nominal voltage and capacity."""
    return cell_w * cells * time_s / (block_v * capacity_as)


def _nameplate(
    load_w: float, efficiency: float, ageing: float, time_s: float, of_nameplate: float
) -> float:
    """Return the nameplate energy of a battery that gives a part of it in the time [J]."""
    power_w = block_power.si(load_w, efficiency, 1.0, 1.0, ageing, 1.0, 1.0)
    return float(power_w) * time_s / of_nameplate


FUNCTIONS: Mapping[str, tuple[str, Callable[..., float]]] = {
    "harmonic.distortion": ("fraction", _distortion),
    "harmonic.rms": ("current", _rms),
    "harmonic.k_factor": ("ratio", _k_factor),
    "harmonic.k_rating": ("count", _k_rating),
    "battery.of_nameplate": ("ratio", _delivered),
    "battery.nameplate": ("energy", _nameplate),
}
"""Kind of the result, and the function, by name."""
