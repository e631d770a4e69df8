"""Trip functions of the overcurrent devices: by their rating, and as the code requires.

Pickups and delays are set by a coordination study with the curves of the devices bought; the
long-time setting is the rating of the device.
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
"""Kinds of equipment that ground-fault protection does not see through: sources, transformers, and
converters, which supply their output from batteries too."""


@dataclass(frozen=True)
class TripUnit:
    """Trip functions of one overcurrent device."""

    functions: TripFunctions
    # How the arc energy behind the device is reduced; empty where it is not.
    arc_energy: str = ""
    # Circuits upstream whose ground-fault protection makes one here unnecessary; empty where none.
    ground_fault_ahead: str = ""

    @property
    def ground_fault(self) -> bool:
        """Whether the device has ground-fault protection."""
        return self.functions == "LSIG"

    @property
    def label(self) -> str:
        """Functions and arc energy reduction, as a schedule prints them."""
        return f"{self.functions}, {self.arc_energy}" if self.arc_energy else self.functions


@dataclass(frozen=True, eq=False)
class TripChoice:
    """What the trip units of a network are chosen by."""

    plan: NetworkPlan
    device_a: Mapping[str, float]  # Rating of the device of each circuit, by tag [A]
    basis: FaultBasis  # Where trip units are electronic, and what is stated of their functions
    criteria: Criteria
    # Whether the neutrals of the LV boards are; those behind PDU transformers are.
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
            ahead = () if circuit.stage == "service" else self._ground_fault_ahead[circuit.source]
            return TripUnit("LSI" if ahead else "LSIG", method, ", ".join(ahead))
        electronic = rating_a > trips.electronic_above_a or large
        return TripUnit("LSI" if electronic else "TM", method)

    def _needs_ground_fault(self, circuit: PlannedCircuit) -> bool:
        """Return whether the code requires ground-fault protection, none being ahead."""
        rating_a = self.device_a.get(circuit.tag)
        if self.criteria.code != "NEC" or circuit.stage == "branch" or rating_a is None:
            return False
        solid = self.solidly_grounded or circuit.stage == "feeder"
        location = "service" if circuit.stage == "service" else "feeder"
        where = location, self.criteria.edition, solid
        return not ground_fault_exemption(circuit.voltage_v, rating_a, *where)

    @cached_property
    def _ground_fault_ahead(self) -> Mapping[str, tuple[str, ...]]:
        """Circuits with ground-fault protection on the ways to each equipment; none if on some."""
        found: dict[str, tuple[str, ...]] = {}
        for one in self.plan.network.equipment:
            ways = [] if one.kind in _ENDS else [self._along(link, found) for link in one.links]
            tags = tuple(dict.fromkeys(tag for way in ways for tag in way))
            found[one.tag] = tags if all(ways) else ()
        return found

    def _along(self, link: Link, found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        circuit = self.plan.circuits.get(link.circuit)
        ahead = found[link.source]
        if not ahead and circuit is not None and self._needs_ground_fault(circuit):
            return (circuit.tag,)
        return ahead
