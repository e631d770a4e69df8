"""What must hold of a year: its parts are its meter, and its highest hour is within the design."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.installed import InstalledUnits, installed_units
from facility.core.check import Check
from facility.core.rounding import ROUNDING
from facility.core.trace import Findings
from facility.core.views import show
from facility.study.annual.limits.held import CLOSE, THINNER
from facility.study.annual.result import Year
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES

"""Relative difference of parts and meter, and of heat in and out: what arithmetic leaves behind."""


def annual_checks(year: Year, point: OperatingPoint) -> Iterator[Check]:
    """Yield the checks of a year against its meter and the design hour."""
    supplied = year.hours.spread(year.balance.flow.utility.demand_w)
    apart = float(np.max(np.abs(year.facility_w - supplied) / supplied))
    yield RULES["ANNUAL-METER"].at_most("every hour", apart, ROUNDING, "ratio")
    cooling = year.balance.cooling
    given = year.hours.spread(cooling.collected_w + cooling.power.into_water_w)
    left = year.hours.spread(cooling.rejected_w - cooling.tank_w)
    apart = float(np.max(np.abs(left - given) / given))
    yield RULES["ANNUAL-HEAT"].at_most("every hour", apart, ROUNDING, "ratio")
    peak_w, hour = float(year.facility_w.max()), int(np.argmax(year.facility_w))
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
        worst = int(np.argmax(asked / np.where(given > 0.0, given, 1.0)))
        most, least = float(asked[worst]), float(given[worst])
        words = _lacking_words(year, one)
        if least < most <= least * (1.0 + CLOSE):
            least, words = least * (1.0 + CLOSE), f"{words}; {THINNER}"
        yield RULES["ANNUAL-CAPACITY"].at_most(one.name, most, least, one.kind, words)


def shortage_figures(year: Year, design: CoolingDesign, found: Findings) -> None:
    """Record in how many hours units are short and the heat that nothing removes.

    The heat passes one kind of unit after the other: it is that of the kind that leaves most.
    """
    left_w = np.zeros(len(year.hours))
    for one in installed_units(design, year.balance.cooling):
        left_w = np.maximum(left_w, year.hours.spread(one.left_w))
    words = "in which air handlers, CDUs, chillers or heat rejection give less than is asked"
    found.note("annual.short.hours", year.hours.count(left_w > 0.0), "count", words)
    words = "energy and PUE of the year are as if it were"
    found.note("annual.short.heat", year.hours.total(left_w), "energy", f"not removed: {words}")


def _lacking_words(year: Year, one: InstalledUnits) -> str:
    lacking = year.hours.spread(one.lacking)
    count = year.hours.count(lacking > 0.0)
    if not count:
        return f"{one.installed} stand"
    words = f"{one.installed} stand: short in {count:,.0f} hours"
    left_j = year.hours.total(one.left_w)
    words += f", {show(left_j, 'energy')} of heat are not removed"
    return f"{words}; energy and PUE of the year are as if they were not short"
