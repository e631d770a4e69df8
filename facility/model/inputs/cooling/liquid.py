"""CDUs, facility water and the liquid path of the project, down to a chip on its cold plate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import DERIVED, PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.machines import (
    PumpSection,
    RedundantSection,
    RejectionSection,
    refuse_both,
)
from facility.model.inputs.cooling.ratings import CduRatingSection
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Name, PositiveCount, Section, problem, quantity

_ChipHeat = Annotated[Measured, quantity("heat_flow", above=0.0, maximum=2e4)]
_PlateFlow = Annotated[Measured, quantity("liquid_flow", above=0.0, maximum=1e-3)]
_CaseTemperature = Annotated[Measured, quantity("temperature", minimum=30.0, maximum=130.0)]
_Margin = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=3e6)]
_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=2.0)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=70.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_TowerRange = Annotated[Measured, quantity("temperature_difference", minimum=2.0, maximum=40.0)]
_Approach = Annotated[Measured, quantity("temperature_difference", minimum=0.2, maximum=10.0)]
_LENOVO = Source("lenovo-lp2357", "90 % to liquid, 10 % to air", "", "secondary")
_DCPRO = Source("lbnl-dcpro-manual", "WSE HX approach 3 F", "", "secondary")


class ColdPlateSection(Section):
    """A chip on its cold plate: heat, flow through the plate, highest case temperature."""

    chip_power: _ChipHeat = required("Heat of the chip")
    flow: _PlateFlow = required("Coolant through the plate")
    case_max: _CaseTemperature = required("Highest temperature of the case")


class LiquidPathSection(Section):
    """The coolant between CDUs and chips."""

    cdu_mount: Literal["in-rack", "in-row", "row/perimeter"] | None = optional(
        "Where the CDUs stand; without a model one is chosen from those that stand there"
    )
    head_margin: _Margin | None = optional(
        "Part of the head of the CDUs that is kept spare",
        Default(0.1, "head of the CDUs kept spare for fouling and balancing", PRACTICE),
    )
    design_pressure: _Pressure | None = optional(
        "Highest working pressure of the racks, gauge",
        Default(None, "highest working pressure of the racks, gauge"),
    )
    rack_volume: _Volume | None = optional(
        "Coolant inside one rack",
        Default(
            0.020,
            "coolant in plates, hoses and manifold of one rack: no maker publishes it",
            PRACTICE,
        ),
    )
    cold_plate: ColdPlateSection | None = None


class CduSection(RedundantSection):
    """CDUs: a catalogue model or a rating of your own, how many, and the coolant loop."""

    model: Name | None = optional(
        "CDU of the catalogue",
        Default(None, "chosen by its place or number; else one rated with flow and approach"),
    )
    rating: CduRatingSection | None = None
    count: PositiveCount | None = optional("CDUs, spare ones included", most=50_000)
    tcs_supply: _Temperature | None = optional(
        "Coolant supplied to the racks",
        Default(None, "facility water and the rated approach of the CDU", DERIVED),
    )
    tcs_delta_t: _Difference | None = optional(
        "Rise of the coolant through the racks",
        Default(None, "rise of the coolant in racks whose flow is not published"),
    )
    tcs_flow: _Flow | None = optional(
        "Coolant of all racks together",
        Default(None, "flow the racks' data ask for, and the heat balance of the others", DERIVED),
    )
    fluid: Name | None = optional(
        "Coolant of the racks",
        Default("PG25", "coolant of the racks: propylene glycol 25 %", UNSTATED),
    )
    design_fraction: _Part | None = optional(
        "Part of the IT heat of liquid-cooled racks to size for in coolant",
        Default(
            0.90,
            "share of the heat of liquid-cooled racks that the liquid side is sized for",
            _LENOVO,
        ),
        within=(0.05, 1.0),
    )

    @model_validator(mode="after")
    def _one_basis(self) -> CduSection:
        refuse_both(self.model, self.rating, "CDU_CONTRADICTION")
        if self.tcs_flow is not None and self.tcs_delta_t is not None:
            raise problem(
                "CDU_CONTRADICTION",
                "tcs_flow and tcs_delta_t are both given.",
                "Give one; the other follows from the heat.",
                at="tcs_flow",
            )
        return self


class FacilityWaterSection(Section):
    """Facility water of the CDUs: where it is cooled, and at which temperatures.

    With `_and_chiller` chilled water takes the rest where dry coolers or towers cannot reach the
    supply; without it they work alone.
    """

    source: (
        Literal[
            "dry_cooler", "tower", "chilled_water", "dry_cooler_and_chiller", "tower_and_chiller"
        ]
        | None
    ) = optional(
        "What cools the facility water",
        Default(None, "what reaches the supply wanted at the design weather"),
    )
    supply: _Temperature | None = optional(
        "Facility water supplied to the CDUs",
        Default(None, "highest that the class of the racks and the coolant allow", DERIVED),
    )
    delta_t: _Difference | None = optional(
        "Rise of the facility water through the CDUs",
        Default(None, "that of the coolant and the rated flows of the CDU"),
    )
    fluid: Name | None = optional(
        "Fluid of the loop",
        Default(
            None, "water; propylene glycol outdoors, 25 % or more for the coldest air", UNSTATED
        ),
    )
    exchanger_approach: _Approach | None = optional(
        "Approach of the plate exchanger of the loop",
        Default(
            3.0 / 1.8, "plate exchanger between facility water and tower or chilled water", _DCPRO
        ),
    )
    tower_range: _TowerRange | None = optional(
        "Range of the tower water behind that exchanger",
        Default(
            None,
            "that of the facility water; less, down to that of the tower correlation, where towers "
            "alone then hold the supply or chilled water is left less. It is not sought by cost: 5 "
            "to 10 K move that of a year by 0.2 %",
        ),
    )
    pump: PumpSection | None = None
    rejection: RejectionSection | None = None
