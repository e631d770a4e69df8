"""Site: weather, utility, prices."""

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
from facility.model.inputs.load_profile import ReadingSection
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


_CARBON_FILE = re.compile(r"[^/\\:][^\\:]*\.csv(\.gz)?", re.IGNORECASE)
_WEATHER_FILE = re.compile(r"[^/\\:][^\\:]*\.(?:epw|csv)(?:\.gz)?", re.IGNORECASE)
_FREQUENCIES_HZ = (50.0, 60.0)
LOW_VOLTAGE_V = 1000.0
"""Minimum voltage of a medium-voltage service, which requires owner's transformers."""
LV_SERVICES_V = (208.0, 380.0, 400.0, 415.0, 480.0)
"""Three-phase services at low voltage [V]."""


ClimateZone = Literal[
    "0A", "0B", "1A", "1B", "2A", "2B", "3A", "3B", "3C", "4A", "4B", "4C", "5A", "5B", "5C", "6A",
    "6B", "7", "8",
]  # fmt: skip


class SiteSection(Section):
    """Location, design and mean weather, utility connection, price and carbon of energy.

    Temperatures specified here replace the weather record.
    """

    place: Text | None = optional("Site name, as printed")
    country: Name | None = optional(
        "Country, ISO code or name; determines default voltage, frequency, currency and code",
        Default(None, "country of the site or weather record; else of the code", UNSTATED),
    )
    latitude: _Latitude | None = optional("Latitude: degrees, north positive", symbol=r"\varphi")
    longitude: _Longitude | None = optional("Longitude: degrees, east positive", symbol=r"\lambda")
    station: Name | None = optional(
        "Catalogue weather record", Default(None, "Ashburn, if no location is specified", UNSTATED)
    )
    weather_file: Text | None = optional(
        "EPW or TMY3 file, or logger CSV (time, dry bulb, humidity or dew point), in the "
        "project folder"
    )
    weather_reading: ReadingSection | None = None
    climate_zone: ClimateZone | None = optional(
        "ASHRAE 169 climate zone, for published values by zone",
        Default(None, "zone of the weather record; else derived from its hours", DERIVED),
    )
    year_warmer: _Warmer | None = optional(
        "Temperature offset of all hours of the weather record at constant relative humidity; "
        "design and mean weather unchanged"
    )
    elevation: _Elevation | None = optional(
        "Elevation above sea level",
        Default(None, "elevation of the weather record; else sea level"),
    )
    design_dry_bulb: _Outdoor | None = optional(
        "Design dry bulb", Default(None, "20-year extreme of the weather record"), symbol="t_{db}"
    )
    design_wet_bulb: _Outdoor | None = optional(
        "Design wet bulb", Default(None, "extreme of the weather record"), symbol="t_{wb}"
    )
    mean_dry_bulb: _Outdoor | None = optional(
        "Annual mean dry bulb",
        Default(None, "mean over all hours of the typical year"),
        symbol=r"\bar t_{db}",
    )
    mean_wet_bulb: _Outdoor | None = optional(
        "Annual mean wet bulb",
        Default(None, "mean over all hours of the typical year"),
        symbol=r"\bar t_{wb}",
    )
    coldest_dry_bulb: _Outdoor | None = optional(
        "20-year extreme minimum dry bulb, for freeze protection of outdoor loops and towers",
        Default(None, "20-year extreme of the weather record"),
        symbol="t_{db,min}",
    )
    utility_voltage: _UtilityVoltage | None = optional(
        "Utility voltage: medium voltage, or a service at 208, 400, 415 or 480 V",
        Default(None, "usual medium voltage in the country"),
    )
    frequency: _Frequency | None = optional(
        "Grid frequency, 50 or 60 Hz", Default(None, "frequency of the country; else of the code")
    )
    fault_level: _FaultLevel | None = optional(
        "Utility fault level",
        Default(None, "high typical value for a low-voltage service; else unknown"),
        symbol="S''_k",
    )
    x_over_r: _XOverR | None = optional("Utility reactance over resistance", symbol="X/R")
    grid_carbon: _Carbon | None = optional(
        "Grid carbon intensity",
        Default(None, "annual mean of the grid region of the weather record"),
    )
    grid_carbon_file: Text | None = optional(
        "CSV file of grid carbon intensity in the project folder: time (hour or timestamp) "
        "and intensity with its unit (carbon_kg_per_kwh, gCO2eq/kWh, carbon_lb_per_mwh)"
    )
    grid_carbon_reading: ReadingSection | None = None
    tariff: _Tariff | None = optional(
        "Energy price in any supported currency, or a tariff by charge",
        Default(None, "in the US the price used by cluster guides; elsewhere none"),
    )

    price_file: Text | None = optional(
        "CSV file of hourly energy prices in the project folder, added to the energy "
        "charges of the tariff; negative prices allowed: time and price (USD/MWh, EUR/kWh)"
    )
    price_reading: ReadingSection | None = None

    grid_water: _Water | None = optional(
        "Water consumption of grid electricity generation, per energy delivered"
    )
    utility_capacity: _Capacity | None = optional(
        "Contracted utility capacity at the facility meter"
    )
    grid: GridSection | None = None

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """Folder of the project file, base of `weather_file`."""
        return self._folder

    @field_validator("weather_file")
    @classmethod
    def _is_below_the_project(cls, value: str | None) -> str | None:
        return below_the_project(
            value, _WEATHER_FILE, "WEATHER_PATH", "weather file", ".epw or .csv (also .gz)"
        )

    @field_validator("grid_carbon_file")
    @classmethod
    def _carbon_is_below_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _CARBON_FILE, "CARBON_PATH", "CSV file", ".csv (also .gz)")

    @field_validator("price_file")
    @classmethod
    def _price_is_below_the_project(cls, value: str | None) -> str | None:
        return below_the_project(value, _CARBON_FILE, "PRICE_PATH", "CSV file", ".csv (also .gz)")

    @field_validator("utility_voltage")
    @classmethod
    def _is_a_service(cls, value: Measured | None) -> Measured | None:
        if value is None or value.si >= LOW_VOLTAGE_V or value.si in LV_SERVICES_V:
            return value
        number = value.text.removesuffix(value.unit).strip()
        raise problem(
            "IMPLAUSIBLE",
            f"{value.text} is not a public supply voltage.",
            f"Enter '{number} kV', or 208, 380, 400, 415 or 480 V for a service at low voltage.",
        )

    @field_validator("frequency")
    @classmethod
    def _is_a_grid_frequency(cls, value: Measured | None) -> Measured | None:
        if value is None or value.si in _FREQUENCIES_HZ:
            return value
        raise problem(
            "NOT_ONE_OF", f"{value.text} is not a public grid frequency.", "Enter 50 Hz or 60 Hz."
        )

    @model_validator(mode="after")
    def _one_weather_record(self, info: ValidationInfo) -> SiteSection:
        if self.station is not None and self.weather_file is not None:
            raise problem(
                "CONTRADICTION",
                "both a station and a weather file are specified.",
                "Remove site.station or site.weather_file.",
            )
        if self.grid_carbon is not None and self.grid_carbon_file is not None:
            raise problem(
                "CONTRADICTION",
                "both a carbon intensity and a carbon intensity file are specified.",
                "Remove site.grid_carbon or site.grid_carbon_file.",
            )
        if (self.latitude is None) != (self.longitude is None):
            missing = "longitude" if self.longitude is None else "latitude"
            raise problem(
                "COORDINATE_MISSING",
                f"one coordinate is specified without {missing}.",
                "Enter site.latitude and site.longitude, or neither.",
                missing,
            )
        context: Any = info.context or {}
        self._folder = context.get("folder", Path())
        return self
