"""Fault currents at every bus of a radial network, by one of three methods.

``per-unit``: impedances added as R + jX, ANSI style, voltage before the fault about nominal.
``point-to-point``: magnitudes added, as the Bussmann tables do; X/R is still that of R + jX.
``iec-60909``: c times the nominal voltage, impedances corrected by K_T and K_G, peak by kappa at
20 Hz (method c). Contributions of motors count for the highest currents alone.

The impedance seen from every bus takes two passes over the tree, which carry admittances to the
common reference: up from the ends, what each bus finds below it; down from the root, what it finds
above. Each admittance is kept as the parts of the sources, which a branch divides all alike, so
that the shares of the fault current fall out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

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
from facility.physics.faults.iec_60909 import peak_current, peak_factor
from facility.power.faults.impedances_used import Used, impedances_used
from facility.power.faults.network import OrderedTree, ordered
from facility.power.faults.types import Case, FaultCurrents, FaultSource, FaultTree

_FREQUENCY_RATIO = 0.4
_UNLIMITED_VA = 1e15


class _Seen(NamedTuple):
    """Impedances from every bus [ohm]: R + jX; as the method adds them; zero sequence; parts."""

    z1: ComplexArray
    used_z1: ComplexArray
    z0: ComplexArray
    parts: ComplexArray


def fault_currents(
    tree: FaultTree, method: Method, case: Case, voltage: VoltageFactors
) -> FaultCurrents:
    """Return the currents of bolted faults at every bus of `tree`.

    Sources in parallel add at the bus as impedances. The source states (utility, generator,
    inverter) are trees of their own. Negative-sequence impedances equal the positive ones.

    tree: The network in one source state.
    method: How impedances add and what corrects them.
    case: Highest currents (motors, cold conductors, least impedances) or lowest.
    voltage: Voltage before the fault.

    Raises as of `facility.power.faults.network.ordered`.

    Returns
    -------
    FaultCurrents
        Arrays over the buses, the root first. Infinite at an infinite bus, NaN where an impedance
        is unknown.
    """
    net = ordered(tree)
    used = impedances_used(tree, net, method, case, voltage)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _results(tree, net, used, (method, case), _seen(net, used, method))


def _seen(net: OrderedTree, used: Used, method: Method) -> _Seen:
    """Return the impedances from every bus, as R + jX and as the method adds them."""
    true = admittances(net.parent, used.branch_z1, used.source_y1)
    adding = _magnitudes(used) if method == "point-to-point" else used
    parts = admittances(net.parent, adding.branch_z1, adding.source_y1)
    ground = admittances(net.parent, adding.branch_z0, adding.ground_y0[:, None])
    return _Seen(
        _impedance(true.sum(axis=1), net.base_v),
        _impedance(parts.sum(axis=1), net.base_v),
        _impedance(ground[:, 0], net.base_v),
        parts,
    )


def _results(
    tree: FaultTree, net: OrderedTree, used: Used, how: tuple[Method, Case], seen: _Seen
) -> FaultCurrents:
    z1, r1, x1 = seen.z1, seen.used_z1.real, seen.used_z1.imag
    total = seen.parts.sum(axis=1)
    drive_v = used.voltage * net.nominal_v
    three = bolted_current.si(drive_v, r1, x1)
    three = np.where(np.abs(total) > _UNLIMITED_VA, math.inf, three)
    ground = line_ground_current.si(drive_v, r1, x1, seen.z0.real, seen.z0.imag)
    stiff = np.isinf(three) & (np.abs(seen.z0) * _UNLIMITED_VA < net.base_v**2)
    ground = np.where(np.isinf(seen.z0.real), 0.0, np.where(stiff, three, ground))
    x_over_r = np.where(np.isinf(three), math.nan, z1.imag / z1.real)
    three, line, ground, limited = _limited(tree, net, how[1], three, ground)
    share = seen.parts / total[:, None]
    peak = _peak(three, x_over_r, how[0], net, used)
    return FaultCurrents(
        how[0],
        how[1],
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
        seen.z0,
        np.abs(share) * three[:, None],
    )


def _impedance(admittance: ComplexArray, base_v: FloatArray) -> ComplexArray:
    """Return the impedance in ohm; a real infinity where there is no path."""
    open_path = admittance == 0.0
    safe = np.where(open_path, 1.0, admittance)
    return np.where(open_path, complex(math.inf, 0.0), base_v**2 / safe)


def _magnitudes(used: Used) -> Used:
    return Used(
        np.abs(used.branch_z1).astype(np.complex128),
        np.abs(used.branch_z0).astype(np.complex128),
        np.abs(used.source_y1).astype(np.complex128),
        np.abs(used.ground_y0).astype(np.complex128),
        used.source_peak_y1,
        used.voltage,
    )


def _limited(
    tree: FaultTree, net: OrderedTree, case: Case, three: FloatArray, ground: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the currents held to the limit of an inverter, and where it holds them.

    Behind a delta winding a line-to-line fault draws 2/sqrt(3) of its current in one line above:
    for the lowest currents the limit counts by sqrt(3)/2.
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
    """Return what is left once motors have died out and generators fallen to their excitation."""
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

    parent: Row of the bus above each bus; buses stand after the one above them, the root first.
    branch_pu: Impedance of the branch to each bus; infinite for an open one; the first is not used,
        shape (buses,).
    own_pu: Admittance of each source at its own bus, shape (buses, sources).

    Returns
    -------
    ndarray, (buses, sources)
        The sum over the sources is the admittance seen from the bus; 1 over it the impedance.
    """
    count = len(parent)
    children: list[list[int]] = [[] for _ in range(count)]
    for row in range(1, count):
        children[parent[row]].append(row)
    below = own_pu.astype(np.complex128)
    through = np.zeros_like(below)
    for row in range(count - 1, 0, -1):
        through[row] = _behind(below[row], branch_pu[row])
        below[parent[row]] += through[row]
    above = np.zeros_like(below)
    for row in range(count):
        _hand_down(above, through, own_pu[row] + above[row], children[row], branch_pu)
    return np.asarray(below + above)


def _behind(parts: ComplexArray, impedance: complex) -> ComplexArray:
    """Return the parts of an admittance as seen through an impedance in series."""
    if np.isinf(impedance) or not parts.any():
        return np.zeros_like(parts)
    return np.asarray(parts / (1.0 + parts.sum() * impedance))


def _hand_down(
    above: ComplexArray,
    through: ComplexArray,
    here: ComplexArray,
    rows: list[int],
    branch_pu: ComplexArray,
) -> None:
    """Give each child what its parent finds everywhere but below that child.

    The others are added up from both ends: subtracting the child from the sum would lose its
    brothers behind a source of low impedance.
    """
    after = [np.zeros_like(here)]
    for row in reversed(rows):
        after.append(after[-1] + through[row])
    before = here
    for position, row in enumerate(rows):
        rest = before + after[len(rows) - 1 - position]
        above[row] = _behind(rest, branch_pu[row])
        before = before + through[row]
