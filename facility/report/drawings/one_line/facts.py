"""What a design knows of its equipment beyond the network: devices, name plates, fault currents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from facility.core.views import show
from facility.power.faults.of_network import highest_faults
from facility.study.design.design import Design


@dataclass(frozen=True)
class Facts:
    """What is written beside the symbols."""

    # Highest available fault current of any source by tag, where it is known [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    # Vector group and impedance by tag of the transformer.
    plates: Mapping[str, str] = field(default_factory=dict)
    # Rating of the overcurrent device by tag of the circuit [A].
    devices_a: Mapping[str, float] = field(default_factory=dict)
    # Why some equipment has no fault current; empty where all have.
    unknown_faults: str = "No fault currents: they are not evaluated without a design."


NO_FACTS = Facts()


def facts_of(design: Design) -> Facts:
    """Return what `design` knows of its equipment."""
    found = design.distribution
    fault_a = highest_faults(found.plan, found.faults)
    chain, transformers = design.chain.chain, design.chain.transformers.unit
    plates = {}
    for one in found.plan.network.equipment:
        if one.kind == "transformer":
            group = f"{chain.transformer.vector_group}, " if chain.transformer.vector_group else ""
            resistor_a = chain.transformer.grounding_a
            neutral = "" if resistor_a is None else f", neutral {resistor_a:g} A"
            part = show(transformers.impedance, "fraction", digits=2)
            plates[one.tag] = f"{group}Z {part}{neutral}"
        elif one.kind == "pdu" and design.chain.pdus is not None:
            plates[one.tag] = f"Z {show(design.chain.pdus.unit.impedance, 'fraction', digits=2)}"
    unknown = any(
        one.tag not in fault_a
        for one in found.plan.network.equipment
        if one.kind in ("utility", "mv-switchgear", "lv-board", "panel", "busway")
    )
    why = (
        "Where no fault current stands it is not evaluated: the fault level of the utility is not"
        " given, or an impedance upstream is not known."
    )
    devices_a = {f.circuit.tag: f.choice.ocpd_a for f in found.feeders.feeders if f.choice}
    return Facts(fault_a, plates, devices_a, why if unknown else "")
