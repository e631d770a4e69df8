"""Columns of the annual tables: months, energy by end use, load points, limits."""

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
    "Every hour is a steady state with all equipment in service: heat stored in pipes, rooms and "
    "ride-through tanks, and rare failures are not modelled; generator tests run on a load bank "
    "outside the meter.",
    "Water use includes open towers, wetted pads and humidifiers; humidifier bleed and domestic "
    "water are not included.",
)

_OF_HOURS = "Sum over the hours of the typical year, each a steady state; peak: the maximum hour."


def _energy(group: str) -> Callable[[Month], float]:
    return lambda month: month.energy_j[group]


MONTHS: SheetTable[Month] = SheetTable(
    "Months",
    (
        Column("month", "Month", 12, of=lambda m: month_name[m.number]),
        Column("it", "IT (MWh)", 11, "energy", of=_energy("it")),
        Column("losses", "Losses (MWh)", 11, "energy", of=_energy("losses")),
        Column("cooling", "Cooling (MWh)", 11, "energy", of=_energy("cooling")),
        Column("house", "Building (MWh)", 11, "energy", of=_energy("house")),
        Column(
            "facility",
            "Facility (MWh)",
            12,
            "energy",
            "SUM({it}:{house})",
            of=lambda m: m.facility_j,
        ),
        Column("pue", "PUE", 8, "ratio", "{facility}/{it}", live=lambda m: m.pue is not None),
        Column("peak", "Peak demand (kW)", 13, "active_power", of=lambda m: m.peak_w),
        Column("water", "Water (m³)", 11, "volume", of=lambda m: m.water_m3),
    ),
    because=_OF_HOURS,
)


CARBON: SheetTable[Month] = SheetTable(
    "Monthly carbon, hourly grid intensity",
    (
        Column("month", "Month", 12, of=lambda m: month_name[m.number]),
        Column("facility", "Facility (MWh)", 12, "energy", of=lambda m: m.facility_j),
        Column("carbon", "Carbon (kg)", 13, "mass", of=lambda m: m.carbon_kg),
        Column("intensity", "Intensity (kg/kWh)", 13, "carbon_intensity",
               "{carbon}/{facility}/1000",
               of=lambda m: (m.carbon_kg or 0.0) / m.facility_j),
    ),
    because="Energy of each hour times the carbon of the grid in it, summed over the month.",
)  # fmt: skip
LIMIT_EXCEEDANCES: SheetTable[LimitExceedance] = SheetTable(
    "Set points and limits over the year",
    (
        Column("name", "Controlled temperature", 28, json="name"),
        Column("bound", "Limit type", 22, json="bound"),
        Column("limit", "Limit (°C)", 11, "temperature", of=lambda h: h.limit_c, json="limit"),
        Column("hours", "Hours exceeded", 13, "count", json="hours"),
        Column("explained", "of which outside design weather", 13, "count",
               json="hours_beyond_design_weather"),
        Column("highest", "Maximum (°C)", 12, "temperature", of=lambda h: h.highest_c,
               json="highest"),
        Column("hour", "Hour of peak", 9, "count", json="hour"),
        Column("designed", "", 0, door="json", json="design_hour_beyond"),
    ),
    because="Hours of the year, each a steady state, in which the limit is exceeded; outside "
    "design weather: hours with outdoor air more extreme than the design hour.",
)  # fmt: skip
PEAK_LOADINGS: SheetTable[PeakLoading] = SheetTable(
    "Peak equipment loading over the year",
    (
        Column("name", "Equipment", 42),
        Column("load", "Share of capacity", 14, "fraction"),
        Column("hour", "Hour of peak", 9, "count"),
    ),
    because="Maximum hourly load over the capacity of the units in that hour.",
)


_ALONE = {"it": "IT", "house": "building load"}


@dataclass(frozen=True)
class EnergyPart:
    """One end use of the annual energy."""

    id: str  # As the results of the year call it
    name: str
    energy_j: float
    share: float  # Of the energy of the facility
    pue: float  # Over the energy of the IT


PARTS: SheetTable[EnergyPart] = SheetTable(
    "Annual energy by end use",
    (
        Column("part", "Part", 28, of=lambda p: p.name),
        Column("energy", "Energy (MWh)", 13, "energy", of=lambda p: p.energy_j,
               id=lambda p: f"annual.{p.id}"),
        Column("share", "Share", 9, "fraction", "{energy}/{meter}"),
        Column("pue", "PUE component", 12, "ratio", "{energy}/{usable}"),
    ),
    because=_OF_HOURS,
)  # fmt: skip


def parts_of(study: AnnualStudy) -> tuple[EnergyPart, ...]:
    """Return the annual energy by end use, without zero entries."""
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
    "MLC: annual cooling energy / IT energy at constant IT load; ELC: share of incoming power lost "
    "over its segments, all in service. The definitions are from a secondary source; building "
    "loads count in neither. Only limits stated in the project are checked."
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
        Column("inside", "ELC, without incoming", 13, "ratio", "1-(1-{ups})*(1-{distribution})",
               of=lambda p: p.elc_inside),
    ),
    because="Cooling plant at the row's IT load over all hours of the year, and the power chain at "
    "that load.",
)  # fmt: skip
LIMITS: SheetTable[KnownLimit] = SheetTable(
    "Published limits for comparison, not a statement of compliance",
    (
        Column("quantity", "Quantity", 26),
        Column("edition", "Edition", 14),
        Column("place", "For", 12),
        Column("limit", "Limit", 9, "ratio"),
        Column("mark", "Mark", 11),
    ),
)


def component_tables(found: LoadComponents, system: System) -> Iterator[TextTable]:
    """Return the load points, and the published limits if any."""
    yield POINTS.text(found.points, system)
    if found.limits:
        yield LIMITS.text(found.limits, system)
