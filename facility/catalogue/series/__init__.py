"""Time series of a year from meter logs and market data: one engine for every type."""

from facility.catalogue.series.plausible import ImplausibleValues
from facility.catalogue.series.read import TimeSeries, answerable, read_series
from facility.catalogue.series.roles import CARBON, LOAD, Reading, SeriesRole
from facility.catalogue.series.steps import in_steps

__all__ = [
    "CARBON",
    "LOAD",
    "ImplausibleValues",
    "Reading",
    "SeriesRole",
    "TimeSeries",
    "answerable",
    "in_steps",
    "read_series",
]
