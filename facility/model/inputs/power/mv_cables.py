"""The medium-voltage cables of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.core.sources import RULE, Source
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Name, PositiveCount, Section, quantity
from facility.model.power.mv_cables import MvInstallation

PICKUP = Source("relay-practice", "125 to 150 % of the load", verified="memory")
_Ambient = Annotated[Measured, quantity("rating_temperature", minimum=-20.0, maximum=60.0)]
_Length = Annotated[Measured, quantity("length", minimum=0.0, maximum=10000.0)]
_Correction = Annotated[Measured, quantity("ratio", minimum=0.2, maximum=1.5)]
_Pickup = Annotated[Measured, quantity("ratio", minimum=1.05, maximum=10.0)]
_Clearing = Annotated[Measured, quantity("time", minimum=0.1, maximum=5.0)]
_PLANNED = "a planning value of this program, to be replaced by the layout"


class MvCableSection(Section):
    """The cables between utility, medium-voltage switchgear, generators and MV/LV transformers.

    Lengths are one way. Type MV-105 applies to the NEC, direct burial to the IEC.
    """

    material: Literal["copper", "aluminum"] | None = optional(
        "Metal of the conductors", Default("copper", "usual in data centers", RULE)
    )
    type: Literal["MV-90", "MV-105"] | None = optional(
        "Cable type for ampacity: 90 degC, or 105 degC if all terminations permit it",
        Default("MV-90", "terminations rated for 90 degC", Source("nec-110-40", "110.40")),
    )
    installation: MvInstallation | None = optional(
        "Installation: underground duct bank, conduit (NEC) or cable ladder (IEC) in air, or "
        "direct burial (IEC)",
        Default(None, "between buildings and yards", RULE),
    )
    ambient: _Ambient | None = optional(
        "Earth or air temperature around the cables",
        Default(None, "reference temperature of the ampacity tables"),
    )
    grouped_circuits: PositiveCount | None = optional(
        "Circuits per duct bank or trench, including parallel sets",
        Default(
            "all of a switchgear",
            "circuits leaving one switchgear share duct banks or trenches of up to 6; circuits from"
            " the utility and from generators run separately",
            RULE,
        ),
        max_count=12,
    )
    correction: _Correction | None = optional(
        "Additional ampacity factor: soil, depth, spacing",
        Default(1.0, "soil and depth of the ampacity tables", RULE),
    )
    largest_size: Name | None = optional(
        "Maximum conductor size: AWG, kcmil or mm2",
        Default(
            None, "larger conductors are hard to pull and terminate; parallel sets are used", RULE
        ),
    )
    parallel_sets: PositiveCount | None = optional(
        "Maximum parallel sets of conductors",
        Default(20, "sufficient for the largest switchgear main bus; above, a cable bus", RULE),
        max_count=20,
    )
    service_length: _Length | None = optional(
        "Length from utility service point to MV switchgear",
        Default(100.0, f"from the property line to the switchgear: {_PLANNED}", RULE),
    )
    transformer_length: _Length | None = optional(
        "Length from MV switchgear to MV/LV transformer",
        Default(75.0, f"from the switchgear to a transformer at the wall: {_PLANNED}", RULE),
    )
    generator_length: _Length | None = optional(
        "Length from MV generators to MV switchgear",
        Default(75.0, f"from the generator yard to the switchgear: {_PLANNED}", RULE),
    )
    clearing_time: _Clearing | None = optional(
        "Clearing time of relay and breaker for a fault at the cable start",
        Default(0.5, "time-delayed phase overcurrent relay and a five-cycle breaker", RULE),
    )
    pickup: _Pickup | None = optional(
        "Phase overcurrent relay pickup over load",
        Default(1.25, "125 % of the load, within cable ampacity", PICKUP),
    )
