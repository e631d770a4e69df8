"""Annual exceedance of water, coolant and inlet-air limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from facility.cooling.chain.flow import CoolingFlow
from facility.core.rounding import OVER, argmax_within_rounding
from facility.model.facility import Weather
from facility.study.annual.hours import Hours
from facility.study.annual.result import LimitExceedance, Year
from facility.study.studies import StudyContext

CLOSE_K = 0.01
"""Residual of the fan-speed and valve solution about a set point is below this."""
CLOSE = 2e-3
"""Excess over the design-hour load that barometric pressure explains: air 3 % less dense than at
the standard pressure of the site raises fan power by 3 %, and the coils remove that heat too."""
THINNER = "air density below that at the standard pressure of the design explains up to 0.2 %"

_READ: Mapping[str, Callable[[CoolingFlow], float]] = MappingProxyType(
    {
        "facility water": lambda flow: flow.fws_supply_c,
        "coolant": lambda flow: flow.tcs_supply_c,
        "inlet air": lambda flow: flow.inlet_worst_c,
    }
)


def hotter(hours: Hours, design: Weather) -> NDArray[np.bool_]:
    """Return the hours with outdoor air above the design weather, by dry or wet bulb."""
    dry = hours.air.dry_bulb_c > design.dry_bulb_c + CLOSE_K
    return np.asarray(dry | (hours.air.wet_bulb_c > design.wet_bulb_c + CLOSE_K))


def limit_exceedances(design: StudyContext, year: Year) -> tuple[LimitExceedance, ...]:
    """Return every controlled temperature of a design, with the hours of exceedance."""
    return (*_liquid(design, year), *_chilled(design, year), *_inlets(design, year))


def _liquid(design: StudyContext, year: Year) -> Iterator[LimitExceedance]:
    cooling = design.cooling
    if cooling.water is None or cooling.cdus is None:
        return
    water, plan = cooling.water.plan, cooling.cdus.plan
    bounds = [
        ("facility water", "set point", water.supply_c),
        ("facility water", f"class {water.liquid_class}", water.class_max_c),
        ("coolant", "set point", plan.tcs_supply_c),
    ]
    if plan.tcs_supply_max_c is not None:
        bounds.append(("coolant", "limit of the equipment", plan.tcs_supply_max_c))
    for name, bound, limit_c in bounds:
        yield _exceedance(design, year, (name, bound), limit_c)


def _inlets(design: StudyContext, year: Year) -> Iterator[LimitExceedance]:
    criteria = design.cooling.criteria
    bounds = {
        "recommended": criteria.air_recommended_max_c,
        "allowable": criteria.air_allowable_max_c,
        "limit of the equipment": design.cooling.chain.crah.inlet_limit_c,
    }
    for bound, limit_c in bounds.items():
        if limit_c is not None:
            yield _exceedance(design, year, ("inlet air", bound), limit_c)


def _exceedance(
    design: StudyContext, year: Year, named: tuple[str, str], limit_c: float
) -> LimitExceedance:
    hours, read = year.hours, _READ[named[0]]
    series, design_c = hours.spread(read(year.balance.cooling)), read(design.cooling_flow)
    beyond = series > limit_c + CLOSE_K
    explained = beyond & hotter(hours, design.facility.site.design)
    index = argmax_within_rounding(series)
    highest_c = float(series[index])
    return LimitExceedance(
        *named,
        limit_c,
        hours.count(beyond),
        hours.count(explained),
        highest_c if beyond.any() else min(highest_c, limit_c),
        hours.hour(index),
        bool(design_c > limit_c + CLOSE_K),
    )


def _chilled(design: StudyContext, year: Year) -> Iterator[LimitExceedance]:
    """Yield the chilled-water set point, met while the total chiller capacity covers the load.

    The temperature above the set point is not known: the plant is solved at its set point.
    """
    chilled, hours = design.cooling.chilled, year.hours
    if not chilled.installed or not chilled.capacity_w:
        return
    flow = year.balance.cooling
    each_w = hours.spread(chilled.capacity_at(flow.condenser_in_c))
    share = hours.spread(flow.chiller_load_w) / (chilled.installed * each_w)
    short, index = share > OVER, argmax_within_rounding(share)
    explained = short & hotter(hours, design.facility.site.design)
    missed = bool(short.any())
    yield LimitExceedance(
        "chilled water",
        "set point",
        chilled.plan.supply_c,
        hours.count(short),
        hours.count(explained),
        None if missed else chilled.plan.supply_c,
        hours.hour(index),
        design.cooling_flow.chiller_load_w > OVER * chilled.installed * chilled.capacity_w,
    )
