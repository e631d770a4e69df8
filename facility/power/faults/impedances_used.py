"""The impedances of a tree as one method and one case use them, referred to one base.

Impedances are divided by the square of the base voltage of their bus, so that admittances are
fault levels in VA and transformers have no ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.model.power.faults import Method, VoltageFactors
from facility.physics.faults.iec_60909 import (
    generator_correction,
    transformer_correction,
    voltage_factor,
)
from facility.power.faults.network import OrderedTree, zero_sequence_path
from facility.power.faults.types import Case, FaultBranch, FaultSource, FaultTree, Sequences

_INFINITE_BUS_VA = 1e18
_OPEN = complex(math.inf, 0.0)
_UNKNOWN = Sequences(complex(math.nan), complex(math.nan))
_LARGE_GENERATOR_VA = 100e6
_LOW_VOLTAGE_V = 1000.0


@dataclass(frozen=True)
class Used:
    """What the currents are calculated from; arrays over buses, or buses by sources."""

    # Impedance of the branch to each bus [1/VA]; infinite where open.
    branch_z1: ComplexArray
    branch_z0: ComplexArray
    source_y1: ComplexArray  # Admittance of each source at its bus [VA]
    ground_y0: ComplexArray  # Zero-sequence admittance to ground at each bus [VA]
    # Admittance of the sources for the peak: generators with the resistance of IEC 60909.
    source_peak_y1: ComplexArray
    voltage: FloatArray  # Voltage before the fault over the nominal one


def impedances_used(
    tree: FaultTree, net: OrderedTree, method: Method, case: Case, voltage: VoltageFactors
) -> Used:
    """Return the impedances of `tree`, whose buses `net` has in order.

    tree, net: The network.
    method, case: As of `facility.power.faults.currents.fault_currents`.
    voltage: Voltage before the fault.
    """
    count = len(net.tags)
    z1, z0 = np.zeros(count, dtype=np.complex128), np.full(count, _OPEN)
    y0 = np.zeros(count, dtype=np.complex128)
    c_max = np.asarray(voltage_factor(net.nominal_v, True, voltage.low_voltage_tolerance))
    c = _voltage(net, method, case, voltage)
    for row, branch in enumerate(net.branches, start=1):
        sequences = branch.least if case == "max" else branch.most
        factor = _branch_factor(branch, method, case, float(c_max[row])) / net.base_v[row] ** 2
        z1[row] = sequences.z1 * factor
        path = zero_sequence_path(branch)
        whole = _scaled(sequences.z0, factor) + 3.0 * branch.neutral_ohm / net.base_v[row] ** 2
        if path == "through":
            z0[row] = whole
        elif path == "grounded":
            y0[row] += _admittance(whole)
    y1 = np.zeros((count, len(tree.sources)), dtype=np.complex128)
    peak = np.zeros_like(y1)
    for column, source in enumerate(tree.sources):
        row = net.source_rows[column]
        if source.kind == "motor" and case == "min":
            continue
        pair = (source.least if case == "max" else source.most) or _UNKNOWN
        factor = _source_factor(source, net, row, method, float(c[row]), float(c_max[row]))
        factor /= net.base_v[row] ** 2
        y1[row, column] = _admittance(pair.z1 * factor)
        peak[row, column] = _admittance(_peak_impedance(source, pair.z1) * factor)
        resistor = 3.0 * source.neutral_ohm / net.base_v[row] ** 2
        y0[row] += _admittance(_scaled(pair.z0, factor) + resistor)
    return Used(z1, z0, y1, y0, peak, c)


def _voltage(net: OrderedTree, method: Method, case: Case, voltage: VoltageFactors) -> FloatArray:
    if method == "iec-60909":
        tolerance = voltage.low_voltage_tolerance
        return np.asarray(voltage_factor(net.nominal_v, case == "max", tolerance))
    factor = voltage.highest if case == "max" else voltage.lowest
    return np.full(len(net.tags), factor)


def _branch_factor(branch: FaultBranch, method: Method, case: Case, c_max: float) -> float:
    if not branch.vector_group:
        return 1.0
    if method == "iec-60909":
        return float(transformer_correction.si(c_max, branch.reactance)) if case == "max" else 1.0
    return 1.0 - branch.tolerance if case == "max" else 1.0 + branch.tolerance


def _source_factor(
    source: FaultSource, net: OrderedTree, row: int, method: Method, c: float, c_max: float
) -> float:
    """Return the factor of IEC 60909 on the impedance of a source."""
    if method != "iec-60909" or source.kind in ("motor", "ups"):
        return 1.0
    if source.kind == "utility":
        return c
    sine = math.sqrt(1.0 - source.power_factor**2)
    nominal_v = float(net.nominal_v[row])
    return float(generator_correction.si(nominal_v, source.rated_v, c_max, source.reactance, sine))


def _peak_impedance(source: FaultSource, z1: complex) -> complex:
    if source.kind != "generator":
        return z1
    if source.rated_v <= _LOW_VOLTAGE_V:
        part = 0.15
    else:
        part = 0.05 if source.rating_va >= _LARGE_GENERATOR_VA else 0.07
    return complex(part * z1.imag, z1.imag)


def _scaled(impedance: complex, factor: float) -> complex:
    return _OPEN if math.isinf(impedance.real) else impedance * factor


def _admittance(impedance: complex) -> complex:
    if math.isinf(impedance.real):
        return 0.0
    return 1.0 / impedance if impedance != 0.0 else complex(0.0, -_INFINITE_BUS_VA)
