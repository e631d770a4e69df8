"""IT equipment in SI: devices, their components, and their power supplies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.core.sources import Source

Category = Literal["server", "switch", "storage", "management"]


@dataclass(frozen=True)
class Component:
    """Part of a device: `count` parts of `unit_power_w` each, at the DC side of the supplies.

    `unit_power_w` is None where nobody published it; the part then falls into the remainder.
    """

    component: str
    description: str
    count: int
    unit_power_w: float | None
    source: Source


@dataclass(frozen=True)
class ReducedMode:
    """What a device does by itself when fewer supplies than needed are alive.

    With at least `live` supplies it keeps running, each GPU capped at `gpu_cap_w`.
    """

    live: int
    gpu_cap_w: float
    source: Source


@dataclass(frozen=True)
class PsuSet:
    """The power supplies of a device."""

    count: int  # Supplies installed
    needed: int  # Supplies that must live for full load (4 of a "4+2")
    rating_w: float  # Rating of one supply
    # Range of the voltage across one supply.
    voltage_min_v: float
    voltage_max_v: float
    phases: int  # 1 for a single-phase supply (L-N or L-L), 3 for a three-phase shelf
    power_factor: float  # Input power factor
    # (load fraction, efficiency) points of one supply, in rising load; empty where unknown.
    efficiency: tuple[tuple[float, float], ...]
    source: Source
    reduced: ReducedMode | None = None  # Published behaviour with fewer supplies than needed
    assumed: bool = False  # Whether number and rating are a default, not published


@dataclass(frozen=True)
class Device:
    """One type of IT equipment. Powers are AC input; None where nobody published the figure.

    `liquid_fraction` is the part of the input power that leaves in the coolant; the rest leaves
    in air. `gpu_power_w` is the TDP of one GPU. `tcs_flow_m3_s` is the rated coolant flow.
    """

    model: str
    category: Category
    gpus: int
    gpu_model: str
    gpu_power_w: float
    maximum_w: float
    typical_w: float | None
    idle_w: float | None
    peak_w: float | None
    components: tuple[Component, ...]
    psu: PsuSet | None
    rack_units: int
    airflow_m3_s: float | None
    inlet_min_c: float | None
    inlet_max_c: float | None
    liquid_fraction: float
    liquid_only: bool
    tcs_flow_m3_s: float | None
    tcs_supply_max_c: float | None
    mass_kg: float | None
    source: Source
    from_memory: bool
