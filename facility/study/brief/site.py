"""Site of a project brief: place, country, and the weather that applies there."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from facility.catalogue import Row, table
from facility.catalogue.gazetteer import City, cities, coordinates, find_city
from facility.catalogue.places import find_country
from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.model.facility import WeatherRecord
from facility.physics.facility.geodesy import great_circle_distance
from facility.study.resolve.site.weather import DISTANCE_MAX_M, ELEVATION_APART_M

WEATHER_SOURCE = "climate.onebuilding.org"
"""Public source of EPW files of all countries, with design conditions in their headers."""
_STATIONS = "weather/stations"
_FILE = re.compile(r".*\.(?:epw|csv)(?:\.gz)?", re.IGNORECASE)
STATION_MAX_M = 500_000.0
"""Maximum distance of a selected station without a warning; farther ones have another climate: the
annual mean changes by about 0.7 K for each 100 km of latitude."""
OFFER_MAX_M = 2_000_000.0
"""Maximum distance of a station offered for a place."""
STATION_RULE = (
    f"A station applies to a site within {DISTANCE_MAX_M / 1e3:.0f} km and "
    f"{ELEVATION_APART_M:.0f} m of elevation; others are offered within "
    f"{OFFER_MAX_M / 1e3:,.0f} km, with a warning from {STATION_MAX_M / 1e3:.0f} km."
)
_COUNTRY_MAX_M = 50_000.0
"""Maximum distance of the city from which coordinates take their country."""


@dataclass(frozen=True)
class StationOffer:
    """The nearest weather station included, relative to a site."""

    station: str  # Key in weather/stations
    city: str
    distance_m: float
    rise_m: float | None  # Elevation of the station above the site; None if unknown

    @property
    def applies(self) -> bool:
        """Whether the record is near enough to represent the site without a question."""
        return self.distance_m <= DISTANCE_MAX_M and abs(self.rise_m or 0.0) <= ELEVATION_APART_M

    @property
    def label(self) -> str:
        """City and distance."""
        return f"{self.city}, {self.distance_m / 1e3:,.0f} km"

    @property
    def words(self) -> str:
        """Station, distance and elevation difference as text."""
        height = ""
        if self.rise_m is not None:
            height = f", {abs(self.rise_m):,.0f} m {'higher' if self.rise_m > 0.0 else 'lower'}"
        return f"{self.station} ({self.city}), {self.distance_m / 1e3:,.0f} km{height}"


def nearest_stations(
    latitude_deg: float, longitude_deg: float, elevation_m: float | None = None
) -> list[StationOffer]:
    """Return the weather stations included, nearest first, with the difference in elevation.

    latitude_deg, longitude_deg: Site, north and east positive.
    elevation_m: Elevation of the site, if known.
    """

    def offer(row: Row) -> StationOffer:
        north, east = float(row.require("latitude_deg")), float(row.require("longitude_deg"))
        far_m = float(great_circle_distance.si(latitude_deg, longitude_deg, north, east))
        rise_m = None if elevation_m is None else row.si("elevation_m") - elevation_m
        return StationOffer(row.text("station"), row.text("place"), far_m, rise_m)

    return sorted(map(offer, table(_STATIONS).rows), key=lambda one: one.distance_m)


def stations_from(where: str) -> list[StationOffer]:
    """Return the stations within `OFFER_MAX_M` of a city or of coordinates, the nearest first.

    Raises as `find_city`.
    """
    position = coordinates(where, "place")
    if position is not None:
        found = nearest_stations(*position)
    else:
        city = find_city(where, "place")
        found = nearest_stations(city.latitude_deg, city.longitude_deg, city.elevation_m)
    return [one for one in found if one.distance_m <= OFFER_MAX_M]


def nearest_city(latitude_deg: float, longitude_deg: float) -> tuple[City, float]:
    """Return the nearest city of the gazetteer, and its distance [m]."""
    known = cities()
    north = np.array([one.latitude_deg for one in known])
    east = np.array([one.longitude_deg for one in known])
    far = np.asarray(great_circle_distance.si(latitude_deg, longitude_deg, north, east))
    nearest = int(np.argmin(far))
    return known[nearest], float(far[nearest])


def site_inputs(where: str, weather: str) -> dict[str, str]:
    """Return the fields of the site section for a place, and the weather stated for it.

    where: City of the gazetteer, or coordinates; empty for no place.
    weather: Station, name of a weather file, or design dry bulb and wet bulb
        (``36 degC, 24 degC``); empty for the station that applies to the place.

    Raises ``UNKNOWN_PLACE``, ``AMBIGUOUS_PLACE``, ``OUT_OF_RANGE``; ``WEATHER_SITE`` where no
    station applies and no weather is stated, with the nearest station and the file to download;
    ``UNKNOWN_MODEL`` for an unknown station.
    """
    stated = _stated_weather(weather) if weather else {}
    if not where:
        return stated
    position = coordinates(where, "place")
    if position is None:
        found = find_city(where, "place")
        position = found.latitude_deg, found.longitude_deg
        inputs = _named(found)
    else:
        city, distance_m = nearest_city(*position)
        land = find_country(city.country)
        inputs = {"latitude": f"{position[0]:g}", "longitude": f"{position[1]:g}"}
        if land is not None and distance_m <= _COUNTRY_MAX_M:
            inputs["country"] = land.text("country")
        found = None
    if stated:
        return inputs | stated
    elevation_m = None if found is None else found.elevation_m
    offer = nearest_stations(*position, elevation_m)[0]
    if not offer.applies:
        raise no_weather(where if found is None else found.label, inputs, offer)
    return inputs | {"station": offer.station}


def no_weather(label: str, inputs: dict[str, str], offer: StationOffer) -> FacilityError:
    """Return the question for the weather of a place without a station that applies."""
    row = find_country(inputs.get("country", ""))
    folder = "" if row is None else f" (country {row.text('alpha3')})"
    near = offer.distance_m <= OFFER_MAX_M
    accept = f', or accept the station (weather="{offer.station}")' if near else ""
    return FacilityError(
        "WEATHER_SITE",
        "weather",
        f"no included station applies to {label}; the nearest is {offer.words}. {STATION_RULE}",
        f"Download the EPW file nearest to {inputs['latitude']}, {inputs['longitude']} from "
        f"{WEATHER_SOURCE}{folder}, put it next to the project file and enter its name "
        f'(weather="FILE.epw"); or enter design dry and wet bulb (weather="36 degC, 24 degC")'
        f"{accept}.",
    )


def distance_warning(record: WeatherRecord | None) -> str:
    """Return the warning of a stated record that is too far from the site; empty without one."""
    if record is None or record.distance_m is None or record.distance_m <= STATION_MAX_M:
        return ""
    return (
        f"Warning: the weather is from {record.name} ({record.place}), "
        f"{record.distance_m / 1e3:,.0f} km from the site; beyond {STATION_MAX_M / 1e3:.0f} km the "
        "climate differs. Use an EPW file from near the site (site.weather_file), or local "
        "design temperatures."
    )


def _named(found: City) -> dict[str, str]:
    """Return the fields of a city of the gazetteer."""
    land = find_country(found.country)
    inputs = {"place": found.label}
    if land is not None:
        inputs["country"] = land.text("country")
    inputs["latitude"], inputs["longitude"] = f"{found.latitude_deg:g}", f"{found.longitude_deg:g}"
    if found.elevation_m is not None:
        inputs["elevation"] = f"{found.elevation_m:g} m"
    return inputs


def _stated_weather(weather: str) -> dict[str, str]:
    """Return the fields for a station, a weather file, or design dry and wet bulb."""
    text = weather.strip()
    if _FILE.fullmatch(text):
        return {"weather_file": text}
    names = ("design_dry_bulb", "design_wet_bulb")
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == len(names):
        for part in parts:
            parse_quantity(part, "temperature", "weather")
        return dict(zip(names, parts, strict=True))
    return {"station": table(_STATIONS).get(text, "weather").text("station")}
