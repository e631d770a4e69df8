"""Published cases of formulas that no design uses, composed of several."""

from __future__ import annotations

import math

import numpy as np

from facility.catalogue import table
from facility.core.kinds import KINDS, Numeric
from facility.physics.circuits.currents import reactive_power, required_rating, three_phase_current
from facility.physics.faults.currents import bolted_current
from facility.physics.faults.iec_60909 import peak_current, peak_factor, voltage_factor
from facility.physics.faults.impedances import generator_impedance, rated_impedance
from facility.physics.liquids.water_use import blowdown, makeup
from facility.physics.machines.transformer import transformer_efficiency
from facility.physics.plant.fans_pumps import fan_power
from facility.study.verification.inputs import CaseFunctions
from facility.study.verification.power import fault_cases
from tests.formulas.circuits import (
    delta_line_current,
    delta_load_current,
    delta_total_current,
    line_line_current,
    voltage_unbalance,
)
from tests.formulas.machines import (
    best_load,
    impedance_of_c,
    latent_evaporation,
    locked_rotor_power,
    period_size,
    specific_fan_power,
    unit_correction_fixed_taps,
)
from tests.formulas.point_to_point import (
    conductor_factor,
    multiplier,
    secondary_current,
    transformer_factor,
)

_HIGHEST_TOLERANCE = 0.06
_LARGE_UNIT_R_OVER_X = 0.05
_, _behind_transformer = fault_cases.FUNCTIONS["fault.behind_transformer"]


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


def _delta_line(phase_a: float) -> float:
    return float(delta_line_current.si(phase_a, phase_a))


def _delta_volt_amperes(phase_a: float, line_voltage_v: float) -> float:
    return _delta_line(phase_a) / float(three_phase_current.si(1.0, line_voltage_v))


def _delta_reactive(phase_a: float, line_voltage_v: float, power_factor: float) -> float:
    apparent_va = _delta_volt_amperes(phase_a, line_voltage_v)
    return float(reactive_power.si(apparent_va * power_factor, power_factor))


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


def _step_by_step(
    level_va: float, primary_v: float, rating_va: float, secondary_v: float, impedance: float
) -> float:
    """Return the current behind a transformer by Bussmann's steps, from that at its primary."""
    primary_a = float(three_phase_current.si(level_va, primary_v))
    factor = float(transformer_factor.si(primary_a, primary_v, impedance, rating_va))
    return float(secondary_current.si(primary_a, primary_v, secondary_v, factor))


def _run_ohm(size: str | float, length_m: float) -> float:
    name = size if isinstance(size, str) else f"{size:g}"
    c_value = table("electrical/bussmann_c_values").get(name).require("c_cu_steel")
    return float(impedance_of_c.si(length_m, float(c_value)))


def _run_factor(
    size: str | float, length_m: float, sets: float, voltage_v: float, **transformer: float
) -> float:
    first_a = _behind_transformer(voltage_v=voltage_v, **transformer)
    return float(conductor_factor.si(first_a, _run_ohm(size, length_m), sets, voltage_v))


def _unit_at_network(
    rating_va: float,
    generator_v: float,
    reactance: float,
    resistance_ohm: float,
    power_factor: float,
    voltage_range: float,
    high_v: float,
    impedance: float,
    load_loss: float,
    network_v: float,
) -> tuple[complex, complex]:
    """Return impedance of generator and unit transformer at the high side, and that for the peak.

    IEC 60909: corrected by K_SO, without an on-load tap changer.
    """
    c_max = float(voltage_factor(network_v, True, _HIGHEST_TOLERANCE))
    sine = math.sqrt(1.0 - power_factor**2)
    factor = float(
        unit_correction_fixed_taps.si(
            network_v, generator_v, generator_v, high_v, c_max, reactance, sine, voltage_range
        )
    )
    x_over_r = math.sqrt((impedance / load_loss) ** 2 - 1.0)
    transformer = complex(*rated_impedance.si(rating_va, high_v, impedance, x_over_r))
    _, x = generator_impedance.si(rating_va, generator_v, reactance, 1.0 / _LARGE_UNIT_R_OVER_X)
    ratio = (high_v / generator_v) ** 2
    used, peak = (
        factor * (ratio * complex(r, x) + transformer)
        for r in (resistance_ohm, _LARGE_UNIT_R_OVER_X * x)
    )
    return used / c_max, peak


def _unit_high(network_v: float, **inputs: float) -> float:
    z, _ = _unit_at_network(network_v=network_v, **inputs)
    return float(bolted_current.si(network_v, z.real, z.imag))


def _unit_high_peak(**inputs: float) -> float:
    _, peak = _unit_at_network(**inputs)
    kappa = peak_factor.si(peak.real / peak.imag)
    return float(peak_current.si(_unit_high(**inputs), kappa))


def _makeup_on_top(
    heat_w: float,
    hours: float,
    cycles: float,
    flow_m3_s: float,
    drift: float,
    latent_j_kg: float,
    density_kg_m3: float,
) -> float:
    """Return the make-up in m3 by the convention that adds drift to E / (C - 1)."""
    evaporated = latent_evaporation.si(heat_w, latent_j_kg, density_kg_m3)
    lost = drift * flow_m3_s
    used = makeup.si(evaporated, lost, blowdown.si(evaporated, cycles, 0.0))
    return float(used) * hours * 3600.0


def _evaporated_per_energy(latent_j_kg: float, density_kg_m3: float) -> float:
    return float(latent_evaporation.si(1.0, latent_j_kg, density_kg_m3))


def _best_efficiency(**inputs: float) -> float:
    x = best_load.si(inputs["no_load_w"], inputs["load_loss_w"])
    return float(transformer_efficiency.si(load_fraction=x, **inputs))


def _specific_fan_power(**inputs: float) -> float:
    power_w = fan_power.si(**inputs)
    return float(specific_fan_power.si(power_w, inputs["air_flow_m3_s"]))


FUNCTIONS: CaseFunctions = {
    "circuit.two_wire_demand": ("current", _two_wire_demand),
    "circuit.two_wire_demand_va": ("apparent_power", _two_wire_demand_va),
    "circuit.delta_line": ("current", _delta_line),
    "circuit.delta_volt_amperes": ("apparent_power", _delta_volt_amperes),
    "circuit.delta_reactive": ("reactive_power", _delta_reactive),
    "circuit.delta_power": ("apparent_power", _delta_power),
    "circuit.delta_load": ("current", _delta_load),
    "motor.locked_rotor": ("current", _locked_rotor),
    "motor.unbalance_derating": ("ratio", _unbalance_derating),
    "battery.section": ("charge", _section),
    "fault.step_by_step": ("current", _step_by_step),
    "fault.run_factor": ("ratio", _run_factor),
    "fault.run_multiplier": ("ratio", lambda **of: multiplier.si(_run_factor(**of))),
    "fault.unit_high": ("current", _unit_high),
    "fault.unit_high_peak": ("current", _unit_high_peak),
    "water.makeup_on_top": ("volume", _makeup_on_top),
    "water.per_energy": ("water_per_energy", _evaporated_per_energy),
    "transformer.best_efficiency": ("fraction", _best_efficiency),
    "fan.specific_power": ("specific_fan_power", _specific_fan_power),
}
