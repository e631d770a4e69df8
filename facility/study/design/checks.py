"""Checks across power and cooling: energy balance, plausibility, unverified data; waivers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from facility.core.check import Check, Outcome
from facility.core.rounding import ROUNDING
from facility.core.trace import Trace
from facility.core.views import printed_text
from facility.model.cooling.chain import TOLERANT_STORAGE_S
from facility.model.facility import Facility
from facility.model.inputs.criteria import WaiverSection
from facility.model.inputs.document import Project
from facility.power.it.load import ItLoad
from facility.study.loop import OperatingPoint
from facility.study.rules import RULES


@dataclass(frozen=True)
class DesignHour:
    """A facility, its IT load, and power and cooling in balance at the design hour."""

    facility: Facility
    it: ItLoad
    point: OperatingPoint


_CAN_BE = (Outcome.FAIL, Outcome.WAIVED)


def study_checks(
    facility: Facility, it: ItLoad, point: OperatingPoint, trace: Trace
) -> Iterator[Check]:
    """Yield the checks of a design that need power and cooling."""
    yield _balance("facility", point.flow.utility.demand_w, point.facility_w)
    yield _balance("IT heat", it.air_w + it.liquid_w, it.it_w)
    yield _balance("cooling", point.cooling.collected_w, point.heat.total_w)
    yield from RULES.checks(DesignHour(facility, it, point))
    yield from _cold_inlets(it, point)
    if facility.cooling.method == "liquid":
        yield RULES["METHOD-LIQUID"].verdict(
            "IT heat",
            it.air_w <= ROUNDING * it.it_w,
            f"{it.air_w / 1e3:,.1f} kW of {it.it_w / 1e3:,.1f} kW rejected to air",
        )
    yield from _makeup_storage(facility)
    yield from _memory_defaults(trace)


def _makeup_storage(facility: Facility) -> Iterator[Check]:
    """Yield the check of stored make-up water for a goal of fault-tolerant cooling."""
    goal, cooling = facility.criteria.goal, facility.cooling
    stored_s = cooling.makeup_storage_s
    if stored_s is not None and goal.tolerant and goal.cooling:
        why = f"criteria.availability_goal is {goal.availability}"
        required_s = TOLERANT_STORAGE_S
        yield RULES["MAKEUP-STORAGE"].at_least("make-up water", stored_s, required_s, "time", why)


def _cold_inlets(it: ItLoad, point: OperatingPoint) -> Iterator[Check]:
    limits = {d.device.model: d.device.inlet_min_c for d in it.devices}
    for model, minimum_c in limits.items():
        if minimum_c is not None:
            air_c = point.cooling.supply_air_c
            yield RULES["INLET-EQUIPMENT-COLD"].at_least(model, air_c, minimum_c, "temperature")


def _balance(subject: str, one_w: float, other_w: float) -> Check:
    difference = abs(one_w - other_w) / max(abs(one_w), abs(other_w))
    return RULES["ENERGY-BALANCE"].at_most(
        subject, difference, ROUNDING, "ratio", f"{one_w / 1e3:,.3f} kW vs. {other_w / 1e3:,.3f} kW"
    )


def _memory_defaults(trace: Trace) -> Iterator[Check]:
    recalled = [a.id for a in trace.ledger if a.source.verified == "memory" and a.status == "open"]
    if recalled:
        check = RULES["MEMORY-DEFAULT"].verdict(
            recalled[0], False, "the default is unverified (no source read)"
        )
        yield replace(check, alike=tuple(recalled[1:]))


def waived(project: Project, checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks, with failed checks waived by the project as WAIVED."""
    waivers = _waivers(project)
    if not waivers:
        return tuple(checks)
    return tuple(part for check in checks for part in _parts(check, waivers))


def unused(project: Project, checks: Iterable[Check]) -> Iterator[Check]:
    """Yield a finding for each waiver that matches no check of a design."""
    listed = [check for check in checks if check.outcome in _CAN_BE]
    for waiver in _waivers(project):
        if not any(_matching(check, waiver) for check in listed):
            of = f" of {waiver.subject}" if waiver.subject else ""
            why = f"no failed check {waiver.rule}{of}; waived by {waiver.by}: "
            yield RULES["WAIVER-UNUSED"].verdict(waiver.rule, False, why + waiver.reason)


def _waivers(project: Project) -> tuple[WaiverSection, ...]:
    return (project.checks.waived or ()) if project.checks is not None else ()


def _matching(check: Check, waiver: WaiverSection) -> tuple[str, ...]:
    """Return the subjects of a check covered by a waiver."""
    subjects = (check.subject, *check.alike)
    if check.rule != waiver.rule:
        return ()
    return tuple(one for one in subjects if waiver.subject in (None, one, printed_text(one)))


def _parts(check: Check, waivers: Iterable[WaiverSection]) -> Iterator[Check]:
    """Yield a check, split into waived and other subjects."""
    left = [check.subject, *check.alike]
    if check.failed:
        for waiver in waivers:
            gone = [one for one in _matching(check, waiver) if one in left]
            left = [one for one in left if one not in gone]
            if gone:
                why = f"Waived by {waiver.by}: {waiver.reason}. Found: {check.found()}"
                yield _of(replace(check, outcome=Outcome.WAIVED, why=why), gone)
    if left:
        yield _of(check, left)


def _of(check: Check, subjects: list[str]) -> Check:
    return replace(check, subject=subjects[0], alike=tuple(subjects[1:]))
