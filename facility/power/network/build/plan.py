"""Network of a project before conductor selection: roles of the circuits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from facility.physics.circuits.currents import three_phase_current
from facility.power.network.build.mechanical import MechanicalBoard
from facility.power.network.flow.compile import Compiled, compile_network
from facility.power.network.graph.types import Cord, Link, Load, Network
from facility.power.panels.board.motor_devices import MotorGroup

Stage = Literal[
    "mv",
    "set",
    "generator",
    "transformer",
    "board",
    "ups-input",
    "bypass",
    "pdu",
    "feeder",
    "branch",
    "mechanical",
    "service",
]
DEVICE_AT_END = ("service", "transformer", "set", "board")
"""Stages with the device at the circuit end, or supplied from their end by other sets."""


@dataclass(frozen=True, slots=True)
class SetTerminals:
    """Low-voltage generator set at the supply end of a circuit."""

    rating_va: float  # Nameplate rating of the set [VA]
    voltage_v: float  # Nameplate line-to-line voltage of the set [V]
    # Whether its overcurrent device is at the set, which determines the conductors; otherwise at
    # the bus.
    device_at_set: bool
    # Whether design and operation prevent overloading of the set, NEC 445.13(A), exception.
    overload_prevented: bool

    @property
    def nameplate_a(self) -> float:
        """Nameplate current of the set [A]."""
        return float(three_phase_current.si(self.rating_va, self.voltage_v))


@dataclass(frozen=True, slots=True)
class PlannedCircuit:
    """Circuit of the network, before conductor selection."""

    tag: str
    source: str  # Upstream equipment
    target: str  # Downstream equipment
    stage: Stage  # Stage in the chain, which determines length, breaker and neutral
    voltage_v: float  # Nominal line-to-line voltage [V]
    poles: int = 3  # 1, 2 or 3
    neutral: bool = False  # Whether it has a neutral conductor
    # One-way length if specified; None uses the stage length [m].
    length_m: float | None = None
    # Rating of its overcurrent device if already selected [A].
    breaker_a: float | None = None
    # Number of identical circuits represented, one per unit of the fed equipment, each with a
    # separate device.
    runs: int = 1
    spare_runs: int = 0  # Runs of spare units, not needed for the load
    # Whether the project specifies its device, with the circuits of a rack.
    breaker_given: bool = False
    # Triplen harmonics / current; None if no spectrum is specified.
    third_harmonic: float | None = None
    # Motors on one run of a mechanical-board feeder; None if units are unknown.
    motors: MotorGroup | None = None
    # Generator set at its supply end; None for other circuits.
    terminals: SetTerminals | None = None

    @property
    def duty_runs(self) -> int:
        """Identical circuits that carry the load together, without the spare runs."""
        return self.runs - self.spare_runs


@dataclass(frozen=True, eq=False)
class NetworkPlan:
    """Network, and its circuits by tag."""

    network: Network
    circuits: Mapping[str, PlannedCircuit]
    boards: tuple[MechanicalBoard, ...] = ()  # Mechanical boards, outside the network

    def wired(self, chosen: Mapping[str, Link]) -> NetworkPlan:
        """Return the plan with impedance and rating of the circuits in `chosen`."""

        def put(link: Link) -> Link:
            found = chosen.get(link.circuit)
            if found is None:
                return link
            ohms = found.resistance_ohm, found.reactance_ohm
            return Link(link.source, found.circuit, *ohms, found.rating_a)

        equipment = tuple(
            replace(one, links=tuple(put(link) for link in one.links)) if one.links else one
            for one in self.network.equipment
        )
        loads = tuple(
            Load(
                load.tag,
                load.kind,
                tuple(Cord(put(cord.link), cord.phases) for cord in load.cords),
                load.hall,
            )
            for load in self.network.loads
        )
        return replace(self, network=Network(equipment, loads, self.network.balanced))

    @cached_property
    def compiled(self) -> Compiled:
        """The network as arrays, for `solve`."""
        return compile_network(self.network)

    @cached_property
    def with_fixed_load_shares(self) -> NetworkPlan:
        """Plan whose loads draw their circuit sizing load in every state.

        No circuit is sized for load shed because equipment stops on too few supplies.
        """
        network = self.network
        if all(load.kind.designed is None for load in network.loads):
            return self
        loads = tuple(
            load if load.kind.designed is None else replace(load, kind=load.kind.designed)
            for load in network.loads
        )
        return replace(self, network=Network(network.equipment, loads, network.balanced))
