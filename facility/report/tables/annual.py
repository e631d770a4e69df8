"""Columns of the tables of a year: months, what the electricity is for, load points, limits."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facility.core.views import System
from facility.physics.facility.metrics import electrical_loss_component
from facility.report.sheet.grid import Column, SheetTable, TextTable
from facility.report.tables.summary import part_name
from facility.study.annual.components import KnownLimit, LoadComponents, LoadPoint
from facility.study.annual.result import AnnualStudy, LimitExceedance, Month, PeakLoading

LEFT_OUT = (
    "Every hour is a steady state with all equipment in service: what pipes, rooms and tanks for a "
    "ride-through hold, and rare failures are left out; generators are tested on a load bank "
    "beside the meter.",
    "Water is that of open towers, of pads and of humidifiers; not what humidifiers bleed, nor "
    "domestic water.",
)

_OF_HOURS = "Summed over the hours of the typical year, each a steady state; the highest of them."


def _energy(group: str) -> Callable[[Month], float]:
    return lambda month: month.energy_j[group]


MONTHS: SheetTable[Month] = SheetTable(
    "Months",
    (
        Column("month", "Month", 12, of=lambda m: month_name[m.number]),
        Column("it", "IT MWh", 11, "energy", of=_energy("it")),
        Column("losses", "Losses MWh", 11, "energy", of=_energy("losses")),
        Column("cooling", "Cooling MWh", 11, "energy", of=_energy("cooling")),
        Column("house", "House MWh", 11, "energy", of=_energy("house")),
        Column(
            "facility", "Facility MWh", 12, "energy", "SUM({it}:{house})", of=lambda m: m.facility_j
        ),
        Column("pue", "PUE", 8, "ratio", "{facility}/{it}", live=lambda m: m.pue is not None),
        Column("peak", "Highest hour kW", 13, "active_power", of=lambda m: m.peak_w),
        Column("water", "Water m³", 11, "volume", of=lambda m: m.water_m3),
    ),
    because=_OF_HOURS,
)


CARBON: SheetTable[Month] = SheetTable(
    "Carbon by month, of a grid known by the hour",
    (
        Column("month", "Month", 12, of=lambda m: month_name[m.number]),
        Column("facility", "Facility MWh", 12, "energy", of=lambda m: m.facility_j),
        Column("carbon", "Carbon kg", 13, "mass", of=lambda m: m.carbon_kg),
        Column("intensity", "Intensity kg/kWh", 13, "carbon_intensity", "{carbon}/{facility}/1000",
               of=lambda m: (m.carbon_kg or 0.0) / m.facility_j),
    ),
    because="Energy of each hour times the carbon of the grid in it, summed over the month.",
)  # fmt: skip
HELD: SheetTable[LimitExceedance] = SheetTable(
    "Held through the year",
    (
        Column("name", "What is held", 28, json="name"),
        Column("bound", "Against its", 22, json="bound"),
        Column("limit", "Limit °C", 11, "temperature", of=lambda h: h.limit_c, json="limit"),
        Column("hours", "Hours beyond", 13, "count", json="hours"),
        Column("explained", "of them, air beyond the design's", 13, "count",
               json="hours_beyond_design_weather"),
        Column("highest", "Highest °C", 12, "temperature", of=lambda h: h.highest_c,
               json="highest"),
        Column("hour", "in hour", 9, "count", json="hour"),
        Column("designed", "", 0, door="json", json="design_hour_beyond"),
    ),
    because="The hours of the year, each a steady state, counted against the limit; beyond the "
    "design's: hours whose outdoor air is beyond that of the design hour.",
)  # fmt: skip
CARRIED: SheetTable[PeakLoading] = SheetTable(
    "Equipment at its highest load of the year",
    (
        Column("name", "Equipment", 42),
        Column("load", "of what it gives", 14, "fraction"),
        Column("hour", "in hour", 9, "count"),
    ),
    because="The highest of the hours of the year, over what the units can give in that hour.",
)


_ALONE = {"it": "IT", "house": "house"}


@dataclass(frozen=True)
class EnergyPart:
    """One use of the electricity of the year."""

    id: str  # As the results of the year call it
    name: str
    energy_j: float
    share: float  # Of the energy of the facility
    pue: float  # Over the energy of the IT


PARTS: SheetTable[EnergyPart] = SheetTable(
    "What the electricity is for",
    (
        Column("part", "Part", 28, of=lambda p: p.name),
        Column("energy", "Energy MWh", 13, "energy", of=lambda p: p.energy_j,
               id=lambda p: f"annual.{p.id}"),
        Column("share", "Share", 9, "fraction", "{energy}/{meter}"),
        Column("pue", "Part of PUE", 12, "ratio", "{energy}/{usable}"),
    ),
    because=_OF_HOURS,
)  # fmt: skip


def parts_of(study: AnnualStudy) -> tuple[EnergyPart, ...]:
    """Return what the electricity of the year is for; what takes none is left out."""
    year = study.year
    total_j, it_j = (float(study.results[key].si) for key in ("energy.annual", "energy.annual.it"))
    found = ((id, year.hours.total(power_w)) for id, power_w in year.power_w.items())
    return tuple(
        EnergyPart(id, _named(id), energy_j, energy_j / total_j, energy_j / it_j)
        for id, energy_j in found
        if energy_j > 0.0
    )


def _named(id: str) -> str:
    group, _, name = id.rpartition(".")
    return f"{group}: {part_name(name)}" if group else _ALONE[name]


NOTE = (
    "MLC: energy of the cooling over that of the IT, the load held all year; ELC: what is lost of "
    "the power that enters, over its segments, all in service. The definitions were read at second "
    "hand; house loads count in neither. Only limits stated by the project are checked."
)
_ELC = electrical_loss_component.in_cells(
    incoming="{incoming}", ups="{ups}", distribution="{distribution}"
)
POINTS: SheetTable[LoadPoint] = SheetTable(
    "Mechanical load and electrical loss components, after ASHRAE 90.4",
    (
        Column("load", "IT load", 9, "fraction"),
        Column("mlc", "MLC", 9, "ratio"),
        Column("incoming", "Loss, incoming", 12, "fraction"),
        Column("ups", "Loss, UPS", 11, "fraction"),
        Column("distribution", "Loss, distribution", 13, "fraction"),
        Column("elc", "ELC", 9, "ratio", _ELC),
        Column("inside", "ELC, no incoming", 13, "ratio", "1-(1-{ups})*(1-{distribution})",
               of=lambda p: p.elc_inside),
    ),
    because="The plant at the load of the row through the hours of the year, and the power chain "
    "at it.",
)  # fmt: skip
LIMITS: SheetTable[KnownLimit] = SheetTable(
    "Limits beside them: not a statement of compliance",
    (
        Column("quantity", "Quantity", 26),
        Column("edition", "Edition", 14),
        Column("place", "For", 12),
        Column("limit", "Limit", 9, "ratio"),
        Column("mark", "Mark", 11),
    ),
)


def component_tables(found: LoadComponents, system: System) -> Iterator[TextTable]:
    """Return the load points, and the limits beside them where any is known."""
    yield POINTS.text(found.points, system)
    if found.limits:
        yield LIMITS.text(found.limits, system)
