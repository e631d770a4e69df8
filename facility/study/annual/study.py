"""The designed facility through a typical year: what the design sized is what the year runs."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.trace import Findings
from facility.model.tariff import Tariff
from facility.study.annual.band import band_checks
from facility.study.annual.capacity import capacity_figures
from facility.study.annual.carbon import carbon_figures, carbon_rate
from facility.study.annual.checks import annual_checks, capacity_checks, shortage_figures
from facility.study.annual.components import component_checks, load_components
from facility.study.annual.figures import (
    demand_figures,
    energy_figures,
    load_figures,
    plant_figures,
    replace_estimates,
    water_figures,
)
from facility.study.annual.generators import tests_of_sets
from facility.study.annual.hours import Hours, hours_of
from facility.study.annual.limits.carried import carried_through
from facility.study.annual.limits.checks import limit_checks
from facility.study.annual.limits.held import held_through
from facility.study.annual.measures import (
    category_figures,
    machine_figures,
    reuse_figures,
    source_water_figures,
)
from facility.study.annual.power import power_by_part
from facility.study.annual.result import AnnualStudy, Year
from facility.study.annual.water import water_of
from facility.study.cost.ownership import Owned, ownership_figures
from facility.study.loop import Sized, balance
from facility.study.studies import Designed
from facility.study.tariff.bill import Bill, Metered, bill_of
from facility.study.tariff.figures import bill_figures

_MISSED = "hours, of the set point or limit that is missed longest"


def annual(design: Designed) -> AnnualStudy:
    """Return the designed facility through the hours of the typical year of its site.

    The IT draws the load of its profile, its mean in every hour where that is flat. Power and
    cooling are in balance at each hour with all equipment in service; what an hour holds is not
    carried into the next.

    Parameters
    ----------
    design : Design
        The design; its equipment is what runs.

    Raises
    ------
    FacilityError
        ``WEATHER_SITE`` where no year of hours is of the site.

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
    facility, hours = design.facility, hours_of(record)
    year = _year(design, hours)
    findings = Findings(design.trace.draft())
    energy_figures(year, findings)
    demand_figures(year, findings)
    load_figures(facility.load, findings)
    plant_figures(year, findings)
    water_figures(year, findings)
    bill = _bill(year, facility.site.tariff, findings)
    rate_kg_s = carbon_rate(year, facility.site)
    carbon_figures(year, findings, facility.site, rate_kg_s)
    replace_estimates(findings)
    _measures(design, year, findings)
    held, carried = held_through(design, year), carried_through(design, year)
    longest = max((each.hours for each in held), default=0.0)
    findings.note("annual.hours_beyond", longest, "count", _MISSED)
    checks = (*_checks(design, year, findings), *limit_checks(design, hours, held, carried))
    owned = Owned(design.it.gpus, design.it.it_w, hours.whole * 3600.0, design)
    ownership = ownership_figures(facility.cost, owned, findings)
    warmer = facility.site.warmer_k
    warmed = f", each {warmer:+g} K" if warmer else ""
    title = f"{facility.site.place}, {hours.whole:,.0f} hours{warmed}, IT {facility.load.words}"
    return AnnualStudy(
        year,
        findings.results,
        checks,
        findings.trace,
        title,
        bill,
        rate_kg_s,
        ownership,
        held,
        carried,
    )


def _year(design: Designed, hours: Hours) -> Year:
    """Return power, heat and water of a design at each hour of its load."""
    facility, load = design.facility, design.facility.load.through_the_year
    sized = Sized(design.chain, design.cooling)
    found = balance(facility, design.it, sized, hours.weather, load)
    return Year(
        hours,
        hours.spread(load),
        found,
        power_by_part(found, hours),
        water_of(design, found, hours),
        design.cooling.chilled,
        facility.cooling.economizer,
    )


def _measures(design: Designed, year: Year, findings: Findings) -> None:
    """Record the measures beyond energy, water, cost and carbon."""
    category_figures(findings)
    source_water_figures(findings, design.facility)
    reuse_figures(year, design.cooling, findings)
    shortage_figures(year, design.cooling, findings)
    machine_figures(year, design.point.cooling.power, findings)
    capacity_figures(design, year.hours, findings)


def _checks(design: Designed, year: Year, findings: Findings) -> Iterator[Check]:
    """Yield what is said of a year; of the load components where the project limits them."""
    yield from tests_of_sets(design.chain, findings)
    yield from annual_checks(year, design.point)
    yield from capacity_checks(year, design.cooling)
    yield from band_checks(year, design)
    stated = design.facility.criteria.component_limits
    components = load_components(design) if stated.edition else None
    if components is not None:
        yield from component_checks(components, stated, findings)


def _bill(year: Year, tariff: Tariff | None, found: Findings) -> Bill | None:
    """Return the bill of a year, with its figures recorded; None where no price is known."""
    if tariff is None:
        return None
    hours = year.hours
    apparent_va = hours.spread(year.balance.flow.utility.demand_va)
    bill = bill_of(tariff, Metered(hours.month, year.facility_w, apparent_va, hours.step_s))
    bill_figures(bill, found)
    return bill


def no_weather(design: Designed) -> FacilityError:
    """Return why a design at a place without a weather record has no year, and what to give."""
    return FacilityError(
        "WEATHER_SITE",
        "site.weather_file",
        "no year of hours is of the place of the project; without weather there is no year.",
        f"Give site.station or site.weather_file. {design.facility.site.nearest}".rstrip(),
    )
