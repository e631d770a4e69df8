"""Trip functions of overcurrent devices, by rating and code requirement.

A coordination study sets pickups and delays with the curves of the purchased devices; the
long-time setting is the device rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from facility.model.facility import Criteria
from facility.model.power.faults import FaultBasis
from facility.power.feeders.nec.equipment import ARC_ENERGY_FROM_A, ground_fault_exemption
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import Link

TripFunctions = Literal["fuse", "TM", "LSI", "LSIG"]
TRIP_FUNCTIONS: Mapping[TripFunctions, str] = {
    "fuse": "fuse",
    "TM": "thermal-magnetic",
    "LSI": "long-time, short-time and instantaneous",
    "LSIG": "long-time, short-time, instantaneous and ground-fault",
}
_FUSES = ("gG", "class J", "class T")
_ENDS = ("utility", "generator-plant", "transformer", "pdu", "ups")
"""Equipment kinds that isolate ground-fault protection: sources, transformers, and converters,
which supply their output from batteries too."""


@dataclass(frozen=True)
class TripUnit:
    """Trip functions of one overcurrent device."""

    functions: TripFunctions
    # Method of arc energy reduction downstream of the device; empty if none.
    arc_energy: str = ""
    # Upstream circuits whose ground-fault protection replaces one here; empty if none.
    ground_fault_upstream: str = ""

    @property
    def ground_fault(self) -> bool:
        """Whether the device has ground-fault protection."""
        return self.functions == "LSIG"

    @property
    def label(self) -> str:
        """Functions and arc energy reduction, as in a schedule."""
        return f"{self.functions}, {self.arc_energy}" if self.arc_energy else self.functions


@dataclass(frozen=True, eq=False)
class TripChoice:
    """Basis for the trip units of a network."""

    plan: NetworkPlan
    device_a: Mapping[str, float]  # Rating of the device of each circuit, by tag [A]
    basis: FaultBasis  # Threshold of electronic trip units, and specified functions
    criteria: Criteria
    # Whether the LV board neutrals are solidly grounded; neutrals of PDU transformers are.
    solidly_grounded: bool

    def all_units(self) -> dict[str, TripUnit]:
        """Return the trip unit of the device of each circuit that has one, by tag."""
        circuits = self.plan.circuits.values()
        return {one.tag: self._unit(one) for one in circuits if one.tag in self.device_a}

    def _unit(self, circuit: PlannedCircuit) -> TripUnit:
        rating_a, trips, clearing = (
            self.device_a[circuit.tag],
            self.basis.trips,
            self.basis.clearing,
        )
        if clearing.limits.device in _FUSES and rating_a <= clearing.molded_to_a:
            return TripUnit("fuse")
        large = self.criteria.code == "NEC" and rating_a >= ARC_ENERGY_FROM_A
        method = trips.arc_energy if large and trips.arc_energy != "none" else ""
        if trips.ground_fault and self._needs_ground_fault(circuit):
            upstream = (
                () if circuit.stage == "service" else self._ground_fault_upstream[circuit.source]
            )
            return TripUnit("LSI" if upstream else "LSIG", method, ", ".join(upstream))
        electronic = rating_a > trips.electronic_above_a or large
        return TripUnit("LSI" if electronic else "TM", method)

    def _needs_ground_fault(self, circuit: PlannedCircuit) -> bool:
        """Return whether the code requires ground-fault protection if no upstream device has it."""
        rating_a = self.device_a.get(circuit.tag)
        if self.criteria.code != "NEC" or circuit.stage == "branch" or rating_a is None:
            return False
        solid = self.solidly_grounded or circuit.stage == "feeder"
        location = "service" if circuit.stage == "service" else "feeder"
        where = location, self.criteria.edition, solid
        return not ground_fault_exemption(circuit.voltage_v, rating_a, *where)

    @cached_property
    def _ground_fault_upstream(self) -> Mapping[str, tuple[str, ...]]:
        """Circuits with ground-fault protection on all paths to each equipment; empty otherwise."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.plan.network.equipment:
            ways = [] if one.kind in _ENDS else [self._along(link, found) for link in one.links]
            tags = tuple(dict.fromkeys(tag for way in ways for tag in way))
            found[one.tag] = tags if all(ways) else ()
        return found

    def _along(self, link: Link, found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        circuit = self.plan.circuits.get(link.circuit)
        protected = found[link.source]
        if not protected and circuit is not None and self._needs_ground_fault(circuit):
            return (circuit.tag,)
        return protected
