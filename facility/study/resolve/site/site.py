"""The site and the identity, resolved: weather, utility, prices, identification."""

from __future__ import annotations

from facility.catalogue import Row
from facility.catalogue.places import country, country_of_place, find_country
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT, UNSTATED, Source
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.facility import HourlyCarbon, Identity, Site, Weather
from facility.model.inputs.criteria import code_of_edition
from facility.model.inputs.document import DocumentSection, Revision
from facility.model.inputs.site import LOW_VOLTAGE_V, SiteSection
from facility.physics.air.psychrometrics import standard_pressure
from facility.study.resolve.reader import Reader
from facility.study.resolve.series import hourly_carbon, words_of
from facility.study.resolve.site.tariff import currency_of, resolve_tariff, with_market
from facility.study.resolve.site.weather import (
    Record,
    refuse_unknown_weather,
    site_record,
    standard_time_h,
    stations_offered,
)

_FIFTY_HZ, _SIXTY_HZ = 50.0, 60.0
SPLIT_GRIDS_DEG = {"JP": (137.6, 138.8)}
"""Longitudes west of which a country has 60 Hz, and east of which 50 Hz. The boundary of Japan
follows the Fuji river (138.6 E) and the Itoigawa river (137.9 E); between the two longitudes are
places of both grids."""
_US_BOXES_DEG = (
    (24.4, 49.4, -125.0, -66.9),
    (51.0, 72.0, -180.0, -129.9),
    (18.8, 22.3, -160.4, -154.7),
)
"""The contiguous states, Alaska, Hawaii: south, north, west, east."""
_LV_SERVICE_A, _LARGEST_SERVICE_VA, _MIN_Z = 27e3, 2.5e6, 0.0575
_EUROPEAN_V = (400.0, 415.0)
_LV_LEVEL = Source("lv-service-fault-level", "services at low voltage", verified="memory")
_LV_DESIGN = Source("enwl-fault-levels", "low voltage")
_NO_NAME = "the calculation title; no name specified"
_TYPICAL_YEAR = "mean over all hours of the typical year of {}"
_EXTREME_DRY = "20-year extreme of {}: the plant is sized for extremes, not a typical year"
_EXTREME_WET = "extreme of {}: the plant is sized for extremes, not a typical year"


def resolve_identity(section: DocumentSection, trace: Trace) -> Identity:
    """Return the identification of the calculation; default name and status are in the ledger.

    A project without a name has its title as name.
    """
    read = Reader(section, "project", trace)
    return Identity(
        name=read.word("name", section.name, section.title, _NO_NAME if section.title else ""),
        number=section.number or "",
        title=section.title or "",
        status=read.word("status", section.status),
        originator=section.originator or "",
        checker=section.checker or "",
        revisions=tuple(_revision(revision) for revision in section.revisions or ()),
        company=section.company or "",
        approver=section.approver or "",
    )


def _revision(revision: Revision) -> tuple[str, str, str, str]:
    by = f"{revision.by} (checked {revision.checked})" if revision.checked else revision.by
    return revision.rev, revision.date, by, revision.description or ""


def resolve_site(section: SiteSection, trace: Trace, code: str | None = None) -> Site:
    """Return the site: inputs, completed from a weather record and named defaults.

    Default design temperatures are the extremes of the record, not the maxima of its typical
    year; the pressure is the one of the standard atmosphere at the elevation. Frequency, medium
    voltage and currency default to the country; without one, to the code.

    code: Code of the criteria, if specified.

    Raises ``UNKNOWN_MODEL`` for a station that is not in the catalogue, ``WEATHER_*`` for a weather
    file that cannot be used, or a location without weather, ``CONTRADICTION`` for a wet bulb above
    its dry bulb, ``UNKNOWN_COUNTRY``.
    """
    read = Reader(section, "site", trace)
    record = site_record(section, trace)
    land = _country(section, record, code, trace)
    if record is None:
        unknown = land is None and code is None and section.frequency is None
        refuse_unknown_weather(section, ("country",) if unknown else ())
    if record is not None and read.si("elevation") is None:
        facts, of = record.facts, f"of {record.name}"
        read.trace.given("site.elevation", facts.elevation_m, "length", record.source, of)
    else:
        words = "not specified: sea level; higher sites require derating"
        read("elevation", 0.0, words, UNSTATED)
    pressure_pa = float(trace.do("site.pressure", standard_pressure, elevation_m="site.elevation"))
    frequency_hz = _frequency(section, land, code, read)
    utility_v = _utility_voltage(land, frequency_hz, read)
    file = section.grid_carbon_file
    hourly = None
    if file is not None:
        path, site_h = section.folder / file, standard_time_h(section)
        hourly = hourly_carbon(path, section.grid_carbon_reading, site_h, trace)
    tariff = resolve_tariff(section, land, "" if record is None else record.first_day, trace)
    if section.price_file is not None:
        tariff = with_market(tariff, section, standard_time_h(section), trace)
    design = _design_weather(record, pressure_pa, read)
    mean = _mean_weather(record, pressure_pa, read)
    return Site(
        place=section.place or _place(section, record),
        elevation_m=trace.value("site.elevation"),
        pressure_pa=pressure_pa,
        design=design,
        mean=mean,
        utility_voltage_v=utility_v,
        frequency_hz=frequency_hz,
        fault_level_va=_fault_level(section, utility_v, read),
        x_over_r=read.given("x_over_r"),
        tariff=tariff,
        carbon_kg_per_j=_carbon(record, land, hourly, read),
        coldest_c=_coldest(record, design, mean, read),
        coldest_hour_c=None if record is None else record.coldest_hour_c,
        country="" if land is None else land.text("country"),
        currency=currency_of(section, land) if tariff is None else tariff.currency,
        record=None if record is None else record.facts,
        nearest=stations_offered(section),
        grid_water_m3_j=read.given("grid_water"),
        utility_capacity_w=read.given("utility_capacity"),
        hourly_carbon=hourly,
        warmer_k=read.given("year_warmer") or 0.0,
        climate_zone=section.climate_zone or "",
    )


def _place(section: SiteSection, record: Record | None) -> str:
    if record is not None:
        return record.facts.place
    if section.latitude is not None and section.longitude is not None:
        return f"{section.latitude.text}, {section.longitude.text}"
    return section.country or ""


def _country(
    section: SiteSection, record: Record | None, code: str | None, trace: Trace
) -> Row | None:
    """Return the country: stated, from location or record, or of the code."""
    if section.country is not None:
        return country(section.country, "site.country")
    named = country_of_place(section.place or "")
    if named is not None:
        words = f"from the location {section.place}"
        trace.ledger.add_text("site.country", named.text("country"), words, UNSTATED)
        return named
    if record is not None and (section.station is not None or section.weather_file is not None):
        return find_country(record.facts.country)
    is_fifty = section.frequency is not None and section.frequency.si == _FIFTY_HZ
    if code == "IEC" or is_fifty or _is_outside_the_us(section):
        return None
    words = "not specified: country of the code"
    return country(trace.ledger.add_text("site.country", "US", words, UNSTATED), "site.country")


def _is_outside_the_us(section: SiteSection) -> bool:
    if section.latitude is None or section.longitude is None:
        return False
    north, east = section.latitude.si, section.longitude.si
    return not any(s <= north <= n and w <= east <= e for s, n, w, e in _US_BOXES_DEG)


def default_code(site: Site, edition: str | None) -> tuple[str, str]:
    """Return the default code, and the reason.

    Code of the country; if unknown, code of the stated edition.
    """
    if site.country:
        row = country(site.country, "site.country")
        return row.text("code"), f"not specified: code of {row.text('name')}, or the most similar"
    if edition is not None:
        return code_of_edition(edition), "not specified: code of the stated edition"
    return "IEC", f"not specified: code of most {site.frequency_hz:.0f} Hz grids"


def grid_of_longitude(section: SiteSection, land: Row) -> tuple[float, str] | None:
    """Return the frequency [Hz] of a place in a country of two grids, and the reason.

    None in other countries, without a longitude, and near the boundary.
    """
    bounds = SPLIT_GRIDS_DEG.get(land.text("country"))
    if bounds is None or section.longitude is None:
        return None
    west, east = bounds
    if section.longitude.si <= west:
        return _SIXTY_HZ, f"{land.text('name')}: 60 Hz west of {west:g} E"
    if section.longitude.si >= east:
        return _FIFTY_HZ, f"{land.text('name')}: 50 Hz east of {east:g} E"
    return None


def _frequency(section: SiteSection, land: Row | None, code: str | None, read: Reader) -> float:
    if land is None or (section.frequency is not None and not grid_of_longitude(section, land)):
        usual_hz = _FIFTY_HZ if code == "IEC" else _SIXTY_HZ
        words = f"grid frequency for {code}, country not specified"
        return read("frequency", usual_hz, words, UNSTATED)
    if split := grid_of_longitude(section, land):
        frequency_hz, words = split
        return read("frequency", frequency_hz, words, land.cite("frequency_hz"))
    if land["frequency_hz"] is None:
        raise FacilityError(
            "SITE_FREQUENCY",
            "site.frequency",
            f"{land.text('name')} has grids of 50 Hz and of 60 Hz.",
            "Enter site.frequency: '50 Hz' or '60 Hz'.",
        )
    words = f"grid frequency of {land.text('name')}"
    return read("frequency", land.si("frequency_hz"), words, land.cite("frequency_hz"))


def _utility_voltage(land: Row | None, frequency_hz: float, read: Reader) -> float:
    if land is None:
        land = country("GB" if frequency_hz == _FIFTY_HZ else "US", "site.country")
        words = f"usual medium voltage at {frequency_hz:.0f} Hz; country not specified"
    else:
        words = f"usual medium voltage in {land.text('name')}"
    return read("utility_voltage", land.si("utility_v"), words, land.cite("utility_v"))


def _fault_level(section: SiteSection, utility_v: float, read: Reader) -> float | None:
    """Return the fault level; default for low-voltage services: a high typical value."""
    if section.fault_level is not None or utility_v >= LOW_VOLTAGE_V:
        return read.given("fault_level")
    european = utility_v in _EUROPEAN_V
    words = (
        "27 kA, design value of a British distributor for low-voltage networks"
        if european
        else ("largest usual utility transformer: 2,500 kVA, 5.75 %, infinite bus")
    )
    level_va = _LV_SERVICE_A * 3.0**0.5 * utility_v if european else _LARGEST_SERVICE_VA / _MIN_Z
    words = f"{utility_v:.0f} V service: {words}; request the value from the utility"
    return read("fault_level", level_va, words, _LV_DESIGN if european else _LV_LEVEL)


def _design_weather(record: Record | None, pressure_pa: float, read: Reader) -> Weather:
    known: dict[str, float | None] = {}
    if record is not None:
        known["design_dry_bulb"] = record.design_dry_bulb_c
        known["design_wet_bulb"] = record.design_wet_bulb_c
    names = ("design_dry_bulb", "design_wet_bulb")
    missing = [name for name in names if read.si(name) is None and known.get(name) is None]
    if missing:
        fields = " and ".join(f"site.{name}" for name in missing)
        raise FacilityError(
            "WEATHER_DESIGN",
            f"site.{missing[0]}",
            "the header of the weather file has no design conditions.",
            f"Enter {fields}, e.g. '30 degC': the 20-year extreme of the dry bulb and the extreme "
            "of the wet bulb. The maximum of a typical year is not a design condition.",
        )
    name, source = ("", PROJECT) if record is None else (record.name, record.source)
    if record is not None and record.facts.edition:
        name = f"{name} ({record.facts.edition})"
    dry_bulb_c, wet_bulb_c = (
        read(field, known.get(field), basis.format(name), source)
        for field, basis in zip(names, (_EXTREME_DRY, _EXTREME_WET), strict=True)
    )
    return _weather("design", dry_bulb_c, wet_bulb_c, pressure_pa)


def _coldest(
    record: Record | None, design: Weather, mean: Weather | None, read: Reader
) -> float | None:
    """Return the 20-year minimum dry bulb; None if neither project nor record contains it.

    Raises ``CONTRADICTION`` if it is above design or mean air, or an hour of the record.
    """
    coldest_c = read.given("coldest_dry_bulb", noted=False)
    if coldest_c is None:
        return None if record is None else record.coldest_c
    colder = {
        "site.mean_dry_bulb": None if mean is None else mean.dry_bulb_c,
        "site.design_dry_bulb": design.dry_bulb_c,
        "the coldest hour of the record": None if record is None else record.coldest_hour_c,
    }
    for name, known_c in colder.items():
        if known_c is not None and coldest_c > known_c:
            raise FacilityError(
                "CONTRADICTION",
                "site.coldest_dry_bulb",
                f"the 20-year minimum dry bulb ({show(coldest_c, 'temperature')}) is above {name} "
                f"({show(known_c, 'temperature')}).",
                "Enter the 20-year minimum dry bulb, or omit it.",
            )
    return coldest_c


def _mean_weather(record: Record | None, pressure_pa: float, read: Reader) -> Weather | None:
    """Return the annual mean; None if neither project nor record contains it."""
    if record is None:
        dry_bulb_c, wet_bulb_c = read.si("mean_dry_bulb"), read.si("mean_wet_bulb")
        if dry_bulb_c is None or wet_bulb_c is None:
            return None
        means, name, source = (dry_bulb_c, wet_bulb_c), "", PROJECT
    else:
        means = record.mean_dry_bulb_c, record.mean_wet_bulb_c
        name, source = record.name, record.source
    words = _TYPICAL_YEAR.format(name)
    dry_bulb_c = read("mean_dry_bulb", means[0], words, source)
    wet_bulb_c = read("mean_wet_bulb", means[1], words, source)
    return _weather("mean", dry_bulb_c, wet_bulb_c, pressure_pa)


def _weather(name: str, dry_bulb_c: float, wet_bulb_c: float, pressure_pa: float) -> Weather:
    if wet_bulb_c > dry_bulb_c:
        raise FacilityError(
            "CONTRADICTION",
            f"site.{name}_wet_bulb",
            f"the wet bulb of {show(wet_bulb_c, 'temperature')} is above the dry bulb of "
            f"{show(dry_bulb_c, 'temperature')}.",
            f"Enter both site.{name}_dry_bulb and site.{name}_wet_bulb.",
        )
    return Weather(dry_bulb_c, wet_bulb_c, pressure_pa)


def _carbon(
    record: Record | None, land: Row | None, hourly: HourlyCarbon | None, read: Reader
) -> float | None:
    """Return the grid carbon intensity; the record's region only in the site country."""
    if hourly is not None:
        source = Source("project", f"{hourly.file[:60]}, SHA-256 {hourly.digest}")
        mean = float(hourly.kg_per_j.mean())
        words = f"mean of the hours in the file{words_of(hourly.facts.notes)}"
        return read.trace.given("site.grid_carbon", mean, "carbon_intensity", source, words)
    given = read.given("grid_carbon")
    abroad = record is not None and land is not None and record.facts.country != land["country"]
    if given is not None or record is None or record.carbon is None or abroad:
        return given
    row = record.carbon
    return read(
        "grid_carbon",
        row.si("co2e_kg_per_kwh"),
        f"annual mean of the grid region {row.text('region')}, {row.text('year')}",
        row.cite("co2e_kg_per_kwh"),
    )
