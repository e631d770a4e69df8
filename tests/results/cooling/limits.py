"""Hours of the year beyond each limit of water, coolant and inlet air, counted once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from facility.study.annual.study import annual
from facility.study.design.design import Design
from tests.results.cooling.stated import _capacity
from tests.results.second import differs

_OVER_K, _OVER = 0.01, 1.0 + 1e-6


def limits_of_the_year(found: Design) -> Iterator[str]:
    """Every limit: hours beyond it, those in air beyond the design, the highest, and its hour."""
    study = annual(found)
    year, cooling, site = study.year, found.cooling, found.facility.site
    flow, count, criteria = year.balance.cooling, len(year.hours), found.facility.criteria
    air, design = year.hours.air, site.design
    hot = (air.dry_bulb_c > design.dry_bulb_c + _OVER_K) | (
        air.wet_bulb_c > design.wet_bulb_c + _OVER_K
    )
    bounds: dict[tuple[str, str], tuple[Any, Any, float | None]] = {}
    now = found.cooling_flow
    if cooling.water is not None and cooling.cdus is not None:
        water, cdu = cooling.water.plan, cooling.cdus.plan
        of_water = flow.fws_supply_c, now.fws_supply_c
        of_coolant = flow.tcs_supply_c, now.tcs_supply_c
        bounds["facility water", "set point"] = *of_water, water.supply_c
        bounds["facility water", f"class {water.liquid_class}"] = *of_water, water.class_max_c
        bounds["coolant", "set point"] = *of_coolant, cdu.tcs_supply_c
        bounds["coolant", "limit of the equipment"] = *of_coolant, cdu.tcs_supply_max_c
    of_inlets = flow.inlet_worst_c, now.inlet_worst_c
    bounds["inlet air", "recommended"] = *of_inlets, criteria.air_recommended_max_c
    bounds["inlet air", "allowable"] = *of_inlets, criteria.air_allowable_max_c
    limit = cooling.chain.crah.inlet_limit_c
    bounds["inlet air", "limit of the equipment"] = *of_inlets, limit
    shown = {(one.name, one.bound): one for one in study.exceedances}
    step = year.hours.step_s / 3600.0
    for named, (series, at_design, limit_c) in bounds.items():
        if limit_c is None:
            continue
        values = np.broadcast_to(np.asarray(series, dtype=float), count)
        beyond, one, at = values > limit_c + _OVER_K, shown.pop(named), " ".join(named)
        yield from differs(f"limit, {at}", one.limit_c, limit_c)
        yield from differs(f"hours, {at}", one.hours, step * float(beyond.sum()))
        yield from differs(f"hotter hours, {at}", one.explained, step * float((beyond & hot).sum()))
        highest = float(values.max()) if beyond.any() else min(float(values.max()), limit_c)
        yield from differs(f"highest, {at}", one.highest_c or 0.0, highest)
        yield from differs(f"hour, {at}", float(values[one.hour - 1]), float(values.max()))
        if one.designed != bool(at_design > limit_c + _OVER_K):
            yield f"{at}: {one.designed} in the design hour"
    chilled = cooling.chilled
    if chilled.installed and chilled.capacity_w:
        one = shown.pop(("chilled water", "set point"))
        together = chilled.installed * _capacity(found, np.asarray(flow.condenser_in_c))
        short = np.broadcast_to(flow.chiller_load_w > together * _OVER, count)
        yield from differs("hours, chilled water", one.hours, step * float(short.sum()))
        hotter = step * float((short & hot).sum())
        yield from differs("hotter hours, chilled water", one.explained, hotter)
        if (one.highest_c is None) != bool(short.any()):
            yield f"highest, chilled water: {one.highest_c}"
    if shown:
        yield f"limits of the year: {sorted(shown)}"
    told = {
        (c.rule, c.subject): c.failed
        for c in study.checks
        if c.rule in ("ANNUAL-SETPOINT", "ANNUAL-LIMIT")
    }
    for one in study.exceedances:
        rule = "ANNUAL-SETPOINT" if one.bound == "set point" else "ANNUAL-LIMIT"
        subject = f"{one.name}, {one.bound}"
        if (rule, subject) in told and told[rule, subject] != (one.hours > 0.0):
            yield f"{rule} of {subject}: failed {told[rule, subject]}, {one.hours} h"
