"""The conductors section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import Flag, Name, PositiveCount, Section, problem, quantity

_Ambient = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=85.0)]
_Length = Annotated[Measured, quantity("length", minimum=0.0, maximum=3000.0)]
_Termination = Annotated[Measured, quantity("temperature", minimum=60.0, maximum=75.0)]

Arrangement = Literal["bunched", "wall", "ceiling", "tray", "ladder", "ducts", "buried", "apart"]


class ConductorSection(Section):
    """The conductors: material, insulation, installation and lengths.

    Lengths are one way. `transformer_length` runs from the MV/LV transformer to the LV board,
    `generator_length` from the generator to it, `ups_length` from it to the UPS,
    `feeder_length` from the UPS to a PDU transformer or panel, `panel_length` from the PDU
    transformer to the panel, `mechanical_length` from the LV board to the mechanical plant,
    `branch_length` from panel to rack. `raceway`, `termination_temperature` and the types with
    an H belong to the NEC, `method`, `arrangement`, `trays`, PVC and XLPE to the IEC.
    `arrangement` says how the `grouped_circuits` and the parallel cables that share a way lie;
    `trays` over how many trays or ladders, one above another, they are spread. Where a circuit
    needs more than `parallel_sets` conductors in parallel a busway takes their place.
    """

    material: Literal["copper", "aluminum"] | None = None
    insulation: Literal["THHN/THWN-2", "XHHW-2", "THWN", "THW", "PVC", "XLPE"] | None = None
    termination_temperature: _Termination | None = None
    ambient: _Ambient | None = None
    raceway: Literal["EMT", "RMC", "IMC", "PVC-40", "PVC-80"] | None = None
    method: Literal["A1", "A2", "B1", "B2", "C", "D1", "D2", "E", "F"] | None = None
    arrangement: Arrangement | None = None
    trays: PositiveCount | None = None
    largest_size: Name | None = None
    neutral_counted: Flag | None = None
    grouped_circuits: PositiveCount | None = None
    parallel_sets: PositiveCount | None = None
    transformer_length: _Length | None = None
    generator_length: _Length | None = None
    ups_length: _Length | None = None
    feeder_length: _Length | None = None
    panel_length: _Length | None = None
    mechanical_length: _Length | None = None
    branch_length: _Length | None = None

    @model_validator(mode="after")
    def _terminations_of_a_column(self) -> ConductorSection:
        given = self.termination_temperature
        if given is not None and min(abs(given.si - 60.0), abs(given.si - 75.0)) > 0.01:
            raise problem(
                "NOT_ONE_OF",
                f"{given.text} is no temperature rating of terminations.",
                "Write 60 degC or 75 degC.",
                at="termination_temperature",
            )
        return self
