"""Time series of a year from meter logs and market data: one engine for every type."""

from facility.catalogue.series.plausible import ImplausibleValues
from facility.catalogue.series.read import TimeSeries, answerable, headings_of, read_series
from facility.catalogue.series.roles import (
    CARBON,
    DRY_BULB,
    FACILITY_POWER,
    IT_POWER,
    LOAD,
    MARKET,
    Reading,
    SeriesRole,
    checked_reading,
)
from facility.catalogue.series.steps import in_steps
from facility.catalogue.series.suspects import HighReading, highest_reading

__all__ = [
    "CARBON",
    "DRY_BULB",
    "FACILITY_POWER",
    "IT_POWER",
    "LOAD",
    "MARKET",
    "HighReading",
    "ImplausibleValues",
    "Reading",
    "SeriesRole",
    "TimeSeries",
    "answerable",
    "checked_reading",
    "headings_of",
    "highest_reading",
    "in_steps",
    "read_series",
]
