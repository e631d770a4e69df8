"""Selection of the weather record of a site, and requirements without one.

A named record is used. A project without a location uses
the record of one station, with a notice; a project with a location but no record uses its
stated temperatures, without an hourly year. A file of the project is read once, and completed
from its location.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from facility.catalogue import Row, table
from facility.catalogue.places import find_country
from facility.catalogue.user_file import read_once
from facility.catalogue.weather import Station, WeatherYear, read_weather, station_weather
from facility.catalogue.weather.record import ELEVATION_M, frozen
from facility.core.errors import FacilityError
from facility.core.sources import UNSTATED, Source
from facility.core.trace import Trace
from facility.model.facility import Site, WeatherRecord
from facility.model.inputs.site import SiteSection
from facility.physics.air.psychrometrics import (
    dew_point,
    humidity_ratio,
    relative_humidity,
    standard_pressure,
    wet_bulb,
)
from facility.physics.facility.geodesy import great_circle_distance
from facility.study.resolve.series import reading_of

DEFAULT_STATION = "ashburn"
DISTANCE_MAX_M = 100_000.0
"""Maximum distance of a default record; farther records represent another climate."""
ELEVATION_APART_M = 300.0
"""Maximum elevation difference of a record: 2 K lapse and 3.5 % density."""
_GRID_REGIONS = {"ashburn": "SRVC (Virginia/Carolina)", "san-francisco": "CAMX (California)"}
_TEMPERATURES = ("design_dry_bulb", "design_wet_bulb", "mean_dry_bulb", "mean_wet_bulb")
_WHERE = "site.weather_file"
_SATURATED = 1.0
DEGREES_PER_H = 15.0
"""Longitude of an hour of standard time."""


@dataclass(frozen=True)
class Record:
    """A weather record: a catalogue station or a user file."""

    facts: WeatherRecord
    design_dry_bulb_c: float | None
    design_wet_bulb_c: float | None
    mean_dry_bulb_c: float
    mean_wet_bulb_c: float
    source: Source
    carbon: Row | None
    coldest_c: float | None
    coldest_hour_c: float | None = None  # For a file without extremes in its header
    first_day: str = ""  # Weekday, if stated in the file

    @property
    def name(self) -> str:
        """Station or file."""
        return self.facts.name


def site_record(section: SiteSection, trace: Trace) -> Record | None:
    """Return the record of the site; None for a stated location without one.

    Raises ``UNKNOWN_MODEL`` for a station that is not in the catalogue, ``WEATHER_*`` for a file
    that cannot be used.
    """
    if section.weather_file is not None:
        return _file_record(section)
    if section.station is not None:
        return _station_record(section, section.station, "stated")
    if _is_placed(section):
        return None
    key = trace.ledger.add_text(
        "site.station",
        DEFAULT_STATION,
        "no location, weather station or file specified: a US site in climate zone 4A is assumed",
        UNSTATED,
    )
    confirmed = any(a.id == "site.station" and a.status == "confirmed" for a in trace.ledger)
    return _station_record(section, key, "stated" if confirmed else "assumed")


def _is_placed(section: SiteSection) -> bool:
    """Return whether the project specifies a location, other than the default country."""
    if section.place is not None or section.latitude is not None:
        return True
    row = find_country(section.country or "")
    return row is not None and row["country"] != "US"


def _has_year(section: SiteSection, elevation_m: float) -> bool:
    """Return whether no project input contradicts a default record."""
    if any(getattr(section, name) is not None for name in _TEMPERATURES):
        return False
    given = section.elevation
    return given is None or abs(given.si - elevation_m) <= ELEVATION_APART_M


def _station_record(section: SiteSection, key: str, how: str) -> Record:
    try:
        row = table("weather/stations").get(key, "site.station")
    except FacilityError as error:
        hint = f"{error.hint} For another site, enter its EPW or TMY3 file (site.weather_file)."
        raise FacilityError(error.code, error.where, error.message, hint) from None
    region = _GRID_REGIONS.get(key)
    years = table("cooling/grid_intensity").select(region=region) if region else ()
    elevation_m = row.si("elevation_m")
    year = how == "stated" or _has_year(section, elevation_m)
    return Record(
        facts=WeatherRecord(
            key,
            row.text("place"),
            row.text("country"),
            elevation_m,
            how,
            year,
            _distance(section, *_position(row)),
        ),
        design_dry_bulb_c=row.si("extreme_20_year_db_max_c"),
        design_wet_bulb_c=row.si("extreme_wet_bulb_max_c"),
        mean_dry_bulb_c=row.si("mean_db_c"),
        mean_wet_bulb_c=row.si("mean_wb_c"),
        source=row.cite("extreme_20_year_db_max_c"),
        carbon=max(years, key=lambda each: each.integer("year"), default=None),
        coldest_c=row.si("extreme_20_year_db_min_c"),
    )


def _file_record(section: SiteSection) -> Record:
    """Return the record of the weather file, with its digest in the citation."""
    name = section.weather_file or ""
    path = section.folder / name
    weather = file_weather(section)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    station, design = weather.station, weather.design
    filled = [filled_words(weather)]
    read = _record(section).station
    if math.isnan(read.elevation_m):
        filled.insert(0, "no plausible elevation in the file; site.elevation used")
    if math.isnan(read.time_zone_h):
        words = (
            "zone from site.longitude"
            if section.longitude
            else "zone unknown, other files read in UTC"
        )
        filled.insert(0, f"logger in local standard time, {words}")
    humidity = humidity_ratio.si(weather.dry_bulb_c, weather.relative_humidity, weather.pressure_pa)
    wet_bulb_c = wet_bulb.si(weather.dry_bulb_c, humidity, weather.pressure_pa)
    land = find_country(station.country)
    return Record(
        facts=WeatherRecord(
            name,
            ", ".join(part for part in (station.city, station.region) if part.strip("- ")),
            "" if land is None else land.text("country"),
            station.elevation_m,
            "stated",
            True,
            _distance(section, station.latitude_deg, station.longitude_deg),
            "; ".join(filter(None, filled)),
            "" if design is None else design.edition,
            tuple(weather.odd.items()),
        ),
        design_dry_bulb_c=design.extreme_20_year_db_max_c if design else None,
        design_wet_bulb_c=design.extreme_wet_bulb_max_c if design else None,
        mean_dry_bulb_c=float(np.mean(weather.dry_bulb_c)),
        mean_wet_bulb_c=float(np.mean(wet_bulb_c)),
        source=Source("project", f"{name}, SHA-256 {digest}"),
        carbon=None,
        coldest_c=design.extreme_20_year_db_min_c if design else None,
        coldest_hour_c=None if design else float(np.min(weather.dry_bulb_c)),
        first_day=station.first_day,
    )


def _position(row: Row) -> tuple[float, float]:
    return float(row.require("latitude_deg")), float(row.require("longitude_deg"))


def _distance(section: SiteSection, latitude_deg: float, longitude_deg: float) -> float | None:
    if section.latitude is None or section.longitude is None:
        return None
    return float(
        great_circle_distance.si(
            section.latitude.si, section.longitude.si, latitude_deg, longitude_deg
        )
    )


def stations_offered(section: SiteSection) -> str:
    """Return the options of `site.station`: the nearest with its distance, or all."""
    rows = table("weather/stations").rows
    if section.latitude is None:
        names = ", ".join(f"{row.text('station')} ({row.text('place')})" for row in rows)
        return f"Stations included: {names}; enter site.latitude and site.longitude for distances."
    far = {row.text("station"): _distance(section, *_position(row)) or 0.0 for row in rows}
    near = min(rows, key=lambda row: far[row.text("station")])
    key = near.text("station")
    found = (
        f"The nearest station included is {key} ({near.text('place')}), {far[key] / 1e3:,.0f} km"
    )
    if far[key] <= DISTANCE_MAX_M:
        return f"{found}."
    return f"{found} from the site; a station applies within {DISTANCE_MAX_M / 1e3:.0f} km."


def refuse_unknown_weather(section: SiteSection, required: tuple[str, ...]) -> None:
    """Reject a stated location without design conditions.

    Raises ``WEATHER_SITE``, with the field names.
    """
    missing = [*required, *(name for name in _TEMPERATURES[:2] if getattr(section, name) is None)]
    if not missing:
        return
    fields = " and ".join(f"site.{name}" for name in missing)
    raise FacilityError(
        "WEATHER_SITE",
        f"site.{missing[0]}",
        f"the location is specified{_named(section)}, not its "
        f"{' and '.join(name.replace('_', ' ') for name in missing)}; weather from another "
        "location is not substituted.",
        f"Enter {fields}; or site.station, or site.weather_file. {stations_offered(section)}",
    )


def _named(section: SiteSection) -> str:
    if section.place is not None:
        return f" ({section.place[:60]})"
    if section.latitude is not None and section.longitude is not None:
        return f" ({section.latitude.text}, {section.longitude.text})"
    return f" ({(section.country or '')[:60]})"


def weather_year(section: SiteSection, site: Site) -> WeatherYear | None:
    """Return the typical year of the site; None without an hourly year.

    Raises for a file that cannot be read.
    """
    if site.record is None or not site.record.year:
        return None
    if section.weather_file is not None:
        record = file_weather(section)
    else:
        record = station_weather(site.record.name, "site.station")
    return _warmer(record, site.warmer_k) if site.warmer_k else record


@lru_cache(maxsize=8)
def _warmer(record: WeatherYear, warmer_k: float) -> WeatherYear:
    """Return a record with all hours warmer by an offset at constant relative humidity."""
    dry_c, pressure_pa = record.dry_bulb_c + warmer_k, record.pressure_pa
    humid = humidity_ratio.si(dry_c, record.relative_humidity, pressure_pa)
    dew_c = np.minimum(np.asarray(dew_point.si(humid, pressure_pa)), dry_c)
    return replace(record, dry_bulb_c=dry_c, dew_point_c=dew_c)


def standard_time_h(section: SiteSection) -> float | None:
    """Return the standard time of the weather record [h from UTC]; None without one."""
    if section.weather_file is not None:
        return file_weather(section).station.time_zone_h
    if section.station is None and _is_placed(section):
        return None
    return station_weather(section.station or DEFAULT_STATION, "site.station").station.time_zone_h


def file_weather(section: SiteSection) -> WeatherYear:
    """Return the year of the weather file of the project, complete.

    Raises ``WEATHER_*`` for a file that cannot be used.
    """
    record = _record(section)
    station = replace(record.station, elevation_m=_elevation(section, record))
    if math.isnan(station.time_zone_h):  # A logger states no place
        north, east = section.latitude, section.longitude
        station = replace(
            station,
            latitude_deg=math.nan if north is None else north.si,
            longitude_deg=math.nan if east is None else east.si,
            time_zone_h=0.0 if east is None else float(round(east.si / DEGREES_PER_H)),
        )
    return _complete(record, station)


def _elevation(section: SiteSection, weather: WeatherYear) -> float:
    """Return the elevation of a record; as stated where its header has none in the range.

    Raises ``WEATHER_ELEVATION`` where neither states it.
    """
    if not math.isnan(weather.station.elevation_m):
        return weather.station.elevation_m
    if section.elevation is None:
        raise FacilityError(
            "WEATHER_ELEVATION",
            f"{_WHERE}: line 1",
            f"the header has no elevation from {ELEVATION_M[0]:g} to {ELEVATION_M[1]:,.0f} m.",
            "Enter site.elevation (used for altitude derating).",
        )
    return section.elevation.si


def _record(section: SiteSection) -> WeatherYear:
    """Return the year of the weather file as read; the place of a logger is that of the site."""
    path = section.folder / (section.weather_file or "")
    if section.weather_reading is not None:
        found = read_weather(path, _WHERE, reading_of(section.weather_reading, None))
    else:
        found = _read(path)
    return found


@read_once
def _read(path: Path) -> WeatherYear:
    """Return the year of a weather file."""
    return read_weather(path, _WHERE)


@lru_cache(maxsize=4)
def _complete(weather: WeatherYear, station: Station) -> WeatherYear:
    """Return a record with its place, complete."""
    return completed(replace(weather, station=station))


def completed(weather: WeatherYear) -> WeatherYear:
    """Return a record completed with standard pressure and humidity from dew point.

    They replace gaps of the file that are too long for interpolation.
    """
    pressure_pa, humid = weather.pressure_pa, weather.relative_humidity
    of_height = float(standard_pressure.si(weather.station.elevation_m))
    pressure_pa = np.where(np.isnan(pressure_pa), of_height, pressure_pa)
    if np.all(np.isnan(weather.dew_point_c)):
        ratio = humidity_ratio.si(weather.dry_bulb_c, humid, pressure_pa)
        dew_c = np.minimum(np.asarray(dew_point.si(ratio, pressure_pa)), weather.dry_bulb_c)
        weather = replace(weather, dew_point_c=frozen(dew_c))
    if np.any(np.isnan(humid)):
        dew_c = np.minimum(weather.dew_point_c, weather.dry_bulb_c)
        ratio = humidity_ratio.si(dew_c, _SATURATED, pressure_pa)
        of_dew = np.minimum(relative_humidity.si(weather.dry_bulb_c, ratio, pressure_pa), 1.0)
        humid = np.where(np.isnan(humid), of_dew, humid)
    return replace(weather, pressure_pa=frozen(pressure_pa), relative_humidity=frozen(humid))


def filled_words(weather: WeatherYear) -> str:
    """Return the gaps of the file and how they were filled; empty if complete."""
    ways = {"pressure": "interpolated, else standard pressure at elevation"} | {
        "relative_humidity": "interpolated, else from the dew point"
    }
    return "; ".join(
        f"{name.replace('_', ' ')} missing for {count * weather.step_h:,g} hours, "
        f"{ways.get(name, 'interpolated')}"
        for name, count in weather.interpolated.items()
    )
