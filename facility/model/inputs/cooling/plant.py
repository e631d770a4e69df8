"""The chilled-water plant of the project: temperatures, condensers, pumping, heat reuse, tank."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.machines import ChillerSection, PumpSection, RejectionSection
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Name, Section, problem, quantity

_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Share = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Head = Annotated[Measured, quantity("pressure", above=0.0, maximum=2e6)]
_UseTemperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=90.0)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=70.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_TEMPLATES = Source("modelica-buildings-templates")


_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=1e6)]
_Usable = Annotated[Measured, quantity("fraction", minimum=0.3, maximum=1.0)]
_Reserve = Annotated[Measured, quantity("fraction", maximum=1.0)]
_USABLE = 0.875
_Carnot = Annotated[Measured, quantity("fraction", minimum=0.2, maximum=0.8)]
_Stored = Annotated[Measured, quantity("time", maximum=2_592_000.0)]
"""Up to 30 days."""
_Gain = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


class PumpingSection(Section):
    """Pumping of the chilled water, and the staging of the chillers."""

    scheme: Literal["variable-primary", "primary-secondary", "constant-primary"] | None = optional(
        "How the pumps of the chilled water are arranged",
        Default("variable-primary", "the flow follows the coils", UNSTATED),
    )
    minimum_flow: _Share | None = optional(
        "Least over design flow of a running chiller (variable-primary)",
        Default(0.4, "least flow of a running chiller; a bypass makes it up", PRACTICE),
    )
    primary_head: _Head | None = optional(
        "Head of the loop that primary pumps take (primary-secondary)"
    )
    stage_up: _Part | None = optional(
        "Part load of the running chillers above which one more starts",
        Default(0.9, "a tenth left for the load to rise while it starts", PRACTICE),
    )
    stage_down: _Part | None = optional(
        "Part load of the running chillers below which one stops",
        Default(0.4, "the load of two is then 80 % of one, which starts no other", PRACTICE),
    )

    @model_validator(mode="after")
    def _of_its_scheme(self) -> PumpingSection:
        scheme = self.scheme or "variable-primary"
        for name, owner in (
            ("minimum_flow", "variable-primary"),
            ("primary_head", "primary-secondary"),
        ):
            if getattr(self, name) is not None and scheme != owner:
                raise problem(
                    "PUMPING_CONTRADICTION",
                    f"{name} is given for {scheme}.",
                    f"It belongs to {owner}.",
                    at=name,
                )
        up, down = self.stage_up, self.stage_down
        if up is not None and down is not None and down.si >= up.si:
            raise problem(
                "OUT_OF_RANGE",
                "stage_down is not below stage_up.",
                "Chillers that start at 0.9 stop at about 0.4.",
                at="stage_down",
            )
        return self


class HeatPumpSection(Section):
    """Heat pump of the heat user, which lifts warm water to the temperature needed.

    The reuse process is outside the data centre (ISO/IEC 30134-6): the heat pump is fed by the
    heat user, is in no load of the design, and its power is shown separately.
    """

    source_min: _UseTemperature | None = optional(
        "Coldest water that the heat pump takes heat from",
        Default(20.0, "condenser and facility water; colder water needs a larger lift", PRACTICE),
    )
    carnot_fraction: _Carnot | None = optional(
        "Heating COP of the heat pump over that of a Carnot machine",
        Default(0.5, "large heat pumps, 40 to 60 %", PRACTICE),
    )
    approach: _Difference | None = optional(
        "Approach of evaporator and condenser of the heat pump",
        Default(3.0, "refrigerant to leaving water on both sides", PRACTICE),
    )


class HeatReuseSection(Section):
    """Heat given to others: the part of what is warm enough, and how warm it must be."""

    fraction: _Share | None = optional("Part of the heat that is used, of what is warm enough")
    temperature: _UseTemperature | None = optional("Temperature that the heat is needed at")
    heat_pump: HeatPumpSection | None = None

    @model_validator(mode="after")
    def _both(self) -> HeatReuseSection:
        if self.heat_pump is not None and self.fraction is None and self.temperature is None:
            raise problem(
                "REUSE_INCOMPLETE",
                "a heat pump is stated without a heat user.",
                "Enter fraction and temperature (60 to 80 degC), or remove heat_pump.",
                at="heat_pump",
            )
        if (self.fraction is None) != (self.temperature is None):
            missing = "fraction" if self.fraction is None else "temperature"
            raise problem(
                "REUSE_INCOMPLETE",
                f"{missing} is missing.",
                "Give the part of the heat that is used, and the temperature it is needed at.",
                at=missing,
            )
        return self


class MakeupWaterSection(Section):
    """Make-up water of towers and pads: how long the water stored at the site lasts."""

    storage: _Stored | None = optional(
        "How long stored make-up water lasts at the use of the design hour; 0 for none",
        Default(
            None,
            "12 h where fault tolerance of the cooling is the goal; else not stated, and the loss "
            "of make-up water is not evaluated",
            UNSTATED,
        ),
    )


class PlantSection(Section):
    """Chilled-water plant and its heat rejection."""

    chilled_water_supply: _Temperature | None = optional(
        "Chilled water supplied to the air handlers",
        Default(
            None,
            "as far below the supply air as at their rating; colder where facility water or in-row "
            "coolers ask for it",
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
        Default(
            None,
            "range of the tower correlation; pumps and cells are staged to keep it. It is not "
            "sought by cost: 4 to 8 K move that of a year by 0.6 %, least at 5 to 6 K",
        ),
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


class StorageSection(Section):
    """A stratified tank beside the chillers, run by the tariff; ride-throughs count its reserve."""

    volume: _Volume = required("Water in the tank")
    usable: _Usable | None = optional(
        "Part of it that gives water at its supply temperature",
        Default(_USABLE, "85 to 90 % of a stratified tank", PRACTICE),
    )
    gain: _Gain | None = optional(
        "Part of what it holds when full that a day of standing takes from it",
        Default(0.02, "heat through the insulation, and between cold and warm water", PRACTICE),
    )
    reserve: _Reserve | None = optional(
        "Part of it that the tariff leaves charged at all times, for failures",
        Default(0.0, "none: the tariff may empty it, and no ride-through counts on it", UNSTATED),
    )

    @model_validator(mode="after")
    def _reserve_is_usable(self) -> StorageSection:
        usable = self.usable.si if self.usable is not None else _USABLE
        if self.reserve is not None and self.reserve.si > usable:
            raise problem(
                "OUT_OF_RANGE",
                "the reserve is more than the tank gives at its supply temperature.",
                "Give at most the usable part.",
                at="reserve",
            )
        return self
