"""The network of a project before its conductors are chosen: which circuit is what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from facility.power.network.flow.compile import Compiled, compile_network
from facility.power.network.graph.types import Cord, Link, Load, Network

Stage = Literal[
    "mv",
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
    # Whether the project states its device, with the circuits of a rack.
    breaker_given: bool = False
    # Triplen harmonics of its current over that; None where no spectrum is stated.
    third_harmonic: float | None = None


@dataclass(frozen=True, eq=False)
class NetworkPlan:
    """The network, and its circuits by tag."""

    network: Network
    circuits: Mapping[str, PlannedCircuit]

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
        return NetworkPlan(Network(equipment, loads, self.network.balanced), self.circuits)

    @cached_property
    def compiled(self) -> Compiled:
        """The network as arrays, for `solve`."""
        return compile_network(self.network)

    @cached_property
    def with_load_kept(self) -> NetworkPlan:
        """The plan whose loads keep their designed share in every state.

        What a device must carry does not shrink because equipment stops on too few supplies.
        """
        network = self.network
        if all(load.kind.designed is None for load in network.loads):
            return self
        loads = tuple(
            load if load.kind.designed is None else replace(load, kind=load.kind.designed)
            for load in network.loads
        )
        return NetworkPlan(Network(network.equipment, loads, network.balanced), self.circuits)
