"""Further annual metrics: PUE by metering point, heat reuse, source water.

Also generator tests, and the IT load that fits in the contracted utility capacity.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingPower
from facility.cooling.chain.warm_water import warm_streams
from facility.core.check import Check
from facility.model.cooling.plant import HeatReusePlan
from facility.model.facility import Facility
from facility.physics.facility.metrics import (
    annual_energy_reuse_effectiveness,
    annual_power_usage_effectiveness,
    energy_reuse_factor,
    generation_water,
    water_usage_effectiveness,
)
from facility.power.backup.fuel import fuel_curve
from facility.power.train.types import ChainDesign
from facility.study.annual.heat_pump import heat_pump_figures
from facility.study.annual.hours import Hours, power_by_part
from facility.study.annual.result import Year
from facility.study.figures import Figures
from facility.study.loop import Sized, balance
from facility.study.rules import RULES
from facility.study.studies import StudyContext

_AT_PDU = ("rack_pdu", "branch")
_AT_UPS = (*_AT_PDU, "pdu_transformer", "feeder")
_METERED = {
    1: ("UPS", _AT_UPS, "IT metered at the UPS outputs, less cooling loads on the UPS"),
    2: ("PDU", _AT_PDU, "IT metered at the PDU and panel outputs"),
    3: ("IT", (), "IT metered at the equipment inputs"),
}
_MACHINES = (
    "crah_fans", "cdu_pumps", "chw_pumps", "fws_pumps", "condenser_pumps", "heat_rejection_fans",
)  # fmt: skip


def category_figures(found: Figures) -> None:
    """Record the PUE of categories 1 to 3 of ISO/IEC 30134-2, by metering point.

    Losses between the meter and the equipment inputs count as IT.
    """
    for category, (meter, between, words) in _METERED.items():
        at = f"energy.annual.it_at_{meter.lower()}"
        losses = [f"annual.losses.{part}" for part in between]
        found.trace.sum(at, "energy", words, "energy.annual.it", *losses)
        found.do(
            f"pue.category.{category}",
            annual_power_usage_effectiveness,
            words,
            facility_j="energy.annual",
            it_j=at,
        )


def source_water_figures(found: Figures, facility: Facility) -> None:
    """Record the WUE of site and electricity if the water use of generation is stated."""
    if facility.site.grid_water_m3_j is None:
        return
    found.do(
        "water.annual.generation",
        generation_water,
        "water consumed in electricity generation",
        energy_j="energy.annual",
        water_m3_j=found.trace.link("site.grid_water", facility.site.grid_water_m3_j),
    )
    both = "water.annual.with_generation"
    words = "site water and source water of the electricity"
    found.trace.sum(both, "volume", words, "water.annual", "water.annual.generation")
    found.do("wue.source", water_usage_effectiveness, words, water_m3=both, it_j="energy.annual.it")


def reuse_figures(year: Year, design: CoolingDesign, found: Figures) -> None:
    """Record the reused heat and the annual ERF and ERE if heat reuse is stated.

    The stated share of the water that leaves the plant warm enough counts, hour by hour. Hours as
    warm as the design hour have no reuse: no equipment is sized with the help of the heat user.
    """
    plan = design.chain.heat_reuse
    if plan is None:
        return
    _warm_water(year, design, plan, found)
    reused_j = year.hours.total(year.balance.cooling.reused_w)
    found.figure("annual.reuse.heat", reused_j, plan.fraction, plan.source_c)
    of = {"reused_j": "annual.reuse.heat", "facility_j": "energy.annual"}
    found.do("erf", energy_reuse_factor, **of)
    found.do("ere", annual_energy_reuse_effectiveness, it_j="energy.annual.it", **of)
    heat_pump_figures(year, design, plan, found)


def _warm_water(year: Year, design: CoolingDesign, plan: HeatReusePlan, found: Figures) -> None:
    """Record the hourly plant water temperature and the usable heat.

    Without a heat pump, heat is usable at the temperature that its user requires.
    """
    hours = year.hours
    warm_w, warmest_c = np.zeros(len(hours)), np.full(len(hours), -np.inf)
    for stream in warm_streams(design, year.balance.cooling):
        given_w, at_c = hours.spread(stream.whole_w), hours.spread(stream.warm_c)
        warm_w = warm_w + np.where(at_c >= plan.source_c, given_w, 0.0)
        warmest_c = np.where(given_w > 0.0, np.maximum(warmest_c, at_c), warmest_c)
    flows = np.isfinite(warmest_c)
    if flows.any():
        words = "warmest water in each hour, without heat pump: "
        for end, found_c in (
            ("highest", warmest_c[flows].max()),
            ("lowest", warmest_c[flows].min()),
        ):
            id = f"annual.reuse.temperature.{end}"
            found.note(id, float(found_c), "temperature", f"{words}{end} of the year")
        found.note(
            "annual.reuse.hours.heat",
            hours.count(flows),
            "count",
            "hours with any heat in the plant water",
        )
    mean_w = hours.total(warm_w) / hours.whole / 3600.0
    found.note(
        "annual.reuse.available", mean_w, "heat_flow", "heat at a usable temperature, annual mean"
    )
    found.note(
        "annual.reuse.hours",
        hours.count(warm_w > 0.0),
        "count",
        "hours with water at a usable temperature",
    )


def machine_figures(year: Year, design: CoolingPower, found: Figures) -> None:
    """Record the full-load hours of each machine type.

    The reference is the design-hour power or, if higher, the annual maximum: economizer fans may be
    off in the design hour.
    """
    words = "annual energy divided by the design-hour power, or by the annual maximum if higher"
    for part in _MACHINES:
        power_w = year.power_w[f"cooling.{part}"]
        max_w = max(float(getattr(design, f"{part}_w")), float(np.max(power_w)))
        if max_w > 0.0:
            full_h = year.hours.total(power_w) / max_w / 3600.0
            found.note(f"annual.full_load_hours.{part}", float(round(full_h)), "count", words)


_WORDS = "on a load bank, not metered"


def tests_of_sets(chain: ChainDesign, found: Figures) -> Iterator[Check]:
    """Record hours, energy and fuel of the generator tests; yield the check of the test load."""
    plant, operation = chain.generators, chain.chain.generator.operation
    if not plant.count or not operation.test_s:
        return
    load_w = operation.test_load * plant.rating_w
    words = f"{plant.count} sets at {operation.test_load:.0%} of {plant.rating_w / 1e3:,.0f} kW"
    found.note("annual.generator.test_time", operation.test_s, "time", "per set")
    energy_j = plant.count * load_w * operation.test_s
    found.note("annual.generator.test_energy", energy_j, "energy", f"{words}, {_WORDS}")
    curve = fuel_curve(plant)
    flow = curve.at(load_w) if curve is not None else None
    if curve is None or flow is None:
        why = f"fuel.annual: fuel use of {plant.model} at {operation.test_load:.0%} is not known"
        yield RULES["GENERATOR-TEST-LOAD"].not_evaluated(plant.model, why)
        return
    fuel_m3 = plant.count * flow * operation.test_s
    found.note("fuel.annual", fuel_m3, "volume", f"tests of {words}; {curve.words}")
    limit = operation.minimum_load
    yield RULES["GENERATOR-TEST-LOAD"].at_least(plant.model, operation.test_load, limit, "fraction")


_PARTS = (90, 99)
_MIN_LOAD, _FULL_LOAD = 1e-3, 1.0
_CLOSE = 1e-6


def capacity_figures(design: StudyContext, hours: Hours, found: Figures) -> None:
    """Record the constant IT load with metered demand within the utility capacity in most hours.

    The equipment is that of the design: the result is at most the design IT load, even if capacity
    remains.
    """
    agreed_w = design.facility.site.utility_capacity_w
    if agreed_w is None:
        return
    from scipy.optimize import brentq  # here, because few sites state the power agreed

    sized, it_w = Sized(design.chain, design.cooling), design.it.it_w

    def left(load: float, part: int) -> float:
        at = balance(design.facility, design.it, sized, hours.weather, load)
        meter_w = np.sum(list(power_by_part(at, hours).values()), axis=0)
        return agreed_w - float(np.percentile(meter_w, part))

    for part in _PARTS:
        if left(_FULL_LOAD, part) >= 0.0:
            load, words = _FULL_LOAD, ": full design load"
        elif left(_MIN_LOAD, part) <= 0.0:
            load, words = 0.0, ": none"
        else:
            load, words = float(brentq(left, _MIN_LOAD, _FULL_LOAD, args=(part,), xtol=_CLOSE)), ""
        found.figure(f"capacity.it.p{part}", load * it_w, agreed_w / 1e6, words)
