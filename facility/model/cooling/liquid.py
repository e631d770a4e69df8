"""The liquid path in SI: coolant of each kind of rack, CDUs of the catalogue, criteria."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.sources import Source
from facility.model.cooling.units import CduUnit


@dataclass(frozen=True)
class RackCoolant:
    """Coolant of one rack of a kind."""

    name: str  # Kind of rack
    hall: str  # Where they stand
    count: int  # How many
    liquid_w: float  # Heat of one rack that leaves in coolant
    air_w: float  # Heat of one rack that leaves in air
    needed_m3_s: float | None  # Flow that its own data ask for; None where nobody published it
    needed_basis: str  # Where that flow is from
    flow_m3_s: float  # Flow it gets
    drop_pa: float  # Pressure drop at `flow_m3_s`
    drop_basis: str  # Where it is from
    with_manifold: bool  # Whether the drop holds the manifold of the rack
    of_fluid: float = 1.0  # Drop of the coolant over that of the coolant of its data


@dataclass(frozen=True)
class ColdPlate:
    """A chip on a cold plate: its heat, the flow through the plate, its highest case temperature.

    `resistance_k_w` is None where the plate was not measured with the coolant of the loop.
    """

    name: str
    chip_w: float
    flow_m3_s: float
    case_max_c: float
    resistance_k_w: float | None
    source: Source


@dataclass(frozen=True)
class CduCandidate:
    """A CDU of the catalogue.

    `unit` is None where the row lacks what a selection needs, `missing` says what; `head_pa` is
    the head it leaves for the loop outside it. `to_air` marks one that heats the room. `pump_spare`
    says whether it runs on with a pump lost, None where unknown; `pumps` is that in words.
    """

    model: str
    mount: str
    unit: CduUnit | None
    missing: str
    head_pa: float | None
    supply_min_c: float | None
    supply_max_c: float | None
    to_air: bool
    filter_um: float | None
    pumps: str
    pump_spare: bool | None


@dataclass(frozen=True)
class Requirement:
    """One line of the commissioning checklist, as published or recalled."""

    loop: str
    item: str
    value: float
    unit: str
    source: Source


@dataclass(frozen=True)
class LiquidPlan:
    """What the liquid path is checked by: inputs of `LiquidPathSection` in SI, and sourced limits.

    `racks` is every kind of rack that gives heat to coolant, `candidates` are the CDUs of the
    catalogue and the user's own, `mount` is empty where it is open. `supply_classes` and
    `water_classes` are S and W classes with their highest supply, the coldest first; `cold_plate`
    is None where no chip is described; `requirements` are tests, flushing, filters, water quality.
    """

    racks: tuple[RackCoolant, ...]
    candidates: tuple[CduCandidate, ...]
    mount: str
    head_margin: float
    design_pressure_pa: float
    rack_volume_m3: float
    supply_classes: tuple[tuple[str, float | None], ...]
    water_classes: tuple[tuple[str, float | None], ...]
    cold_plate: ColdPlate | None
    requirements: tuple[Requirement, ...]

    def own(self, unit: CduUnit) -> CduCandidate | None:
        """Return the candidate that is the unit of the design."""
        return next((c for c in self.candidates if c.model == unit.model), None)
