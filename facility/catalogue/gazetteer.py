"""Offline gazetteer: cities of the world from 5,000 inhabitants, found by name or coordinates.

The data are those of GeoNames (CC BY 4.0), packed in
``reference/site/places.csv.gz``.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from facility.catalogue.loader import catalogue
from facility.catalogue.places import find_country
from facility.core.errors import FacilityError, near_matches
from facility.core.reference import reference_path

_SOURCE = "geonames-cities"
_FILE = ("site", "places.csv.gz")
_MUCH_LARGER = 20
"""Population ratio from which the largest of several places of one name is meant."""
_MAX_TEXT = 120
_NAMED = 5
_COORDINATES = re.compile(
    r"([+-]?\d{1,2}(?:\.\d{1,8})?)\s*°?\s*([NS]?)\s*[,; ]\s*"
    r"([+-]?\d{1,3}(?:\.\d{1,8})?)\s*°?\s*([EW]?)",
    re.ASCII | re.IGNORECASE,
)
_MAX_LATITUDE_DEG, _MAX_LONGITUDE_DEG = 90.0, 180.0


@dataclass(frozen=True)
class City:
    """A city of the gazetteer."""

    name: str
    plain: str  # Name in ASCII
    region: str  # Postal code of the state in the US, else empty
    country: str  # ISO 3166-1 alpha-2
    latitude_deg: float
    longitude_deg: float
    elevation_m: float | None
    population: int
    time_zone: str  # Name in the time zone database

    @property
    def label(self) -> str:
        """Name, region and country, as accepted by a search."""
        return ", ".join(part for part in (self.name, self.region, self.country) if part)


def find_cities(text: str) -> tuple[City, ...]:
    """Return the cities that `text` names, the most populous first; empty if there are none.

    text: Name, with region and country if needed: ``Phoenix``,
        ``Phoenix, AZ``, ``Tours, France``.
    """
    name, *parts = (part.strip() for part in text[:_MAX_TEXT].split(","))
    found = _by_name().get(_folded(name), ())
    return tuple(one for one in found if all(_is_in(one, part) for part in parts if part))


def find_city(text: str, where: str) -> City:
    """Return the city that `text` names.

    One of several is meant if it has at least 20 times the population of each other.

    Raises ``UNKNOWN_PLACE``, ``AMBIGUOUS_PLACE`` at `where`.
    """
    found = find_cities(text)
    if len(found) == 1 or (found and found[0].population >= _MUCH_LARGER * found[1].population):
        return found[0]
    candidates = found or longer_names(text)
    if not candidates:
        publisher = catalogue().sources[_SOURCE].publisher
        hint = near_matches(_folded(text.partition(",")[0]), _by_name())
        raise FacilityError(
            "UNKNOWN_PLACE",
            where,
            f"{text[:60]!r} is not in the {publisher} gazetteer (5,000 inhabitants or more).",
            f"{hint} Enter a nearby city, or coordinates: '39.04, -77.49'.".strip(),
        )
    listed = "; ".join(f"{one.label} ({one.population:,})" for one in candidates[:_NAMED])
    more = f" and {len(candidates) - _NAMED} more" if len(candidates) > _NAMED else ""
    raise FacilityError(
        "AMBIGUOUS_PLACE",
        where,
        f"{text[:60]!r} matches {len(candidates)} cities: {listed}{more}.",
        f"Enter its name in full, e.g. '{candidates[0].label}', or coordinates: "
        f"'{candidates[0].latitude_deg}, {candidates[0].longitude_deg}'.",
    )


def longer_names(text: str) -> tuple[City, ...]:
    """Return the cities whose names begin with the words of `text`, the most populous first."""
    name, *parts = (part.strip() for part in text[:_MAX_TEXT].split(","))
    start = f"{_folded(name)} "
    longer = [one for full, ones in _by_name().items() if full.startswith(start) for one in ones]
    found = {one for one in longer if start.strip() and all(_is_in(one, part) for part in parts)}
    return tuple(sorted(found, key=lambda one: (-one.population, one.label)))


def coordinates(text: str, where: str) -> tuple[float, float] | None:
    """Return latitude and longitude in `text` [deg]; None for other text.

    text: ``39.04, -77.49`` or ``39.04 N, 77.49 W``.

    Raises ``OUT_OF_RANGE`` at `where` for coordinates that no place has.
    """
    found = _COORDINATES.fullmatch(text.strip()) if len(text) <= _MAX_TEXT else None
    if found is None:
        return None
    north = float(found[1]) * (-1.0 if found[2].upper() == "S" else 1.0)
    east = float(found[3]) * (-1.0 if found[4].upper() == "W" else 1.0)
    if abs(north) > _MAX_LATITUDE_DEG or abs(east) > _MAX_LONGITUDE_DEG:
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"{text[:60]!r} are not valid coordinates.",
            "Enter latitude, -90 to 90, and longitude, -180 to 180: '39.04, -77.49'.",
        )
    return north, east


def _is_in(one: City, part: str) -> bool:
    """Return whether a place is in a region or country, by code or name."""
    folded = _folded(part)
    if folded in (one.region.casefold(), one.country.casefold()):
        return True
    states = catalogue().table("site/us_states").rows if one.country == "US" else ()
    if any(folded == _folded(row.text("name")) and row["state"] == one.region for row in states):
        return True
    land = find_country(part)
    return land is not None and land["country"] == one.country


def _folded(text: str) -> str:
    """Return `text` in lower case, without accents, points and hyphens."""
    plain = unicodedata.normalize("NFKD", text)
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[.'’`-]", " ", letters).casefold().split())


@cache
def cities() -> tuple[City, ...]:
    """Return all cities of the gazetteer."""
    content = gzip.decompress(reference_path(*_FILE).read_bytes()).decode()
    rows = csv.reader(io.StringIO(content))
    next(rows)
    return tuple(
        City(
            name,
            plain or name,
            region,
            country,
            float(north),
            float(east),
            float(elevation) if elevation else None,
            int(population),
            zone,
        )
        for name, plain, country, region, north, east, elevation, population, zone in rows
    )


@cache
def _by_name() -> Mapping[str, tuple[City, ...]]:
    found: dict[str, list[City]] = defaultdict(list)
    for one in cities():
        for spelling in {_folded(one.name), _folded(one.plain)}:
            found[spelling].append(one)
    return {
        name: tuple(sorted(ones, key=lambda one: -one.population)) for name, ones in found.items()
    }
