"""Countries and their public supply."""

from __future__ import annotations

from facility.catalogue.loader import catalogue, per_catalogue
from facility.catalogue.table import Row
from facility.core.errors import FacilityError, near_matches

_OTHER_NAMES = {
    "UK": "GB",
    "GREAT BRITAIN": "GB",
    "ENGLAND": "GB",
    "AMERICA": "US",
    "UNITED STATES OF AMERICA": "US",
    "HOLLAND": "NL",
    "UAE": "AE",
    "KOREA": "KR",
    "CZECH REPUBLIC": "CZ",
    "TÜRKIYE": "TR",
}


def find_country(text: str) -> Row | None:
    """Return the row of a country given by its ISO code, of two or three letters, or its name."""
    folded = " ".join(text.split()).upper().replace(".", "")
    key = _known().get(_OTHER_NAMES.get(folded, folded))
    return None if key is None else catalogue().table("site/countries").get(key)


def country_of_place(place: str) -> Row | None:
    """Return the country that the last words of a place name; never a code of two letters."""
    last = place.rpartition(",")[2].strip()
    return find_country(last) if len(last) > 2 or last == "UK" else None


def country(text: str, where: str) -> Row:
    """Return the row of a country.

    Raises ``UNKNOWN_COUNTRY`` at `where` for a country that the table lacks.
    """
    row = find_country(text)
    if row is not None:
        return row
    names = [
        f"{r.text('country')} {r.text('name')}" for r in catalogue().table("site/countries").rows
    ]
    raise FacilityError(
        "UNKNOWN_COUNTRY",
        where,
        f"{text[:40]!r} is not a country in the table site/countries.",
        f"{near_matches(text, [*_known(), *names])} Write its ISO code, e.g. GB; or leave it open "
        "and give criteria.code, site.frequency and site.utility_voltage.".strip(),
    )


@per_catalogue(None)
def _known() -> dict[str, str]:
    return {
        row.text(column).upper(): row.text("country")
        for row in catalogue().table("site/countries").rows
        for column in ("country", "alpha3", "name")
    }
