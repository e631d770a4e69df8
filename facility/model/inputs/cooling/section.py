"""The cooling section of the project: method, air handlers, CDUs, facility water, plant."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import DEFINITION, DERIVED, PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.air import AirPathSection
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.inputs.cooling.liquid import LiquidPathSection
from facility.model.inputs.cooling.machines import (
    ChillerSection,
    PumpSection,
    RedundantSection,
    RejectionSection,
)
from facility.model.inputs.cooling.plant import HeatReuseSection, PumpingSection
from facility.model.inputs.cooling.ratings import CduRatingSection, CrahRatingSection
from facility.model.inputs.cooling.storage import StorageSection
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Name, PositiveCount, Section, problem, quantity

_MGX = Source("ocp-mgx-rack-spec", "85 % to liquid, 15 % to air", "", "secondary")
_LENOVO = Source("lenovo-lp2357", "90 % to liquid, 10 % to air", "", "secondary")


_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=70.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_TowerRange = Annotated[Measured, quantity("temperature_difference", minimum=2.0, maximum=40.0)]
_Margin = Annotated[Measured, quantity("temperature_difference", maximum=10.0)]
_Leak = Annotated[Measured, quantity("fraction", maximum=0.9)]
_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_LeastFan = Annotated[Measured, quantity("fraction", minimum=0.1, maximum=1.0)]
_Film = Annotated[Measured, quantity("ratio", minimum=0.05, maximum=20.0)]
_Approach = Annotated[Measured, quantity("temperature_difference", minimum=0.2, maximum=10.0)]
_COIL = Source("modelica-buildings-heat-exchangers", "HADryCoil: r_nominal")
_TEMPLATES = Source("modelica-buildings-templates")
_DCPRO = Source("lbnl-dcpro-manual", "WSE HX approach 3 F", "", "secondary")


class CrahSection(RedundantSection):
    """Air handlers: a catalogue model or a rating of your own, and how many."""

    model: Name | None = optional(
        "Air handler of the catalogue",
        Default(
            None,
            "class row from a heat balance, not a product: give the rating of the selected one",
        ),
    )
    rating: CrahRatingSection | None = None
    count: PositiveCount | None = optional(
        "Air handlers of the halls, spare ones included", most=10_000
    )
    electrical_count: PositiveCount | None = optional(
        "Air handlers of the electrical rooms", most=10_000
    )
    fan_curve: Name | None = optional(
        "Part-load curve of the fans",
        Default(
            "ideal cube law",
            "fans on speed control against coil, filter and plenum; other curves by name",
            DEFINITION,
        ),
    )
    least_fan_flow: _LeastFan | None = optional(
        "Least speed of the fans over full speed",
        Default(
            0.30,
            "speed below which the fans do not slow down; fewer of them would have to run",
            PRACTICE,
        ),
    )
    film_ratio: _Film | None = optional(
        "Air-side over water-side hA of the coil at its rating",
        Default(0.5, "air-side over water-side hA of the coil at its rating", _COIL),
    )
    design_fraction: _Part | None = optional(
        "Part of the IT heat of liquid-cooled racks to size for in air",
        Default(
            0.15, "share of the heat of liquid-cooled racks that the air side is sized for", _MGX
        ),
        within=(0.05, 1.0),
    )

    @model_validator(mode="after")
    def _one_basis(self) -> CrahSection:
        _refuse_both(self.model, self.rating, "CRAH_CONTRADICTION")
        return self


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
        _refuse_both(self.model, self.rating, "CDU_CONTRADICTION")
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
            "alone then hold the supply",
        ),
    )
    pump: PumpSection | None = None
    rejection: RejectionSection | None = None


class PlantSection(Section):
    """Chilled-water plant and its heat rejection."""

    chilled_water_supply: _Temperature | None = optional(
        "Chilled water supplied to the air handlers",
        Default(
            None,
            "the entering water at their rating, colder for colder supply air or facility water",
        ),
    )
    delta_t: _Difference | None = optional(
        "Rise of the chilled water through the air handlers",
        Default(None, "rise at the rating of the units; with glycol, that of the same flow"),
    )
    fluid: Name | None = optional(
        "Fluid of the chilled water",
        Default(
            None,
            "water; the least propylene glycol that the coldest air does not freeze where "
            "evaporators or coils stand outdoors",
            UNSTATED,
        ),
    )
    pump: PumpSection | None = None
    chiller: ChillerSection | None = None
    heat_rejection: Literal["tower", "dry_cooler", "air_cooled"] | None = optional(
        "What takes the heat of the chillers",
        Default("tower", "water-cooled chillers with open towers", UNSTATED),
    )
    rejection: RejectionSection | None = None
    condenser_fluid: Name | None = optional(
        "Fluid between the chillers and their dry coolers",
        Default(None, "propylene glycol, 25 % or what the coldest air asks for", UNSTATED),
    )
    condenser_range: _Difference | None = optional(
        "Range of the condenser water",
        Default(None, "range of the tower correlation; pumps and cells are staged to keep it"),
    )
    condenser_flow: _Flow | None = optional(
        "Constant flow of the condenser water through the chillers on duty, together",
        Default(None, "none: pumps and cells are staged to keep the range"),
    )
    condenser_setpoint_approach: _Difference | None = optional(
        "Water that towers are held to, above the wet bulb",
        Default(None, "none: as cold as the chillers gain by"),
    )
    condenser_water_most: _Temperature | None = optional(
        "Warmest water that towers are held to, above the wet bulb", Default(None, "that at design")
    )
    condenser_water_least: _Temperature | None = optional(
        "Coldest water or air that the condensers are given",
        Default(13.0, "coldest water or air condensers may be given", _TEMPLATES),
    )
    pumping: PumpingSection | None = None

    @model_validator(mode="after")
    def _one_flow(self) -> PlantSection:
        if self.condenser_flow is not None and self.condenser_range is not None:
            raise problem(
                "COOLING_CONTRADICTION",
                "condenser_flow and condenser_range are both given.",
                "Give one: at a constant flow the range follows from the heat.",
                at="condenser_range",
            )
        if self.condenser_water_most is not None and self.condenser_setpoint_approach is None:
            raise problem(
                "COOLING_CONTRADICTION",
                "condenser_water_most is given without condenser_setpoint_approach.",
                "Give the approach that towers are held to, or remove it.",
                at="condenser_water_most",
            )
        return self


class CoolingSection(Section):
    """The cooling chain; every field left out is designed."""

    method: Literal["air", "liquid", "hybrid"] | None = optional(
        "How the equipment is cooled",
        Default(None, "by air, or hybrid where equipment gives heat to coolant", UNSTATED),
    )
    supply_air: _Temperature | None = optional(
        "Air supplied to the halls",
        Default(None, "supply air at the rating of the units, warmer with warmer water"),
    )
    server_delta_t: _Difference | None = optional(
        "Rise of the air through the servers",
        Default(None, "by their published flow; else the drop across the air handlers"),
    )
    containment: Literal["hot-aisle", "cold-aisle", "none"] | None = optional(
        "Which aisles are contained",
        Default(None, "contained hot aisles; with rear doors open ones", UNSTATED),
    )
    bypass: _Leak | None = optional(
        "Part of the supply air that returns unused", Default(None, "by the containment", PRACTICE)
    )
    recirculation: _Leak | None = optional(
        "Part of the exhaust that enters inlets again",
        Default(None, "by the containment", PRACTICE),
    )
    worst_recirculation: _Leak | None = optional(
        "Part of the exhaust that enters the inlet of the worst rack again",
        Default(None, "the worst rack takes in twice the mean", PRACTICE),
    )
    room_dew_point: _Temperature | None = optional(
        "Dew point of the air of the halls",
        Default(
            None, "highest recommended dew point: the worst for condensation on coils and pipes"
        ),
    )
    outdoor_recirculation: _Margin | None = optional(
        "How much warmer than the weather the air is that heat rejection takes in",
        Default(1.0, "rise of the air that heat rejection takes in by its own", PRACTICE),
    )
    on_ups: tuple[Literal["crah_fans", "cdu_pumps", "water_pumps"], ...] | None = optional(
        "Parts of the cooling that the UPS supplies",
        Default(None, "all of them, each with its reason"),
    )
    air: AirPathSection | None = None
    crah: CrahSection | None = None
    cdu: CduSection | None = None
    facility_water: FacilityWaterSection | None = None
    liquid: LiquidPathSection | None = None
    hydraulics: HydraulicsSection | None = None
    plant: PlantSection | None = None
    economizer: EconomizerSection | None = None
    heat_reuse: HeatReuseSection | None = None
    storage: StorageSection | None = None
    thermal: ThermalSection | None = None

    @model_validator(mode="after")
    def _air_has_no_liquid(self) -> CoolingSection:
        liquid = (self.cdu, self.facility_water, self.liquid)
        if self.method == "air" and any(part is not None for part in liquid):
            raise problem(
                "COOLING_CONTRADICTION",
                "CDUs or facility water are given for cooling by air.",
                "Set the method to hybrid, or leave them out.",
                at="method",
            )
        return self


def _refuse_both(model: object, rating: object, code: str) -> None:
    if model is not None and rating is not None:
        raise problem(
            code,
            "a catalogue model and a rating are both given.",
            "Give the model, or the rating point of your own unit.",
            at="model",
        )
