"""Cases of circuits and batteries: currents, demand, ratings, voltage drop, harmonics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, Numeric
from facility.physics.circuits.currents import (
    apparent_power,
    continuous_limit,
    line_line_current,
    reactive_power,
    required_rating,
    three_phase_current,
)
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    k_factor,
    k_rating,
)
from facility.physics.circuits.phasor import (
    delta_line_current,
    delta_load_current,
    delta_total_current,
    voltage_unbalance,
)
from facility.physics.circuits.voltage_drop import voltage_drop_exact
from facility.physics.machines.battery import block_power, period_size
from facility.physics.machines.hydrogen import diluting_airflow, hydrogen_evolution
from facility.physics.machines.motor_start import locked_rotor_power
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


def _two_wire_demand(
    continuous_va: float, other_va: float, line_voltage_v: float, continuous_factor: float
) -> Numeric:
    continuous_a, other_a = (
        line_line_current.si(va, line_voltage_v) for va in (continuous_va, other_va)
    )
    return required_rating.si(continuous_a, other_a, continuous_factor)


def _two_wire_demand_va(line_voltage_v: float, **inputs: float) -> Numeric:
    current_a = _two_wire_demand(line_voltage_v=line_voltage_v, **inputs)
    return current_a / float(line_line_current.si(1.0, line_voltage_v))


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


def _delta_line(phase_a: float) -> float:
    return float(delta_line_current.si(phase_a, phase_a))


def _delta_volt_amperes(phase_a: float, line_voltage_v: float) -> float:
    return _volt_amperes(_delta_line(phase_a), line_voltage_v)


def _delta_reactive(phase_a: float, line_voltage_v: float, power_factor: float) -> float:
    apparent_va = _delta_volt_amperes(phase_a, line_voltage_v)
    return float(reactive_power.si(apparent_va * power_factor, power_factor))


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


def _delta_power(a_a: float, b_a: float, c_a: float, line_voltage_v: float) -> float:
    """Return the VA behind the line currents that a rack PDU with delta outlets shows."""
    return line_voltage_v * float(delta_total_current.si(a_a, b_a, c_a))


def _delta_load(a_a: float, b_a: float, c_a: float, pair: str) -> float:
    """Return the current between two lines (``ab``, ``bc``, ``ca``) of a rack PDU."""
    lines = {"a": a_a, "b": b_a, "c": c_a}
    (opposite_a,) = (value for line, value in lines.items() if line not in pair)
    near_1_a, near_2_a = (lines[line] for line in pair)
    total_a = delta_total_current.si(a_a, b_a, c_a)
    return float(delta_load_current.si(total_a, opposite_a, near_1_a, near_2_a))


def _locked_rotor(letter: str, shaft_w: float, line_voltage_v: float, end: str) -> float:
    row = table("electrical/nec_430_7b_code_letters").get(letter)
    per_hp = float(row.require(f"{end}_kva_per_hp"))
    per_w = per_hp * 1e3 / KINDS["active_power"].units["hp"][0]
    return float(three_phase_current.si(locked_rotor_power.si(shaft_w, per_w), line_voltage_v))


def _unbalance_derating(ab_v: float, bc_v: float, ca_v: float) -> float:
    """Return the part of its rating that a motor may carry on unbalanced voltages."""
    rows = table("electrical/nema_unbalance_derating").rows
    unbalances = [row.si("unbalance_pct") for row in rows]
    factors = [float(row.require("derating")) for row in rows]
    return float(np.interp(voltage_unbalance.si(ab_v, bc_v, ca_v), unbalances, factors))


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
    "circuit.delta_load": ("current", _delta_load),
    "circuit.delta_power": ("apparent_power", _delta_power),
    "motor.locked_rotor": ("current", _locked_rotor),
    "motor.unbalance_derating": ("ratio", _unbalance_derating),
    "circuit.volt_amperes": ("apparent_power", _volt_amperes),
    "circuit.capacity": ("apparent_power", _capacity),
    "circuit.next_breaker": ("current", _next_breaker),
    "circuit.two_wire_demand": ("current", _two_wire_demand),
    "circuit.two_wire_demand_va": ("apparent_power", _two_wire_demand_va),
    "circuit.motor_current": ("current", _motor_current),
    "circuit.load_list": ("apparent_power", _load_list),
    "circuit.delta_line": ("current", _delta_line),
    "circuit.delta_volt_amperes": ("apparent_power", _delta_volt_amperes),
    "circuit.delta_reactive": ("reactive_power", _delta_reactive),
    "circuit.drop_exact": ("line_voltage", _drop_exact),
    "circuit.drop_exact_part": ("fraction", _drop_exact_part),
    "harmonic.distortion": ("fraction", _distortion),
    "harmonic.rms": ("current", lambda **currents: _spectrum(**currents).rms),
    "harmonic.k_factor": ("ratio", _k_factor),
    "harmonic.k_rating": ("count", _k_rating),
    "battery.hydrogen_air": ("air_flow", _hydrogen_air),
    "battery.section": ("charge", _section),
    "battery.of_nameplate": ("ratio", _delivered),
    "battery.nameplate": ("energy", _nameplate),
}
