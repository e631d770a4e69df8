"""Fault currents at every bus of a radial network, by one of three methods.

``per-unit``: impedances added as R + jX, ANSI method, pre-fault voltage about nominal.
``point-to-point``: magnitudes added, as in the Bussmann tables; X/R is still from R + jX.
``iec-60909``: c times the nominal voltage, impedances corrected by K_T and K_G, peak by kappa at
20 Hz (method c). Motor contributions count only for the maximum currents.

The impedance seen from every bus takes two passes over the tree with admittances to the common
reference: upward from the ends for the part below each bus, downward from the root for the part
above. Each admittance is stored per source; a branch divides all sources equally, which yields
the source contributions to the fault current.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.model.power.faults import Method, VoltageFactors
from facility.physics.faults.currents import (
    asymmetrical_rms,
    bolted_current,
    first_cycle_peak,
    line_ground_current,
    line_line_current,
)
from facility.physics.faults.iec_60909 import (
    generator_correction,
    peak_current,
    peak_factor,
    transformer_correction,
    voltage_factor,
)
from facility.power.faults.network import OrderedTree, ordered, zero_sequence_path
from facility.power.faults.types import (
    Case,
    FaultBranch,
    FaultCurrents,
    FaultSource,
    FaultTree,
    Sequences,
)

_INFINITE_BUS_VA = 1e18
_OPEN = complex(math.inf, 0.0)
_UNKNOWN = Sequences(complex(math.nan), complex(math.nan))
_LARGE_GENERATOR_VA = 100e6
_LOW_VOLTAGE_V = 1000.0


@dataclass(frozen=True)
class Used:
    """Impedances used in the calculation; arrays over buses, or buses by sources."""

    # Impedance of the branch to each bus [1/VA]; infinite where open.
    branch_z1: ComplexArray
    branch_z0: ComplexArray
    source_y1: ComplexArray  # Admittance of each source at its bus [VA]
    ground_y0: ComplexArray  # Zero-sequence admittance to ground at each bus [VA]
    # Admittance of the sources for the peak: generators with the resistance by IEC 60909.
    source_peak_y1: ComplexArray
    voltage: FloatArray  # Pre-fault voltage / nominal voltage


def impedances_used(
    tree: FaultTree, net: OrderedTree, method: Method, case: Case, voltage: VoltageFactors
) -> Used:
    """Return the impedances of `tree` for `fault_currents`, in the bus order of `net`.

    They are divided by the square of the base voltage of their bus: admittances are fault levels in
    VA, and transformers have no ratio.
    """
    count = len(net.tags)
    z1, z0 = np.zeros(count, dtype=np.complex128), np.full(count, _OPEN)
    y0 = np.zeros(count, dtype=np.complex128)
    c_max = np.asarray(voltage_factor(net.nominal_v, True, voltage.low_voltage_tolerance))
    c = _voltage(net, method, case, voltage)
    for row, branch in enumerate(net.branches, start=1):
        sequences = branch.min_impedance if case == "max" else branch.max_impedance
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
        pair = (source.min_impedance if case == "max" else source.max_impedance) or _UNKNOWN
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
    """Return the IEC 60909 correction factor of a source impedance."""
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


_FREQUENCY_RATIO = 0.4
_UNLIMITED_VA = 1e15


def fault_currents(
    tree: FaultTree, method: Method, case: Case, voltage: VoltageFactors
) -> FaultCurrents:
    """Return the bolted fault currents at every bus of `tree`.

    Parallel sources add at the bus as impedances. The source states (utility, generator, inverter)
    are separate trees. Negative-sequence impedances equal the positive-sequence impedances.

    tree: Network in one source state.
    method: Addition and correction of impedances.
    case: Maximum currents (motors, cold conductors, minimum impedances) or minimum currents.

    Raises the errors of `facility.power.faults.network.ordered`.

    Arrays are over the buses, the root first: infinite at an infinite bus, NaN if an impedance is
    unknown.
    """
    net = ordered(tree)
    used = impedances_used(tree, net, method, case, voltage)
    adding = used
    if method == "point-to-point":
        adding = Used(
            np.abs(used.branch_z1).astype(np.complex128),
            np.abs(used.branch_z0).astype(np.complex128),
            np.abs(used.source_y1).astype(np.complex128),
            np.abs(used.ground_y0).astype(np.complex128),
            used.source_peak_y1,
            used.voltage,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        # From every bus: as R + jX, and as added by the method
        true = admittances(net.parent, used.branch_z1, used.source_y1).sum(axis=1)
        z1 = _impedance(true, net.base_v)
        parts = admittances(net.parent, adding.branch_z1, adding.source_y1)
        total = parts.sum(axis=1)
        used_z1 = _impedance(total, net.base_v)
        r1, x1 = used_z1.real, used_z1.imag
        to_ground = admittances(net.parent, adding.branch_z0, adding.ground_y0[:, None])
        z0 = _impedance(to_ground[:, 0], net.base_v)
        drive_v = used.voltage * net.nominal_v
        three = bolted_current.si(drive_v, r1, x1)
        three = np.where(np.abs(total) > _UNLIMITED_VA, math.inf, three)
        ground = line_ground_current.si(drive_v, r1, x1, z0.real, z0.imag)
        stiff = np.isinf(three) & (np.abs(z0) * _UNLIMITED_VA < net.base_v**2)
        ground = np.where(np.isinf(z0.real), 0.0, np.where(stiff, three, ground))
        x_over_r = np.where(np.isinf(three), math.nan, z1.imag / z1.real)
        three, line, ground, limited = _limited(tree, net, case, three, ground)
        share = parts / total[:, None]
        peak = _peak(three, x_over_r, method, net, used)
        return FaultCurrents(
            method,
            case,
            net.tags,
            tuple(source.tag for source in tree.sources),
            net.nominal_v,
            three,
            line,
            ground,
            _sustained(tree.sources, net, three, share),
            x_over_r,
            np.where(limited, math.nan, peak),
            np.where(limited, math.nan, asymmetrical_rms.si(three, x_over_r)),
            z1,
            z0,
            np.abs(share) * three[:, None],
        )


def _impedance(admittance: ComplexArray, base_v: FloatArray) -> ComplexArray:
    """Return the impedance in ohm; a real infinity if there is no path."""
    open_path = admittance == 0.0
    safe = np.where(open_path, 1.0, admittance)
    return np.where(open_path, complex(math.inf, 0.0), base_v**2 / safe)


def _limited(
    tree: FaultTree, net: OrderedTree, case: Case, three: FloatArray, ground: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the currents limited by an inverter, and where the limit applies.

    Behind a delta winding a line-to-line fault draws 2/sqrt(3) of its current in one line upstream:
    for minimum currents the limit is multiplied by sqrt(3)/2.
    """
    line = np.asarray(line_line_current.si(three))
    source = tree.sources[0]
    if source.kind != "ups":
        return three, line, ground, np.zeros(len(three), dtype=bool)
    limit = source.limit_a * net.base_v[net.source_rows[0]] / net.base_v
    limited = three > limit
    line_limit = limit if case == "max" else line_line_current.si(limit)
    return (
        np.minimum(three, limit),
        np.minimum(line, line_limit),
        np.minimum(ground, limit),
        limited,
    )


def _sustained(
    sources: tuple[FaultSource, ...], net: OrderedTree, three: FloatArray, share: ComplexArray
) -> FloatArray:
    """Return the sustained current after motor decay, with generators at excitation limit."""
    lasting = [index for index, source in enumerate(sources) if source.kind != "motor"]
    without_motors = np.where(np.isinf(three), three, np.abs(share[:, lasting].sum(axis=1)) * three)
    limits = [
        sources[index].limit_a * net.base_v[net.source_rows[index]] / net.base_v
        for index in lasting
    ]
    return np.asarray(np.minimum(without_motors, np.sum(limits, axis=0)))


def _peak(
    three: FloatArray, x_over_r: FloatArray, method: Method, net: OrderedTree, used: Used
) -> FloatArray:
    if method != "iec-60909":
        return np.asarray(first_cycle_peak.si(three, x_over_r))
    branch = _at_low_frequency(used.branch_z1)
    missing = used.source_peak_y1 == 0.0
    known = np.where(missing, 1.0 + 0.0j, used.source_peak_y1).astype(np.complex128)
    source = 1.0 / _at_low_frequency(np.asarray(1.0 / known, np.complex128))
    seen = 1.0 / admittances(net.parent, branch, np.where(missing, 0.0j, source)).sum(axis=1)
    kappa = peak_factor.si(seen.real / seen.imag * _FREQUENCY_RATIO)
    return np.asarray(peak_current.si(three, kappa))


def _at_low_frequency(impedance: ComplexArray) -> ComplexArray:
    return np.asarray(impedance.real + 1j * _FREQUENCY_RATIO * impedance.imag, np.complex128)


def admittances(
    parent: tuple[int, ...], branch_pu: ComplexArray, own_pu: ComplexArray
) -> ComplexArray:
    """Return the admittance to the reference at every bus, split by source.

    parent: Index of the upstream bus of each bus; each bus follows its upstream bus, the root
        first.
    branch_pu: Impedance of the branch to each bus; infinite if open; the first is not used,
        shape (buses,).
    own_pu: Admittance of each source at its own bus, shape (buses, sources).

    The sum over the sources is the admittance seen from the bus; its reciprocal is the impedance.
    """
    # The last column is the sum of the others, to avoid repeated summation.
    count, branch = len(parent), branch_pu.tolist()
    own = np.column_stack((own_pu, own_pu.sum(axis=1))).astype(np.complex128)
    children: list[list[int]] = [[] for _ in range(count)]
    for row in range(1, count):
        children[parent[row]].append(row)
    below, through, above = own.copy(), np.zeros_like(own), np.zeros_like(own)
    for row in range(count - 1, 0, -1):
        through[row] = _through_impedance(below[row], branch[row])
        below[parent[row]] += through[row]
    for row in range(count):
        _hand_down(above, through, own[row] + above[row], children[row], branch)
    return np.asarray((below + above)[:, :-1])


def _through_impedance(parts: ComplexArray, impedance: complex) -> ComplexArray:
    """Return the parts of an admittance, their sum last, seen through a series impedance."""
    whole = complex(parts[-1])  # Of inductive sources: zero if there is none
    if cmath.isinf(impedance) or not whole:
        return np.zeros_like(parts)
    return np.asarray(parts / (1.0 + whole * impedance))


def _hand_down(
    above: ComplexArray,
    through: ComplexArray,
    here: ComplexArray,
    rows: list[int],
    branch: list[complex],
) -> None:
    """Pass to each child the admittance of everything except its own branch.

    The others are added from both ends: subtracting the child from the sum would lose its siblings
    behind a low-impedance source.
    """
    after = [np.zeros_like(here)]
    for row in reversed(rows):
        after.append(after[-1] + through[row])
    before = here
    for position, row in enumerate(rows):
        rest = before + after[len(rows) - 1 - position]
        above[row] = _through_impedance(rest, branch[row])
        before = before + through[row]
