"""Catalogue CDUs for one coolant loop: number of each, and its limit.

A capacity applies to one approach, flow and fluid. Each unit is modelled from its own rating point
and then solved at the fluids, temperatures and flows of the loop; a unit with missing data
is excluded from selection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from facility.cooling.parts.cdu import CduDesign, size_cdus
from facility.core.errors import FacilityError
from facility.core.rounding import rounded, whole_units
from facility.core.views import show
from facility.model.cooling.chain import CduPlan, FacilityWaterPlan
from facility.model.cooling.liquid import CduCandidate, RackCoolant
from facility.model.cooling.units import CduUnit

MOUNTS = ("in-rack", "in-row", "row/perimeter")
"""CDU mountings."""


@dataclass(frozen=True)
class CduDuty:
    """CDU requirements."""

    # Coolant and facility water: fluids and temperatures.
    plan: CduPlan
    water: FacilityWaterPlan
    heat_w: float  # Sizing heat of all racks
    flow_m3_s: float  # Coolant flow of all racks
    # Head of the loop outside the CDU, including margin, by CDU mounting.
    heads_pa: Mapping[str, float]
    racks: tuple[RackCoolant, ...]  # Racks, for in-rack units
    mount: str  # Required mounting; empty if not specified


@dataclass(frozen=True)
class CduOption:
    """One CDU of the catalogue for the duty.

    `limit` is what determines the number of a suitable unit: heat, flow or approach. For an
    unsuitable unit it is the reason: facility water, data, head, approach, supply range, mount;
        `duty` and `installed` are then zero.
    """

    model: str
    mount: str
    suits: bool
    limit: str
    why: str
    duty: int
    installed: int
    approach_k: float | None
    pump_w: float | None
    head_pa: float | None


def rank_cdus(candidates: Iterable[CduCandidate], duty: CduDuty) -> tuple[CduOption, ...]:
    """Return all candidates, suitable ones first: by number of units, then by pump power.

    candidates: CDUs to choose from.
    duty: Requirements.
    """
    options = [_option(candidate, duty) for candidate in candidates]

    def rank(option: CduOption) -> tuple[bool, int, float, str]:
        return not option.suits, option.installed, rounded(option.pump_w or 0.0), option.model

    return tuple(sorted(options, key=rank))


def mount_of(candidate: CduCandidate | None) -> str:
    """Return the CDU mounting for the loop: in-rack, in-row or row/perimeter."""
    return candidate.mount if candidate is not None and candidate.mount in MOUNTS else "in-row"


def _unfit(candidate: CduCandidate, limit: str, why: str) -> CduOption:
    return CduOption(
        candidate.model, candidate.mount, False, limit, why, 0, 0, None, None, candidate.head_pa
    )


def _option(candidate: CduCandidate, duty: CduDuty) -> CduOption:
    unit = candidate.unit
    if duty.mount and candidate.mount != duty.mount:
        return _unfit(candidate, "mount", f"mounting {candidate.mount}, required {duty.mount}")
    if candidate.to_air:
        return _unfit(candidate, "facility water", "rejects heat to the room air")
    if unit is None:
        return _unfit(candidate, "data", f"missing in the catalogue: {candidate.missing}")
    if candidate.head_pa is None:
        return _unfit(candidate, "data", "external head unknown")
    head_pa = duty.heads_pa[mount_of(candidate)]
    if candidate.head_pa < head_pa:
        return _unfit(
            candidate,
            "head",
            f"external head {show(candidate.head_pa, 'pressure')}, required loop head "
            f"{show(head_pa, 'pressure')}",
        )
    supply_c = duty.plan.tcs_supply_c
    low_c, high_c = candidate.supply_min_c, candidate.supply_max_c
    if (low_c is not None and supply_c < low_c) or (high_c is not None and supply_c > high_c):
        ends = f"at least {low_c:g}" if high_c is None else f"at most {high_c:g}"
        if low_c is not None and high_c is not None:
            ends = f"{low_c:g} to {high_c:g}"
        return _unfit(candidate, "supply range", f"supply range {ends} degC")
    try:
        if mount_of(candidate) == "in-rack":
            return _in_racks(candidate, unit, duty)
        found, by_heat = _sized(unit, duty, duty.heat_w, duty.flow_m3_s)
        installed = duty.plan.spares.installed(max(found.duty, by_heat))
        return _fit(candidate, unit, found, by_heat, installed, 1)
    except FacilityError as error:
        return _unfit(candidate, "approach", error.message)


def _in_racks(candidate: CduCandidate, unit: CduUnit, duty: CduDuty) -> CduOption:
    """Return in-rack units; each rack has its own spares."""
    whole_w = sum(rack.count * rack.liquid_w for rack in duty.racks)
    whole_m3_s = sum(rack.count * rack.flow_m3_s for rack in duty.racks)
    worst: tuple[CduDesign, int] | None = None
    running = installed = 0
    for rack in duty.racks:
        found, by_heat = _sized(
            unit,
            duty,
            duty.heat_w * rack.liquid_w / whole_w,
            duty.flow_m3_s * rack.flow_m3_s / whole_m3_s,
        )
        each = max(found.duty, by_heat)
        running += rack.count * each
        installed += rack.count * duty.plan.spares.installed(each)
        if worst is None or each > max(worst[0].duty, worst[1]):
            worst = (found, by_heat)
    if worst is None:
        return _unfit(candidate, "data", "no rack rejects heat to coolant")
    each = max(worst[0].duty, worst[1])
    fit = _fit(candidate, unit, worst[0], worst[1], installed, each and running // each)
    return replace(fit, duty=running, why=f"{fit.why}; in each rack")


def _sized(unit: CduUnit, duty: CduDuty, heat_w: float, flow_m3_s: float) -> tuple[CduDesign, int]:
    """Return the CDUs sized by flow and approach, and the number required by rated heat."""
    plan = replace(duty.plan, unit=unit, count=None)
    found = size_cdus(plan, duty.water, heat_w, flow_m3_s, 0)
    return found, whole_units(heat_w / unit.capacity_w, minimum=1)


def _fit(
    candidate: CduCandidate,
    unit: CduUnit,
    found: CduDesign,
    by_heat: int,
    installed: int,
    positions: int,
) -> CduOption:
    by_flow = whole_units(found.tcs_flow_m3_s / unit.tcs_flow_m3_s, minimum=1)
    numbers = {"flow": by_flow, "approach": found.duty, "heat": by_heat}
    limit = max(numbers, key=lambda name: numbers[name])
    duty = max(numbers.values())
    return CduOption(
        model=candidate.model,
        mount=candidate.mount,
        suits=True,
        limit=limit,
        why=f"by flow {by_flow}, by approach {found.duty}, by rated heat {by_heat}",
        duty=duty * positions,
        installed=installed,
        approach_k=found.sizing_approach(duty),
        pump_w=installed * unit.pump_w,
        head_pa=candidate.head_pa,
    )
