"""The dc section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
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

    A busbar needs `length` and `busbar_section` (of one bar), a feeder `length` and
    `conductor_size` (AWG or kcmil). `load` is the power at the end of one circuit;
    `compared_loss` the loss at which 54, 400 and 800 V are compared.
    """

    architecture: Literal["none", "54V busbar", "800V feeder"] | None = None
    voltage: _Voltage | None = None
    load: _Load | None = None
    length: _Length | None = None
    busbar_section: _Section | None = None
    conductor_size: Name | None = None
    sets: PositiveCount | None = None
    material: Literal["copper", "aluminum"] | None = None
    conductor_temperature: _Temperature | None = None
    voltage_min: _Voltage | None = None
    voltage_max: _Voltage | None = None
    converter_efficiency: _Efficiency | None = None
    compared_loss: _Loss | None = None

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
