"""The ``it`` section: GPUs and servers, or halls and racks one by one.

Short form: a GPU model and a number of GPUs; racks, network, storage and management are designed.
Long form: ``halls`` with ``racks``, as built. ``devices`` describes devices missing from the
catalogue, or completes catalogue rows.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE, Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.load_motion import JobSection
from facility.model.inputs.load_profile import LoadProfileSection
from facility.model.inputs.scalars import (
    Count,
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    Text,
    problem,
    quantity,
)
from facility.model.rack_positions import MAX_POSITION, NOT_STATED, lowest_unit

_ARCHITECTURES = Source(
    "nvidia-reference-architectures", "DGX B200, 4 scalable units, 127 systems", verified="computed"
)


_SUPPLY_FACTOR = Default(0.98, "server power supplies near full load, if not published", RECALLED)

_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_RackPower = Annotated[Measured, quantity("active_power", plausible="rack")]
_Fraction = Annotated[Measured, quantity("fraction", maximum=1.0)]
_PositiveFraction = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Voltage = Annotated[Measured, quantity("line_voltage", above=0.0)]
_Current = Annotated[Measured, quantity("current", above=0.0)]
_Temperature = Annotated[Measured, quantity("temperature")]
_Circulation = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=10.0)]
_Length = Annotated[Measured, quantity("length", above=0.0)]
_Pitch = Annotated[Measured, quantity("length", minimum=0.6)]  # Shallow racks, back to back

_Basis = Literal["datasheet_maximum", "nameplate", "typical", "measured", "component_sum"]


class _Poled(Section):
    poles: PositiveCount | None = optional(
        "Poles of the circuit: 1 (line to neutral), 2 (line to line) or 3"
    )

    @field_validator("poles")
    @classmethod
    def _one_to_three(cls, value: int | None) -> int | None:
        if value is not None and value > 3:
            raise problem(
                "OUT_OF_RANGE", f"{value} poles.", "A rack circuit has 1 (L-N), 2 (L-L) or 3 poles."
            )
        return value


class _Connected(_Poled):
    connector: Name | None = optional(
        "Receptacle or connector of the circuit, e.g. IEC 60309 60A 4P5W 6h",
        Default(None, "receptacle for voltage, poles and breaker"),
    )


class CappedSection(Section):
    """Manufacturer-defined capped mode of a device with fewer energized supplies than required."""

    supplies: PositiveCount = required("Minimum supplies energized in capped mode", max_count=200)
    power: _Power = required("Input power of the capped device")


class SuppliesSection(Section):
    """Power supplies of a device."""

    count: PositiveCount = required("Supplies installed", max_count=200)
    needed: PositiveCount | None = optional(
        "Supplies required for full load",
        Default(None, "number that carries the maximum power"),
        max_count=200,
    )
    rating: _Power | None = optional(
        "Rating of one supply",
        Default(None, "maximum power shared by the required supplies", RECALLED),
    )
    voltage_min: _Voltage | None = optional(
        "Lowest input voltage", Default(None, "single-phase 200 V, three-phase 415 V", RECALLED)
    )
    voltage_max: _Voltage | None = optional(
        "Highest input voltage", Default(None, "single-phase 240 V, three-phase 480 V", RECALLED)
    )
    phases: PositiveCount | None = optional("Phases of the input: 1 or 3")
    power_factor: _PositiveFraction | None = optional(
        "Power factor at the input", _SUPPLY_FACTOR, symbol=r"\cos\varphi", within=(0.3, 1.0)
    )
    efficiency_class: Name | None = optional(
        "Efficiency class of the supplies, which selects the efficiency curve"
    )
    shelves: PositiveCount | None = optional(
        "Power shelves of the supplies, each with one inlet",
        Default(
            None, "one inlet per supply; one per six supplies for more than 12 three-phase supplies"
        ),
        max_count=200,
    )
    capped: CappedSection | None = None

    @model_validator(mode="after")
    def _consistent(self) -> SuppliesSection:
        if self.needed is not None and self.needed > self.count:
            raise problem(
                "CONTRADICTION",
                f"{self.needed} supplies needed, {self.count} installed.",
                "needed is at most count; a 4+2 set is count: 6, needed: 4.",
            )
        if self.shelves is not None and self.count % self.shelves:
            raise problem(
                "CONTRADICTION",
                f"{self.count} supplies do not fill {self.shelves} shelves evenly.",
                "Enter a number of shelves that divides count; 48 supplies fill 8 shelves.",
            )
        if self.phases is not None and self.phases not in (1, 3):
            raise problem("OUT_OF_RANGE", f"{self.phases} phases.", "A supply has 1 or 3.")
        low, high = self.voltage_min, self.voltage_max
        if low is not None and high is not None and low.si > high.si:
            raise problem("CONTRADICTION", f"{low.text} is above {high.text}.", "Swap them.")
        return self


class DeviceSection(Section):
    """Device missing from the catalogue, or fields that complete a catalogue row."""

    model: Name = required("Name of the device")
    category: Literal["server", "switch", "storage", "management"] | None = optional(
        "Device category"
    )
    gpus: Count | None = optional("Number of GPUs", max_count=2000)
    gpu_model: Name | None = optional("GPU model")
    gpu_power: _Power | None = optional("Power of one GPU")
    maximum_power: _Power | None = optional("Maximum input power, from the data sheet")
    typical_power: _Power | None = optional("Typical input power")
    idle_power: _Power | None = optional("Idle input power")
    peak_power: _Power | None = optional("Short-time peak input power")
    supplies: SuppliesSection | None = None
    rack_units: PositiveCount | None = optional("Height in rack units", max_count=100)
    airflow: Annotated[Measured, quantity("air_flow", above=0.0)] | None = optional(
        "Device air flow"
    )
    inlet_min: _Temperature | None = optional("Minimum inlet air temperature")
    inlet_max: _Temperature | None = optional("Maximum inlet air temperature")
    liquid_fraction: _Fraction | None = optional("Fraction of heat to coolant")
    liquid_only: Flag | None = optional(
        "Liquid cooling required, except for its air-cooled fraction"
    )
    coolant_flow: Annotated[Measured, quantity("liquid_flow", above=0.0)] | None = optional(
        "Device coolant flow"
    )
    coolant_supply_max: _Temperature | None = optional("Maximum coolant supply temperature")
    mass: Annotated[Measured, quantity("mass", above=0.0)] | None = optional("Mass")


class CordsSection(_Connected):
    """Circuits to each rack."""

    per_feed: PositiveCount | None = optional("Circuits per feed", max_count=24)
    breaker: _Current | None = optional("Circuit breaker rating")
    rack_pdu: Name | None = optional("Catalogue rack PDU")


class NetworkSection(Section):
    """The compute fabric; specified counts are as-built and checked."""

    topology: Literal["fat-tree", "rail-optimised", "none"] | None = optional(
        "Topology of the compute fabric",
        Default(
            None, "rail-optimised with one rail per GPU for servers of up to 8 GPUs; else fat tree"
        ),
    )
    switch: Name | None = optional(
        "Catalogue switch",
        Default(None, "first standard switch that connects the endpoints in three tiers"),
    )
    radix: PositiveCount | None = optional(
        "Switch ports at the speed of the network cards",
        Default(None, "switch ports, split where faster"),
        max_count=4096,
    )
    oversubscription: Number | None = optional(
        "Oversubscription: downlink ports over uplink ports",
        Default(1.0, "non-blocking compute fabric", _ARCHITECTURES),
        within=(1.0, 100.0),
    )
    ports_per_gpu: PositiveCount | None = optional(
        "Fabric ports per GPU", Default(1, "one fabric port per GPU", _ARCHITECTURES), max_count=32
    )
    rails: PositiveCount | None = optional(
        "Rails of a rail-optimised fabric",
        Default(None, "one rail per fabric port of a server", _ARCHITECTURES),
        max_count=128,
    )
    planes: PositiveCount | None = optional(
        "Planes of the fabric", Default(1, "one plane", _ARCHITECTURES), max_count=64
    )
    optics: Name | None = optional("Port media: active, passive, or a catalogue transceiver")
    rack_power: _RackPower | None = optional(
        "Maximum power of a network, storage or management rack",
        Default(None, "rack power of a reference design"),
    )
    leaf: Count | None = optional("Leaf switches, as built", max_count=20_000)
    spine: Count | None = optional("Spine switches, as built", max_count=20_000)
    core: Count | None = optional("Core switches, as built", max_count=20_000)
    other_switches: Count | None = optional(
        "Switches of the storage, in-band and out-of-band fabrics",
        Default(
            None, "proportional to the GPUs, as in the reference architectures", _ARCHITECTURES
        ),
        max_count=20_000,
    )


class NodesSection(Section):
    """Nodes of one model: storage or management."""

    model: Name | None = optional("Catalogue node", Default(None, "catalogue class row"))
    count: Count | None = optional(
        "Number of nodes", Default(None, "proportional to the GPUs"), max_count=100_000
    )


class PlacedSection(Section):
    """Devices of one model in a rack."""

    model: Name = required("Device of the catalogue or `it.devices`")
    count: PositiveCount = optional("Devices in the rack", max_count=100, value=1)
    power: _Power | None = optional("Input power of one device, instead of the basis power")
    supplies: dict[Name, Count] | None = optional(
        "Supplies of each device, by feed", max_count=8, each=200
    )
    names: list[Text] | None = optional(
        "Device names, rack by rack; ranges such as gpu-001..gpu-200", max_count=20_000
    )
    u_positions: list[Text] | None = optional(
        "Lowest rack unit of each device, in one rack for all racks of the type or rack by rack; "
        "- if not known",
        max_count=20_000,
    )

    @field_validator("u_positions")
    @classmethod
    def _rack_units(cls, value: list[str] | None) -> list[str] | None:
        for text in value or ():
            if text != NOT_STATED and lowest_unit(text) is None:
                raise problem(
                    "OUT_OF_RANGE",
                    f"{text[:40]!r} is not a U position.",
                    f"Enter the lowest rack unit, 1 to {MAX_POSITION}, or {NOT_STATED}.",
                )
        return value


class CircuitSection(_Connected):
    """One circuit of a rack."""

    feed: Name = required("Feed of the circuit")
    breaker: _Current | None = optional("Breaker rating")
    rack_pdu: Name | None = optional("Catalogue rack PDU")


class RackSection(Section):
    """Rack type, and number of such racks in the hall."""

    name: Name = required("Rack type name")
    count: PositiveCount = optional("Number of such racks in the hall", max_count=50_000, value=1)
    purpose: Literal["compute", "network", "storage", "management"] | None = optional(
        "Purpose of the rack"
    )
    devices: list[PlacedSection] = required("Devices in the rack", max_count=50)
    feeds: list[Name] | None = optional("Feeds of the rack", max_count=8)
    circuits: list[CircuitSection] | None = optional("Circuits of the rack", max_count=48)
    rack_units: PositiveCount | None = optional("Height in rack units", max_count=100)
    power_limit: _RackPower | None = optional("Maximum rack power")
    connector: Name | None = optional(
        "Receptacle or connector of the circuits of the rack",
        Default(None, "receptacle for voltage, poles and breaker"),
    )
    names: list[Text] | None = optional(
        "Names of the racks of this type; ranges such as R01..R50", max_count=20_000
    )


class HallSection(Section):
    """Data hall; without ``racks`` it contains an equal share of the designed racks."""

    name: Name = required("Hall name")
    floor_area: Annotated[Measured, quantity("area", above=0.0)] | None = optional(
        "Floor area", Default(None, "rows with cross aisles and perimeter", RECALLED)
    )
    rows: PositiveCount | None = optional(
        "Rows of racks", Default(None, "from racks per row", RECALLED), max_count=1000
    )
    rack_pitch: _Length | None = optional("Rack pitch along a row", Default(None, "rack width"))
    row_pitch: _Pitch | None = optional(
        "Row pitch: rack depth plus half of each adjacent aisle",
        Default(2.7, "rack 1.2 m deep, half of a 1.8 m cold aisle and a 1.2 m hot aisle", RECALLED),
    )
    circulation: _Circulation | None = optional(
        "Floor area over row area, for cross aisles and perimeter",
        Default(1.3, "30 % of the row area for cross aisles and perimeter", RECALLED),
    )
    drops: _Length | None = optional(
        "Vertical length of a branch circuit, at panel and rack",
        Default(5.0, "2.5 m each at panel and rack", RECALLED),
    )
    route_mean: _Length | None = optional(
        "Mean branch circuit length", Default(None, "from rows and route rule")
    )
    route_max: _Length | None = optional(
        "Maximum branch circuit length", Default(None, "from rows and route rule")
    )
    route_rule: Literal["row-end", "wall"] | None = optional(
        "Panel location: row end or wall",
        Default("row-end", "panels at the end of the row served", RECALLED),
    )
    racks: list[RackSection] | None = optional(
        "As-built racks; default: an equal share of the designed racks", max_count=500
    )

    @model_validator(mode="after")
    def _each_counts(self) -> HallSection:
        routes = self.route_mean is not None and self.route_max is not None
        for name, other, idle in (
            ("circulation", "floor_area", self.floor_area is not None),
            ("drops", "route_mean and route_max", routes),
        ):
            if idle and getattr(self, name) is not None:
                raise problem(
                    "CONTRADICTION",
                    f"{name} has no effect together with {other}.",
                    f"Remove {name}, or {other}.",
                    at=name,
                )
        return self


class ItSection(Section):
    """IT equipment of the facility."""

    gpu_model: Name | None = optional("GPU model")
    gpus: PositiveCount | None = optional("Number of GPUs", max_count=10_000_000)
    server: Name | None = optional(
        "Server model: of the catalogue or `devices`",
        Default(None, "manufacturer's system with the GPU"),
    )
    server_power: _Power | None = optional(
        "Maximum input power of one server, instead of the catalogue value",
        Default(None, "data sheet value in the catalogue"),
    )
    servers: PositiveCount | None = optional("Number of servers", max_count=10_000_000)
    servers_per_rack: PositiveCount | None = optional(
        "Servers per rack",
        Default(None, "from manufacturer layout, height, power and air flow of the rack"),
        max_count=100,
    )
    rack_units: PositiveCount | None = optional(
        "Rack height in rack units", Default(None, "from manufacturer layout"), max_count=100
    )
    rack_power: _RackPower | None = optional(
        "Maximum rack power", Default(None, "reference air-cooled compute rack")
    )
    basis: _Basis | None = optional(
        "Power basis of the devices",
        Default(
            "datasheet_maximum", "manufacturer's maximum input; feeders and UPS must carry it", RULE
        ),
    )
    measured_power: _Power | None = optional("Measured input power of one server")
    demand_factor: _PositiveFraction | None = optional(
        "Demand factor: reached power over basis power",
        Default(1.0, "every device reaches its basis power", RULE),
        within=(0.01, 1.0),
    )
    diversity: _PositiveFraction | None = optional(
        "Diversity factor: combined peak over sum of peaks",
        Default(1.0, "synchronous training: all servers of a job peak together", RULE),
        within=(0.01, 1.0),
    )
    load_factor: _PositiveFraction | None = optional(
        "Load factor: annual mean power over basis power",
        Default(
            None,
            "mean of the load profile; else measured average of a training node, 1 on a measured "
            "or typical basis",
        ),
        within=(0.01, 1.0),
    )
    feeds: list[Name] | None = optional("Feeds of the racks", max_count=8)
    job: JobSection | None = None
    load_profile: LoadProfileSection | None = None
    cords: CordsSection | None = None
    power_factor: _PositiveFraction | None = optional(
        "Input power factor of power supplies, for devices where it is neither published nor"
        " stated",
        _SUPPLY_FACTOR,
        symbol=r"\cos\varphi",
        within=(0.45, 1.0),
    )
    rack_pdu_loss: _Fraction | None = optional(
        "Loss of rack PDU and cords, over its load",
        Default(0.005, "usual for metered rack PDUs with short cords", RECALLED),
        within=(0.0, 0.5),
    )
    network: NetworkSection | None = None
    storage: NodesSection | None = None
    management: NodesSection | None = None
    devices: list[DeviceSection] | None = optional(
        "Devices missing from the catalogue, or fields that complete a catalogue row", max_count=500
    )
    halls: list[HallSection] | None = optional(
        "Data halls, with as-built racks if any", max_count=200
    )
