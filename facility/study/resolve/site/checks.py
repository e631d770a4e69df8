"""Whether what a project rests on is of its place: weather, height, country, prices."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import Row, table
from facility.catalogue.places import country_of_place
from facility.catalogue.weather.read import DEW_POINT, EXTREME, JUMP, MAX_JUMP_K
from facility.core.check import Check, Rule, Severity
from facility.core.parse import Measured
from facility.core.sources import Source
from facility.core.views import show
from facility.model.facility import Facility, Site
from facility.model.inputs.document import Project
from facility.model.inputs.money.tariff import TariffSection
from facility.model.inputs.site import SiteSection
from facility.study.resolve.site.weather import DISTANCE_MAX_M, ELEVATION_APART_M
from facility.study.rules import RULES

_RULE = Source("planning-rule", "limit of this program", verified="computed")

_LOOK = "Look at the line, and mend it or take another file: one hour can set the peak of the year."
_SITE_WEATHER_JUMP = Rule(
    "SITE-WEATHER-JUMP",
    f"dry bulb of the weather file moves by no more than {MAX_JUMP_K:g} K to the next record",
    Severity.WARNING,
    _RULE,
    _LOOK,
)
_ODD = {
    DEW_POINT: RULES["SITE-WEATHER-DEW-POINT"],
    JUMP: _SITE_WEATHER_JUMP,
    EXTREME: RULES["SITE-WEATHER-EXTREME"],
}


_DEAREST = dict.fromkeys(("AUD", "CAD", "CHF", "EUR", "GBP", "NZD", "SGD", "USD"), 5.0)
"""Price of a kWh in currencies of one magnitude: markets are capped there for some hours."""
_J_PER_KWH = 3.6e6


def announcements(site: Site) -> list[str]:
    """Return what a reader must know of the site before any figure."""
    record = site.record
    if record is None or record.how != "assumed":
        return []
    rest = "" if record.year else "; no hours of its year are taken, for the project speaks against"
    return [
        f"nothing is said of the place: weather of {record.place} (station {record.name}) is "
        f"assumed{rest}. Give site.station, site.weather_file, or site.place with its temperatures"
    ]


def site_checks(project: Project, facility: Facility) -> Iterator[Check]:
    """Yield what speaks for and against the site as it is resolved."""
    section, site = project.site, facility.site
    yield RULES["SITE-STATED"].verdict(
        site.place, not announcements(site), " ".join(announcements(site)) or "stated"
    )
    yield from _weather(site, facility.cost is not None)
    yield from _apart(section, site)
    yield from _country(project, facility)
    yield from _prices(section, site)


def _weather(site: Site, owned: bool) -> Iterator[Check]:
    """Yield what is known of the weather; without hours nothing of a year, `owned` or not."""
    record = site.record
    if record is not None and record.year:
        yield RULES["SITE-WEATHER"].verdict(site.place, True, f"{record.name}, {record.place}")
        if record.filled is not None:
            words = record.filled or "complete"
            yield RULES["SITE-WEATHER-FILLED"].verdict(record.name, not record.filled, words)
        for kind, odd in record.odd:
            if odd is None:
                why = "the header of the file has no extremes"
                yield _ODD[kind].not_evaluated(record.name, why)
            else:
                yield _ODD[kind].verdict(record.name, not odd, odd or "no record is odd")
    else:
        needs = "cost of ownership (cost), energy" if owned else "energy"
        why = (
            f"no year of hours is of {site.place}: {needs}, PUE, water and carbon of the year are "
            f"left out. {site.nearest}"
        )
        yield RULES["SITE-WEATHER"].not_evaluated(site.place, why)
    if site.mean is None:
        yield RULES["ANNUAL-ESTIMATE"].not_evaluated(
            site.place,
            "pue.estimate, energy.annual_estimate, cost.month_estimate, "
            "carbon.annual_estimate: the mean temperatures of the year are not known",
        )


def _apart(section: SiteSection, site: Site) -> Iterator[Check]:
    """Yield distance and height of a record against what is stated of the site."""
    record = site.record
    if record is None:
        if section.elevation is None:
            why = "no elevation is stated: sea level is assumed, and nothing derated for height"
            yield RULES["SITE-ELEVATION-OPEN"].verdict(site.place, False, why)
        return
    subject = f"{record.name} ({record.place})"
    if record.distance_m is not None:
        yield RULES["SITE-DISTANCE"].at_most(
            subject,
            record.distance_m,
            DISTANCE_MAX_M,
            "length",
            f"{record.distance_m / 1e3:,.0f} km from {_position(section)} to {subject}",
        )
    elif section.place is not None:
        why = "site.latitude and site.longitude are not given"
        yield RULES["SITE-DISTANCE"].not_evaluated(f"{section.place} and {subject}", why)
    if section.elevation is not None:
        rule = RULES["SITE-ELEVATION"] if record.how == "stated" else RULES["SITE-ELEVATION-OPEN"]
        heights_m = section.elevation.si, record.elevation_m
        stated, known = (show(height_m, "length") for height_m in heights_m)
        yield rule.at_most(
            subject,
            abs(heights_m[0] - heights_m[1]),
            ELEVATION_APART_M,
            "length",
            f"site.elevation {stated} against {known} of {subject}",
        )


def _position(section: SiteSection) -> str:
    if section.latitude is None or section.longitude is None:
        return ""
    return f"site.latitude {section.latitude.text}, site.longitude {section.longitude.text}"


def _country_known(project: Project, site: Site) -> Iterator[Check]:
    """Yield whether something tells the country of a stated place, whose code is taken."""
    section, criteria = project.site, project.criteria
    stated = section.country or site.record or criteria.code or criteria.edition
    if section.place is None or stated:
        return
    row = country_of_place(section.place)
    why = (
        f"nothing tells the country of {section.place}: code, frequency, voltage and prices are"
        f" those of {site.country}"
    )
    yield RULES["SITE-COUNTRY-OPEN"].verdict(
        site.place, row is not None, why if row is None else row.text("name")
    )


def _country(project: Project, facility: Facility) -> Iterator[Check]:
    """Yield record, frequency and code against the country."""
    section = project.site
    site, record = facility.site, facility.site.record
    if not site.country:
        return
    yield from _country_known(project, site)
    said = section.country is not None or section.place is not None
    if said and record is not None and record.country:
        yield RULES["SITE-COUNTRY"].verdict(
            site.country,
            record.country == site.country,
            f"site.country {site.country} ({site.place}); {record.name} stands in {record.country}",
        )
    row = table("site/countries").get(site.country)
    grid_hz = row.si_or_none("frequency_hz")
    if grid_hz is not None:
        yield RULES["SITE-FREQUENCY"].verdict(
            site.country,
            site.frequency_hz == grid_hz,
            f"site.frequency {site.frequency_hz:.0f} Hz; the grid of {row.text('name')} has "
            f"{grid_hz:.0f} Hz",
        )
    known_v = {row.si_or_none("lv_v"), row.si_or_none("lv_other_v")} - {None}
    if site.lv_service and known_v:
        usual = " or ".join(f"{volts:.0f} V" for volts in sorted(v for v in known_v if v))
        yield RULES["SITE-VOLTAGE"].verdict(
            site.country,
            site.utility_voltage_v in known_v,
            f"site.utility_voltage {site.utility_voltage_v:.0f} V; services at low voltage in "
            f"{row.text('name')} have {usual}",
        )
    yield from _code(section, facility, row)


def _code(section: SiteSection, facility: Facility, row: Row) -> Iterator[Check]:
    code, country = facility.criteria.code, facility.site.country
    if section.country is not None:
        yield RULES["SITE-CODE"].verdict(
            country,
            code == row.text("code"),
            f"criteria.code {code}; {row.text('name')} builds to {row.text('code')}, or near it",
        )
    if own := row["own_code"]:
        yield RULES["SITE-CODE-OWN"].verdict(
            country,
            False,
            f"all is reckoned by {code} (criteria.code); {row.text('name')} builds to {own}",
        )


def _prices(section: SiteSection, site: Site) -> Iterator[Check]:
    """Yield whether price and carbon of the grid are known; those of another country are not."""
    if site.carbon_kg_per_j is None:
        place = site.country or "a site whose country is not stated"
        yield RULES["SITE-CARBON"].not_evaluated(
            site.place, f"no carbon of the grid is carried for {place}"
        )
    if site.tariff is None:
        unit = f"{site.currency or 'GBP'}/kWh"
        yield RULES["SITE-TARIFF"].not_evaluated(
            "cost.month_estimate",
            "no price of energy is carried for "
            f"{site.country or 'a site whose country is not stated'}: give site.tariff in {unit}",
        )
    dearest = _DEAREST.get(site.currency)
    if section.tariff is not None and site.tariff is not None and dearest is not None:
        price = _J_PER_KWH * max(charge.price_per_j for charge in site.tariff.energy)
        yield RULES["SITE-PRICE"].verdict(
            "site.tariff",
            price <= dearest,
            f"energy costs up to {price:,.4g} {site.currency}/kWh; nobody pays over "
            f"{dearest:g} {site.currency}/kWh",
        )
    if section.tariff is not None and site.country:
        own = table("site/countries").get(site.country).text("currency")
        yield RULES["SITE-CURRENCY"].verdict(
            site.country,
            own == site.currency,
            f"site.tariff {_typed(section.tariff, site)}; the currency of {site.country} is {own}",
        )


def _typed(tariff: Measured | TariffSection, site: Site) -> str:
    return tariff.text if isinstance(tariff, Measured) else f"in {site.currency}"
