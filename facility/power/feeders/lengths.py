"""Circuit lengths of the network, and the number of circuits leaving a board."""

from __future__ import annotations

from collections import Counter

from facility.model.power.conductors import ConductorBasis
from facility.model.power.mv_cables import MvCableBasis
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import EquipmentKind


def circuit_length(
    circuit: PlannedCircuit, plan: NetworkPlan, basis: ConductorBasis
) -> float | None:
    """Return the one-way length of a circuit [m]; None if its stage has no length."""
    if circuit.stage == "branch":
        return circuit.length_m if basis.branch_length_m is None else basis.branch_length_m
    source_kind = plan.network[circuit.source].kind
    if circuit.stage == "mv":
        return None if basis.mv is None else _mv_length(source_kind, basis.mv)
    downstream_pdu = source_kind == "pdu"
    to_switch = circuit.stage == "set" and plan.network[circuit.target].kind == "ats"
    lengths = {
        "transformer": basis.transformer_length_m,
        "set": basis.generator_length_m if to_switch else basis.set_length_m,
        "generator": basis.generator_length_m,
        "board": basis.transformer_length_m,
        "service": basis.transformer_length_m,
        "ups-input": basis.ups_length_m,
        "bypass": basis.ups_length_m,
        "pdu": basis.feeder_length_m,
        "feeder": basis.panel_length_m if downstream_pdu else basis.feeder_length_m,
        "mechanical": basis.mechanical_length_m,
    }
    return lengths.get(circuit.stage)


def _mv_length(source_kind: EquipmentKind, mv: MvCableBasis) -> float:
    if source_kind == "utility":
        return mv.service_length_m
    return mv.transformer_length_m if source_kind == "mv-switchgear" else mv.generator_length_m


def sharing_by_stage(plan: NetworkPlan) -> Counter[tuple[str, str]]:
    """Return the number of circuits of each stage leaving each board, every run counted.

    Medium-voltage circuits from the utility and from generators run separately.
    """
    found: Counter[tuple[str, str]] = Counter()
    for circuit in plan.circuits.values():
        apart = circuit.stage == "mv" and plan.network[circuit.source].kind != "mv-switchgear"
        key = circuit.source, circuit.stage
        found[key] = 1 if apart else found[key] + circuit.runs
    return found
