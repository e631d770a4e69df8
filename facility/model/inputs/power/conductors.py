"""The conductors section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import RULE
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Flag, Name, PositiveCount, Section, problem, quantity

_Ambient = Annotated[Measured, quantity("rating_temperature", minimum=-40.0, maximum=85.0)]
_Current = Annotated[Measured, quantity("current", minimum=15.0, maximum=6000.0)]
_Input = Annotated[Measured, quantity("active_power", minimum=1.0, maximum=5e6)]
_Length = Annotated[Measured, quantity("length", minimum=0.0, maximum=3000.0)]
_Termination = Annotated[Measured, quantity("rating_temperature", minimum=60.0, maximum=75.0)]

Arrangement = Literal["bunched", "wall", "ceiling", "tray", "ladder", "ducts", "buried", "apart"]


class ConductorSection(Section):
    """The conductors: material, insulation, installation and lengths.

    Lengths are one way. `raceway`, `termination_temperature`, `ambient_correction`,
    `transformer_location` and the types with an H apply to the NEC; `method`, `arrangement`,
    `trays`, PVC and XLPE to the IEC.
    """

    material: Literal["copper", "aluminum"] | None = optional(
        "Metal of line, neutral and grounding conductors",
        Default("copper", "usual in data centers", RULE),
    )
    insulation: Literal["THHN/THWN-2", "XHHW-2", "THWN", "THW", "PVC", "XLPE"] | None = optional(
        "Insulation type", Default(None, "single conductors rated 90 degC", RULE)
    )
    termination_temperature: _Termination | None = optional(
        "Termination temperature rating, 60 or 75 degC",
        Default(75.0, "breakers and lugs marked 60/75 degC", RULE),
    )
    ambient: _Ambient | None = optional(
        "Ambient temperature of the conductors",
        Default(30.0, "ambient temperature of the ampacity tables", RULE),
    )
    ambient_correction: Literal["table", "equation"] | None = optional(
        "Ambient correction factor: bands of Table 310.15(B)(1), or equation 310.15(B)(2)",
        Default("table", "bands of the table, as applied in plan review", RULE),
    )
    raceway: Literal["EMT", "RMC", "IMC", "PVC-40", "PVC-80"] | None = optional(
        "Type of conduit", Default("EMT", "indoor runs, one set per conduit", RULE)
    )
    method: Literal["A1", "A2", "B1", "B2", "C", "D1", "D2", "E", "F"] | None = optional(
        "Reference installation method of IEC 60364-5-52",
        Default("E", "multicore or bunched single cables on perforated tray", RULE),
    )
    arrangement: Arrangement | None = optional(
        "Arrangement of grouped circuits and parallel cables",
        Default(None, "touching, according to the method", RULE),
    )
    trays: PositiveCount | None = optional(
        "Stacked trays or ladders that share the circuits",
        Default(1, "one tray or ladder carries the group", RULE),
        max_count=20,
    )
    largest_size: Name | None = optional(
        "Maximum line conductor size: AWG, kcmil or mm2",
        Default(None, "larger conductors are hard to pull and bend; parallel sets are used", RULE),
    )
    neutral_counted: Flag | None = optional(
        "Neutral of four-wire circuits counted as a current-carrying conductor",
        Default(
            "yes",
            "most IT load is nonlinear; conservative, since supplies with power factor correction "
            "draw few triplen harmonics",
            RULE,
        ),
    )
    grouped_circuits: PositiveCount | None = optional(
        "Number of identical circuits sharing a raceway (NEC) or route (IEC)",
        Default(1, "one set of conductors in each raceway; groups apart from each other", RULE),
        max_count=100,
    )
    parallel_sets: PositiveCount | None = optional(
        "Maximum parallel conductors per phase; a busway above",
        Default(8, "more are hard to terminate and to load evenly; a busway is used", RULE),
        max_count=20,
    )
    transformer_length: _Length | None = optional(
        "Length from MV/LV transformer to LV board",
        Default(
            25.0,
            "from the MV/LV transformer in the yard to the LV board: a planning value of this "
            "program, to be replaced by the layout",
            RULE,
        ),
    )
    transformer_location: Literal["outdoors", "indoors"] | None = optional(
        "Location of the conductors from MV/LV transformer to LV board, up to the point of "
        "entrance",
        Default(
            "outdoors",
            "transformers in the yard, the LV board with its main at the point of entrance: no "
            "maximum length (NEC 240.21(C)(4)); indoors, 25 ft (240.21(C)(6))",
            RULE,
        ),
    )
    set_length: _Length | None = optional(
        "Length from generator set to its bus or step-up transformer",
        Default(
            15.0,
            "from a generator set to the bus or step-up transformer in the generator yard: a"
            " planning value of this program, to be replaced by the layout",
            RULE,
        ),
    )
    generator_length: _Length | None = optional(
        "Length from generator bus, or single set, to LV board",
        Default(
            40.0,
            "from the generator yard to the LV board: a planning value of this program, to "
            "be replaced by the layout",
            RULE,
        ),
    )
    ups_length: _Length | None = optional(
        "Length from LV board to UPS",
        Default(
            20.0,
            "from the LV board to a UPS in the same or the next room: a planning value of "
            "this program, to be replaced by the layout",
            RULE,
        ),
    )
    feeder_length: _Length | None = optional(
        "Length from UPS to PDU transformer or panel",
        Default(
            45.0,
            "from the UPS output to a PDU transformer or panel in the hall: a planning "
            "value of this program, to be replaced by the layout",
            RULE,
        ),
    )
    panel_length: _Length | None = optional(
        "Length from PDU transformer to panel",
        Default(
            7.5,
            "from the PDU transformer to a panel next to it, within the 25 ft (7.62 m) of NEC "
            "240.21(C)(6): a planning value of this program, to be replaced by the layout",
            RULE,
        ),
    )
    mechanical_length: _Length | None = optional(
        "Length from LV board to mechanical plant",
        Default(
            60.0,
            "from the LV board to the mechanical plant: a planning value of this program, "
            "to be replaced by the layout",
            RULE,
        ),
    )
    unit_length: _Length | None = optional(
        "Length from mechanical board to cooling unit",
        Default(
            20.0,
            "from a mechanical board to a unit of the plant or of a hall: a planning value of "
            "this program, to be replaced by the layout",
            RULE,
        ),
    )
    mechanical_device: _Current | None = optional(
        "Maximum feeder device of a mechanical board; several boards above",
        Default(
            800.0,
            "usual molded-case frame; below 1,000 A, ground-fault protection and energy "
            "reduction are not required: a planning value of this program",
            RULE,
        ),
    )
    largest_pump: _Input | None = optional(
        "Maximum electrical input of one pump; several pumps above",
        Default(110e3, "usual motor size of one pump: a planning value of this program", RULE),
    )
    branch_length: _Length | None = optional(
        "Length from panel to rack", Default("by hall", "longest route of each hall layout", RULE)
    )

    @model_validator(mode="after")
    def _terminations_of_a_column(self) -> ConductorSection:
        given = self.termination_temperature
        if given is not None and min(abs(given.si - 60.0), abs(given.si - 75.0)) > 0.01:
            raise problem(
                "NOT_ONE_OF",
                f"{given.text} is not a termination temperature rating.",
                "Enter 60 degC or 75 degC.",
                at="termination_temperature",
            )
        return self
