"""Cases of short circuits: downstream of a transformer, along a run, of a power station unit."""

from __future__ import annotations

import math

from facility.catalogue import table
from facility.model.power.faults import Method, SourceData, VoltageFactors
from facility.physics.circuits.currents import three_phase_current
from facility.physics.faults.currents import bolted_current
from facility.physics.faults.iec_60909 import (
    generator_correction,
    peak_current,
    peak_factor,
    voltage_factor,
)
from facility.physics.faults.impedances import (
    generator_impedance,
    rated_impedance,
    source_impedance,
)
from facility.power.faults.currents import fault_currents
from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.sources import utility_source
from facility.power.faults.types import FaultBranch, FaultTree
from facility.study.verification.inputs import CaseFunctions

AT_NOMINAL = VoltageFactors(highest=1.0, lowest=0.95, low_voltage_tolerance=0.06)
SOURCES = SourceData(
    utility_minimum_va=None,
    utility_x_over_r=10.0,
    utility_zero=1.0,
    generator_reactance=0.12,
    generator_x_over_r=20.0,
    generator_zero=0.5,
    generator_sustained=3.0,
    motor_multiple=4.0,
    motor_x_over_r=6.0,
    motor_share=1.0,
    ups_multiple=2.4,
    ups_duration_s=0.2,
)
_PRIMARY_V = 13_800.0
_X_OVER_R = 10.0
_FOOT_M = 0.3048
_HIGHEST_TOLERANCE = 0.06
_LARGE_UNIT_R_OVER_X = 0.05


def transformer(
    rating_va: float, voltage_v: float, impedance: float, tolerance: float = 0.0
) -> FaultBranch:
    """Return a transformer from 13.8 kV to the bus LV."""
    return transformer_branch(
        "LV", "MV", rating_va, _PRIMARY_V, voltage_v, impedance, "Dyn1", 1.0, tolerance, _X_OVER_R
    )


def current(bus: str, method: Method, level_va: float | None, *branches: FaultBranch) -> float:
    """Return the maximum three-phase current; one X/R everywhere, so that magnitudes add."""
    utility = utility_source("U", "MV", _PRIMARY_V, level_va, _X_OVER_R, SOURCES)
    tree = FaultTree("MV", _PRIMARY_V, branches, (utility,))
    found = fault_currents(tree, method, "max", AT_NOMINAL)
    return float(found.three_phase_a[found.index(bus)])


def _downstream_of_transformer(
    rating_va: float,
    voltage_v: float,
    impedance: float,
    tolerance: float = 0.0,
    level_va: float | None = None,
) -> float:
    unit = transformer(rating_va, voltage_v, impedance, tolerance)
    return current("LV", "per-unit", level_va, unit)


def _multiple(rating_va: float, voltage_v: float, **inputs: float) -> float:
    rated_a = three_phase_current.si(rating_va, voltage_v)
    return _downstream_of_transformer(rating_va, voltage_v, **inputs) / float(rated_a)


def _short_circuit_voltage(rating_va: float, voltage_v: float, impedance: float) -> float:
    """Return the line voltage that drives rated current through the shorted transformer."""
    return voltage_v / _multiple(rating_va, voltage_v, impedance=impedance)


def _run_ohm(size: str | float, length_m: float) -> float:
    """Return the impedance of one conductor in steel conduit: its length over its C."""
    name = size if isinstance(size, str) else f"{size:g}"
    c_value = table("electrical/bussmann_c_values").get(name).require("c_cu_steel")
    return length_m / _FOOT_M / float(c_value)


def _run_current(
    size: str | float, length_m: float, sets: float, voltage_v: float, **of_unit: float
) -> float:
    ohm = complex(0.0, _run_ohm(size, length_m))
    run = conductor_branch("END", "LV", voltage_v, ohm, ohm, (1.0, 1.0), int(sets))
    unit = transformer(voltage_v=voltage_v, **of_unit)
    return current("END", "point-to-point", None, unit, run)


def _per_unit(rating_va: float, impedance: float, base_va: float) -> float:
    parts = rated_impedance.si(rating_va, 1.0, impedance, _X_OVER_R)
    return math.hypot(*parts) * base_va


def _per_unit_source(level_va: float, base_va: float) -> float:
    return math.hypot(*source_impedance.si(level_va, 1.0, _X_OVER_R)) * base_va


def _unit_low(
    rating_va: float,
    generator_v: float,
    reactance: float,
    resistance_ohm: float,
    power_factor: float,
    voltage_range: float,
) -> float:
    """Return the current of the generator only, at its terminals."""
    c_max = float(voltage_factor(generator_v, True, _HIGHEST_TOLERANCE))
    sine = math.sqrt(1.0 - power_factor**2)
    highest_v = generator_v * (1.0 + voltage_range)
    factor = float(generator_correction.si(generator_v, highest_v, c_max, reactance, sine)) / c_max
    _, x = generator_impedance.si(rating_va, generator_v, reactance, 1.0 / _LARGE_UNIT_R_OVER_X)
    return float(bolted_current.si(generator_v, factor * resistance_ohm, factor * float(x)))


def _unit_low_peak(**inputs: float) -> float:
    return float(peak_current.si(_unit_low(**inputs), peak_factor.si(_LARGE_UNIT_R_OVER_X)))


def _through(
    network_v: float, level_va: float, x_over_r: float, r_ohm: float, x_ohm: float
) -> float:
    """Return the maximum current of a three-phase fault through an impedance, IEC 60909."""
    r, x = (float(part) for part in source_impedance.si(level_va, network_v, x_over_r))
    c_max = float(voltage_factor(network_v, True, _HIGHEST_TOLERANCE))
    return float(bolted_current.si(c_max * network_v, r + r_ohm, x + x_ohm))


def _through_voltage(network_v: float, r_ohm: float, x_ohm: float, **source: float) -> float:
    """Return the remaining voltage at the fault relative to nominal."""
    current_a = _through(network_v, r_ohm=r_ohm, x_ohm=x_ohm, **source)
    return math.sqrt(3.0) * current_a * math.hypot(r_ohm, x_ohm) / network_v


FUNCTIONS: CaseFunctions = {
    "fault.through": ("current", _through),
    "fault.through_voltage": ("fraction", _through_voltage),
    "fault.behind_transformer": ("current", _downstream_of_transformer),
    "fault.multiple": ("ratio", _multiple),
    "fault.short_circuit_voltage": ("line_voltage", _short_circuit_voltage),
    "fault.run_current": ("current", _run_current),
    "fault.per_unit": ("ratio", _per_unit),
    "fault.per_unit_source": ("ratio", _per_unit_source),
    "fault.unit_low": ("current", _unit_low),
    "fault.unit_low_peak": ("current", _unit_low_peak),
}
