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
"""At most 30 days."""
_Gain = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


class PumpingSection(Section):
    """Pumping of the chilled water, and the staging of the chillers."""

    scheme: Literal["variable-primary", "primary-secondary", "constant-primary"] | None = optional(
        "Chilled-water pumping scheme",
        Default("variable-primary", "flow follows coil demand", UNSTATED),
    )
    minimum_flow: _Share | None = optional(
        "Minimum over design flow of a running chiller (variable-primary)",
        Default(0.4, "common minimum; a bypass maintains it", PRACTICE),
    )
    primary_head: _Head | None = optional(
        "Loop head share of the primary pumps (primary-secondary)"
    )
    stage_up: _Part | None = optional(
        "Part load of the running chillers for staging up",
        Default(0.9, "10 % margin for load increase during the start", PRACTICE),
    )
    stage_down: _Part | None = optional(
        "Part load of the running chillers for staging down",
        Default(0.4, "the load of two is then 80 % of one, below the stage-up loading", PRACTICE),
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
                    f"{name} does not apply to {scheme}.",
                    f"It applies to {owner}.",
                    at=name,
                )
        up, down = self.stage_up, self.stage_down
        if up is not None and down is not None and down.si >= up.si:
            raise problem(
                "OUT_OF_RANGE",
                "stage_down is not below stage_up.",
                "Typical: stage_up 0.9, stage_down 0.4.",
                at="stage_down",
            )
        return self


class HeatPumpSection(Section):
    """Heat pump of the heat user, which raises warm water to the required temperature.

    The reuse process is outside the data centre (ISO/IEC 30134-6): the heat pump is supplied by the
    heat user, is not part of the design load, and its power is reported separately.
    """

    source_min: _UseTemperature | None = optional(
        "Minimum source water temperature of the heat pump",
        Default(
            20.0, "condenser and facility water; colder water requires a larger lift", PRACTICE
        ),
    )
    carnot_fraction: _Carnot | None = optional(
        "Heating COP of the heat pump over the Carnot COP",
        Default(0.5, "large heat pumps, 40 to 60 %", PRACTICE),
    )
    approach: _Difference | None = optional(
        "Approach of heat pump evaporator and condenser",
        Default(3.0, "refrigerant to leaving water on both sides", PRACTICE),
    )


class HeatReuseSection(Section):
    """Heat reuse: fraction of the sufficiently warm heat, and required temperature."""

    fraction: _Share | None = optional("Fraction of the sufficiently warm heat that is reused")
    temperature: _UseTemperature | None = optional("Temperature required by the heat user")
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
                "Enter the fraction of heat reused and the temperature required by the heat user.",
                at=missing,
            )
        return self


class MakeupWaterSection(Section):
    """Make-up water of towers and pads: duration of on-site storage."""

    storage: _Stored | None = optional(
        "Duration of stored make-up water at design-hour use; 0 for none",
        Default(
            None,
            "12 h where fault tolerance of the cooling is required; else unspecified, and the loss "
            "of make-up water is not evaluated",
            UNSTATED,
        ),
    )


class PlantSection(Section):
    """Chilled-water plant and its heat rejection."""

    chilled_water_supply: _Temperature | None = optional(
        "Chilled water supply temperature",
        Default(
            None,
            "same approach to the supply air as at the unit rating; colder where facility water "
            "or in-row coolers require it",
        ),
    )
    delta_t: _Difference | None = optional(
        "Chilled water temperature rise through the air handlers",
        Default(None, "rise at the unit rating; with glycol, the rise at the same flow"),
    )
    fluid: Name | None = optional(
        "Chilled water fluid",
        Default(
            None,
            "water; minimum propylene glycol for freeze protection where "
            "evaporators or coils are outdoors",
            UNSTATED,
        ),
    )
    pump: PumpSection | None = None
    chiller: ChillerSection | None = None
    heat_rejection: Literal["tower", "dry_cooler", "air_cooled"] | None = optional(
        "Heat rejection of the chillers",
        Default("tower", "water-cooled chillers with open towers", UNSTATED),
    )
    rejection: RejectionSection | None = None
    condenser_fluid: Name | None = optional(
        "Condenser water fluid with dry coolers",
        Default(None, "propylene glycol, 25 % or more for freeze protection", UNSTATED),
    )
    condenser_range: _Difference | None = optional(
        "Condenser water range",
        Default(
            None,
            "range of the tower correlation, maintained by staging pumps and cells. Not "
            "optimized for cost: 4 to 8 K change the annual cost by 0.6 %, minimum at 5 to 6 K",
        ),
    )
    condenser_flow: _Flow | None = optional(
        "Constant condenser water flow, all duty chillers",
        Default(None, "none: pumps and cells are staged to maintain the range"),
    )
    condenser_setpoint_approach: _Difference | None = optional(
        "Tower leaving-water set point above wet bulb",
        Default(None, "none: coldest water that still reduces chiller power"),
    )
    condenser_water_most: _Temperature | None = optional(
        "Maximum tower leaving-water set point", Default(None, "design temperature")
    )
    condenser_water_least: _Temperature | None = optional(
        "Minimum condenser water or air temperature", Default(13.0, "common minimum", _TEMPLATES)
    )
    pumping: PumpingSection | None = None

    @model_validator(mode="after")
    def _one_flow(self) -> PlantSection:
        if self.condenser_flow is not None and self.condenser_range is not None:
            raise problem(
                "COOLING_CONTRADICTION",
                "condenser_flow and condenser_range are both specified.",
                "Enter one; at constant flow the range follows from the heat.",
                at="condenser_range",
            )
        if self.condenser_water_most is not None and self.condenser_setpoint_approach is None:
            raise problem(
                "COOLING_CONTRADICTION",
                "condenser_water_most is specified without condenser_setpoint_approach.",
                "Enter condenser_setpoint_approach, or remove it.",
                at="condenser_water_most",
            )
        return self


class StorageSection(Section):
    """Stratified chilled-water tank controlled by the tariff; the reserve is for ride-through."""

    volume: _Volume = required("Storage tank volume")
    usable: _Usable | None = optional(
        "Usable fraction of the tank volume",
        Default(_USABLE, "85 to 90 % for a stratified tank", PRACTICE),
    )
    gain: _Gain | None = optional(
        "Daily standby loss over full charge",
        Default(0.02, "heat through the insulation, and between cold and warm water", PRACTICE),
    )
    reserve: _Reserve | None = optional(
        "Reserved fraction of the tank volume, for failures",
        Default(0.0, "none: fully available to the tariff, not to the ride-through", UNSTATED),
    )

    @model_validator(mode="after")
    def _reserve_is_usable(self) -> StorageSection:
        usable = self.usable.si if self.usable is not None else _USABLE
        if self.reserve is not None and self.reserve.si > usable:
            raise problem(
                "OUT_OF_RANGE",
                "the reserve exceeds the usable fraction of the tank.",
                "Enter at most the usable fraction.",
                at="reserve",
            )
        return self
