"""The network of a project before its conductors are chosen: which circuit is what."""

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
"""Stages whose device is at the end of the circuit, or that other sets feed from their end."""


@dataclass(frozen=True, slots=True)
class SetTerminals:
    """The low-voltage generator set that a circuit begins at."""

    rating_va: float  # Nameplate rating of the set [VA]
    voltage_v: float  # Nameplate line-to-line voltage of the set [V]
    # Whether its overcurrent device is at the set, which the conductors then go by; otherwise at
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
    """One circuit of the network, before its conductors are chosen."""

    tag: str
    source: str  # Equipment that it leaves
    target: str  # Equipment that it reaches
    stage: Stage  # Its place in the chain, which decides length, breaker and neutral
    voltage_v: float  # Nominal line-to-line voltage [V]
    poles: int = 3  # 1, 2 or 3
    neutral: bool = False  # Whether it has a neutral conductor
    # One-way length where the plan knows it; None leaves it to the stage [m].
    length_m: float | None = None
    # Rating of its overcurrent device where it is chosen already [A].
    breaker_a: float | None = None
    # Equal circuits that this stands for, one to each unit of what it feeds, each with a device of
    # its own.
    runs: int = 1
    spare_runs: int = 0  # Runs that the load does not need: those of spare units
    # Whether the project states its device, with the circuits of a rack.
    breaker_given: bool = False
    # Triplen harmonics of its current over that; None where no spectrum is stated.
    third_harmonic: float | None = None
    # What one run of the feeder of a mechanical board supplies; None where units are not known.
    motors: MotorGroup | None = None
    # The generator set whose terminals it begins at; None for every other circuit.
    terminals: SetTerminals | None = None

    @property
    def duty_runs(self) -> int:
        """Equal circuits that carry the load together, those of spare units left out."""
        return self.runs - self.spare_runs


@dataclass(frozen=True, eq=False)
class NetworkPlan:
    """The network, and its circuits by tag."""

    network: Network
    circuits: Mapping[str, PlannedCircuit]
    boards: tuple[MechanicalBoard, ...] = ()  # Mechanical boards, which the network does not show

    def wired(self, chosen: Mapping[str, Link]) -> NetworkPlan:
        """Return the plan with impedance and rating of the circuits named in `chosen`."""

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
    def with_load_kept(self) -> NetworkPlan:
        """The plan whose loads draw what their circuits are sized for, in every state.

        No circuit is sized on load that is shed because equipment stops on too few supplies.
        """
        network = self.network
        if all(load.kind.designed is None for load in network.loads):
            return self
        loads = tuple(
            load if load.kind.designed is None else replace(load, kind=load.kind.designed)
            for load in network.loads
        )
        return replace(self, network=Network(network.equipment, loads, network.balanced))
