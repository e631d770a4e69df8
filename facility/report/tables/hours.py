"""Columns of hourly results, for the CSV file and the workbook of hours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from facility.core.kinds import KINDS, FloatArray
from facility.core.table import csv_text
from facility.report.sheet.grid import Column, Values
from facility.study.annual.result import Year


@dataclass(frozen=True)
class HourColumn:
    """One column: its name in a file, its heading on a sheet, and its numbers."""

    key: str  # Name in a file; the unit is part of it
    head: str
    kind: str
    unit: str  # Unit token of the kind; empty where it is a bare number
    of: Callable[[Year], float | FloatArray]  # In SI, for every hour or for all alike
    formula: str = ""  # On the sheet, from the other columns of the row
    number_format: str = ""

    def si(self, year: Year) -> FloatArray:
        """Return its numbers in SI."""
        return year.hours.spread(self.of(year))

    def in_unit(self, year: Year) -> FloatArray:
        """Return its numbers in the unit of its name."""
        if not self.unit:
            return self.si(year)
        factor, offset = KINDS[self.kind].units[self.unit]
        return (self.si(year) - offset) / factor

    @property
    def column(self) -> Column[Values]:
        """The column on a sheet, whose rows hold SI under the key."""
        form = self.number_format
        return Column(self.key, self.head, 12, self.kind, self.formula, self.unit, form)


def _group(group: str) -> Callable[[Year], FloatArray]:
    return lambda year: year.group_w(group)


_W = "active_power"
HOUR_COLUMNS = (
    HourColumn("hour", "Hour of the year (end)", "", "", lambda year: year.hours.ends_h),
    HourColumn("month", "Month", "count", "", lambda year: year.hours.month.astype(float)),
    HourColumn("dry_bulb_c", "Dry bulb (°C)", "temperature", "degC",
               lambda year: year.hours.air.dry_bulb_c),
    HourColumn("wet_bulb_c", "Wet bulb (°C)", "temperature", "degC",
               lambda year: year.hours.air.wet_bulb_c),
    HourColumn("it_kw", "IT (kW)", _W, "kW", _group("it")),
    HourColumn("losses_kw", "Losses (kW)", _W, "kW", _group("losses")),
    HourColumn("cooling_kw", "Cooling (kW)", _W, "kW", _group("cooling")),
    HourColumn("house_kw", "Building (kW)", _W, "kW", _group("house")),
    HourColumn("facility_kw", "Facility (kW)", _W, "kW", lambda year: year.facility_w,
               "SUM({it_kw}:{house_kw})"),
    HourColumn("pue", "PUE", "ratio", "", lambda year: year.pue, "{facility_kw}/{it_kw}"),
    HourColumn("economizer_kw", "Economizer heat (kW)", "heat_flow", "kW",
               lambda year: year.balance.cooling.economizer_w),
    HourColumn("makeup_m3_h", "Make-up water (m³/h)", "liquid_flow", "m3/h",
               lambda year: year.water.makeup_m3_s, number_format="n2"),
    HourColumn("facility_kva", "Facility (kVA)", "apparent_power", "kVA",
               lambda year: year.balance.flow.utility.demand_va),
    HourColumn("tank_kw", "Storage discharge, charge (-) (kW)", "heat_flow", "kW",
               lambda year: year.balance.cooling.tank_w),
)  # fmt: skip
HOUR_HEADS = tuple(column.key for column in HOUR_COLUMNS)


def hour_rows(year: Year) -> list[list[float]]:
    """Return a row for each hour, in the units of `HOUR_HEADS`."""
    rows: list[list[float]] = np.stack([c.in_unit(year) for c in HOUR_COLUMNS], axis=1).tolist()
    return rows


def hours_csv(year: Year) -> str:
    """Return the hours as the text of a CSV file; NaN is left empty."""
    rows = (["" if isnan(value) else f"{value:.6g}" for value in row] for row in hour_rows(year))
    return csv_text([HOUR_HEADS, *rows])


def hour_values(year: Year) -> Iterator[Values]:
    """Yield the values of a sheet row for each hour, in SI; None for NaN."""
    found = [column.si(year).tolist() for column in HOUR_COLUMNS]
    for row in zip(*found, strict=True):
        values = (None if isnan(value) else value for value in row)
        yield dict(zip(HOUR_HEADS, values, strict=True))
