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

    A busbar needs `length` and `busbar_section`, a feeder `length` and `conductor_size`.
    """

    architecture: Literal["none", "54V busbar", "800V feeder"] | None = optional(
        "What is studied beside the AC design"
    )
    voltage: _Voltage | None = optional(
        "Voltage at the power shelf or the rectifier",
        Default(None, "nominal voltage of the architecture", RULE),
    )
    load: _Load | None = optional("Power at the end of one circuit; open: that of the largest rack")
    length: _Length | None = optional("Length of the circuit, one way")
    busbar_section: _Section | None = optional("Cross-section of one bar")
    conductor_size: Name | None = optional("Conductor size of a feeder, AWG or kcmil")
    sets: PositiveCount | None = optional(
        "Conductors in parallel on each pole of a feeder",
        Default(1, "one conductor on each pole", RULE),
        most=100,
    )
    material: Literal["copper", "aluminum"] | None = optional(
        "Metal of bars and conductors", Default("copper", "usual of busways", RULE)
    )
    conductor_temperature: _Temperature | None = optional(
        "Temperature of the conductor",
        Default(75.0, "conductor at the temperature of its terminations", RULE),
    )
    voltage_min: _Voltage | None = optional("Lowest voltage at which the load works")
    voltage_max: _Voltage | None = optional("Highest voltage at which the load works")
    converter_efficiency: _Efficiency | None = optional(
        "Output over input of the rectifier or power shelf that feeds the circuit"
    )
    compared_loss: _Loss | None = optional(
        "Loss over load at which 54, 400 and 800 V are compared",
        Default(0.01, "one loss for all three, so that the metal tells them apart", RULE),
    )

    @model_validator(mode="after")
    def _consistent(self) -> DcSection:
        given = {name for name in type(self).model_fields if getattr(self, name) is not None}
        if self.architecture in (None, "none"):
            unused = sorted(given - {"architecture"})
            if unused:
                raise problem(
                    "DC_CONTRADICTION",
                    "the field belongs to an architecture, and none is given.",
                    "Write architecture: 54V busbar or 800V feeder.",
                    at=unused[0],
                )
            return self
        busbar = self.architecture == "54V busbar"
        wanted = "busbar_section" if busbar else "conductor_size"
        for name in ("length", wanted):
            if name not in given:
                raise problem(
                    "DC_INCOMPLETE",
                    f"a {self.architecture} needs its {name.replace('_', ' ')}.",
                    f"Give {name}; no length and no section is assumed.",
                    at=name,
                )
        foreign = {"conductor_size", "sets"} if busbar else {"busbar_section"}
        for name in sorted(foreign & given):
            raise problem(
                "DC_CONTRADICTION",
                f"a {self.architecture} has no {name.replace('_', ' ')}.",
                f"Remove it, or choose the architecture that has one; give {wanted}.",
                at=name,
            )
        low, high = self.voltage_min, self.voltage_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "DC_CONTRADICTION", "voltage_min is not below voltage_max.", at="voltage_min"
            )
        return self
