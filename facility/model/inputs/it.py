"""The ``it`` section: GPUs and servers, or halls and racks one by one.

Short form: a GPU model and a number of GPUs; racks, network, storage and management are designed.
Long form: ``halls`` with ``racks``, as built. ``devices`` describes what the catalogue does not
hold, or completes one of its rows.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import (
    Count,
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)

_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_RackPower = Annotated[Measured, quantity("active_power", plausible="rack")]
_Fraction = Annotated[Measured, quantity("fraction", maximum=1.0)]
_PositiveFraction = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Voltage = Annotated[Measured, quantity("line_voltage", above=0.0)]
_Current = Annotated[Measured, quantity("current", above=0.0)]
_Temperature = Annotated[Measured, quantity("temperature")]
_Length = Annotated[Measured, quantity("length", above=0.0)]

_Basis = Literal["datasheet_maximum", "nameplate", "typical", "measured", "component_sum"]


class _Poled(Section):
    poles: PositiveCount | None = None

    @field_validator("poles")
    @classmethod
    def _one_to_three(cls, value: int | None) -> int | None:
        if value is not None and value > 3:
            raise problem(
                "OUT_OF_RANGE",
                f"{value} poles.",
                "A rack circuit has 1 (L-N), 2 (L-L) or 3 poles.",
            )
        return value


class SuppliesSection(Section):
    """Power supplies of a device: ``count`` installed, ``needed`` for full load."""

    count: PositiveCount
    needed: PositiveCount | None = None
    rating: _Power | None = None
    voltage_min: _Voltage | None = None
    voltage_max: _Voltage | None = None
    phases: PositiveCount | None = None
    power_factor: _PositiveFraction | None = None
    efficiency_class: Name | None = None

    @model_validator(mode="after")
    def _consistent(self) -> SuppliesSection:
        if self.needed is not None and self.needed > self.count:
            raise problem(
                "CONTRADICTION",
                f"{self.needed} supplies needed of {self.count} installed.",
                "needed is at most count; a 4+2 set is count: 6, needed: 4.",
            )
        if self.phases is not None and self.phases not in (1, 3):
            raise problem("OUT_OF_RANGE", f"{self.phases} phases.", "A supply has 1 or 3.")
        low, high = self.voltage_min, self.voltage_max
        if low is not None and high is not None and low.si > high.si:
            raise problem("CONTRADICTION", f"{low.text} is above {high.text}.", "Swap them.")
        return self


class DeviceSection(Section):
    """A device that the catalogue does not hold, or fields that complete one of its rows."""

    model: Name
    category: Literal["server", "switch", "storage", "management"] | None = None
    gpus: Count | None = None
    gpu_model: Name | None = None
    gpu_power: _Power | None = None
    maximum_power: _Power | None = None
    typical_power: _Power | None = None
    idle_power: _Power | None = None
    peak_power: _Power | None = None
    supplies: SuppliesSection | None = None
    rack_units: PositiveCount | None = None
    airflow: Annotated[Measured, quantity("air_flow", above=0.0)] | None = None
    inlet_min: _Temperature | None = None
    inlet_max: _Temperature | None = None
    liquid_fraction: _Fraction | None = None
    liquid_only: Flag | None = None
    coolant_flow: Annotated[Measured, quantity("liquid_flow", above=0.0)] | None = None
    coolant_supply_max: _Temperature | None = None
    mass: Annotated[Measured, quantity("mass", above=0.0)] | None = None


class CordsSection(_Poled):
    """Circuits to each rack: how many per feed, their poles, breaker and rack PDU."""

    per_feed: PositiveCount | None = None
    breaker: _Current | None = None
    rack_pdu: Name | None = None


class NetworkSection(Section):
    """The compute fabric; counts given are used as built and checked."""

    topology: Literal["fat-tree", "rail-optimised", "none"] | None = None
    switch: Name | None = None
    radix: PositiveCount | None = None
    oversubscription: Number | None = None
    ports_per_gpu: PositiveCount | None = None
    rails: PositiveCount | None = None
    planes: PositiveCount | None = None
    optics: Name | None = None
    leaf: Count | None = None
    spine: Count | None = None
    core: Count | None = None
    other_switches: Count | None = None


class NodesSection(Section):
    """Nodes of one model: storage or management."""

    model: Name | None = None
    count: Count | None = None


class PlacedSection(Section):
    """Devices of one model in a rack; ``supplies`` says how many of each one's are on a feed."""

    model: Name
    count: PositiveCount = 1
    power: _Power | None = None
    supplies: dict[Name, Count] | None = None


class CircuitSection(_Poled):
    """One circuit of a rack."""

    feed: Name
    breaker: _Current | None = None
    rack_pdu: Name | None = None


class RackSection(Section):
    """A kind of rack, and how many equal ones stand in the hall."""

    name: Name
    count: PositiveCount = 1
    purpose: Literal["compute", "network", "storage", "management"] | None = None
    devices: list[PlacedSection]
    feeds: list[Name] | None = None
    circuits: list[CircuitSection] | None = None
    rack_units: PositiveCount | None = None
    power_limit: _RackPower | None = None


class HallSection(Section):
    """A data hall; without ``racks`` it takes an equal share of the designed ones."""

    name: Name
    floor_area: Annotated[Measured, quantity("area", above=0.0)] | None = None
    rows: PositiveCount | None = None
    rack_pitch: _Length | None = None
    route_mean: _Length | None = None
    route_max: _Length | None = None
    route_rule: Literal["row-end", "wall"] | None = None
    racks: list[RackSection] | None = None


class ItSection(Section):
    """Everything that draws IT power."""

    gpu_model: Name | None = None
    gpus: PositiveCount | None = None
    server: Name | None = None
    servers: PositiveCount | None = None
    servers_per_rack: PositiveCount | None = None
    rack_units: PositiveCount | None = None
    rack_power: _RackPower | None = None
    basis: _Basis | None = None
    measured_power: _Power | None = None
    demand_factor: _PositiveFraction | None = None
    diversity: _PositiveFraction | None = None
    load_factor: _PositiveFraction | None = None
    feeds: list[Name] | None = None
    cords: CordsSection | None = None
    rack_pdu_loss: _Fraction | None = None
    network: NetworkSection | None = None
    storage: NodesSection | None = None
    management: NodesSection | None = None
    devices: list[DeviceSection] | None = None
    halls: list[HallSection] | None = None
