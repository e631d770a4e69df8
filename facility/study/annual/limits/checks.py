"""What is said of a year in which a set point, a limit or a size is passed, and why it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.views import show
from facility.study.annual.hours import Hours
from facility.study.annual.limits.held import CLOSE, CLOSE_K, THINNER
from facility.study.annual.result import Carried, HeldTemperature
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
    place = int(np.argmax(air_c))
    beyond = hours.count(air_c > design_c + CLOSE_K)
    words = (
        f"{show(float(air_c[place]), 'temperature')} in hour {hours.hour(place):,}; {field} "
        f"{show(design_c, 'temperature')} ({'of the record' if open_ else 'as stated'}), "
        f"passed in {beyond:,.0f} of {hours.whole:,.0f} hours"
    )
    highest_c = float(air_c[place]) if beyond else min(float(air_c[place]), design_c)
    check = RULES["ANNUAL-WEATHER"].at_most(bulb, highest_c, design_c, "temperature", words)
    return replace(check, remedy=remedy) if check.failed else check
