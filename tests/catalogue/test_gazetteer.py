"""Cities by name and coordinates: positions from public almanacs, doubts are questions."""

import pytest

from facility.catalogue.gazetteer import coordinates, find_cities, find_city
from facility.core.errors import FacilityError
from facility.study.brief.site import nearest_city

# Name, country, latitude and longitude [deg] and elevation [m] as printed in almanacs.
KNOWN = (
    ("Phoenix", "US", 33.45, -112.07, 331.0),
    ("Ashburn", "US", 39.04, -77.49, 90.0),
    ("Denver, Colorado", "US", 39.74, -104.98, 1609.0),
    ("Munich", "DE", 48.14, 11.58, 520.0),
    ("Luleå", "SE", 65.58, 22.15, 10.0),
    ("lulea", "SE", 65.58, 22.15, 10.0),
    ("Frankfurt am Main", "DE", 50.11, 8.68, 112.0),
    ("Sydney", "AU", -33.87, 151.21, 58.0),
    ("La Paz, Bolivia", "BO", -16.50, -68.15, 3782.0),
    ("Reykjavik", "IS", 64.14, -21.9, 37.0),
)


@pytest.mark.parametrize(("name", "country", "north", "east", "height"), KNOWN)
def test_position_and_elevation(
    name: str, country: str, north: float, east: float, height: float
) -> None:
    found = find_city(name, "place")
    assert found.country == country
    assert found.latitude_deg == pytest.approx(north, abs=0.05)
    assert found.longitude_deg == pytest.approx(east, abs=0.05)
    assert found.elevation_m == pytest.approx(height, abs=60.0)
    assert find_city(found.label, "place") == found


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("Springfield", "AMBIGUOUS_PLACE", "Springfield, MO, US"),
        ("Frankfurt", "AMBIGUOUS_PLACE", "Frankfurt am Main, DE"),
        ("Phenix", "AMBIGUOUS_PLACE", "Phenix City, AL, US"),
        ("Phoenixx", "UNKNOWN_PLACE", "phoenix"),
        ("Phoenix, Germany", "UNKNOWN_PLACE", "39.04, -77.49"),
        ("", "UNKNOWN_PLACE", "coordinates"),
        ("=cmd()" * 60, "UNKNOWN_PLACE", "coordinates"),
    ],
)
def test_a_doubt_is_a_question(text: str, code: str, hint: str) -> None:
    with pytest.raises(FacilityError) as caught:
        find_city(text, "place")
    assert (caught.value.code, caught.value.where) == (code, "place")
    assert hint in caught.value.hint


def test_the_largest_of_one_name_is_meant_where_it_is_much_larger() -> None:
    found = find_cities("Paris")
    assert len(found) > 1
    assert found[0].population > 20 * found[1].population
    assert find_city("Paris", "").country == "FR"
    assert find_city("Paris, Texas", "").region == "TX"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("39.04, -77.49", (39.04, -77.49)),
        ("39.04 N, 77.49 W", (39.04, -77.49)),
        ("-33.9 151.2", (-33.9, 151.2)),
        ("33.9°S; 18.4°E", (-33.9, 18.4)),
        ("Phoenix", None),
        ("10 Downing Street", None),
    ],
)
def test_coordinates(text: str, expected: tuple[float, float] | None) -> None:
    assert coordinates(text, "place") == expected


def test_coordinates_outside_the_globe_are_rejected() -> None:
    with pytest.raises(FacilityError) as caught:
        coordinates("97, 10", "place")
    assert caught.value.code == "OUT_OF_RANGE"


def test_nearest_city_by_a_search_over_degrees() -> None:
    found, distance_m = nearest_city(39.05, -77.48)
    assert found.label == "Ashburn, VA, US"
    # 0.006 deg of latitude and 0.007 deg of longitude: 111.2 km a degree, times cos 39 deg east.
    assert distance_m == pytest.approx(111_195 * (0.006**2 + (0.007 * 0.777) ** 2) ** 0.5, rel=0.02)
