"""The dc section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import RULE
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Name, PositiveCount, Section, problem, quantity

_Voltage = Annotated[Measured, quantity("dc_voltage", minimum=10.0, maximum=1500.0)]
_Load = Annotated[Measured, quantity("active_power", above=0.0, maximum=2e7)]
_Length = Annotated[Measured, quantity("length", above=0.0, maximum=2000.0)]
_Section = Annotated[Measured, quantity("cross_section", minimum=1e-6, maximum=0.1)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=150.0)]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]
_Loss = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.5)]


class DcSection(Section):
    """Direct-current distribution: 54 V rack busbars and 800 V feeders.

    A busbar requires `length` and `busbar_section`, a feeder `length` and `conductor_size`.
    """

    architecture: Literal["none", "54V busbar", "800V feeder"] | None = optional(
        "DC architecture studied in addition to the AC design"
    )
    voltage: _Voltage | None = optional(
        "Voltage at the power shelf or rectifier",
        Default(None, "nominal voltage of the architecture", RULE),
    )
    load: _Load | None = optional("Load at the end of one circuit; default: the largest rack")
    length: _Length | None = optional("Length of the circuit, one way")
    busbar_section: _Section | None = optional("Cross-section of one bar")
    conductor_size: Name | None = optional("Conductor size of a feeder, AWG or kcmil")
    sets: PositiveCount | None = optional(
        "Parallel conductors per pole of a feeder",
        Default(1, "one conductor per pole", RULE),
        max_count=100,
    )
    material: Literal["copper", "aluminum"] | None = optional(
        "Metal of bars and conductors", Default("copper", "usual for busways", RULE)
    )
    conductor_temperature: _Temperature | None = optional(
        "Temperature of the conductor", Default(75.0, "conductor at termination temperature", RULE)
    )
    voltage_min: _Voltage | None = optional("Minimum operating voltage of the load")
    voltage_max: _Voltage | None = optional("Maximum operating voltage of the load")
    converter_efficiency: _Efficiency | None = optional(
        "Efficiency of the rectifier or power shelf of the circuit"
    )
    compared_loss: _Loss | None = optional(
        "Loss over load for the comparison of 54, 400 and 800 V",
        Default(0.01, "equal loss for all three, so that the metal mass differs", RULE),
    )

    @model_validator(mode="after")
    def _consistent(self) -> DcSection:
        given = {name for name in type(self).model_fields if getattr(self, name) is not None}
        if self.architecture in (None, "none"):
            unused = sorted(given - {"architecture"})
            if unused:
                raise problem(
                    "DC_CONTRADICTION",
                    "the field requires an architecture, but none is specified.",
                    "Enter architecture: 54V busbar or 800V feeder.",
                    at=unused[0],
                )
            return self
        busbar = self.architecture == "54V busbar"
        required = "busbar_section" if busbar else "conductor_size"
        for name in ("length", required):
            if name not in given:
                raise problem(
                    "DC_INCOMPLETE",
                    f"a {self.architecture} requires a {name.replace('_', ' ')}.",
                    f"Enter {name}; length and section are not assumed.",
                    at=name,
                )
        foreign = {"conductor_size", "sets"} if busbar else {"busbar_section"}
        for name in sorted(foreign & given):
            raise problem(
                "DC_CONTRADICTION",
                f"a {self.architecture} does not use {name.replace('_', ' ')}.",
                f"Remove it, or select an architecture that uses it; enter {required}.",
                at=name,
            )
        low, high = self.voltage_min, self.voltage_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "DC_CONTRADICTION", "voltage_min is not below voltage_max.", at="voltage_min"
            )
        return self
