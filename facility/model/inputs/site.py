"""Where the facility stands: weather, utility, prices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Discriminator,
    PrivateAttr,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from facility.core.parse import Measured
from facility.core.sources import DERIVED, UNSTATED
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.load_motion import GridSection
from facility.model.inputs.money.tariff import TariffSection
from facility.model.inputs.scalars import Name, Section, Text, below_the_project, problem, quantity

_Elevation = Annotated[Measured, quantity("length", minimum=-430.0, maximum=5000.0)]
_Outdoor = Annotated[Measured, quantity("temperature", minimum=-60.0, maximum=60.0)]
_Warmer = Annotated[Measured, quantity("temperature_difference", minimum=-10.0, maximum=10.0)]
_UtilityVoltage = Annotated[Measured, quantity("line_voltage", plausible="utility")]
_Frequency = Annotated[Measured, quantity("frequency")]
_FaultLevel = Annotated[Measured, quantity("apparent_power", plausible="fault")]
_XOverR = Annotated[Measured, quantity("ratio", above=0.0, maximum=200.0)]
_Price = Annotated[Measured, quantity("energy_price")]
_Tariff = Annotated[
    Annotated[_Price, Tag("price")] | Annotated[TariffSection, Tag("charges")],
    Discriminator(lambda value: "charges" if isinstance(value, dict | TariffSection) else "price"),
]
_Latitude = Annotated[Measured, quantity("degrees", minimum=-90.0, maximum=90.0)]
_Longitude = Annotated[Measured, quantity("degrees", minimum=-180.0, maximum=180.0)]
_Water = Annotated[Measured, quantity("water_per_energy", minimum=0.0, maximum=100.0 / 3.6e9)]
_Capacity = Annotated[Measured, quantity("active_power", minimum=1e3, maximum=2e10)]
_Carbon = Annotated[Measured, quantity("carbon_intensity")]


_CARBON_FILE = re.compile(r"[^/\\:][^\\:]*\.csv", re.IGNORECASE)
_WEATHER_FILE = re.compile(r"[^/\\:][^\\:]*\.(?:epw|csv)(?:\.gz)?", re.IGNORECASE)
_FREQUENCIES_HZ = (50.0, 60.0)
LOW_VOLTAGE_V = 1000.0
"""From here on a service is at medium voltage, and needs transformers of its owner."""
LV_SERVICES_V = (208.0, 380.0, 400.0, 415.0, 480.0)
"""Three-phase services at low voltage [V]."""


ClimateZone = Literal[
    "0A", "0B", "1A", "1B", "2A", "2B", "3A", "3B", "3C", "4A", "4B", "4C", "5A", "5B", "5C", "6A",
    "6B", "7", "8",
]  # fmt: skip


class SiteSection(Section):
    """Place, design and mean weather, utility connection, price and carbon of energy.

    Temperatures given here replace those of the weather record.
    """

    place: Text | None = optional("Name of the place, as printed")
    country: Name | None = optional(
        "Country, ISO code or name; decides voltage, frequency, currency and code "
        "where these are open",
        Default(None, "that of the place or the weather record; else that of the code", UNSTATED),
    )
    latitude: _Latitude | None = optional("Latitude in degrees, north positive", symbol=r"\varphi")
    longitude: _Longitude | None = optional(
        "Longitude in degrees, east positive", symbol=r"\lambda"
    )
    station: Name | None = optional(
        "Weather record of the catalogue",
        Default(None, "Ashburn, where nothing is said of the place", UNSTATED),
    )
    weather_file: Text | None = optional(
        "EPW or TMY3 (CSV) file of your own beside the project file"
    )
    climate_zone: ClimateZone | None = optional(
        "Climate zone after ASHRAE 169, for what others publish by zones",
        Default(None, "that of the weather record; else derived from its hours", DERIVED),
    )
    year_warmer: _Warmer | None = optional(
        "How much warmer each hour of the year is than its record, its relative humidity kept; "
        "design and mean weather stay"
    )
    elevation: _Elevation | None = optional(
        "Height over the sea", Default(None, "that of the weather record; else sea level")
    )
    design_dry_bulb: _Outdoor | None = optional(
        "Dry bulb of the design weather",
        Default(None, "20-year extreme of the weather record"),
        symbol="t_{db}",
    )
    design_wet_bulb: _Outdoor | None = optional(
        "Wet bulb of the design weather",
        Default(None, "extreme of the weather record"),
        symbol="t_{wb}",
    )
    mean_dry_bulb: _Outdoor | None = optional(
        "Mean dry bulb of the year",
        Default(None, "mean over all hours of the typical year"),
        symbol=r"\bar t_{db}",
    )
    mean_wet_bulb: _Outdoor | None = optional(
        "Mean wet bulb of the year",
        Default(None, "mean over all hours of the typical year"),
        symbol=r"\bar t_{wb}",
    )
    coldest_dry_bulb: _Outdoor | None = optional(
        "Coldest air of twenty years: what closed loops outdoors and towers must not freeze in",
        Default(None, "20-year extreme of the weather record"),
        symbol="t_{db,min}",
    )
    utility_voltage: _UtilityVoltage | None = optional(
        "Voltage of the utility: medium voltage, or a service at 208, 400, 415 or 480 V",
        Default(None, "usual medium voltage of utilities in the country"),
    )
    frequency: _Frequency | None = optional(
        "Frequency of the grid, 50 or 60 Hz",
        Default(None, "grid frequency of the country; else of the code"),
    )
    fault_level: _FaultLevel | None = optional(
        "Fault level of the utility",
        Default(None, "of a service at low voltage a high usual one; else unknown"),
        symbol="S''_k",
    )
    x_over_r: _XOverR | None = optional("Reactance over resistance of the utility", symbol="X/R")
    grid_carbon: _Carbon | None = optional(
        "Carbon intensity of the grid",
        Default(None, "annual mean of the grid region of the weather record"),
    )
    grid_carbon_file: Text | None = optional(
        "CSV file of the carbon intensity of each hour beside the project file: columns hour and "
        "carbon_kg_per_kwh, carbon_g_per_kwh or carbon_lb_per_mwh"
    )
    tariff: _Tariff | None = optional(
        "Price of energy, in any currency known, or a tariff charge by charge",
        Default(None, "in the US the price that cluster guides reckon with; elsewhere none"),
    )

    grid_water: _Water | None = optional(
        "Water consumed where the electricity of the grid is made, for each energy delivered"
    )
    utility_capacity: _Capacity | None = optional(
        "Power that the utility has agreed to supply, at the meter of the facility"
    )
    grid: GridSection | None = None

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """Folder that `weather_file` is relative to: the one of the project file."""
        return self._folder

    @field_validator("weather_file")
    @classmethod
    def _stays_beside_the_project(cls, value: str | None) -> str | None:
        return below_the_project(
            value, _WEATHER_FILE, "WEATHER_PATH", "weather file", ".epw or .csv (also .gz)"
        )

    @field_validator("grid_carbon_file")
    @classmethod
    def _carbon_stays_beside_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _CARBON_FILE, "CARBON_PATH", "CSV file", ".csv")

    @field_validator("utility_voltage")
    @classmethod
    def _is_a_service(cls, value: Measured | None) -> Measured | None:
        if value is None or value.si >= LOW_VOLTAGE_V or value.si in LV_SERVICES_V:
            return value
        number = value.text.removesuffix(value.unit).strip()
        raise problem(
            "IMPLAUSIBLE",
            f"{value.text} is no voltage of a public service.",
            f"Write '{number} kV', or 208, 380, 400, 415 or 480 V for a service at low voltage.",
        )

    @field_validator("frequency")
    @classmethod
    def _is_a_grid_frequency(cls, value: Measured | None) -> Measured | None:
        if value is None or value.si in _FREQUENCIES_HZ:
            return value
        raise problem(
            "NOT_ONE_OF", f"{value.text} is no frequency of a public grid.", "Write 50 Hz or 60 Hz."
        )

    @model_validator(mode="after")
    def _one_weather_record(self, info: ValidationInfo) -> SiteSection:
        if self.station is not None and self.weather_file is not None:
            raise problem(
                "CONTRADICTION",
                "both a station and a weather file are given.",
                "Remove site.station or site.weather_file.",
            )
        if self.grid_carbon is not None and self.grid_carbon_file is not None:
            raise problem(
                "CONTRADICTION",
                "both a carbon intensity and a file of it are given.",
                "Remove site.grid_carbon or site.grid_carbon_file.",
            )
        if (self.latitude is None) != (self.longitude is None):
            missing = "longitude" if self.longitude is None else "latitude"
            raise problem(
                "COORDINATE_MISSING",
                f"one coordinate is given without {missing}.",
                "Give site.latitude and site.longitude, or neither.",
                missing,
            )
        context: Any = info.context or {}
        self._folder = context.get("folder", Path())
        return self
