"""Cases of circuits and batteries: currents, demand, ratings, voltage drop, harmonics."""

from __future__ import annotations

import math
from typing import Any

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.physics.circuits.currents import apparent_power, continuous_limit, three_phase_current
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    k_factor,
    k_rating,
)
from facility.physics.circuits.voltage_drop import voltage_drop_exact
from facility.physics.machines.battery import block_power
from facility.physics.machines.hydrogen import diluting_airflow, hydrogen_evolution
from facility.power.battery.study import HYDROGEN_LIMIT
from facility.power.panels.board.breakers import next_breaker, standard_breakers
from facility.study.verification.inputs import CaseFunctions

_SQRT3 = math.sqrt(3.0)
_TABLE_9 = "electrical/nec_ch9_table9"
_FEET_IN_TABLE = 1000.0


def _volt_amperes(current_a: float, line_voltage_v: float) -> float:
    """Return the balanced three-phase VA of a line current; the current is linear in the VA."""
    return current_a / float(three_phase_current.si(1.0, line_voltage_v))


def _capacity(breaker_a: float, continuous_factor: float, line_voltage_v: float) -> float:
    limit_a = float(continuous_limit.si(breaker_a, continuous_factor))
    return _volt_amperes(limit_a, line_voltage_v)


def _next_breaker(code: str, edition: float, least_a: float) -> float:
    return next_breaker(standard_breakers(code, f"{edition:.0f}"), least_a, "verification")


def _motor_current(
    shaft_w: float, efficiency: float, power_factor: float, line_voltage_v: float
) -> float:
    apparent_va = apparent_power.si(shaft_w / efficiency, power_factor)
    return float(three_phase_current.si(apparent_va, line_voltage_v))


def _load_list(
    count_1: float, power_w: float, va_per_w: float, count_2: float, unit_va: float, rest_va: float
) -> float:
    servers_va = count_1 * float(apparent_power.si(power_w, 1.0 / va_per_w))
    return servers_va + count_2 * unit_va + rest_va


def _impedance(size: str | float, conduit: str, length_ft: float) -> tuple[float, float]:
    row = table(_TABLE_9).get(size if isinstance(size, str) else f"{size:g}")
    duct = "steel" if conduit == "steel" else "pvc_al"
    columns = (f"r_cu_{conduit}_ohm_per_kft", f"x_{duct}_ohm_per_kft")
    resistance, reactance = (
        float(row.require(column)) * length_ft / _FEET_IN_TABLE for column in columns
    )
    return resistance, reactance


def _drop_exact(
    size: str | float,
    conduit: str,
    length_ft: float,
    current_a: float,
    power_factor: float,
    line_voltage_v: float,
) -> float:
    resistance, reactance = _impedance(size, conduit, length_ft)
    drop_v = voltage_drop_exact.si(
        line_voltage_v / _SQRT3, current_a, resistance, reactance, power_factor
    )
    return _SQRT3 * float(drop_v)


def _drop_exact_part(line_voltage_v: float, **inputs: Any) -> float:
    return _drop_exact(line_voltage_v=line_voltage_v, **inputs) / line_voltage_v


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
        raise FacilityError("NO_K_RATING", "verification", "exceeds the standard ratings.", "")
    return float(found)


def _delivered(
    cell_w: float, cells: float, time_s: float, block_v: float, capacity_as: float
) -> float:
    """Return the energy of a discharge over the product of nominal voltage and capacity."""
    return cell_w * cells * time_s / (block_v * capacity_as)


def _nameplate(
    load_w: float, efficiency: float, ageing: float, time_s: float, of_nameplate: float
) -> float:
    """Return the nameplate energy of a battery that delivers a fraction of it in the time [J]."""
    power_w = block_power.si(load_w, efficiency, 1.0, 1.0, ageing, 1.0, 1.0)
    return float(power_w) * time_s / of_nameplate


def _hydrogen_air(cells: float, charging_a: float) -> float:
    """Return the airflow of a battery room by the rule used in the US."""
    return float(diluting_airflow.si(hydrogen_evolution.si(cells, charging_a), HYDROGEN_LIMIT))


FUNCTIONS: CaseFunctions = {
    "circuit.volt_amperes": ("apparent_power", _volt_amperes),
    "circuit.capacity": ("apparent_power", _capacity),
    "circuit.next_breaker": ("current", _next_breaker),
    "circuit.motor_current": ("current", _motor_current),
    "circuit.load_list": ("apparent_power", _load_list),
    "circuit.drop_exact": ("line_voltage", _drop_exact),
    "circuit.drop_exact_part": ("fraction", _drop_exact_part),
    "harmonic.distortion": ("fraction", _distortion),
    "harmonic.rms": ("current", lambda **currents: _spectrum(**currents).rms),
    "harmonic.k_factor": ("ratio", _k_factor),
    "harmonic.k_rating": ("count", _k_rating),
    "battery.hydrogen_air": ("air_flow", _hydrogen_air),
    "battery.of_nameplate": ("ratio", _delivered),
    "battery.nameplate": ("energy", _nameplate),
}
