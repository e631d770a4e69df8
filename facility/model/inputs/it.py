"""The ``it`` section: GPUs and servers, or halls and racks one by one.

Short form: a GPU model and a number of GPUs; racks, network, storage and management are designed.
Long form: ``halls`` with ``racks``, as built. ``devices`` describes what the catalogue does not
hold, or completes one of its rows.
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
    problem,
    quantity,
)

_ARCHITECTURES = Source(
    "nvidia-reference-architectures", "DGX B200, 4 scalable units, 127 systems", verified="computed"
)


_SUPPLY_FACTOR = Default(
    0.98, "input power factor of server supplies near full load, where none is published", RECALLED
)

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


class CappedSection(Section):
    """Capped mode of a device with fewer supplies energized than needed, by its manufacturer."""

    supplies: PositiveCount = required("Fewest supplies energized for it", most=200)
    power: _Power = required("Input of the capped device")


class SuppliesSection(Section):
    """Power supplies of a device."""

    count: PositiveCount = required("Supplies installed", most=200)
    needed: PositiveCount | None = optional(
        "Supplies needed for full load",
        Default(None, "as many as carry the maximum power"),
        most=200,
    )
    rating: _Power | None = optional(
        "Rating of one supply",
        Default(None, "the supplies needed carry the maximum power", RECALLED),
    )
    voltage_min: _Voltage | None = optional(
        "Lowest input voltage", Default(None, "200 V of one phase, 415 V of three", RECALLED)
    )
    voltage_max: _Voltage | None = optional(
        "Highest input voltage", Default(None, "240 V of one phase, 480 V of three", RECALLED)
    )
    phases: PositiveCount | None = optional("Phases of the input: 1 or 3")
    power_factor: _PositiveFraction | None = optional(
        "Power factor at the input", _SUPPLY_FACTOR, symbol=r"\cos\varphi", within=(0.3, 1.0)
    )
    efficiency_class: Name | None = optional(
        "Class of the supplies, whose efficiency curve is taken"
    )
    shelves: PositiveCount | None = optional(
        "Power shelves that hold the supplies, each with one inlet",
        Default(None, "an inlet for each; of more than 12 of three phases, one for every six"),
        most=200,
    )
    capped: CappedSection | None = None

    @model_validator(mode="after")
    def _consistent(self) -> SuppliesSection:
        if self.needed is not None and self.needed > self.count:
            raise problem(
                "CONTRADICTION",
                f"{self.needed} supplies needed of {self.count} installed.",
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
    """A device that the catalogue does not hold, or fields that complete one of its rows."""

    model: Name = required("Name of the device")
    category: Literal["server", "switch", "storage", "management"] | None = optional("What it is")
    gpus: Count | None = optional("GPUs in it", most=2000)
    gpu_model: Name | None = optional("Model of its GPUs")
    gpu_power: _Power | None = optional("Power of one GPU")
    maximum_power: _Power | None = optional("Input at most, by its data sheet")
    typical_power: _Power | None = optional("Typical input")
    idle_power: _Power | None = optional("Input without work")
    peak_power: _Power | None = optional("Short-time peak of the input")
    supplies: SuppliesSection | None = None
    rack_units: PositiveCount | None = optional("Height in rack units", most=100)
    airflow: Annotated[Measured, quantity("air_flow", above=0.0)] | None = optional(
        "Air through it"
    )
    inlet_min: _Temperature | None = optional("Lowest inlet air")
    inlet_max: _Temperature | None = optional("Highest inlet air")
    liquid_fraction: _Fraction | None = optional("Part of its heat that goes to coolant")
    liquid_only: Flag | None = optional(
        "Whether it is cooled by coolant alone but for its part in air"
    )
    coolant_flow: Annotated[Measured, quantity("liquid_flow", above=0.0)] | None = optional(
        "Coolant through it"
    )
    coolant_supply_max: _Temperature | None = optional("Warmest coolant that it takes")
    mass: Annotated[Measured, quantity("mass", above=0.0)] | None = optional("Mass")


class CordsSection(_Poled):
    """Circuits to each rack."""

    per_feed: PositiveCount | None = optional("Circuits from each feed", most=24)
    breaker: _Current | None = optional("Rating of the breaker of a circuit")
    rack_pdu: Name | None = optional("Rack PDU of the catalogue")


class NetworkSection(Section):
    """The compute fabric; counts given are used as built and checked."""

    topology: Literal["fat-tree", "rail-optimised", "none"] | None = optional(
        "Topology of the compute fabric",
        Default(None, "one rail per GPU of a server of up to 8; else a fat tree"),
    )
    switch: Name | None = optional(
        "Switch of the catalogue",
        Default(None, "the first usual one that carries the endpoints in three tiers"),
    )
    radix: PositiveCount | None = optional(
        "Ports of a switch at the speed of the network cards",
        Default(None, "those of the switch, split where they are faster"),
        most=4096,
    )
    oversubscription: Number | None = optional(
        "Ports down over ports up",
        Default(1.0, "non-blocking compute fabric", _ARCHITECTURES),
        within=(1.0, 100.0),
    )
    ports_per_gpu: PositiveCount | None = optional(
        "Fabric ports of each GPU",
        Default(1, "one fabric port for each GPU", _ARCHITECTURES),
        most=32,
    )
    rails: PositiveCount | None = optional(
        "Rails of a rail-optimised fabric",
        Default(None, "one rail for each fabric port of a server", _ARCHITECTURES),
        most=128,
    )
    planes: PositiveCount | None = optional(
        "Planes of the fabric", Default(1, "one plane", _ARCHITECTURES), most=64
    )
    optics: Name | None = optional(
        "What the ports carry: active, passive, or a transceiver of the catalogue"
    )
    rack_power: _RackPower | None = optional(
        "Most power of a network, storage or management rack",
        Default(None, "power of such racks in a reference design"),
    )
    leaf: Count | None = optional("Leaf switches, as built", most=20_000)
    spine: Count | None = optional("Spine switches, as built", most=20_000)
    core: Count | None = optional("Core switches, as built", most=20_000)
    other_switches: Count | None = optional(
        "Switches of the storage, in-band and out-of-band fabrics",
        Default(
            None, "in proportion to the GPUs, as in the reference architectures", _ARCHITECTURES
        ),
        most=20_000,
    )


class NodesSection(Section):
    """Nodes of one model: storage or management."""

    model: Name | None = optional(
        "Node of the catalogue", Default(None, "class row of the catalogue")
    )
    count: Count | None = optional(
        "Nodes", Default(None, "in proportion to the GPUs"), most=100_000
    )


class PlacedSection(Section):
    """Devices of one model in a rack."""

    model: Name = required("Device of the catalogue or of `it.devices`")
    count: PositiveCount = optional("Devices in the rack", most=100, value=1)
    power: _Power | None = optional("Input of one, in place of that on the basis")
    supplies: dict[Name, Count] | None = optional(
        "How many supplies of each device are on a feed", most=8, each=200
    )


class CircuitSection(_Poled):
    """One circuit of a rack."""

    feed: Name = required("Feed that it comes from")
    breaker: _Current | None = optional("Rating of its breaker")
    rack_pdu: Name | None = optional("Rack PDU of the catalogue")


class RackSection(Section):
    """A kind of rack, and how many equal ones stand in the hall."""

    name: Name = required("Name of the kind of rack")
    count: PositiveCount = optional("Equal racks in the hall", most=50_000, value=1)
    purpose: Literal["compute", "network", "storage", "management"] | None = optional(
        "What the rack is for"
    )
    devices: list[PlacedSection] = required("Devices in the rack", most=50)
    feeds: list[Name] | None = optional("Feeds of the rack", most=8)
    circuits: list[CircuitSection] | None = optional("Circuits of the rack", most=48)
    rack_units: PositiveCount | None = optional("Height in rack units", most=100)
    power_limit: _RackPower | None = optional("Most power that the rack may hold")


class HallSection(Section):
    """A data hall; without ``racks`` it takes an equal share of the designed ones."""

    name: Name = required("Name of the hall")
    floor_area: Annotated[Measured, quantity("area", above=0.0)] | None = optional(
        "Floor area", Default(None, "rows with cross aisles and perimeter", RECALLED)
    )
    rows: PositiveCount | None = optional(
        "Rows of racks", Default(None, "by the racks in a row", RECALLED), most=1000
    )
    rack_pitch: _Length | None = optional(
        "From rack to rack along a row", Default(None, "width of the rack")
    )
    row_pitch: _Pitch | None = optional(
        "From row to row: a rack and half of the aisle on either side",
        Default(2.7, "rack 1.2 m deep, half of a 1.8 m cold and of a 1.2 m hot aisle", RECALLED),
    )
    circulation: _Circulation | None = optional(
        "Floor area over that of the rows, for cross aisles and perimeter",
        Default(1.3, "a third of the area of the rows again", RECALLED),
    )
    drops: _Length | None = optional(
        "Ups and downs of a branch circuit, at the panel and at the rack",
        Default(5.0, "2.5 m down at the panel and at the rack", RECALLED),
    )
    route_mean: _Length | None = optional(
        "Mean length of the branch circuits", Default(None, "by the rows and the route rule")
    )
    route_max: _Length | None = optional(
        "Longest branch circuit", Default(None, "by the rows and the route rule")
    )
    route_rule: Literal["row-end", "wall"] | None = optional(
        "Where the panels stand: at the end of their row, or along the wall",
        Default("row-end", "panels stand at the end of the row they serve", RECALLED),
    )
    racks: list[RackSection] | None = optional(
        "Racks as built; open: an equal share of the designed ones", most=500
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
                    f"{name} changes nothing beside {other}.",
                    f"Remove {name}, or {other}.",
                    at=name,
                )
        return self


class ItSection(Section):
    """Everything that draws IT power."""

    gpu_model: Name | None = optional("Model of the GPUs")
    gpus: PositiveCount | None = optional("Number of GPUs", most=10_000_000)
    server: Name | None = optional(
        "Server of the catalogue or of `devices`", Default(None, "the maker's system with the GPU")
    )
    servers: PositiveCount | None = optional("Number of servers", most=10_000_000)
    servers_per_rack: PositiveCount | None = optional(
        "Servers in a rack",
        Default(None, "by the layout of the maker, height, power and air of the rack"),
        most=100,
    )
    rack_units: PositiveCount | None = optional(
        "Height of the racks in rack units", Default(None, "by the layout of the maker"), most=100
    )
    rack_power: _RackPower | None = optional(
        "Most power of a rack", Default(None, "power of the reference compute rack in air")
    )
    basis: _Basis | None = optional(
        "Which power of a device is taken",
        Default(
            "datasheet_maximum",
            "what the maker says a device draws at most; feeders and UPS must carry it",
            RULE,
        ),
    )
    measured_power: _Power | None = optional("Measured input of one server")
    demand_factor: _PositiveFraction | None = optional(
        "Power reached over the basis",
        Default(1.0, "every device reaches its basis power", RULE),
        within=(0.01, 1.0),
    )
    diversity: _PositiveFraction | None = optional(
        "Peak of all over the sum of the peaks",
        Default(1.0, "synchronous training: all servers of a job peak together", RULE),
        within=(0.01, 1.0),
    )
    load_factor: _PositiveFraction | None = optional(
        "Mean of the year over the power of the basis",
        Default(
            None,
            "mean of the load profile; else measured average of a training node, 1 on a measured "
            "or typical basis",
        ),
        within=(0.01, 1.0),
    )
    feeds: list[Name] | None = optional("Feeds that the racks use", most=8)
    job: JobSection | None = None
    load_profile: LoadProfileSection | None = None
    cords: CordsSection | None = None
    power_factor: _PositiveFraction | None = optional(
        "Power factor at the input of supplies, where that of a device is neither published nor"
        " stated",
        _SUPPLY_FACTOR,
        symbol=r"\cos\varphi",
        within=(0.45, 1.0),
    )
    rack_pdu_loss: _Fraction | None = optional(
        "Loss of rack PDU and cords over its load",
        Default(0.005, "usual of metered rack PDUs on short cords", RECALLED),
        within=(0.0, 0.5),
    )
    network: NetworkSection | None = None
    storage: NodesSection | None = None
    management: NodesSection | None = None
    devices: list[DeviceSection] | None = optional(
        "Devices that the catalogue does not hold, or fields that complete one of its rows",
        most=500,
    )
    halls: list[HallSection] | None = optional(
        "Data halls, with their racks where these are built", most=200
    )
