"""Checks of site data against the location: weather, elevation, country, prices."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import Row, table
from facility.catalogue.places import country_of_place
from facility.catalogue.weather.read import DEW_POINT, EXTREME, JUMP, MAX_JUMP_K, STUCK
from facility.core.check import Check, Rule, Severity
from facility.core.parse import Measured
from facility.core.sources import Source
from facility.core.views import show
from facility.model.facility import Facility, Site
from facility.model.inputs.document import Project
from facility.model.inputs.money.tariff import TariffSection
from facility.model.inputs.site import SiteSection
from facility.study.resolve.site.site import grid_of_longitude
from facility.study.resolve.site.weather import DISTANCE_MAX_M, ELEVATION_APART_M
from facility.study.rules import RULES

_RULE = Source("planning-rule", "limit of this program", verified="computed")

_LOOK = "Correct the line or use another file; one hour can determine the annual peak."
_SITE_WEATHER_JUMP = Rule(
    "SITE-WEATHER-JUMP",
    f"dry bulb of the weather file changes by at most {MAX_JUMP_K:g} K to the next record",
    Severity.WARNING,
    _RULE,
    _LOOK,
)
_ODD = {
    DEW_POINT: RULES["SITE-WEATHER-DEW-POINT"],
    JUMP: _SITE_WEATHER_JUMP,
    EXTREME: RULES["SITE-WEATHER-EXTREME"],
    STUCK: RULES["SITE-WEATHER-STUCK"],
}


MAX_PRICE = dict.fromkeys(("AUD", "CAD", "CHF", "EUR", "GBP", "NZD", "SGD", "USD"), 5.0)
"""Maximum plausible price per kWh by currency: price caps of markets for some hours."""
_J_PER_KWH = 3.6e6


def announcements(site: Site) -> list[str]:
    """Return the notices about the site that precede all results."""
    record = site.record
    if record is None or record.how != "assumed":
        return []
    rest = (
        "" if record.year else "; its hourly year is not used, since project inputs contradict it"
    )
    return [
        f"no location is specified: weather of {record.place} (station {record.name}) is "
        f"assumed{rest}. Enter site.station, site.weather_file, or site.place with its temperatures"
    ]


def site_checks(project: Project, facility: Facility) -> Iterator[Check]:
    """Yield the checks of the resolved site."""
    section, site = project.site, facility.site
    yield RULES["SITE-STATED"].verdict(
        site.place, not announcements(site), " ".join(announcements(site)) or "location specified"
    )
    yield from _weather(site, facility.cost is not None)
    yield from _apart(section, site)
    yield from _country(project, facility)
    yield from _prices(section, site)


def _weather(site: Site, owned: bool) -> Iterator[Check]:
    """Yield the checks of the weather; without hours no annual results, `owned` or not."""
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
                yield _ODD[kind].verdict(record.name, not odd, odd or "no anomalies")
    else:
        needs = "cost of ownership (cost), energy" if owned else "energy"
        why = (
            f"no hourly weather year for {site.place}: annual {needs}, PUE, water and carbon are "
            f"omitted. {site.nearest}"
        )
        yield RULES["SITE-WEATHER"].not_evaluated(site.place, why)
    if site.mean is None:
        yield RULES["ANNUAL-ESTIMATE"].not_evaluated(
            site.place,
            "pue.estimate, energy.annual_estimate, cost.month_estimate, "
            "carbon.annual_estimate: annual mean temperatures unknown",
        )


def _apart(section: SiteSection, site: Site) -> Iterator[Check]:
    """Yield the checks of record distance and elevation against site inputs."""
    record = site.record
    if record is None:
        if section.elevation is None:
            why = "no elevation specified: sea level assumed, no altitude derating"
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
        why = "site.latitude and site.longitude are not specified"
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
            f"site.elevation {stated}, {known} at {subject}",
        )


def _position(section: SiteSection) -> str:
    if section.latitude is None or section.longitude is None:
        return ""
    return f"site.latitude {section.latitude.text}, site.longitude {section.longitude.text}"


def _country_known(project: Project, site: Site) -> Iterator[Check]:
    """Yield the check of whether the country of a stated location is known, for its code."""
    section, criteria = project.site, project.criteria
    stated = section.country or site.record or criteria.code or criteria.edition
    if section.place is None or stated:
        return
    row = country_of_place(section.place)
    why = (
        f"country of {section.place} unknown: code, frequency, voltage and prices are"
        f" for {site.country}"
    )
    yield RULES["SITE-COUNTRY-OPEN"].verdict(
        site.place, row is not None, why if row is None else row.text("name")
    )


def _country(project: Project, facility: Facility) -> Iterator[Check]:
    """Yield the checks of record, frequency and code against the country."""
    section = project.site
    site, record = facility.site, facility.site.record
    if not site.country:
        return
    yield from _country_known(project, site)
    stated = section.country is not None or section.place is not None
    if stated and record is not None and record.country:
        yield RULES["SITE-COUNTRY"].verdict(
            site.country,
            record.country == site.country,
            f"site.country {site.country} ({site.place}); {record.name} is in {record.country}",
        )
    row = table("site/countries").get(site.country)
    grid_hz = row.si_or_none("frequency_hz")
    if split := grid_of_longitude(section, row):
        grid_hz = split[0]
    if grid_hz is not None:
        yield RULES["SITE-FREQUENCY"].verdict(
            site.country,
            site.frequency_hz == grid_hz,
            f"site.frequency {site.frequency_hz:.0f} Hz; the grid of {row.text('name')} has "
            f"{grid_hz:.0f} Hz" + (" at this longitude" if split else ""),
        )
    known_v = {row.si_or_none("lv_v"), row.si_or_none("lv_other_v")} - {None}
    if site.lv_service and known_v:
        usual = " or ".join(f"{volts:.0f} V" for volts in sorted(v for v in known_v if v))
        yield RULES["SITE-VOLTAGE"].verdict(
            site.country,
            site.utility_voltage_v in known_v,
            f"site.utility_voltage {site.utility_voltage_v:.0f} V; low-voltage services in "
            f"{row.text('name')} are {usual}",
        )
    yield from _code(section, facility, row)


def _code(section: SiteSection, facility: Facility, row: Row) -> Iterator[Check]:
    code, country = facility.criteria.code, facility.site.country
    if section.country is not None:
        yield RULES["SITE-CODE"].verdict(
            country,
            code == row.text("code"),
            f"criteria.code {code}; usual in {row.text('name')}: {row.text('code')} or similar",
        )
    if own := row["own_code"]:
        yield RULES["SITE-CODE-OWN"].verdict(
            country,
            False,
            f"all calculations use {code} (criteria.code); usual in {row.text('name')}: {own}",
        )


def _prices(section: SiteSection, site: Site) -> Iterator[Check]:
    """Yield the checks of known grid price and carbon, without values of other countries."""
    if site.carbon_kg_per_j is None:
        location = site.country or "a site without stated country"
        yield RULES["SITE-CARBON"].not_evaluated(
            site.place, f"no grid carbon intensity included for {location}"
        )
    if site.tariff is None:
        unit = f"{site.currency or 'GBP'}/kWh"
        yield RULES["SITE-TARIFF"].not_evaluated(
            "cost.month_estimate",
            "no energy price included for "
            f"{site.country or 'a site without stated country'}: enter site.tariff in {unit}",
        )
    maximum = MAX_PRICE.get(site.currency)
    if section.tariff is not None and site.tariff is not None and maximum is not None:
        price = _J_PER_KWH * max(charge.price_per_j for charge in site.tariff.energy)
        yield RULES["SITE-PRICE"].verdict(
            "site.tariff",
            price <= maximum,
            f"energy price up to {price:,.4g} {site.currency}/kWh; plausible maximum "
            f"{maximum:g} {site.currency}/kWh",
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
