"""Ordering and validation of the tree of a short-circuit study."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from facility.core.errors import FacilityError, unknown
from facility.core.kinds import FloatArray
from facility.power.faults.types import FaultBranch, FaultSource, FaultTree

_VOLTAGE_WINDOW = 0.10
_GROUPS = {"Dyn": "grounded", "YNyn": "through", "Yyn": "grounded", "Dd": "open"}
_CLOCKS = {
    "Dyn": ("", "1", "3", "5", "7", "9", "11"),
    "YNyn": ("", "0"),
    "Yyn": ("", "0"),
    "Dd": ("", "0"),
}


@dataclass(frozen=True)
class OrderedTree:
    """Tree with its buses in order, each after its upstream bus."""

    tags: tuple[str, ...]  # Buses; the root first
    parent: tuple[int, ...]  # Index of the upstream bus; -1 for the root
    # The branch to each bus except the root: `branches[i - 1]` leads to bus i.
    branches: tuple[FaultBranch, ...]
    nominal_v: FloatArray
    # Root nominal voltage transformed by the rated ratios of the transformers: base voltage of
    # the impedances.
    base_v: FloatArray
    source_rows: tuple[int, ...]  # Index of the bus of each source


def zero_sequence_path(branch: FaultBranch) -> str:
    """Return the zero-sequence path at the lower side of `branch`.

    ``"through"``: the branch in series (conductors, YNyn0); ``"grounded"``: the impedance of the
    branch to ground, open to the upstream side (Dyn; Yyn0, with its magnetising impedance);
    ``"open"``: no path (Dd0).

    Raises ``VECTOR_GROUP`` for a group that is not supported.
    """
    return path_of_group(branch.vector_group, branch.tag) if branch.vector_group else "through"


def path_of_group(vector_group: str, where: str) -> str:
    """Return the zero-sequence path downstream of a transformer of a vector group.

    Raises ``VECTOR_GROUP`` for a group that is not supported.
    """
    match = re.fullmatch(r"([A-Z]+[a-z]+)(\d*)", vector_group)
    if match is None or match[1] not in _GROUPS or match[2] not in _CLOCKS[match[1]]:
        raise FacilityError(
            "VECTOR_GROUP",
            where,
            f"the vector group {vector_group[:12]!r} is not supported.",
            "Supported: Dyn with an odd clock number (Dyn1, Dyn5, Dyn11), YNyn0, Yyn0, Dd0.",
        )
    return _GROUPS[match[1]]


def ordered(tree: FaultTree) -> OrderedTree:
    """Return `tree` with its buses in order.

    Raises ``FAULT_TREE`` for a duplicate tag, a loop or an island; ``NO_FAULT_SOURCE``;
    ``UNKNOWN_BUS``; ``VOLTAGE_MISMATCH``; ``VECTOR_GROUP``; ``FAULT_IMPEDANCE``; ``UPS_PARALLEL``.
    """
    below = _children(tree)
    tags, parent, branches = [tree.root], [-1], []
    nominal, base = [tree.root_voltage_v], [tree.root_voltage_v]
    row = 0
    while row < len(tags):
        for branch in below.get(tags[row], ()):
            _check_branch(branch, nominal[row])
            tags.append(branch.tag)
            parent.append(row)
            branches.append(branch)
            nominal.append(branch.voltage_v)
            base.append(base[row] / branch.ratio)
        row += 1
    reached = set(tags)
    lost = [branch for branch in tree.branches if branch.tag not in reached]
    if lost:
        known = {tree.root, *(branch.tag for branch in tree.branches)}
        first = next((branch for branch in lost if branch.fed_from not in known), lost[0])
        raise unknown(
            "FAULT_TREE",
            first.tag,
            f"fed from {first.fed_from!r}, which leads to no source: an island or a loop.",
            first.fed_from,
            tags,
        )
    rows = {tag: index for index, tag in enumerate(tags)}
    for source in tree.sources:
        _check_source(source, rows, nominal)
    if not any(source.kind != "motor" for source in tree.sources):
        raise FacilityError(
            "NO_FAULT_SOURCE",
            tree.root,
            "no utility, generator or UPS feeds the network.",
            "Specify the source of this state.",
        )
    inverters = [source for source in tree.sources if source.kind == "ups"]
    if inverters and len(tree.sources) > 1:
        raise FacilityError(
            "UPS_PARALLEL",
            inverters[0].tag,
            "a UPS on inverter maintains its current at any voltage; it cannot be added to"
            " other sources as an impedance.",
            "Study the inverter separately (parallel modules as one), and the bypass with the"
            " utility.",
        )
    return OrderedTree(
        tuple(tags),
        tuple(parent),
        tuple(branches),
        np.array(nominal),
        np.array(base),
        tuple(rows[source.bus] for source in tree.sources),
    )


def _children(tree: FaultTree) -> dict[str, list[FaultBranch]]:
    below: dict[str, list[FaultBranch]] = {}
    seen = {tree.root}
    for branch in tree.branches:
        if branch.tag in seen:
            raise FacilityError(
                "FAULT_TREE",
                branch.tag,
                "the bus is fed twice: the network is not radial.",
                "Model parallel branches as one, and open one side of a ring or tie.",
            )
        seen.add(branch.tag)
        below.setdefault(branch.fed_from, []).append(branch)
    return below


def _check_branch(branch: FaultBranch, above_v: float) -> None:
    zero_sequence_path(branch)
    if not branch.voltage_v > 0.0 or not branch.ratio > 0.0:
        raise FacilityError(
            "VOLTAGE_MISMATCH",
            branch.tag,
            "voltage and ratio must be above zero.",
            "Enter the nominal voltage of the lower bus and the rated ratio.",
        )
    if not branch.vector_group and branch.ratio != 1.0:
        raise FacilityError(
            "VECTOR_GROUP",
            branch.tag,
            "a transformer without a vector group.",
            "Enter its vector group: Dyn, YNyn0, Yyn0 or Dd0.",
        )
    turned = branch.voltage_v * branch.ratio
    if abs(turned / above_v - 1.0) > _VOLTAGE_WINDOW:
        raise FacilityError(
            "VOLTAGE_MISMATCH",
            branch.tag,
            f"{branch.voltage_v:,.0f} V below a ratio of {branch.ratio:.4g} requires"
            f" {turned:,.0f} V above; {branch.fed_from!r} has {above_v:,.0f} V.",
            "Correct the voltage of one of the two, or the rated voltages of the transformer.",
        )
    for sequences in (branch.min_impedance, branch.max_impedance):
        _check_impedance(branch.tag, sequences.z1)


def _check_impedance(tag: str, z1: complex) -> None:
    if z1.real < 0.0 or z1.imag < 0.0 or not np.isfinite(z1):
        raise FacilityError(
            "FAULT_IMPEDANCE",
            tag,
            f"the impedance {z1:.4g} ohm is negative or not a number.",
            "Enter resistance and reactance, both at least zero.",
        )


def _check_source(source: FaultSource, rows: dict[str, int], nominal: list[float]) -> None:
    if source.bus not in rows:
        raise unknown(
            "UNKNOWN_BUS",
            source.tag,
            f"is connected to {source.bus!r}, which is not in the network.",
            source.bus,
            rows,
        )
    bus_v = nominal[rows[source.bus]]
    if not source.rated_v > 0.0 or abs(source.rated_v / bus_v - 1.0) > _VOLTAGE_WINDOW:
        raise FacilityError(
            "VOLTAGE_MISMATCH",
            source.tag,
            f"rated {source.rated_v:,.0f} V, connected to {source.bus!r} of {bus_v:,.0f} V.",
            "Correct one of the two voltages, or install a transformer between them.",
        )
    for sequences in (source.min_impedance, source.max_impedance):
        if sequences is not None:
            _check_impedance(source.tag, sequences.z1)
