"""Columns of the tables of a year: its months and what the electricity is for."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable
from dataclasses import dataclass

from facility.report.sheet.grid import Column, SheetTable
from facility.report.tables.part_names import part_name
from facility.study.annual.result import AnnualStudy, Carried, HeldTemperature, Month

LEFT_OUT = (
    "Every hour is a steady state with all equipment in service: what pipes, rooms and tanks for a "
    "ride-through hold, and rare failures are left out; generators are tested on a load bank "
    "beside the meter.",
    "Water is that of open towers, of pads and of humidifiers; not what humidifiers bleed, nor "
    "domestic water.",
)


def _energy(group: str) -> Callable[[Month], float]:
    return lambda month: month.energy_j[group]


_MONTHS = (
    Column[Month]("month", "Month", 12, of=lambda month: month_name[month.number]),
    Column[Month]("it", "IT MWh", 11, "energy", of=_energy("it")),
    Column[Month]("losses", "Losses MWh", 11, "energy", of=_energy("losses")),
    Column[Month]("cooling", "Cooling MWh", 11, "energy", of=_energy("cooling")),
    Column[Month]("house", "House MWh", 11, "energy", of=_energy("house")),
    Column[Month](
        "facility",
        "Facility MWh",
        12,
        "energy",
        "SUM({it}:{house})",
        of=lambda month: month.facility_j,
    ),
    Column[Month](
        "pue",
        "PUE",
        8,
        "ratio",
        "{facility}/{it}",
        of=lambda month: month.pue,
        live=lambda month: month.pue is not None,
    ),
    Column[Month]("peak", "Highest hour kW", 13, "active_power", of=lambda month: month.peak_w),
    Column[Month]("water", "Water m³", 11, "volume", of=lambda month: month.water_m3),
)
MONTHS = SheetTable("Months", _MONTHS)


_CARBON = (
    Column[Month]("month", "Month", 12, of=lambda month: month_name[month.number]),
    Column[Month]("facility", "Facility MWh", 12, "energy", of=lambda month: month.facility_j),
    Column[Month]("carbon", "Carbon kg", 13, "mass", of=lambda month: month.carbon_kg),
    Column[Month](
        "intensity",
        "Intensity kg/kWh",
        13,
        "carbon_intensity",
        "{carbon}/{facility}/1000",
        of=lambda month: (month.carbon_kg or 0.0) / month.facility_j,
    ),
)
CARBON = SheetTable("Carbon by month, of a grid known by the hour", _CARBON)
_HELD = (
    Column[HeldTemperature]("name", "What is held", 28, of=lambda held: held.name),
    Column[HeldTemperature]("bound", "Against its", 22, of=lambda held: held.bound),
    Column[HeldTemperature]("limit", "Limit °C", 11, "temperature", of=lambda held: held.limit_c),
    Column[HeldTemperature]("hours", "Hours beyond", 13, "count", of=lambda held: held.hours),
    Column[HeldTemperature](
        "explained", "of them, air beyond the design's", 13, "count", of=lambda held: held.explained
    ),
    Column[HeldTemperature](
        "highest", "Highest °C", 12, "temperature", of=lambda held: held.highest_c
    ),
    Column[HeldTemperature]("hour", "in hour", 9, "count", of=lambda held: held.hour),
)
HELD = SheetTable("Held through the year", _HELD)
_CARRIED = (
    Column[Carried]("name", "Equipment", 42, of=lambda carried: carried.name),
    Column[Carried]("load", "of what it gives", 14, "fraction", of=lambda carried: carried.load),
    Column[Carried]("hour", "in hour", 9, "count", of=lambda carried: carried.hour),
)
CARRIED = SheetTable("Equipment at its highest load of the year", _CARRIED)


_ALONE = {"it": "IT", "house": "house"}


@dataclass(frozen=True)
class EnergyPart:
    """One use of the electricity of the year."""

    name: str
    energy_j: float
    share: float  # Of the energy of the facility
    pue: float  # Over the energy of the IT


_PARTS = (
    Column[EnergyPart]("part", "Part", 28, of=lambda part: part.name),
    Column[EnergyPart]("energy", "Energy MWh", 13, "energy", of=lambda part: part.energy_j),
    Column[EnergyPart](
        "share", "Share", 9, "fraction", "{energy}/{meter}", of=lambda part: part.share
    ),
    Column[EnergyPart](
        "pue", "Part of PUE", 12, "ratio", "{energy}/{usable}", of=lambda part: part.pue
    ),
)
PARTS = SheetTable("What the electricity is for", _PARTS)


def parts_of(study: AnnualStudy) -> tuple[EnergyPart, ...]:
    """Return what the electricity of the year is for; what takes none is left out."""
    year = study.year
    total_j, it_j = (float(study.results[key].si) for key in ("energy.annual", "energy.annual.it"))
    found = ((id, year.hours.total(power_w)) for id, power_w in year.power_w.items())
    return tuple(
        EnergyPart(_named(id), energy_j, energy_j / total_j, energy_j / it_j)
        for id, energy_j in found
        if energy_j > 0.0
    )


def _named(id: str) -> str:
    group, _, name = id.rpartition(".")
    return f"{group}: {part_name(name)}" if group else _ALONE[name]
