"""The liquid path in SI: coolant of each rack type, CDUs of the catalogue, criteria."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.sources import Source
from facility.model.cooling.units import CduUnit


@dataclass(frozen=True)
class RackCoolant:
    """Coolant of one rack of a type."""

    name: str  # Rack type
    hall: str  # Hall of these racks
    count: int  # Number of racks
    liquid_w: float  # Heat of one rack that leaves in coolant
    air_w: float  # Heat of one rack that leaves in air
    needed_m3_s: float | None  # Flow required by its data; None if not published
    needed_basis: str  # Source of that flow
    flow_m3_s: float  # Flow supplied
    drop_pa: float  # Pressure drop at `flow_m3_s`
    drop_basis: str  # Source of the pressure drop
    with_manifold: bool  # Whether the drop includes the rack manifold
    of_fluid: float = (
        1.0  # Pressure drop with this coolant over the drop with the coolant of its data
    )


@dataclass(frozen=True)
class ColdPlate:
    """Chip on a cold plate: heat, cold-plate flow, maximum case temperature.

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

    `unit` is None where the row lacks required data, listed in `missing`; `head_pa` is
    its external head. `to_air` marks a liquid-to-air CDU. `pump_spare`
    is whether it operates with one pump failed, None if unknown; `pumps` is the text for it.
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
    """One line of the commissioning checklist, as published or from unverified sources."""

    loop: str
    item: str
    value: float
    unit: str
    source: Source


@dataclass(frozen=True)
class LiquidPlan:
    """Basis of the liquid path checks: inputs of `LiquidPathSection` in SI, and sourced limits.

    `racks` is every rack type with heat to coolant, `candidates` are the CDUs of the
    catalogue and the user's own, `mount` is empty if not specified. `supply_classes` and
    `water_classes` are S and W classes with their highest supply, the coldest first; `cold_plate`
    is None without a stated chip; `requirements` are tests, flushing, filters, water quality.
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
        """Return the candidate that matches the unit of the design."""
        return next((c for c in self.candidates if c.model == unit.model), None)
