"""Cases of harmonic currents and batteries."""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    k_factor,
    k_rating,
)
from facility.physics.machines.battery import block_power, period_size
from facility.physics.machines.hydrogen import diluting_airflow, hydrogen_evolution
from facility.power.battery.study import HYDROGEN_LIMIT
from facility.study.verification.inputs import CaseFunctions


def _spectrum(**currents: float) -> HarmonicSpectrum:
    """Return the spectrum of currents named by order: ``h1``, ``h3``."""
    return HarmonicSpectrum(
        tuple((int(name.removeprefix("h")), amps) for name, amps in currents.items())
    )


def _distortion(**currents: float) -> float:
    spectrum = _spectrum(**currents)
    return float(current_distortion.si(spectrum.harmonics, spectrum.fundamental))


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


def _section(**periods: float) -> float:
    """Return the size of a section from its periods: ``i1`` and ``k1``, ``t1``, ``i2``, ...

    Currents [A] as they are drawn, factors [s] to the end of the section, for temperature.
    """
    size, before_a = 0.0, 0.0
    for n in range(1, len(periods) // 3 + 1):
        change_a = periods[f"i{n}"] - before_a
        size += float(period_size.si(change_a, periods[f"k{n}"] * 3600.0, periods[f"t{n}"]))
        before_a = periods[f"i{n}"]
    return size


def _hydrogen_air(cells: float, charging_a: float) -> float:
    """Return the airflow of a battery room by the rule used in the US."""
    return float(diluting_airflow.si(hydrogen_evolution.si(cells, charging_a), HYDROGEN_LIMIT))


FUNCTIONS: CaseFunctions = {
    "harmonic.distortion": ("fraction", _distortion),
    "harmonic.rms": ("current", lambda **currents: _spectrum(**currents).rms),
    "harmonic.k_factor": ("ratio", _k_factor),
    "harmonic.k_rating": ("count", _k_rating),
    "battery.hydrogen_air": ("air_flow", _hydrogen_air),
    "battery.section": ("charge", _section),
    "battery.of_nameplate": ("ratio", _delivered),
    "battery.nameplate": ("energy", _nameplate),
}
