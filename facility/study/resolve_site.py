"""The site and the identity, resolved: weather, utility, prices, who the calculation belongs to."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

import numpy as np

from facility.catalogue import Row, table
from facility.catalogue.weather import Weather as HourlyWeather
from facility.catalogue.weather import read_epw, station_weather
from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.facility import Identity, Site, Weather
from facility.model.project.document import DocumentSection, Revision
from facility.model.project.site import SiteSection
from facility.physics.psychrometrics import humidity_ratio, standard_pressure, wet_bulb
from facility.study.resolve_criteria import (
    UNSTATED,
    given_or_assumed,
    resolve_criteria,
    resolve_house,
)

__all__ = ["resolve_criteria", "resolve_house", "resolve_identity", "resolve_site"]

_STATION = "ashburn"
_GRID_REGIONS = {"ashburn": "SRVC (Virginia/Carolina)", "san-francisco": "CAMX (California)"}
_UTILITY_VOLTAGE_V = 13_800.0
_FREQUENCY_HZ = 60.0
_PRICE_USD_PER_J = 0.05 / 3.6e6
_C84_1 = Source("ansi-c84-1", "table of nominal voltages", "1989", "secondary")
_GUIDE = Source("guide-energy-cost", "10,000 GPUs", "", "secondary")
_TYPICAL_YEAR = "mean over all hours of the typical year of {}"
_EXTREME_DRY = "20-year extreme of {}: the plant is sized on extremes, not on a typical year"
_EXTREME_WET = "extreme of {}: the plant is sized on extremes, not on a typical year"


def resolve_identity(section: DocumentSection, trace: Trace) -> Identity:
    """Return who the calculation belongs to; an open name and status go into the ledger."""
    name = section.name or trace.ledger.add_text(
        "project.name", "Unnamed project", "no name is given", UNSTATED
    )
    status = section.status or trace.ledger.add_text(
        "project.status", "PRELIMINARY", "no status is given", UNSTATED
    )
    return Identity(
        name=name,
        number=section.number or "",
        title=section.title or "",
        status=status,
        originator=section.originator or "",
        checker=section.checker or "",
        revisions=tuple(_revision(revision) for revision in section.revisions or ()),
        company=section.company or "",
    )


def _revision(revision: Revision) -> tuple[str, str, str, str]:
    by = f"{revision.by} (checked {revision.checked})" if revision.checked else revision.by
    return revision.rev, revision.date, by, revision.description or ""


@dataclass(frozen=True)
class _Record:
    """A weather record: the figures of a station of the catalogue, or of the user's file."""

    name: str
    place: str
    elevation_m: float
    design_dry_bulb_c: float | None
    design_wet_bulb_c: float | None
    mean_dry_bulb_c: float
    mean_wet_bulb_c: float
    source: Source
    carbon: Row | None
    coldest_c: float | None


def resolve_site(section: SiteSection, trace: Trace) -> Site:
    """Return the site: what is given, completed from a weather record and named defaults.

    Design temperatures left open are the extremes of the record, not the maxima of its typical
    year; the pressure is the one of the standard atmosphere at the elevation.

    Raises
    ------
    FacilityError
        ``UNKNOWN_MODEL`` for a station that is not in the catalogue, ``WEATHER_*`` for a weather
        file that cannot be used, ``CONTRADICTION`` for a wet bulb above its dry bulb.
    """
    record = _file_record(section) if section.weather_file else _station_record(section, trace)
    _given_or_record(trace, "site.elevation", section.elevation, record.elevation_m, record)
    pressure_pa = trace.do("site.pressure", standard_pressure, elevation_m="site.elevation")
    return Site(
        place=section.place or record.place,
        elevation_m=trace.value("site.elevation"),
        pressure_pa=float(pressure_pa),
        design=_design_weather(section, record, float(pressure_pa), trace),
        mean=_mean_weather(section, record, float(pressure_pa), trace),
        utility_voltage_v=given_or_assumed(
            trace, "site.utility_voltage", section.utility_voltage, _UTILITY_VOLTAGE_V,
            "line_voltage", "nominal medium voltage of North American utilities", _C84_1,
        ),
        frequency_hz=given_or_assumed(
            trace, "site.frequency", section.frequency, _FREQUENCY_HZ, "frequency",
            "grid frequency of North America", _C84_1,
        ),
        fault_level_va=_or_none(trace, "site.fault_level", section.fault_level),
        x_over_r=_or_none(trace, "site.x_over_r", section.x_over_r),
        energy_price_usd_per_j=given_or_assumed(
            trace, "site.tariff", section.tariff, _PRICE_USD_PER_J, "energy_price",
            "price that the cluster guides reckon with; a tariff has demand charges besides",
            _GUIDE,
        ),
        carbon_kg_per_j=_carbon(section, record, trace),
        coldest_c=record.coldest_c,
    )  # fmt: skip


def hourly_weather(section: SiteSection) -> HourlyWeather:
    """Return the typical year of the site: of its weather file, or of its station.

    Raises
    ------
    FacilityError
        For a file that cannot be read, and a station the package does not carry.
    """
    if section.weather_file is not None:
        return read_epw(section.folder / section.weather_file, "site.weather_file")
    return station_weather(section.station or _STATION, "site.station")


def _station_record(section: SiteSection, trace: Trace) -> _Record:
    key = section.station or trace.ledger.add_text(
        "site.station", _STATION,
        "no weather station or file is given: a US site of climate zone 4A is assumed", UNSTATED,
    )  # fmt: skip
    row = table("weather/stations").get(key, "site.station")
    is_elsewhere = section.place is not None and section.station is None
    region = None if is_elsewhere else _GRID_REGIONS.get(key)
    years = table("cooling/grid_intensity").select(region=region) if region else ()
    return _Record(
        name=key,
        place=row.text("place"),
        elevation_m=row.si("elevation_m"),
        design_dry_bulb_c=row.si("extreme_20_year_db_max_c"),
        design_wet_bulb_c=row.si("extreme_wet_bulb_max_c"),
        mean_dry_bulb_c=row.si("mean_db_c"),
        mean_wet_bulb_c=row.si("mean_wb_c"),
        source=row.cite("extreme_20_year_db_max_c"),
        carbon=max(years, key=lambda year: year.integer("year"), default=None),
        coldest_c=row.si("extreme_20_year_db_min_c"),
    )


def _file_record(section: SiteSection) -> _Record:
    """Return the record of the EPW file, whose digest becomes part of its citation."""
    name = section.weather_file or ""
    where = "site.weather_file"
    path = section.folder / name
    weather = read_epw(path, where)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    station, design = weather.station, weather.design
    humidity = humidity_ratio.si(weather.dry_bulb_c, weather.relative_humidity, weather.pressure_pa)
    wet_bulb_c = wet_bulb.si(weather.dry_bulb_c, humidity, weather.pressure_pa)
    return _Record(
        name=name,
        place=", ".join(part for part in (station.city, station.region) if part),
        elevation_m=station.elevation_m,
        design_dry_bulb_c=design.extreme_20_year_db_max_c if design else None,
        design_wet_bulb_c=design.extreme_wet_bulb_max_c if design else None,
        mean_dry_bulb_c=float(np.mean(weather.dry_bulb_c)),
        mean_wet_bulb_c=float(np.mean(wet_bulb_c)),
        source=Source("project", f"{name}, SHA-256 {digest}"),
        carbon=None,
        coldest_c=design.extreme_20_year_db_min_c if design else None,
    )


def _design_weather(
    section: SiteSection, record: _Record, pressure_pa: float, trace: Trace
) -> Weather:
    missing = [
        name for name, given, value in (
            ("design_dry_bulb", section.design_dry_bulb, record.design_dry_bulb_c),
            ("design_wet_bulb", section.design_wet_bulb, record.design_wet_bulb_c),
        ) if given is None and value is None
    ]  # fmt: skip
    if missing:
        fields = " and ".join(f"site.{name}" for name in missing)
        raise FacilityError(
            "WEATHER_DESIGN", f"site.{missing[0]}",
            "the header of the weather file has no design conditions.",
            f"Give {fields}, e.g. '30 degC': the 20-year extreme of the dry bulb and the extreme "
            "of the wet bulb. A typical year's own maximum is no design condition.",
        )  # fmt: skip
    dry_bulb_c = _design_temperature(
        "design_dry_bulb", section.design_dry_bulb, record.design_dry_bulb_c,
        _EXTREME_DRY.format(record.name), record.source, trace,
    )  # fmt: skip
    wet_bulb_c = _design_temperature(
        "design_wet_bulb", section.design_wet_bulb, record.design_wet_bulb_c,
        _EXTREME_WET.format(record.name), record.source, trace,
    )  # fmt: skip
    return _weather("design", dry_bulb_c, wet_bulb_c, pressure_pa)


def _design_temperature(
    name: str, given: Measured | None, value: float | None, basis: str, source: Source,
    trace: Trace,
) -> float:  # fmt: skip
    fallback = math.nan if value is None else value
    return given_or_assumed(trace, f"site.{name}", given, fallback, "temperature", basis, source)


def _mean_weather(
    section: SiteSection, record: _Record, pressure_pa: float, trace: Trace
) -> Weather:
    basis = _TYPICAL_YEAR.format(record.name)
    dry_bulb_c = given_or_assumed(
        trace, "site.mean_dry_bulb", section.mean_dry_bulb, record.mean_dry_bulb_c,
        "temperature", basis, record.source,
    )  # fmt: skip
    wet_bulb_c = given_or_assumed(
        trace, "site.mean_wet_bulb", section.mean_wet_bulb, record.mean_wet_bulb_c,
        "temperature", basis, record.source,
    )  # fmt: skip
    return _weather("mean", dry_bulb_c, wet_bulb_c, pressure_pa)


def _weather(name: str, dry_bulb_c: float, wet_bulb_c: float, pressure_pa: float) -> Weather:
    if wet_bulb_c > dry_bulb_c:
        raise FacilityError(
            "CONTRADICTION", f"site.{name}_wet_bulb",
            f"the wet bulb {show(wet_bulb_c, 'temperature')} is above the dry bulb "
            f"{show(dry_bulb_c, 'temperature')}.",
            f"Give both site.{name}_dry_bulb and site.{name}_wet_bulb.",
        )  # fmt: skip
    return Weather(dry_bulb_c, wet_bulb_c, pressure_pa)


def _carbon(section: SiteSection, record: _Record, trace: Trace) -> float | None:
    if section.grid_carbon is not None or record.carbon is None:
        return _or_none(trace, "site.grid_carbon", section.grid_carbon)
    row = record.carbon
    return trace.assume(
        "site.grid_carbon", row.si("co2e_kg_per_kwh"), "carbon_intensity",
        f"annual mean of the grid region {row.text('region')}, {row.text('year')}",
        row.cite("co2e_kg_per_kwh"),
    )  # fmt: skip


def _given_or_record(
    trace: Trace, id: str, given: Measured | None, value: float, record: _Record
) -> float:
    if given is not None:
        return trace.given(id, given.si, given.kind, PROJECT)
    return trace.given(id, value, "length", record.source, f"of {record.name}")


def _or_none(trace: Trace, id: str, given: Measured | None) -> float | None:
    return None if given is None else trace.given(id, given.si, given.kind, PROJECT)
