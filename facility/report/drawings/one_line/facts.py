"""Data that a one-line diagram states of its equipment and circuits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from facility.core.views import printed_text, show
from facility.power.faults.impedances import DELTA_WYE
from facility.power.faults.of_network import highest_faults
from facility.power.ups.input_limit import LIMIT
from facility.report.drawings.one_line.parts import Standard
from facility.study.design.design import Design

Words = tuple[tuple[str, str], ...]
"""Lines of text, each with the name of what it states."""


@dataclass(frozen=True)
class DiagramFacts:
    """Data of the symbol labels."""

    # Maximum available fault current of any source by tag, if known [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    # Vector group and impedance of a transformer, input-current limit of a UPS, by tag.
    plates: Mapping[str, str] = field(default_factory=dict)
    # Rating of the overcurrent device by tag of the circuit [A].
    devices_a: Mapping[str, float] = field(default_factory=dict)
    # Trip functions of an electronic trip unit by tag of the circuit, e.g. "LSIG".
    trips: Mapping[str, str] = field(default_factory=dict)
    # Method of arc energy reduction at large devices; empty if none.
    arc_energy: str = ""
    # Relay pickup and cable at medium voltage, by tag of the circuit.
    relays: Mapping[str, str] = field(default_factory=dict)
    # Number of equal parallel circuits a circuit represents, by tag, if several.
    runs: Mapping[str, int] = field(default_factory=dict)
    # Cooling and building load by tag of the supplying bus, each with the tag of its circuit.
    loads: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    # Cooling units by the tag of their load, e.g. "2 CH, 3 CT".
    units: Mapping[str, str] = field(default_factory=dict)
    # All lines at the device of a circuit, by tag, with the name of each; without them: its rating.
    circuits: Mapping[str, Words] = field(default_factory=dict)
    # Number of a sheet in the set, by its number in the diagram.
    sheet_name: Callable[[int], str] = str
    standard: Standard = "IEEE 315"  # Of the symbols
    # Voltage with wires by tag, where it is not only the line-to-line voltage.
    voltages: Mapping[str, str] = field(default_factory=dict)
    # Further notes of a sheet.
    notes: Sequence[str] = ()
    # Why some equipment has no fault current; empty if all have one.
    unknown_faults: str = "No fault currents: they are not evaluated without a design."


_WINDINGS = (("Dyn", "delta-wye"), ("YNyn", "wye-wye"), ("Yyn", "wye-wye"))
"""Winding connections in the words of the NEC, by vector group."""
NO_FACTS = DiagramFacts()


def facts_of(design: Design) -> DiagramFacts:
    """Return the label data of a design."""
    found = design.distribution
    fault_a = highest_faults(found.faults)
    unknown = any(
        bus.tag not in fault_a
        for bus in found.plan.network.equipment
        if bus.kind in ("utility", "mv-switchgear", "generator-bus", "lv-board", "panel", "busway")
    )
    why = (
        "Buses without a fault current are not evaluated: the utility fault level is not "
        "specified, or an upstream impedance is unknown."
    )
    feeders = found.feeders.feeders
    runs = {f.circuit.tag: f.circuit.runs for f in feeders if f.circuit.runs > 1}
    trips = {f.circuit.tag: f.trip for f in feeders if f.trip is not None}
    loads: dict[str, list[tuple[str, str]]] = {}
    for one in feeders:
        if one.circuit.stage == "mechanical":
            loads.setdefault(one.circuit.source, []).append((one.circuit.target, one.circuit.tag))
    pickup_a = found.feeders.pickup_a
    relays = {
        one.circuit.tag: printed_text(
            f"pickup {pickup_a[one.circuit.tag]:,.0f} A, {one.choice.label}"
        )
        for one in feeders
        if one.choice is not None and one.circuit.tag in pickup_a
    }
    counts: dict[str, Counter[str]] = {}
    supplies: dict[str, dict[str, None]] = {}
    for board in found.mechanical.boards:
        on_load = counts.setdefault(board.load, Counter())
        on_load.update({unit.units.tag: count for unit, count in board.units})
        supplies.setdefault(board.load, {}).update(dict.fromkeys(board.sources))
    once = {t: f"once, from {' or '.join(s)}: " for t, s in supplies.items() if len(s) == 2}
    return DiagramFacts(
        fault_a,
        _plates(design),
        found.feeders.device_a,
        {tag: trip.functions for tag, trip in trips.items() if trip.functions != "TM"},
        next((trip.arc_energy for trip in trips.values() if trip.arc_energy), ""),
        relays,
        runs,
        loads,
        {
            tag: once.get(tag, "") + ", ".join(f"{n} {one}" for one, n in c.items())
            for tag, c in counts.items()
        },
        standard="IEEE 315" if design.facility.criteria.code == "NEC" else "IEC 60617",
        unknown_faults=why if unknown else "",
    )


def _plates(design: Design) -> dict[str, str]:
    chain, transformers = design.chain.chain, design.chain.transformers.unit
    step_up, network = design.chain.generators.step_up, design.distribution.plan.network
    plates = {}
    nec = design.facility.criteria.code == "NEC"

    def winding(group: str) -> str:
        return next((words for start, words in _WINDINGS if nec and group.startswith(start)), group)

    limit = design.electrical.results.get(LIMIT)
    for one in network.equipment:
        raised = one.links and network[one.links[0].source].kind == "generator-plant"
        if one.kind == "transformer" and raised and step_up is not None:
            part = show(step_up.impedance, "fraction", digits=2)
            plates[one.tag] = f"{winding(DELTA_WYE)}, Z {part}"
        elif one.kind == "transformer":
            group = chain.transformer.vector_group
            group = f"{winding(group)}, " if group else ""
            resistor_a = chain.transformer.grounding_a
            neutral = "" if resistor_a is None else f", neutral {resistor_a:,g} A"
            part = show(transformers.impedance, "fraction", digits=2)
            plates[one.tag] = f"{group}Z {part}{neutral}"
        elif one.kind == "pdu" and design.chain.pdus is not None:
            plates[one.tag] = f"Z {show(design.chain.pdus.unit.impedance, 'fraction', digits=2)}"
        elif one.kind == "ups" and limit is not None:
            each = " each" if len(one.unit_tags) > 1 else ""
            limited = show(float(limit.si), "current", digits=0)
            plates[one.tag] = f"input limit {limited}{each}"
    return plates
