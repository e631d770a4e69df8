"""Annual simulation of the designed facility over a typical year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.cooling.chain.water import cooling_water
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.table import Results
from facility.model.tariff import Tariff
from facility.study.annual.band import band_checks
from facility.study.annual.components import component_checks, load_components
from facility.study.annual.figures import (
    carbon_figures,
    carbon_rate,
    demand_figures,
    energy_figures,
    load_figures,
    plant_figures,
    replace_estimates,
    water_figures,
)
from facility.study.annual.hours import Hours, hours_of, power_by_part
from facility.study.annual.limits.checks import (
    annual_checks,
    capacity_checks,
    limit_checks,
    shortage_figures,
)
from facility.study.annual.limits.exceedance import limit_exceedances
from facility.study.annual.limits.loading import peak_loadings
from facility.study.annual.measures import (
    capacity_figures,
    category_figures,
    machine_figures,
    reuse_figures,
    source_water_figures,
    tests_of_sets,
)
from facility.study.annual.result import AnnualStudy, Year
from facility.study.cost.ownership import Owned, ownership_figures
from facility.study.equipped import equipped
from facility.study.figures import Figures
from facility.study.loop import Sized, WingsBalance, balance
from facility.study.resolve.series import series_checks
from facility.study.studies import StudyContext
from facility.study.tariff.bill import Bill, Metered, bill_of
from facility.study.tariff.figures import bill_figures
from facility.study.tariff.tank import TankHours, dispatched, prices, standing, tank_figures


@equipped
def annual(design: StudyContext) -> AnnualStudy:
    """Return the annual study of a design over the typical year of its site.

    The IT load follows its profile, or is the mean in every hour with a flat profile. Power and
    cooling are balanced in each hour with all equipment in service; no state is carried between
    hours.

    Parameters
    ----------
    design : Design
        The design whose equipment operates.

    Raises
    ------
    FacilityError
        ``WEATHER_SITE`` without a weather year for the site.

    Examples
    --------
    >>> import facility
    >>> few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> year = facility.annual(facility.design(facility.project(few)))
    >>> len(year.months)
    12
    """
    record = design.weather_year
    if record is None:
        raise no_weather(design)
    facility = design.facility
    hours = hours_of(record, facility.load.measured)
    year, tank = _year(design, hours)
    findings = Figures(design.trace.draft())
    energy_figures(year, findings)
    demand_figures(year, findings)
    load_figures(facility.load, hours, findings)
    plant_figures(year, findings)
    water_figures(year, findings)
    bill, saving = _bill(year, tank, facility.site.tariff, findings)
    rate_kg_s = carbon_rate(year, facility.site)
    carbon_figures(year, findings, facility.site, rate_kg_s)
    replace_estimates(findings)
    category_figures(findings)
    source_water_figures(findings, design.facility)
    reuse_figures(year, design.cooling, findings)
    shortage_figures(year, design.cooling, findings)
    machine_figures(year, design.point.cooling.power, findings)
    capacity_figures(design, year.hours, findings)
    exceedances, peak_loads = limit_exceedances(design, year), peak_loadings(design, year)
    findings.figure("annual.hours_beyond", max((each.hours for each in exceedances), default=0.0))
    base_checks = (*_checks(design, year, findings), *saving)
    checks = (*base_checks, *limit_checks(design, hours, exceedances, peak_loads))
    owned = Owned(design.it.gpus, design.it.it_w, hours.whole * 3600.0, design)
    ownership = ownership_figures(facility.cost, owned, findings)
    site = facility.site
    warmed = f", each {site.warmer_k:+g} K" if site.warmer_k else ""
    title = f"{site.year_location}; {hours.whole:,.0f} hours{warmed}, IT {facility.load.words}"
    return AnnualStudy(
        year,
        Results(findings.results),
        checks,
        findings.trace,
        title,
        bill,
        rate_kg_s,
        ownership,
        exceedances,
        peak_loads,
    )


@dataclass(frozen=True, eq=False)
class _Tank:
    """A tariff-controlled tank, and the bill without it."""

    hours: TankHours
    without: Bill


def _year(design: StudyContext, hours: Hours) -> tuple[Year, _Tank | None]:
    """Return hourly power, heat and water of a design, with its tank dispatched."""
    facility = design.facility
    load = hours.only(facility.load.through_the_year)
    sized, tariff = Sized(design.chain, design.cooling), facility.site.tariff
    at = (facility, design.it, sized, hours.weather, load)
    found, tank = balance(*at), None
    if design.cooling.chain.storage is not None and tariff is not None:
        _refuse_left_out(hours)
        metered = _metered(hours, found)
        without, plain = bill_of(tariff, metered), found.cooling
        price, lowest = prices(tariff, metered, without), float(without.total.sum())
        tank = _Tank(standing(design.cooling, len(price)), without)
        for under_peak in (False, True):  # Lowest bill wins, no operation included
            run = dispatched(price, metered, design.cooling, plain, under_peak=under_peak)
            tried = balance(*at, run.flow)
            cost = float(bill_of(tariff, _metered(hours, tried)).total.sum())
            if cost < lowest:
                lowest, found, tank = cost, tried, _Tank(run, without)
    year = Year(
        hours,
        hours.spread(load),
        found,
        power_by_part(found, hours),
        cooling_water(design.cooling, found.cooling, hours.weather, hours.air),
        design.cooling.chilled,
        facility.cooling.economizer,
    )
    return year, tank


def _checks(design: StudyContext, year: Year, findings: Figures) -> Iterator[Check]:
    """Yield the checks of a year; of load components if the project limits them."""
    yield from tests_of_sets(design.chain, findings)
    load, carbon = design.facility.load.facts, design.facility.site.hourly_carbon
    if load is not None:
        yield from series_checks("it.load_profile.file", load)
    if carbon is not None:
        yield from series_checks("site.grid_carbon_file", carbon.facts)
    tariff = design.facility.site.tariff
    if tariff is not None and tariff.market is not None:
        yield from series_checks("site.price_file", tariff.market.facts)
    yield from annual_checks(year, design.point)
    yield from capacity_checks(year, design.cooling)
    yield from band_checks(year, design)
    stated = design.facility.criteria.component_limits
    components = load_components(design) if stated.edition else None
    if components is not None:
        yield from component_checks(components, stated, findings)


def _bill(
    year: Year, tank: _Tank | None, tariff: Tariff | None, found: Figures
) -> tuple[Bill | None, tuple[Check, ...]]:
    """Return the annual bill, with its figures recorded, and the check of its tank.

    None without an energy price.
    """
    if tariff is None:
        return None, ()
    bill = bill_of(tariff, _metered(year.hours, year.balance))
    only = year.hours.only
    bill = replace(bill, price_per_j=only(bill.price_per_j), last_per_j=only(bill.last_per_j))
    bill_figures(bill, found)
    if tank is None:
        return bill, ()
    return bill, (tank_figures(tank.hours, year.hours.step_s, tank.without, bill, found),)


def _metered(hours: Hours, found: WingsBalance) -> Metered:
    """Return the readings of the facility meter; omitted hours are not charged."""
    apparent_va = hours.calendar(hours.spread(found.flow.utility.demand_va), 0.0)
    power_w = hours.calendar(hours.spread(found.facility_w), 0.0)
    month = hours.month if hours.months is None else hours.months
    return Metered(month, power_w, apparent_va, hours.step_s)


def _refuse_left_out(hours: Hours) -> None:
    """Reject a storage tank in a year with omitted hours: dispatch requires every hour.

    Raises ``SERIES_GAP``.
    """
    if hours.index is not None:
        raise FacilityError(
            "SERIES_GAP",
            "it.load_profile.reading.gaps",
            "hours without a load are omitted, but the storage tank requires every hour.",
            "Fill the gaps (it.load_profile.reading.gaps: previous_week or mean).",
        )


def no_weather(design: StudyContext) -> FacilityError:
    """Return the error of a design without a weather year for its site."""
    return FacilityError(
        "WEATHER_SITE",
        "site.weather_file",
        f"no hourly weather applies to {design.facility.site.place}; the annual study requires it.",
        "Specify a weather station (site.station) or a weather file (site.weather_file). "
        f"{design.facility.site.nearest}".rstrip(),
    )
