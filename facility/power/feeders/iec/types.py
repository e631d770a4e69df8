"""IEC data of a circuit, and a candidate cable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from facility.catalogue import Row
from facility.core.trace import SILENT, Trace
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import corrected_ampacity
from facility.power.feeders.let_through import Protection, protection
from facility.power.feeders.types import CircuitDemand

_BREAKER_MULTIPLE = 1.45
_FUSE_MULTIPLE = 1.6


@dataclass(frozen=True)
class IecCircuit:
    """IEC data of a circuit beyond its demand; None if not specified."""

    # Thermal resistivity of the soil, for cables in the ground [K m/W].
    soil_k_m_w: float | None = None
    # Whether the device is a gG fuse (with a specified rating), not a circuit-breaker.
    fuse: bool = False


@dataclass(frozen=True)
class IecFrame:
    """Fixed data of a circuit before cable selection.

    `required_a` is the minimum rating for the load, `ratio` the cable selection current / line
    current: above 1 with harmonics in the neutral. `factor` is the combined factor for ambient and
    soil.
    """

    demand: CircuitDemand
    basis: ConductorBasis
    circuit: IecCircuit
    required_a: float
    device_a: float
    ratio: float
    factor: float
    drop_limit: float

    @cached_property
    def of_fault(self) -> Protection | None:
        """Fault let-through of the device to the cable; None if the fault current is unknown."""
        demand, device_a = self.demand, self.device_a
        return protection(demand.clearing, device_a, demand.fault_a, demand.v_ll)

    @cached_property
    def of_earth_fault(self) -> Protection | None:
        """Earth-fault let-through of the device to the protective conductor."""
        demand, device_a = self.demand, self.device_a
        faults_a = demand.fault_a, demand.v_ll, demand.earth_fault_a
        return protection(demand.clearing, device_a, *faults_a)

    @property
    def multiple(self) -> float:
        """Conventional operating current of the device over its rating."""
        return _FUSE_MULTIPLE if self.circuit.fuse else _BREAKER_MULTIPLE


@dataclass(frozen=True)
class IecCable:
    """Candidate cable: row of ampacity, parallel cables, grouping factor.

    `grouping_recalled` marks an unverified factor.
    """

    row: Row
    sets: int
    grouping: float
    grouping_recalled: bool = False

    @property
    def size_mm2(self) -> float:
        """Cross-section [mm2]."""
        return float(self.row.require("size_mm2"))

    @property
    def area_m2(self) -> float:
        """Cross-section [m2]."""
        return self.row.si("size_mm2")

    @property
    def tabulated_a(self) -> float:
        """Tabulated ampacity of all cables [A]."""
        return self.sets * self.row.si("ampacity_a")

    def ampacity_a(self, frame: IecFrame, trace: Trace = SILENT, id: str = "") -> float:
        """Return Iz of all cables after every factor [A], recorded as ``<id>.ampacity``."""
        return float(
            trace.do(
                f"{id}.ampacity",
                corrected_ampacity,
                f"Iz; selected for {frame.ratio:.3f} Ib",
                table_a=trace.link(f"{id}.table_ampacity", self.row.si("ampacity_a")),
                sets=float(self.sets),
                ambient=trace.link(f"{id}.ambient_factor", frame.factor),
                bundling=trace.link(f"{id}.grouping_factor", self.grouping),
            )
        )
