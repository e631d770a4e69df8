"""Concurrent maintainability and fault tolerance of the cooling, in the modelled scope.

The two properties are those of `facility.power.network.outages.verdicts`; EN 50600-2-3 requires
them of the environmental control in availability classes 3 and 4. A property is not decided if all
evaluated cases maintain the cooling but a relevant case is not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from facility.cooling.ride_through.schedule import PowerState
from facility.core.check import Check, Severity
from facility.core.rounding import ROUNDING
from facility.core.views import show
from facility.model.facility import Goal
from facility.model.power.mechanical import CoolingUnits
from facility.power.network.build.mechanical import MechanicalBoard
from facility.study.rules import RULES
from facility.study.transient.cases import (
    MAKEUP,
    PUMP_CASES,
    UTILITY_SET_OUT,
    WHAT_IF,
    WITHOUT_STANDBY,
)
from facility.study.transient.result import HARD, RideResult, after_words

_SUBJECT = "cooling of the IT load"
_NAMED = 4
_NO_COOLING = ("OAU", "HUM")
"""Outdoor-air units and humidifiers: the loss of one does not stop the cooling of the IT load."""
_UNITS = {"fans": ("CRAH", "CRAC", "IRC"), "cdus": ("CDU",), "chillers": ("CH",)}


@dataclass(frozen=True)
class CoolingOutages:
    """Known states of the cooling with one component out of service."""

    boards: Sequence[MechanicalBoard]
    cases: Sequence[RideResult]
    # Maintenance outages of the power train that stop part of the cooling.
    maintained: Sequence[tuple[str, PowerState]]
    makeup_storage_s: float | None  # Stored for heat rejection; None if not stated

    @property
    def units(self) -> dict[str, CoolingUnits]:
        """Units of the cooling by tag, pumps of the loops included."""
        found = (one.units for board in self.boards for one, _ in board.units)
        return {units.tag: units for units in found}


def cooling_checks(found: CoolingOutages, goal: Goal) -> Iterator[Check]:
    """Yield the checks of both properties; a goal that covers the cooling is binding."""
    for id, required, shortfalls, unknown in (
        (
            "COOLING-MAINTAINABLE",
            goal.maintainable,
            [*_steady(found), *_headers(found), *_isolated(found), *_without_power(found)],
            [*_uncounted(found)],
        ),
        (
            "COOLING-FAULT-TOLERANT",
            goal.tolerant,
            [*_steady(found), *_isolated(found), *_through_time(found)],
            [*_uncounted(found), *_time_unknown(found)],
        ),
    ):
        binding = required and goal.cooling
        rule = replace(RULES[id], severity=Severity.VIOLATION if binding else Severity.ADVICE)
        stated = f"; criteria.availability_goal is {goal.availability}" if binding else ""
        distinct = list(dict.fromkeys(shortfalls))
        if distinct:
            more = f" (first of {len(distinct)})" if len(distinct) > 1 else ""
            why = f"{distinct[0]}{more}"
            yield rule.verdict(_SUBJECT, False, why + stated)
        elif unknown:
            yield rule.not_evaluated(_SUBJECT, f"not evaluated: {_few(unknown)}")
        else:
            decided = _changeover_text(found) if id == "COOLING-FAULT-TOLERANT" else ""
            types = ", ".join(one.name for one in found.units.values())
            why = f"cooling load met with one unit out of service among {types}; or one mechanical"
            yield rule.verdict(_SUBJECT, True, f"{why} board{decided}")


def _few(names: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(names))
    more = f"; and {len(distinct) - _NAMED} more" if len(distinct) > _NAMED else ""
    return "; ".join(distinct[:_NAMED]) + more


def _changeover_text(found: CoolingOutages) -> str:
    """Return the loop with the shortest time without its failed pump, and its changeover."""
    by_id = {one.case.id: one for one in found.cases}
    alone = [
        (one.first_hard[1], by_id[id], one.first_hard[0].title)
        for id, only in WITHOUT_STANDBY.items()
        if (one := by_id.get(only)) is not None and one.first_hard is not None
    ]
    if not alone:
        return ""
    time_s, base, title = min(alone, key=lambda one: one[0])
    left = min(base.case.pumps.values())
    standby_s = base.case.standby_s
    then = (
        "remaining pumps speed up" if not standby_s else f"standby after {show(standby_s, 'time')}"
    )
    return (
        f"; {base.case.title}: {left:.0%} flow remaining, {then}; without changeover {title}"
        f" is exceeded {after_words(time_s)}"
    )


def _steady(found: CoolingOutages) -> Iterator[str]:
    """Yield losses of one unit or one mechanical board that leave too few units for the load."""
    # A pump restored by its changeover is no evidence for a unit that stays out of service.
    lasting = (
        one for one in found.cases if one.holds and not one.rising and one.case.back_s is None
    )
    lost = (part for one in lasting for part in one.case.lost)
    carried = {tag for part in lost for tag in _UNITS.get(part, ())}
    for tag, units in found.units.items():
        if units.installed - 1 < units.duty and tag not in carried:
            yield (
                f"no spare unit: {units.installed} {units.name}, {units.duty} required"
                f"{_as_stated(units)}"
            )
    for board in found.boards:
        for circuit, count in board.units:
            units = circuit.units
            left = units.installed - count
            if left < units.duty and count > 1:
                yield f"{board.tag} out of service: {left} of the {_needed(units)} remain"


def _needed(units: CoolingUnits) -> str:
    return f"{units.duty} {units.name} required{_as_stated(units)}"


def _as_stated(units: CoolingUnits) -> str:
    return f" ({units.stated})" if units.stated else ""


def _without_power(found: CoolingOutages) -> Iterator[str]:
    """Yield the power maintenance outages that leave too few units energized."""
    for outage, power in found.maintained:
        for units in found.units.values():
            served = power.cooling(units.on_ups, units.coolant)[1]
            left = int(served * units.installed + ROUNDING)
            if left < units.duty:
                yield f"{outage}: {left} of the {_needed(units)} remain energized"


def _single_failures(found: CoolingOutages) -> Iterator[RideResult]:
    """Yield the single-failure cases; loss of make-up water only if no storage is stated.

    Storage bridges an interruption until it is empty.
    """
    for one in found.cases:
        stored = one.case.id == MAKEUP and found.makeup_storage_s != 0.0
        if one.case.id not in (*WHAT_IF, UTILITY_SET_OUT) and not stored:
            yield one


def _through_time(found: CoolingOutages) -> Iterator[str]:
    """Yield the failures after which an allowable temperature is exceeded."""
    for one in _single_failures(found):
        if not one.holds:
            words = f"{one.case.title}: {one.first_words}"
            if one.case.standby_s:
                words += f"; the standby pump starts after {show(one.case.standby_s, 'time')}"
            yield words


def _headers(found: CoolingOutages) -> Iterator[str]:
    """Yield the headers with a section that cannot be isolated."""
    for one in found.cases:
        if one.case.headers and not one.holds:
            yield f"{one.case.title}: {one.first_words}"


def _isolated(found: CoolingOutages) -> Iterator[str]:
    """Yield the section of the coolant headers that leaves racks without coolant."""
    for one in found.cases:
        if one.case.racks:
            yield f"{one.case.title} (cooling.hydraulics.tcs_header)"


def _time_unknown(found: CoolingOutages) -> Iterator[str]:
    """Yield the cases left undecided by the temperatures after a failure."""
    for one in _single_failures(found):
        for limit, _, _ in one.limits:
            if limit.grade in HARD and limit.limit_c is None:
                yield f"{limit.title}: no limit is stated"
        if one.holds and one.rising:
            after = f"{one.horizon_s / 60:g} min (cooling.thermal.horizon)"
            yield f"{one.case.title}: temperatures still rising after {after}"
    followed = {one.case.id for one in found.cases}
    for tag, id in PUMP_CASES.items():
        if tag in found.units and id not in followed:
            yield f"changeover to the standby {found.units[tag].name}"
    if found.makeup_storage_s is None:
        for one in found.cases:
            if one.case.id == MAKEUP and not one.holds:
                yield f"{one.case.title} (cooling.makeup_water.storage)"


def _uncounted(found: CoolingOutages) -> Iterator[str]:
    """Yield the cooling loads without counted units."""
    for board in found.boards:
        for units, current_a in board.other:
            if current_a > 0.0 and units.tag not in _NO_COOLING:
                yield f"{units.name}: units not counted"
