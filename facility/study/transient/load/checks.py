"""Checks of load that moves: limits of the utility, generators, storage, sags."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check, Rule
from facility.core.views import show
from facility.power.backup.steps import iso_class, running_sets, step_limit
from facility.study.rules import RULES
from facility.study.studies import Designed
from facility.study.transient.load.figures import AUTONOMY
from facility.study.transient.load.result import LoadStudy

_COUNTER = "what the counter of the UPS is set to is not stated (power.ups.sags)"


def motion_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of a study."""
    yield from _utility_checks(study)
    yield _flicker(design, study)
    yield from _storage_checks(study)
    yield from _generator_checks(design, study)
    yield from _sag_checks(design, study)


def _utility_checks(study: LoadStudy) -> Iterator[Check]:
    limits, before, after = study.motion.limits, study.before, study.after
    judged: tuple[tuple[Rule, Rule, str, float | None, str, float, float], ...] = (
        (
            RULES["SWING-RAMP"],
            RULES["SWING-RAMP-STORAGE"],
            "site.grid.ramp_limit",
            limits.ramp_w_s,
            "power_ramp",
            before.ramp_w_s,
            after.ramp_w_s,
        ),
        (
            RULES["SWING-RANGE"],
            RULES["SWING-RANGE-STORAGE"],
            "site.grid.range_limit",
            limits.range_w,
            "active_power",
            before.range_w,
            after.range_w,
        ),
    )
    for rule, with_storage, field, limit, kind, found, left in judged:
        yield _judged(rule, field, limit, kind, found)
        yield _judged(with_storage, field, limit, kind, left, _power_short(study))
    unseen = ""
    if study.sees_hz < limits.band_to_hz:
        unseen = f"the record shows nothing above {study.sees_hz:.3g} Hz"
    for rule, state, short in (
        (RULES["SWING-BAND"], before, ""),
        (RULES["SWING-BAND-STORAGE"], after, _power_short(study)),
    ):
        share = state.share(limits.band_from_hz, limits.band_to_hz)
        yield _judged(rule, "site.grid.band_limit", limits.band, "fraction", share, unseen or short)


def _judged(
    rule: Rule, field: str, limit: float | None, kind: str, value: float, unknown: str = ""
) -> Check:
    """Return the check of a limit of the utility, where it states one."""
    if limit is None:
        words = f"the utility states no limit ({field}); the load has {show(value, kind)}"
        return rule.not_evaluated("utility", words)
    if unknown:
        return rule.not_evaluated("utility", unknown)
    return rule.at_most("utility", value, limit, kind)


def _power_short(study: LoadStudy) -> str:
    """Return why the storage as built cannot follow the load; empty where it can."""
    given_w = study.motion.smoothing.power_w
    if given_w is None or given_w >= float(study.results["swing.storage.power"].si):
        return ""
    return "the storage as built has not the power that the load swings: see SWING-STORAGE-POWER"


def _flicker(design: Designed, study: LoadStudy) -> Check:
    limit, found = study.motion.limits.flicker, study.results.get("swing.flicker")
    if found is None:
        unknown = "site.fault_level" if design.facility.site.fault_level_va is None else "step_time"
        return RULES["SWING-FLICKER"].not_evaluated(
            "utility", f"{unknown} is not known of this load and place"
        )
    return _judged(
        RULES["SWING-FLICKER"], "site.grid.flicker_limit", limit, "ratio", float(found.si)
    )


def _storage_checks(study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of a storage as built; what is sized here is what is needed."""
    smoothing = study.motion.smoothing
    for rule, given, key in (
        (RULES["SWING-STORAGE-ENERGY"], smoothing.energy_j, "swing.storage.nominal"),
        (RULES["SWING-STORAGE-POWER"], smoothing.power_w, "swing.storage.power"),
    ):
        value = study.results[key]
        if given is None:
            yield rule.not_evaluated("storage", f"none is given; {value.shown()} would be needed")
        else:
            yield rule.at_least("storage", given, float(value.si), value.kind)


def _generator_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    """Yield whether the sets take the swing, by the limits that their load steps have too."""
    plant, operation = design.chain.generators, design.chain.chain.generator.operation
    name, job = operation.performance_class, study.motion.job
    if not plant.count:
        for rule in (RULES["SWING-GENERATOR-STEP"], RULES["SWING-GENERATOR-RECOVERY"]):
            yield rule.not_evaluated("generators", "no set is installed")
        return
    subject = f"{running_sets(design.chain)} x {plant.model}"
    part = float(study.results["swing.generator.part"].si)
    places = (place for place in study.places if place.id == "generator")
    highest_w = max(float(w) for place in places for w in place.profile.values)
    highest = highest_w / float(study.results["swing.generator"].si)
    limit = step_limit(design.chain)
    permitted = limit.after(part * highest)
    if permitted is None:
        words = (
            f"{part:.1%} of the running capacity at once; what the sets take when loaded is on no "
            f"sheet read, and class {name} leaves it to the mean effective pressure of the engine"
        )
        yield RULES["SWING-GENERATOR-STEP"].not_evaluated(subject, words)
    else:
        words = f"{part:.1%} of the running capacity; {permitted:.0%} permitted ({limit.because})"
        yield RULES["SWING-GENERATOR-STEP"].at_most(subject, part, permitted, "fraction", words)
    row = iso_class(name)
    times = [row.si_or_none(f"{of}_recovery_time_max_s") for of in ("frequency", "voltage")]
    if None in times or job.power_file is not None:
        words = "the recovery times of its class, or the phases of the load, are not known"
        yield RULES["SWING-GENERATOR-RECOVERY"].not_evaluated(subject, words)
        return
    recovery_s = max(time_s for time_s in times if time_s is not None)
    share = min(job.communication_share, 1.0 - job.communication_share)
    words = f"frequency and voltage are back after {recovery_s:g} s at most in class {name}"
    shortest_s = share * job.step_s
    yield RULES["SWING-GENERATOR-RECOVERY"].at_least(subject, shortest_s, recovery_s, "time", words)


def _sag_checks(design: Designed, study: LoadStudy) -> Iterator[Check]:
    sags, ride = study.motion.sags, study.ride
    subject = f"{sags.count} sags in {show(sags.within_s, 'time')}"
    stays = ride.locked_s is not None
    words = "the load returns to the utility after each sag"
    if ride.locked_s is not None:
        load = study.results["sag.load_off"].shown()
        words = (
            f"{sags.events} events within {show(sags.events_within_s, 'time')}: from "
            f"{show(ride.locked_s, 'time')} on {load} stay off the utility"
        )
    if sags.counter_stated:
        yield RULES["SAG-STAYS-OFF"].verdict(subject, not stays, words)
    else:
        yield RULES["SAG-STAYS-OFF"].not_evaluated(subject, f"{_COUNTER}; if {words}")
    lasts = design.results.get(AUTONOMY)
    used_s = float(study.results["sag.battery_used"].si)
    if lasts is None:
        yield RULES["SAG-BATTERY"].not_evaluated(subject, "the time of the batteries is not known")
    elif stays and not design.chain.generators.count:
        words = "no generator takes the load that stays off"
        if sags.counter_stated:
            yield RULES["SAG-BATTERY"].verdict(subject, False, words)
        else:
            yield RULES["SAG-BATTERY"].not_evaluated(subject, f"{_COUNTER}, and {words}")
    else:
        yield RULES["SAG-BATTERY"].at_most(subject, used_s, float(lasts.si), "time")
