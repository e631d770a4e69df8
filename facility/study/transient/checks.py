"""Checks of the temperatures after a failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite

from facility.cooling.ride_through.limits import PASSED_K, Grade, Limit
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import ON_UPS, Part, RideCase
from facility.cooling.ride_through.tanks import loop_of
from facility.core.check import Check, Rule, Severity
from facility.core.views import show
from facility.model.cooling.thermal import LITTLE_K, Tank
from facility.model.facility import Goal
from facility.study.rules import RULES
from facility.study.transient.cases import MAKEUP, WHAT_IF, ends_load
from facility.study.transient.result import HARD, RideResult, after_words

GRADES: dict[Grade, Rule] = {
    "allowable": RULES["RIDE-THROUGH"],
    "recommended": RULES["RIDE-THROUGH-RECOMMENDED"],
    "class": RULES["RIDE-THROUGH-CLASS"],
}
"""The rule of a limit, by its grade."""
_FIELDS: dict[Part, str] = {
    "cdus": "cooling.cdu.redundancy",
    "chillers": "cooling.plant.chiller.redundancy",
    "fans": "cooling.crah.redundancy",
    "rejection": "cooling.plant.rejection.redundancy",
    "fws_rejection": "cooling.facility_water.rejection.redundancy",
}
_SUPPLIED: dict[Part, str] = {
    "fans": "crah_fans",
    "cdus": "cdu_pumps",
    "chw_pumps": "water_pumps",
    "fws_pumps": "water_pumps",
}
_PUMP_FIELDS: dict[Part, str] = {
    "chw_pumps": "cooling.plant.chiller.redundancy",
    "rejection": "cooling.plant.chiller.redundancy",
    "fws_pumps": "cooling.cdu.redundancy",
    "fws_rejection": "cooling.cdu.redundancy",
}
"""Field of the pump redundancy of a loop, by the part that the pumps supply."""
_STATE_STORAGE = "Specify the duration of stored make-up water (cooling.makeup_water.storage)."
_OF_AIR: tuple[Part, ...] = ("fans", "chw_pumps")
_TANKS: dict[Tank, str] = {
    "chw": "cooling.thermal.chilled_water_tank",
    "fws": "cooling.thermal.facility_water_tank",
}


def ride_checks(
    results: tuple[RideResult, ...], plant: RidePlant, electrical_w: float
) -> Iterator[Check]:
    """Yield the checks of every case; what-if cases have results only.

    plant: The model; failed checks name its stated fields.
    electrical_w: Heat of the electrical rooms [W].
    """
    for found in results:
        if found.case.id in WHAT_IF:
            continue
        if found.case.id == MAKEUP and not found.holds:
            yield _makeup_check(found, plant)
            continue
        for limit, time_s, peak_c in found.limits:
            yield _limit_check(found, plant, limit, time_s, peak_c)
        if found.case.id == "utility":
            yield _battery(found)
    if electrical_w > 0.0:
        modelled = "no heat" if plant.direct else "only their chilled-water load"
        yield RULES["RIDE-THROUGH-ELECTRICAL-ROOMS"].not_evaluated(
            "electrical rooms",
            f"{electrical_w / 1e3:,.0f} kW of losses in rooms of unknown volume; "
            f"{modelled} is modelled",
        )


def _makeup_check(found: RideResult, plant: RidePlant) -> Check:
    """Return the check of the loss of make-up water that exceeds a limit once the storage is empty.

    Stated storage bridges an interruption until it is empty; without stated storage the check is
    not evaluated.
    """
    rule, subject = RULES["RIDE-THROUGH"], "loss of make-up water"
    stored_s, dry = plant.design.chain.makeup_storage_s, plant.dry
    then = found.first_words
    if dry is not None and not dry.tower:
        water_c = plant.settings.fws_c
        then += (
            f"; coil air {dry.dry_c:.1f} °C with dry pads, {dry.wet_c:.1f} °C with wet pads; "
            f"facility water {water_c:.1f} °C required"
        )
    if stored_s is None:
        why = (
            "make-up water storage is not specified (cooling.makeup_water.storage); without storage"
        )
        return replace(rule.not_evaluated(subject, f"{why}, {then}"), remedy=_STATE_STORAGE)
    if stored_s > 0.0:
        return rule.verdict(
            subject, True, f"{stored_s / 3600.0:g} h of storage; after that, {then}"
        )
    remedy = "Store make-up water (cooling.makeup_water.storage), or select dry heat rejection."
    return rule.verdict(subject, False, f"no make-up water storage: {then}", remedy)


def _limit_check(
    found: RideResult, plant: RidePlant, limit: Limit, time_s: float | None, peak_c: float
) -> Check:
    subject = f"{found.case.title}: {limit.title}"
    rule = _rule(found.case, limit, plant.design.criteria.goal)
    if limit.limit_c is None:
        return rule.not_evaluated(subject, f"no limit is stated; maximum {peak_c:.1f} °C")
    start_c = float(found.series[limit.series][0])
    if limit.grade in HARD and limit.id != "plates" and found.before(limit):
        return rule.not_evaluated(
            subject,
            f"{start_c:.1f} °C in the design hour, before the failure, exceeds "
            f"{limit.limit_c:.1f} °C: see the cooling checks of the design hour",
        )
    reported_c = limit.limit_c if limit.limit_c < peak_c <= limit.limit_c + PASSED_K else peak_c
    why = "not reached" if time_s is None else f"exceeded {after_words(time_s)}"
    if not found.settled:
        why += f"; still changing after {found.horizon_s / 60.0:g} min"
    if time_s is not None and limit.grade in HARD:
        named = ", ".join(_stated(found, plant, limit))
        if ends_load(found.case):
            lasting = show(float(found.case.power.battery_s or 0.0), "time")
            named = f"the battery lasts {lasting} and cooling does not return: shut down IT before"
        why += f"; {named}" if named else ""
    return rule.at_most(subject, reported_c, limit.limit_c, "temperature", why)


def _rule(case: RideCase, limit: Limit, goal: Goal) -> Rule:
    """Return the rule of a limit; ADVICE for an isolated header section without a goal.

    A section is isolated for planned maintenance, before which its load can be moved; concurrent
    maintainability of the cooling requires no such move. ADVICE too where the failure ends the IT
    load in any case: the time to the limit is the time for its shutdown.
    """
    rule = GRADES[limit.grade]
    if ends_load(case):
        return replace(rule, severity=Severity.ADVICE)
    if case.headers and not (goal.maintainable and goal.cooling):
        return replace(rule, severity=Severity.ADVICE)
    return rule


def _stated(found: RideResult, plant: RidePlant, limit: Limit) -> Iterator[str]:
    """Yield the stated fields that prevent meeting a limit, with their values."""
    counts, loops, case = plant.design.counts, plant.thermal.loops, found.case
    spares: dict[Part, int] = {
        "fans": counts.crah - counts.crah_duty,
        "cdus": counts.cdu - counts.cdu_duty,
        "chillers": counts.chillers - counts.chillers_duty,
        "rejection": counts.rejection - counts.rejection_duty,
        "fws_rejection": counts.fws_rejection - counts.fws_rejection_duty,
    }
    yield from _of_headers(case, plant)
    for part in case.lost:
        if spares.get(part, 1) < 1:
            yield f"no spare unit ({_FIELDS[part]})"
    if min(case.power.cooling(False, part)[0] for part in (0.0, 1.0)) < 1.0:
        there = ON_UPS if plant.has_liquid else _OF_AIR
        if plant.doors is not None and not limit.of_liquid:
            yield "pumps without power reduce rear-door water flow (cooling.air.terminal)"
        watered = [part for part in there if not (plant.direct and part == "chw_pumps")]
        off = {_SUPPLIED[part] for part in watered if part not in case.supplied}
        yield from (f"{name} not on the UPS (cooling.on_ups)" for name in sorted(off))
        if plant.direct and "chillers" not in case.supplied and not limit.of_liquid:
            yield (
                "crac_compressors not on the UPS (cooling.on_ups): CRACs (cooling.air.terminal) "
                "restart after cooling.thermal.chiller_restart"
            )
    for part, left in case.pumps.items():
        yield _changeover(case, part, left)
    tank = loop_of(plant, limit)
    if tank not in loops.open_tanks and not (tank == "chw" and plant.direct):
        volume_m3 = loops.chw_tank_m3 if tank == "chw" else loops.fws_tank_m3
        field = "cooling.storage.reserve" if tank == "chw" and loops.reserve else _TANKS[tank]
        yield f"{field} is {volume_m3:g} m3"
    start_c, max_c = float(found.series[limit.series][0]), limit.limit_c
    if tank == "fws" and max_c is not None and max_c - start_c < LITTLE_K:
        yield (
            f"facility water at {start_c:.1f} °C in the design hour is too close to {max_c:.1f} °C"
            " for any practical buffer: use colder water (cooling.facility_water.source), e.g."
            " trim by chilled water"
        )


def _changeover(case: RideCase, part: Part, left: float) -> str:
    """Return the flow remaining after a pump failure, and its duration."""
    if case.standby_s is None:
        return f"{left:.0%} flow remaining, no spare pump ({_PUMP_FIELDS[part]})"
    if case.standby_s <= 0.0:
        return f"{left:.0%} flow remaining until the other pumps speed up"
    start = show(case.standby_s, "time")
    return (
        f"{left:.0%} flow remaining until the standby pump starts after {start}"
        " (cooling.thermal.water_pump_start)"
    )


def _of_headers(case: RideCase, plant: RidePlant) -> Iterator[str]:
    """Yield the isolated header sections of a case, and the field of a single header."""
    if case.headers:
        yield "planned maintenance at full load: move or shed the load of the section first"
    for part, left in case.headers.items():
        if part == "cdus":
            yield f"{left:.0%} rack flow remaining with {plant.header(part).words}"
            continue
        if plant.thermal.restart.header_flow is not None:
            yield f"cooling.thermal.header_flow is {left:.0%}"
            continue
        yield f"{left:.0%} flow remaining with {plant.header(part).words}"
        if case.doors and plant.doors is not None:
            max_load = show(max(kind.load_w for kind in plant.doors.kinds), "heat_flow")
            unit = plant.design.chain.crah.path.door
            rated = show(0.0 if unit is None else unit.net_sensible_w, "heat_flow")
            yield (
                f"{case.doors:,} rear doors without water, on racks of up to {max_load} with doors"
                f" rated {rated} (cooling.air.terminal)"
            )
        if plant.design.chain.hydraulics.header == "single":
            yield "cooling.hydraulics.header is single"


def _battery(found: RideResult) -> Check:
    power = found.case.power
    if power.battery_s is None:
        return RULES["RIDE-THROUGH-BATTERY"].not_evaluated(
            "UPS", "the battery load is outside the discharge table"
        )
    if not isfinite(power.restored_s):
        lasting = f"{show(power.battery_s, 'time')} after loss of utility"
        # A facility without generators is stated (power.generator.count: 0), not an oversight.
        return replace(RULES["RIDE-THROUGH-BATTERY"], severity=Severity.ADVICE).verdict(
            "UPS",
            False,
            f"no generator set is installed: the batteries last {lasting}; load and cooling"
            " then remain without power",
        )
    return RULES["RIDE-THROUGH-BATTERY"].at_least(
        "UPS",
        power.battery_s,
        power.restored_s,
        "time",
        "until the last generator load step, which supplies the last block of the cooling",
    )


def volume_checks(plant: RidePlant) -> Iterator[Check]:
    """Yield the check of the chilled-water volume, its buffer included."""
    if plant.direct or plant.chw_min_m3 <= 0.0:
        return
    tank_m3 = plant.thermal.loops.chw_tank_m3
    left_out = plant.not_counted.get("chw")
    words = f"{show(plant.chw_m3, 'volume')} piping volume, {show(tank_m3, 'volume')} buffer tank"
    yield RULES["RIDE-THROUGH-VOLUME"].at_least(
        "chilled water",
        plant.chw_m3 + tank_m3,
        plant.chw_min_m3,
        "volume",
        f"{words}; excluding {left_out}" if left_out else words,
    )
