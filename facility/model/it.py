"""The IT plan in SI: devices, racks and their contents, halls, basis and diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.core.check import Check
from facility.core.sources import Source

Category = Literal["server", "switch", "storage", "management"]


@dataclass(frozen=True)
class Component:
    """Component of a device: `count` parts of `unit_power_w` each, at the DC side of the supplies.

    `unit_power_w` is None if not published; the component is then part of the remainder.
    """

    component: str
    description: str
    count: int
    unit_power_w: float | None
    source: Source


MAX_CORDS = 12
"""Maximum circuits of one load; the network has a row for every energized subset."""


@dataclass(frozen=True)
class CappedMode:
    """Automatic input power cap of a device with fewer supplies than required."""

    supplies: int  # Minimum supplies energized in capped mode
    input_w: float  # Input of the capped device at its maximum, as published [W]
    # GPU power cap that determines the input; None if the input is stated [W].
    gpu_cap_w: float | None
    source: Source


@dataclass(frozen=True)
class PsuSet:
    """The power supplies of a device."""

    # Supplies installed, each with one inlet; supplies sharing a shelf count as one.
    count: int
    needed: int  # Supplies that must be energized for full load (4 of a "4+2")
    rating_w: float  # Rating of one supply
    # Input voltage range of one supply.
    voltage_min_v: float
    voltage_max_v: float
    phases: int  # 1 for a single-phase supply (L-N or L-L), 3 for a three-phase shelf
    power_factor: float  # Input power factor
    # (load fraction, efficiency) points of one supply, in rising load; empty where unknown.
    efficiency: tuple[tuple[float, float], ...]
    source: Source
    capped: CappedMode | None = None  # Behaviour with fewer supplies than needed
    assumed: bool = False  # Whether count and rating are defaults, not published
    # Whether the required number is calculated from a published rating, not published.
    derived: bool = False

    @property
    def full_load_efficiency(self) -> float:
        """Output over input of a supply at its rating; 1 if unknown."""
        return next((eta for load, eta in self.efficiency if load == 1.0), 1.0)


@dataclass(frozen=True, kw_only=True)
class Device:
    """One type of IT equipment. Powers are AC input; None if not published.

    `liquid_fraction` is the fraction of input power rejected to coolant; the rest is rejected
    to air. `gpu_power_w` is the TDP of one GPU. `tcs_flow_m3_s` is the rated coolant flow.
    """

    model: str
    category: Category
    gpus: int = 0
    gpu_model: str = ""
    gpu_power_w: float | None = 0.0
    maximum_w: float
    typical_w: float | None = None
    idle_w: float | None = None
    peak_w: float | None = None
    components: tuple[Component, ...] = ()
    psu: PsuSet | None = None
    rack_units: int
    airflow_m3_s: float | None = None
    inlet_min_c: float | None = None
    inlet_max_c: float | None = None
    liquid_fraction: float = 0.0
    liquid_only: bool = False
    tcs_flow_m3_s: float | None = None
    tcs_supply_max_c: float | None = None
    mass_kg: float | None = None
    source: Source
    from_memory: bool = False


Purpose = Literal["compute", "network", "storage", "management"]
Basis = Literal["datasheet_maximum", "nameplate", "typical", "measured", "component_sum"]


@dataclass(frozen=True)
class Placed:
    """Devices of one type in one rack, with the input power each draws on the chosen basis."""

    device: Device
    count: int
    input_w: float
    peak_w: float
    # Lowest rack unit of each device: of one rack for all racks of the type, or rack by rack.
    u_positions: tuple[float | None, ...] = ()

    def positions(self, rack: int) -> tuple[float | None, ...]:
        """Return the lowest rack unit of each device of a rack of the type, from 0."""
        first = 0 if len(self.u_positions) <= self.count else rack * self.count
        return self.u_positions[first : first + self.count] or (None,) * self.count


@dataclass(frozen=True)
class Supply:
    """One supply (PSU or power shelf) of one device of a rack."""

    device: int  # Index of the device within the rack, 0-based over all placed devices
    feed: str  # Feed of the cord
    circuit: int  # Index of the rack circuit (whip) within the rack


@dataclass(frozen=True)
class RackCircuit:
    """One circuit (whip) to a rack PDU or power shelf."""

    feed: str  # Feed that supplies it
    poles: int  # 1 (L-N), 2 (L-L) or 3
    breaker_a: float | None  # Breaker rating given; None for a design variable
    rack_pdu: str  # Catalogue model of the rack PDU, or "" for a direct connection
    connector: str = ""  # Stated receptacle or connector, or "" for a design variable


@dataclass(frozen=True)
class Rack:
    """Rack type, with `count` identical racks in one hall.

    `device_w` and `device_peak_w` are the input of each device in the order of
    `Supply.device`; `device_pf` their power factors; `device_phases` 1 or 3.
    """

    name: str
    hall: str
    purpose: Purpose
    count: int
    placed: tuple[Placed, ...]
    rack_units: int
    power_limit_w: float | None
    feeds: tuple[str, ...]
    circuits: tuple[RackCircuit, ...]
    supplies: tuple[Supply, ...]
    device_w: tuple[float, ...]
    device_peak_w: tuple[float, ...]
    device_pf: tuple[float, ...]
    device_phases: tuple[int, ...]
    names: tuple[str, ...] = ()  # Stated name of each rack; empty without

    @property
    def input_w(self) -> float:
        """Input power of one rack on the chosen basis."""
        return sum(self.device_w)

    @property
    def peak_w(self) -> float:
        """Short-time peak (EDPp) of one rack."""
        return sum(self.device_peak_w)

    @property
    def liquid_w(self) -> float:
        """Heat of one rack rejected to coolant."""
        return sum(p.count * p.input_w * p.device.liquid_fraction for p in self.placed)

    @property
    def coolant_part(self) -> float:
        """Fraction of the rack input rejected to coolant."""
        return self.liquid_w / self.input_w if self.input_w > 0.0 else 0.0


@dataclass(frozen=True)
class Hall:
    """A data hall: floor area, rack rows, and cable route lengths from panel to rack."""

    name: str
    floor_area_m2: float
    rows: int
    rack_pitch_m: float
    route_mean_m: float
    route_max_m: float
    row_pitch_m: float


@dataclass(frozen=True)
class ItPlan:
    """All IT loads, resolved: halls, racks, basis and diversity.

    `demand_factor` multiplies the basis power of every device (1.0 on the data-sheet maximum),
    `diversity` the sum over racks (1.0 for synchronous training).
    `checks` are checks of as-built counts.
    """

    basis: Basis
    demand_factor: float
    diversity: float
    halls: tuple[Hall, ...]
    racks: tuple[Rack, ...]
    rack_pdu_loss_fraction: float
    checks: tuple[Check, ...] = ()
