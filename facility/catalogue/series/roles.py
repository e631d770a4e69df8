"""Types of time series: their field, error codes, units, and how the file is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from facility.core.errors import FacilityError

DAY_S, HOUR_S, MINUTE_S = 86_400, 3600, 60
MAX_GAP_H = 6
"""Longest gap that is interpolated [h]."""
POWER, ENERGY, FRACTION, INTENSITY, PRICE = "power", "energy", "fraction", "intensity", "price"
TEMPERATURE, HUMID = "temperature", "humidity"

_POWER = {"w": 1.0, "kw": 1e3, "mw": 1e6, "gw": 1e9}
_ENERGY = {"wh": 3.6e3, "kwh": 3.6e6, "mwh": 3.6e9, "gwh": 3.6e12}
_FRACTION = {"fraction": 1.0, "percent": 0.01, "%": 0.01, "pct": 0.01}
_MASS_KG = {"kg": 1.0, "g": 1e-3, "lb": 0.45359237, "lbs": 0.45359237, "t": 1e3}
_CARBON = re.compile(r"(?<![a-z])(kg|g|lbs?|t)\s*(?:co2\s*-?\s*e?q?)?\s*/\s*([kmg]?wh)(?![a-z])")
_MONEY = re.compile(r"(?<![a-z])([a-z]{3}|ct|cents?|[$€£])\s*/\s*([kmg]?wh)(?![a-z])")
_TEMPERATURE = re.compile(r"(?<![a-z])(?:°|deg(?:rees)?)?\s*(c|f)(?:elsius|ahrenheit)?(?![a-z])")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP"}
_CENTS = ("ct", "cent", "cents")


@dataclass(frozen=True)
class SeriesUnit:
    """SeriesUnit of a column: quantity, factor to SI, and currency of a price."""

    quantity: str
    factor: float
    text: str
    currency: str = ""
    offset: float = 0.0  # Added after the factor


@dataclass(frozen=True)
class SeriesRole:
    """Type of time series: name, input field and error codes."""

    what: str
    where: str  # Field that names the file
    options: str  # Section with the options of reading; empty where the file is an argument
    quantities: tuple[str, ...]
    columns: str  # Code of a heading that is not understood
    file: str  # Code of a file that cannot be read
    rows: str  # Code of times that are not a series
    number: str  # Code of a value
    headings: str  # Headings that are understood, as words
    zone: str = ""  # Time zone of stamps without one; empty for local standard time
    signed: bool = False  # Whether values may be negative
    maximum: float = float("inf")  # Plausible maximum in SI
    column_option: str = ""  # Option that names the column, where it is not `column`

    def option(self, name: str) -> str:
        """Return the field or option that answers a question."""
        if name == "column" and self.column_option:
            return self.column_option
        return f"{self.options}.{name}" if self.options else f"--{name.replace('_', '-')}"

    def refuse(self, code: str, at: str, message: str, hint: str) -> NoReturn:
        """Reject the file, with the cell or row."""
        raise FacilityError(code, f"{self.where}{at}", message, hint)


LOAD = SeriesRole(
    "load",
    "it.load_profile.file",
    "it.load_profile.reading",
    (POWER, ENERGY, FRACTION),
    "LOAD_COLUMNS",
    "LOAD_FILE",
    "LOAD_ROWS",
    "LOAD_NUMBER",
    "load_kw, load_mw, load_percent, load_fraction, or any heading with W, kW, MW, kWh or MWh",
)
CARBON = SeriesRole(
    "carbon intensity",
    "site.grid_carbon_file",
    "site.grid_carbon_reading",
    (INTENSITY,),
    "CARBON_COLUMNS",
    "CARBON_FILE",
    "CARBON_ROWS",
    "CARBON_NUMBER",
    "carbon_kg_per_kwh, carbon_g_per_kwh, carbon_lb_per_mwh, or any heading with kg, g, lb or t "
    "per kWh or MWh",
    zone="UTC",
    maximum=3.0 / 3.6e6,  # 3 kg/kWh; lignite at 25 % efficiency emits 1.6
)


_METER = (
    "METER_COLUMNS",
    "METER_FILE",
    "METER_ROWS",
    "METER_NUMBER",
    "headings with W, kW, MW, kWh or MWh, such as it_kw and facility_kw",
)
MARKET = SeriesRole(
    "energy price",
    "site.price_file",
    "site.price_reading",
    (PRICE,),
    "PRICE_COLUMNS",
    "PRICE_FILE",
    "PRICE_ROWS",
    "PRICE_NUMBER",
    "price_usd_per_mwh, price_eur_per_mwh, or any heading with a currency per kWh or MWh",
    signed=True,
)
IT_POWER = SeriesRole("IT power", "meter log", "", (POWER, ENERGY), *_METER, column_option="--it")
FACILITY_POWER = SeriesRole(
    "facility power", "meter log", "", (POWER, ENERGY), *_METER, column_option="--facility"
)
DRY_BULB = SeriesRole(
    "dry bulb",
    "meter log",
    "",
    (TEMPERATURE,),
    *_METER[:-1],
    "a temperature heading with degC or degF",
    signed=True,
    maximum=70.0,
    column_option="--dry-bulb",
)


_WEATHER = ("WEATHER_HEADER", "WEATHER_FILE", "WEATHER_ROWS", "WEATHER_NUMBER")
AIR = SeriesRole(
    "air temperature",
    "site.weather_file",
    "site.weather_reading",
    (TEMPERATURE,),
    *_WEATHER,
    "a dry-bulb heading with degC or degF",
    signed=True,
    maximum=70.0,
)
HUMIDITY = SeriesRole(
    "relative humidity",
    "site.weather_file",
    "site.weather_reading",
    (HUMID,),
    *_WEATHER,
    "relative humidity in %",
    maximum=1.1,
)


@dataclass(frozen=True)
class Reading:
    """Reading options for properties that the file does not state."""

    column: str = ""  # Heading of the values
    unit: str = ""  # SeriesUnit of the values
    quantity: str = ""  # power, energy (of each interval) or register
    time_zone: str = ""  # UTC, an IANA zone, or hours from UTC; empty for local standard time
    stamps: str = ""  # Whether times are the start or the end of intervals
    gaps: str = ""  # leave_out, previous_week, mean or stop
    year: int | None = None  # Calendar year to be read from a longer file
    site_h: float | None = field(default=None, compare=True)  # Standard time of the site [h]
    time: str = ""  # Heading of the time, or of date and time: ``Datum + Uhrzeit``


_WORDS = {
    "quantity": ("power", "energy", "register"),
    "stamps": ("start", "end"),
    "gaps": ("stop", "leave_out", "previous_week", "mean"),
}


def checked_reading(reading: Reading) -> Reading:
    """Return the options from text.

    Raises ``NOT_ONE_OF`` for an unknown word.
    """
    for name, words in _WORDS.items():
        text = getattr(reading, name)
        if text and text not in words:
            raise FacilityError(
                "NOT_ONE_OF",
                f"--{name}",
                f"{text[:40]!r} is not a valid value.",
                f"Enter one of {', '.join(words)}.",
            )
    return reading


def plain(heading: str) -> str:
    """Return a heading in lower case with plain signs: ``load (kw)``, ``carbon g/kwh``."""
    text = unicodedata.normalize("NFKC", heading).lower().replace("_per_", "/").replace("_", " ")
    return " ".join(text.replace(" per ", "/").split())


def unit_in(heading: str, quantities: tuple[str, ...]) -> SeriesUnit | None:
    """Return the unit that a heading states, of one of the quantities; None without one."""
    text = plain(heading)
    if INTENSITY in quantities and (found := _CARBON.search(text)):
        return SeriesUnit(INTENSITY, _MASS_KG[found[1]] / _ENERGY[found[2]], found[0])
    if PRICE in quantities and (found := _MONEY.search(text)):
        part = 0.01 if found[1] in _CENTS else 1.0
        currency = "" if found[1] in _CENTS else _SIGNS.get(found[1], found[1].upper())
        return SeriesUnit(PRICE, part / _ENERGY[found[2]], found[0], currency)
    if TEMPERATURE in quantities and (found := _TEMPERATURE.search(text)):
        if found[1] == "f":
            return SeriesUnit(TEMPERATURE, 5.0 / 9.0, "degF", offset=-160.0 / 9.0)
        return SeriesUnit(TEMPERATURE, 1.0, "degC")
    if HUMID in quantities and re.search(r"\b(rh|rhum|relative humidity|humidity)\b", text):
        return SeriesUnit(HUMID, 1.0 if "fraction" in text else 0.01, "%")
    words = re.findall(r"[a-z]+|%", text)
    tables: tuple[tuple[str, Mapping[str, float]], ...] = (
        (POWER, _POWER),
        (ENERGY, _ENERGY),
        (FRACTION, _FRACTION if "load" in words or len(words) == 1 else {}),
    )
    for word in reversed(words):
        for quantity, units in tables:
            if quantity in quantities and word in units:
                return SeriesUnit(quantity, units[word], word)
    return None
