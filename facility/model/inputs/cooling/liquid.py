"""CDUs, facility water and the liquid path of the project, including a chip on its cold plate."""

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
    """Chip on its cold plate: heat, cold-plate flow, maximum case temperature."""

    chip_power: _ChipHeat = required("Chip heat")
    flow: _PlateFlow = required("Cold-plate coolant flow")
    case_max: _CaseTemperature = required("Maximum case temperature")


class LiquidPathSection(Section):
    """Coolant circuit between CDUs and chips."""

    cdu_mount: Literal["in-rack", "in-row", "row/perimeter"] | None = optional(
        "CDU mounting; without a model, a CDU of this mounting is selected"
    )
    head_margin: _Margin | None = optional(
        "Margin on the CDU head", Default(0.1, "reserve for fouling and balancing", PRACTICE)
    )
    design_pressure: _Pressure | None = optional(
        "Maximum working pressure of the racks, gauge", Default(None, "guideline value")
    )
    rack_volume: _Volume | None = optional(
        "Coolant volume of one rack",
        Default(0.020, "plates, hoses and manifold; not published by manufacturers", PRACTICE),
    )
    cold_plate: ColdPlateSection | None = None


class CduSection(RedundantSection):
    """CDUs: catalogue model or user rating, count, and the coolant loop."""

    model: Name | None = optional(
        "Catalogue CDU",
        Default(None, "selected by mounting or count; else a CDU rated with flow and approach"),
    )
    rating: CduRatingSection | None = None
    count: PositiveCount | None = optional("CDUs, including spares", max_count=50_000)
    tcs_supply: _Temperature | None = optional(
        "Coolant supply temperature",
        Default(None, "facility water temperature plus the rated CDU approach", DERIVED),
    )
    tcs_delta_t: _Difference | None = optional(
        "Coolant temperature rise through the racks",
        Default(None, "planning value, for racks without published flow"),
    )
    tcs_flow: _Flow | None = optional(
        "Coolant flow, all racks",
        Default(None, "flow from rack data; from the heat balance for racks without data", DERIVED),
    )
    fluid: Name | None = optional(
        "Rack coolant", Default("PG25", "propylene glycol 25 %", UNSTATED)
    )
    design_fraction: _Part | None = optional(
        "Liquid-side sizing share of the IT heat of liquid-cooled racks",
        Default(0.90, "90 % of rack heat to liquid", _LENOVO),
        within=(0.05, 1.0),
    )

    @model_validator(mode="after")
    def _one_basis(self) -> CduSection:
        refuse_both(self.model, self.rating, "CDU_CONTRADICTION")
        if self.tcs_flow is not None and self.tcs_delta_t is not None:
            raise problem(
                "CDU_CONTRADICTION",
                "tcs_flow and tcs_delta_t are both specified.",
                "Enter one; the other follows from the heat.",
                at="tcs_flow",
            )
        return self


class FacilityWaterSection(Section):
    """Facility water of the CDUs: heat rejection and temperatures.

    With `_and_chiller`, chilled water adds cooling where dry coolers or towers cannot reach the
    supply; without it they operate alone.
    """

    source: (
        Literal[
            "dry_cooler", "tower", "chilled_water", "dry_cooler_and_chiller", "tower_and_chiller"
        ]
        | None
    ) = optional(
        "Heat sink of the facility water",
        Default(None, "the sink that reaches the required supply at design weather"),
    )
    supply: _Temperature | None = optional(
        "Facility water supply temperature",
        Default(None, "highest temperature permitted by rack class and coolant", DERIVED),
    )
    delta_t: _Difference | None = optional(
        "Facility water temperature rise through the CDUs",
        Default(None, "from the coolant rise and the rated CDU flows"),
    )
    fluid: Name | None = optional(
        "Facility water fluid",
        Default(
            None, "water; propylene glycol outdoors, 25 % or more by minimum dry bulb", UNSTATED
        ),
    )
    exchanger_approach: _Approach | None = optional(
        "Approach of the facility water plate exchanger",
        Default(
            3.0 / 1.8, "plate exchanger between facility water and tower or chilled water", _DCPRO
        ),
    )
    tower_range: _TowerRange | None = optional(
        "Range of the tower water at that exchanger",
        Default(
            None,
            "same as the facility water; smaller, down to the range of the tower correlation, "
            "where towers alone then reach the supply or chilled water is relieved. Not optimized "
            "for cost: 5 to 10 K change the annual cost by 0.2 %",
        ),
    )
    pump: PumpSection | None = None
    rejection: RejectionSection | None = None
