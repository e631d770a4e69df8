"""What must hold of a year: its meter, the sizes of the design, set points, limits; and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.installed import installed_units
from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, first_largest
from facility.core.views import show
from facility.study.annual.hours import Hours
from facility.study.annual.limits.held import CLOSE, CLOSE_K, THINNER
from facility.study.annual.result import Carried, HeldTemperature, Year
from facility.study.figures import Figures
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES
from facility.study.studies import Designed

_SOFT = ("set point", "recommended")
"""Bounds beyond which equipment still is in its allowable range."""


def limit_checks(
    design: Designed, hours: Hours, held: tuple[HeldTemperature, ...], carried: tuple[Carried, ...]
) -> Iterator[Check]:
    """Yield what the year misses of what a design is to hold and to carry."""
    yield from (_held(each, hours) for each in held)
    for each in carried:
        limit, words = 1.0, f"{each.load:.1%} of what it gives, in hour {each.hour:,}"
        if each.of_fans and 1.0 < each.load <= 1.0 + CLOSE:
            limit, words = 1.0 + CLOSE, f"{words}; {THINNER}"
        yield RULES["ANNUAL-LOADING"].at_most(each.name, each.load, limit, "fraction", words)
    air, weather = hours.air, design.facility.site.design
    yield _weather(design, hours, "dry bulb", air.dry_bulb_c, weather.dry_bulb_c)
    yield _weather(design, hours, "wet bulb", air.wet_bulb_c, weather.wet_bulb_c)


def _held(held: HeldTemperature, hours: Hours) -> Check:
    rule = RULES["ANNUAL-SETPOINT"] if held.bound in _SOFT else RULES["ANNUAL-LIMIT"]
    subject, words = f"{held.name}, {held.bound}", f"{_at_most(held)}; {_for_how_long(held, hours)}"
    if held.highest_c is None:
        return rule.verdict(subject, False, words)
    return rule.at_most(subject, held.highest_c, held.limit_c, "temperature", words)


def _at_most(held: HeldTemperature) -> str:
    limit = f"{held.bound} {show(held.limit_c, 'temperature')}"
    if held.highest_c is None:
        return (
            f"{limit}, and the chillers together give less than their load, most in hour "
            f"{held.hour:,}"
        )
    return f"at most {show(held.highest_c, 'temperature')} in hour {held.hour:,}, {limit}"


def _for_how_long(held: HeldTemperature, hours: Hours) -> str:
    if not held.hours:
        return f"beyond it in none of {hours.whole:,.0f} hours"
    beyond = f"beyond it in {held.hours:,.0f} of {hours.whole:,.0f} hours"
    if held.designed:
        return f"{beyond}, and in the design hour: see the checks of the design"
    within = held.hours - held.explained
    if not within:
        return f"{beyond}, all in air beyond the design weather (ANNUAL-WEATHER)"
    if not held.explained:
        return f"{beyond}, none of them in air beyond the design weather"
    return f"{beyond}, {within:,.0f} of them in air within the design weather"


def _weather(
    design: Designed, hours: Hours, bulb: str, air_c: FloatArray, design_c: float
) -> Check:
    """Return the check of a bulb of the record against that of the design, stated or a default."""
    field = f"site.design_{bulb.replace(' ', '_')}"
    open_ = any(assumed.id == field for assumed in design.trace.ledger)
    remedy = (
        RULES["ANNUAL-WEATHER"].remedy
        if not open_
        else f"State {field}: the record has hotter hours."
    )
    place = first_largest(air_c)
    beyond = hours.count(air_c > design_c + CLOSE_K)
    words = (
        f"{show(float(air_c[place]), 'temperature')} in hour {hours.hour(place):,}; {field} "
        f"{show(design_c, 'temperature')} ({'of the record' if open_ else 'as stated'}), "
        f"passed in {beyond:,.0f} of {hours.whole:,.0f} hours"
    )
    highest_c = float(air_c[place]) if beyond else min(float(air_c[place]), design_c)
    check = RULES["ANNUAL-WEATHER"].at_most(bulb, highest_c, design_c, "temperature", words)
    return replace(check, remedy=remedy) if check.failed else check


def annual_checks(year: Year, point: OperatingPoint) -> Iterator[Check]:
    """Yield the checks of a year against its meter and the design hour."""
    supplied = year.hours.spread(year.balance.flow.utility.demand_w)
    apart = float(np.max(np.abs(year.facility_w - supplied) / supplied))
    yield RULES["ANNUAL-METER"].at_most("every hour", apart, ROUNDING, "ratio")
    cooling = year.balance.cooling
    given = year.hours.spread(cooling.collected_w + cooling.power.into_water_w)
    left = year.hours.spread(cooling.rejected_w + cooling.reused_w - cooling.tank_w)
    apart = float(np.max(np.abs(left - given) / given))
    yield RULES["ANNUAL-HEAT"].at_most("every hour", apart, ROUNDING, "ratio")
    peak_w, hour = float(year.facility_w.max()), first_largest(year.facility_w)
    air = year.hours.air
    words = (
        f"hour {year.hours.hour(hour):,}: "
        f"{show(float(air.dry_bulb_c[hour]), 'temperature')} dry bulb, "
        f"{show(float(air.wet_bulb_c[hour]), 'temperature')} wet bulb, "
        f"{year.load[hour]:.0%} of the IT load"
    )
    yield RULES["ANNUAL-PEAK"].at_most("facility", peak_w, point.facility_w, "active_power", words)


def capacity_checks(year: Year, design: CoolingDesign) -> Iterator[Check]:
    """Yield whether the units that stand give what the hours ask of them."""
    for one in installed_units(design, year.balance.cooling):
        asked, given = np.broadcast_arrays(np.atleast_1d(one.asked), np.atleast_1d(one.given))
        # The hour of the largest share; where nothing stands, of the most that is asked.
        worst = first_largest(asked / np.where(given > 0.0, given, 1.0))
        most, least = float(asked[worst]), float(given[worst])
        count = year.hours.count(year.hours.spread(one.lacking) > 0.0)
        words = f"{one.installed} stand"
        if count:
            left = show(year.hours.total(one.left_w), "energy")
            words += (
                f": short in {count:,.0f} hours, {left} of heat are not removed; energy and PUE of"
                " the year are as if they were not short"
            )
        if least < most <= least * (1.0 + CLOSE):
            least, words = least * (1.0 + CLOSE), f"{words}; {THINNER}"
        yield RULES["ANNUAL-CAPACITY"].at_most(one.name, most, least, one.kind, words)


def shortage_figures(year: Year, design: CoolingDesign, found: Figures) -> None:
    """Record in how many hours units are short and the heat that nothing removes.

    The heat passes one kind of unit after the other: it is that of the kind that leaves most.
    """
    left_w = np.zeros(len(year.hours))
    for one in installed_units(design, year.balance.cooling):
        left_w = np.maximum(left_w, year.hours.spread(one.left_w))
    found.figure("annual.short.hours", year.hours.count(left_w > 0.0))
    found.figure("annual.short.heat", year.hours.total(left_w))
