"""Annual figures as steps of the trace: energy, effectiveness, water, cost, carbon."""

from __future__ import annotations

import numpy as np

from facility.catalogue.series import in_steps
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, argmax_within_rounding
from facility.model.facility import Site
from facility.model.load_profile import LoadProfile
from facility.physics.facility.metrics import (
    MONTHS_PER_YEAR,
    annual_power_usage_effectiveness,
    carbon,
    carbon_usage_effectiveness,
    water_usage_effectiveness,
)
from facility.study.annual.hours import Hours
from facility.study.annual.result import Year
from facility.study.figures import Figures

_HOUR_S = 3600
_QUANTILES = (50, 90, 99)
_HOURS = "from the hours of the year"
_SAME_LOAD = {
    "it": {"design": "load.it", "mean": "it.load_factor"},
    "house": {"design": "load.house"},
}
"""Steps that state the power of a part in the year."""
_PARTIAL = {
    "cooling": "IT and cooling energy divided by IT energy",
    "losses": "IT energy and electrical losses divided by IT energy",
}


def energy_figures(year: Year, found: Figures) -> None:
    """Record energy by part and group, the annual PUE and the partial PUEs."""
    words = f"sum over {year.hours.whole:,.0f} hours"
    for id, power_w in year.power_w.items():
        total_j = year.hours.total(power_w)
        found.note(f"annual.{id}", total_j, "energy", words, **_SAME_LOAD.get(id, {}))
    groups = []
    for group in year.groups:
        key = f"energy.annual.{group}"
        parts = {f"annual.{id}": year.hours.total(year.power_w[id]) for id in year.parts_of(group)}
        found.trace.add(key, "energy", words, parts)
        found.show(key)
        groups.append(key)
    found.sum("energy.annual", "energy", "at the facility meter", *groups)
    it = {"it_j": "energy.annual.it"}
    found.do("pue.annual", annual_power_usage_effectiveness, facility_j="energy.annual", **it)
    for group, words in _PARTIAL.items():
        both = f"energy.annual.it_and_{group}"
        found.trace.sum(both, "energy", words, "energy.annual.it", f"energy.annual.{group}")
        found.do(f"ppue.{group}", annual_power_usage_effectiveness, words, facility_j=both, **it)


def demand_figures(year: Year, found: Figures) -> None:
    """Record the peak at the meter, its hour, and the load duration."""
    total = year.facility_w
    hour = argmax_within_rounding(total)
    found.figure("annual.peak", float(total[hour]))
    found.figure("annual.peak.hour", float(year.hours.hour(hour)))
    apparent = year.hours.spread(year.balance.flow.utility.demand_va)
    found.figure("annual.peak_kva", float(apparent.max()))
    for part in _QUANTILES:
        found.figure(f"annual.p{part}", float(np.percentile(total, part)))
    found.figure("annual.load_factor", float(total.mean() / total.max()))


def load_figures(profile: LoadProfile, hours: Hours, found: Figures) -> None:
    """Record the IT load relative to the design, and the totals of its training jobs."""
    if profile.measured is not None:
        found.figure("annual.hours_measured", hours.whole)
    parts = {"mean": profile.mean}
    if profile.lowest < profile.highest:
        parts |= {"highest": profile.highest, "lowest": profile.lowest}
    for name, part in parts.items():
        found.figure(f"annual.load.{name}", part)
    training = profile.training
    if training is None:
        return
    found.figure("annual.load.steps", training.steps)
    found.figure("annual.load.effective", training.steps - training.lost)
    found.figure("annual.load.failures", float(training.failures))
    found.figure("annual.load.checkpoints", float(training.checkpoints))


def plant_figures(year: Year, found: Figures) -> None:
    """Record economizer hours and full-load hours of the chillers."""
    cooling, hours = year.balance.cooling, year.hours
    chillers, condenser_in_c = year.chillers, cooling.condenser_in_c
    if chillers.on_duty:
        given_w = chillers.installed * chillers.capacity_at(condenser_in_c)
        taken_w = np.minimum(hours.spread(cooling.chiller_load_w), hours.spread(given_w))
        max_w = max(chillers.on_duty * chillers.capacity_w, float(taken_w.max()))
        full_h = hours.total(taken_w) / max_w / 3600.0
        found.figure("annual.chiller_full_load_hours", float(round(full_h)))
    if year.economizer.kind == "none":
        return
    share = year.economizer_share
    counts = {
        "full": share >= 1.0 - ROUNDING,
        "partial": (share > ROUNDING) & (share < 1.0 - ROUNDING),
        "none": share <= ROUNDING,
    }
    for mode, at in counts.items():
        found.figure(f"annual.economizer.{mode}", hours.count(at))
    found.figure("annual.economizer.heat", hours.total(cooling.economizer_w))


def water_figures(year: Year, found: Figures) -> None:
    """Record the site water by use, and the WUE."""
    water, towers = year.water, "open towers"
    parts: dict[str, tuple[FloatArray, str]] = {
        "evaporation": (water.towers.evaporation_m3_s, towers),
        "drift": (water.towers.drift_m3_s, towers),
        "blowdown": (water.towers.blowdown_m3_s, towers),
        "humidifiers": (
            water.humidifiers_m3_s,
            "outdoor air of the halls, humidified to the minimum dew point",
        ),
    }
    if water.pads_of:
        parts["pads"] = (water.pads_m3_s, f"evaporated on the wetted pads of {water.pads_of}")
        parts["pads_bled"] = (
            water.pads_bled_m3_s,
            "pad blowdown, limits the concentration of their water",
        )
    for name, (flow, words) in parts.items():
        found.note(f"water.annual.{name}", year.hours.total(flow), "volume", words)
    if water.pads_of:
        wet = year.hours.count(water.pads_m3_s > 0.0)
        found.note("annual.pad_hours", wet, "count", f"hours with wet pads of {water.pads_of}")
    names = [f"water.annual.{name}" for name in parts]
    found.sum("water.annual", "volume", "open towers, pads, humidifiers", *names)
    it = {"it_j": "energy.annual.it"}
    found.do("wue.site", water_usage_effectiveness, water_m3="water.annual", **it)


def replace_estimates(found: Figures) -> None:
    """Record annual figures under the keys of the estimates used without a weather record."""
    found.do(
        "pue.estimate",
        annual_power_usage_effectiveness,
        f"{_HOURS}: pue.annual",
        facility_j="energy.annual",
        it_j="energy.annual.it",
    )
    for key, of in (
        ("energy.annual_estimate", "energy.annual"),
        ("carbon.annual_estimate", "carbon.annual"),
    ):
        if of in found.results:
            step = found.trace[of]
            found.note(key, step.value, step.kind, f"{_HOURS}: {of}", year=of)
    if "cost.annual" in found.results:
        step = found.trace["cost.annual"]
        month = step.value / MONTHS_PER_YEAR
        words = f"{_HOURS}: one twelfth of the annual electricity cost"
        found.note("cost.month_estimate", month, step.kind, words, year="cost.annual")


def carbon_rate(year: Year, site: Site) -> FloatArray | None:
    """Return the carbon rate of each step [kg/s]; None without an hourly grid intensity.

    29 February is omitted, or as 28 February, to match the weather record.
    """
    hourly = site.hourly_carbon
    if hourly is None:
        return None
    steps, step_s = round(year.hours.days * 24.0 / year.hours.step_h), round(year.hours.step_s)
    kg_per_j, _ = in_steps(hourly.kg_per_j, _HOUR_S, steps, step_s)
    return np.asarray(year.facility_w * year.hours.only(kg_per_j))


def carbon_figures(year: Year, found: Figures, site: Site, rate_kg_s: FloatArray | None) -> None:
    """Record location-based carbon and the CUE if the grid intensity is known."""
    if site.carbon_kg_per_j is None:
        return
    if rate_kg_s is None:
        intensity = found.trace.link("site.grid_carbon", site.carbon_kg_per_j)
    else:
        weighted = year.hours.total(rate_kg_s) / year.hours.total(year.facility_w)
        intensity = "carbon.intensity"
        found.figure(intensity, weighted, mean="site.grid_carbon")
    rate = {"intensity_kg_per_j": intensity}
    found.do("carbon.annual", carbon, energy_j="energy.annual", **rate)
    it = {"it_j": "energy.annual.it"}
    found.do("cue", carbon_usage_effectiveness, carbon_kg="carbon.annual", **it)
