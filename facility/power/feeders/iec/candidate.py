"""Candidate size and number of cables for a circuit under IEC 60364."""

from __future__ import annotations

import math

from facility.core.rounding import reaches, within
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductor_metals import PER_KELVIN_20
from facility.physics.circuits.conductors import adiabatic_current, resistance_at
from facility.physics.circuits.iec_conductors import (
    largest_device,
    largest_loop_impedance,
    protective_area,
)
from facility.power.feeders.drop import Drop, drop_along
from facility.power.feeders.iec.tables import TABLE_HZ, adiabatic_k, cable_row
from facility.power.feeders.iec.types import IecCable, IecFrame

_KM_M = 1000.0
_MM2 = 1e-6
_FINAL_CIRCUIT_A = 32.0
MIN_VOLTAGE_FACTOR = 0.95
LOOP = "disconnection of an earth fault at the end, Zs Ia <= 0.95 U0"
WITHSTAND = "short-circuit withstand, k2S2 >= I2t"
"""Governing criterion of sizes above the requirements of overload and voltage drop."""


def conductor_resistance(size_mm2: float, frame: IecFrame) -> float | None:
    """Return the resistance of one conductor over the length, at its highest temperature [ohm]."""
    row, metal = cable_row(size_mm2), frame.basis.material
    at_20 = None if row is None else row[f"r20_{metal}_ohm_per_km"]
    if at_20 is None:
        return None
    at_20_ohm = float(at_20) * frame.demand.length_m / _KM_M
    return float(resistance_at.si(at_20_ohm, PER_KELVIN_20[metal], 20.0, frame.basis.insulation_c))


def voltage_drop(cable: IecCable, frame: IecFrame) -> Drop | None:
    """Return the voltage drop of a candidate; None if its resistance is not tabulated.

    The conductor is at the maximum temperature of its insulation. The tabulated resistance excludes
    the skin effect.
    """
    resistance_ohm, row = conductor_resistance(cable.size_mm2, frame), cable_row(cable.size_mm2)
    if resistance_ohm is None or row is None:
        return None
    reactance_ohm = float(row.require("x_default_ohm_per_km")) * frame.demand.length_m / _KM_M
    reactance_ohm *= frame.basis.reactance_factor(TABLE_HZ)
    return drop_along(frame.demand, cable.sets, resistance_ohm, reactance_ohm)


def withstand_factor(basis: ConductorBasis) -> float:
    """Return k of metal and insulation [A s^0.5/mm2]."""
    return adiabatic_k(basis.material, basis.insulation)


def overload_limit(cable: IecCable, frame: IecFrame) -> float:
    """Return the largest device that protects the cable against overload [A].

    With harmonics in the neutral the load heats the cable by `ratio` more than the device current
    indicates, and the device must be smaller by the same factor.
    """
    return float(largest_device.si(cable.ampacity_a(frame), frame.multiple)) / frame.ratio


def protective_size(line_m2: float, sizes_m2: tuple[float, ...]) -> float:
    """Return the standard size of the protective conductor of one cable by table 54.2 [m2]."""
    min_m2 = float(protective_area.si(line_m2))
    return min((size for size in sizes_m2 if reaches(size, min_m2)), default=line_m2)


def withstand(area_m2: float, sets: int, duration_s: float, basis: ConductorBasis) -> float:
    """Return the withstand current of the line or protective conductors of all cables [A].

    Parallel cables are assumed to share the current evenly.
    """
    return sets * float(adiabatic_current.si(area_m2, duration_s, withstand_factor(basis)))


def protective_for_fault(frame: IecFrame, cable: IecCable, sizes_m2: tuple[float, ...]) -> float:
    """Return the size of table 54.2, or the next size up to the line that withstands [m2]."""
    table_m2 = protective_size(cable.area_m2, sizes_m2)
    fault_a, found = frame.demand.earth_fault_a, frame.of_earth_fault
    if fault_a is None or found is None or found.duration_s is None or not found.known:
        return table_m2
    bearing = (
        size
        for size in sizes_m2
        if reaches(size, table_m2)
        and reaches(withstand(size, cable.sets, found.duration_s, frame.basis), fault_a)
    )
    return min(next(bearing, cable.area_m2), max(cable.area_m2, table_m2))


def loop_at_end(
    source_ohm: float, line_ohm: complex, line_mm2: float, earth_mm2: float, material: str
) -> float:
    """Return the earth-fault loop impedance at the end [ohm]; NaN if a size is not listed.

    Magnitudes are added: at least the true impedance. The reactance of the cable counts twice, for
    line and protective conductor, which have the same metal.

    source_ohm: Loop impedance at the supply end.
    line_ohm: All line conductors of a phase in parallel, at fault temperature.
    """
    rows = (cable_row(earth_mm2), cable_row(line_mm2))
    earth, line = (None if row is None else row[f"r20_{material}_ohm_per_km"] for row in rows)
    if earth is None or line is None:
        return math.nan
    earth_ohm = line_ohm.real * float(earth) / float(line)
    return source_ohm + abs(complex(line_ohm.real + earth_ohm, 2.0 * line_ohm.imag))


def _disconnects(cable: IecCable, frame: IecFrame, drop: Drop, sizes_m2: tuple[float, ...]) -> bool:
    """Return whether a rack circuit trips instantaneously on an earth fault at its end, if known.

    Above 32 A a longer time is permitted, and FAULT-LOWEST checks it.
    """
    demand, trip_a = frame.demand, frame.demand.trips_at(frame.device_a)
    if demand.loop_ohm is None or trip_a is None or demand.location != "branch":
        return True
    line_ohm = complex(drop.resistance_ohm, drop.reactance_ohm)
    earth_mm2 = protective_for_fault(frame, cable, sizes_m2) / _MM2
    loop_ohm = loop_at_end(
        demand.loop_ohm, line_ohm, cable.size_mm2, earth_mm2, frame.basis.material
    )
    limit_ohm = float(largest_loop_impedance.si(demand.v_ln, MIN_VOLTAGE_FACTOR, trip_a))
    return cable.sets == 1 and not loop_ohm > limit_ohm


def is_final(location: str, device_a: float) -> bool:
    """Return whether the times of table 41.1 apply: final circuits up to 32 A."""
    return location == "branch" and device_a <= _FINAL_CIRCUIT_A


def refusal(cable: IecCable, frame: IecFrame, sizes_m2: tuple[float, ...]) -> str:
    """Return the rule that rejects a candidate; empty if accepted.

    sizes_m2: Sizes of protective conductors.
    """
    if not within(frame.device_a, overload_limit(cable, frame)):
        return "overload, In <= Iz and I2 <= 1.45 Iz"
    drop = voltage_drop(cable, frame)
    if drop is None:
        return "no resistance in IEC 60228, which lists aluminium from 10 mm2"
    if not within(drop.drop_v, frame.drop_limit * frame.demand.voltage_v):
        return "voltage drop"
    if not _disconnects(cable, frame, drop, sizes_m2):
        return LOOP
    fault_a, found = frame.demand.fault_a, frame.of_fault
    if fault_a is None or found is None or found.duration_s is None or not found.known:
        return ""
    carried_a = withstand(cable.area_m2, cable.sets, found.duration_s, frame.basis)
    return "" if within(fault_a, carried_a) else WITHSTAND
