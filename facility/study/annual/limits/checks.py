"""Checks of a year: power and heat balance, capacity, set points and limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.installed import installed_units
from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, argmax_within_rounding
from facility.core.views import show
from facility.study.annual.hours import Hours
from facility.study.annual.limits.exceedance import CLOSE, CLOSE_K, THINNER
from facility.study.annual.result import LimitExceedance, PeakLoading, Year
from facility.study.figures import Figures
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES
from facility.study.studies import StudyContext

_SOFT = ("set point", "recommended")
"""Bounds outside which equipment is still in its allowable range."""


def limit_checks(
    design: StudyContext,
    hours: Hours,
    exceedances: tuple[LimitExceedance, ...],
    peak_loads: tuple[PeakLoading, ...],
) -> Iterator[Check]:
    """Yield the checks of temperatures and equipment loading over the year."""
    yield from (_exceedance_check(each, hours) for each in exceedances)
    for each in peak_loads:
        limit, words = 1.0, f"{each.load:.1%} of capacity, hour {each.hour:,}"
        if each.of_fans and 1.0 < each.load <= 1.0 + CLOSE:
            limit, words = 1.0 + CLOSE, f"{words}; {THINNER}"
        yield RULES["ANNUAL-LOADING"].at_most(each.name, each.load, limit, "fraction", words)
    air, weather = hours.air, design.facility.site.design
    yield _weather(design, hours, "dry bulb", air.dry_bulb_c, weather.dry_bulb_c)
    yield _weather(design, hours, "wet bulb", air.wet_bulb_c, weather.wet_bulb_c)


def _exceedance_check(exceedance: LimitExceedance, hours: Hours) -> Check:
    rule = RULES["ANNUAL-SETPOINT"] if exceedance.bound in _SOFT else RULES["ANNUAL-LIMIT"]
    subject, words = (
        f"{exceedance.name}, {exceedance.bound}",
        f"{_maximum_text(exceedance)}; {_duration_text(exceedance, hours)}",
    )
    if exceedance.highest_c is None:
        return rule.verdict(subject, False, words)
    return rule.at_most(subject, exceedance.highest_c, exceedance.limit_c, "temperature", words)


def _maximum_text(exceedance: LimitExceedance) -> str:
    limit = f"{exceedance.bound} {show(exceedance.limit_c, 'temperature')}"
    if exceedance.highest_c is None:
        return (
            f"{limit}; total chiller capacity is below the load, most in hour {exceedance.hour:,}"
        )
    return (
        f"maximum {show(exceedance.highest_c, 'temperature')} in hour {exceedance.hour:,}, {limit}"
    )


def _duration_text(exceedance: LimitExceedance, hours: Hours) -> str:
    if not exceedance.hours:
        return f"not exceeded in {hours.whole:,.0f} hours"
    beyond = f"exceeded in {exceedance.hours:,.0f} of {hours.whole:,.0f} hours"
    if exceedance.designed:
        return f"{beyond}, and in the design hour: see the design checks"
    within = exceedance.hours - exceedance.explained
    if not within:
        return f"{beyond}, all with outdoor air above the design weather (ANNUAL-WEATHER)"
    if not exceedance.explained:
        return f"{beyond}, none with outdoor air above the design weather"
    return f"{beyond}, {within:,.0f} of them with outdoor air within the design weather"


def _weather(
    design: StudyContext, hours: Hours, bulb: str, air_c: FloatArray, design_c: float
) -> Check:
    """Return the check of the dry or wet bulb of the record vs. the design value."""
    field = f"site.design_{bulb.replace(' ', '_')}"
    open_ = any(assumed.id == field for assumed in design.trace.ledger)
    remedy = (
        RULES["ANNUAL-WEATHER"].remedy
        if not open_
        else f"Specify {field}; the weather record has hotter hours."
    )
    index = argmax_within_rounding(air_c)
    beyond = hours.count(air_c > design_c + CLOSE_K)
    words = (
        f"{show(float(air_c[index]), 'temperature')} in hour {hours.hour(index):,}; {field} "
        f"{show(design_c, 'temperature')} ({'from the record' if open_ else 'stated'}), "
        f"exceeded in {beyond:,.0f} of {hours.whole:,.0f} hours"
    )
    highest_c = float(air_c[index]) if beyond else min(float(air_c[index]), design_c)
    check = RULES["ANNUAL-WEATHER"].at_most(bulb, highest_c, design_c, "temperature", words)
    return replace(check, remedy=remedy) if check.failed else check


def annual_checks(year: Year, point: OperatingPoint) -> Iterator[Check]:
    """Yield the checks of the annual power balance, heat balance and peak demand."""
    supplied = year.hours.spread(year.balance.flow.utility.demand_w)
    apart = float(np.max(np.abs(year.facility_w - supplied) / supplied))
    yield RULES["ANNUAL-METER"].at_most("every hour", apart, ROUNDING, "ratio")
    cooling = year.balance.cooling
    given = year.hours.spread(cooling.collected_w + cooling.power.into_water_w)
    left = year.hours.spread(cooling.rejected_w + cooling.reused_w - cooling.tank_w)
    apart = float(np.max(np.abs(left - given) / given))
    yield RULES["ANNUAL-HEAT"].at_most("every hour", apart, ROUNDING, "ratio")
    peak_w, hour = float(year.facility_w.max()), argmax_within_rounding(year.facility_w)
    air = year.hours.air
    words = (
        f"hour {year.hours.hour(hour):,}: "
        f"{show(float(air.dry_bulb_c[hour]), 'temperature')} dry bulb, "
        f"{show(float(air.wet_bulb_c[hour]), 'temperature')} wet bulb, "
        f"{year.load[hour]:.0%} of the IT load"
    )
    yield RULES["ANNUAL-PEAK"].at_most("facility", peak_w, point.facility_w, "active_power", words)


def capacity_checks(year: Year, design: CoolingDesign) -> Iterator[Check]:
    """Yield the checks of the hourly load vs. the installed capacity."""
    for one in installed_units(design, year.balance.cooling):
        required, capacity = np.broadcast_arrays(
            np.atleast_1d(one.required), np.atleast_1d(one.capacity)
        )
        # The hour of highest loading or, without installed capacity, of highest load.
        worst = argmax_within_rounding(required / np.where(capacity > 0.0, capacity, 1.0))
        required_max, capacity_min = float(required[worst]), float(capacity[worst])
        count = year.hours.count(year.hours.spread(one.shortfall) > 0.0)
        words = f"{one.installed} installed"
        if count:
            unserved = show(year.hours.total(one.unserved_w), "energy")
            words += (
                f": short for {count:,.0f} h, {unserved} unserved; annual energy and PUE assume"
                " sufficient capacity"
            )
        if capacity_min < required_max <= capacity_min * (1.0 + CLOSE):
            capacity_min, words = capacity_min * (1.0 + CLOSE), f"{words}; {THINNER}"
        yield RULES["ANNUAL-CAPACITY"].at_most(
            one.name, required_max, capacity_min, one.kind, words
        )


def shortage_figures(year: Year, design: CoolingDesign, found: Figures) -> None:
    """Record the hours of insufficient cooling capacity and the unserved energy.

    The heat passes through the unit types in series: the type with the largest shortfall counts.
    """
    unserved_w = np.zeros(len(year.hours))
    for one in installed_units(design, year.balance.cooling):
        unserved_w = np.maximum(unserved_w, year.hours.spread(one.unserved_w))
    found.figure("annual.short.hours", year.hours.count(unserved_w > 0.0))
    found.figure("annual.short.heat", year.hours.total(unserved_w))
