"""Checks of the dynamic load: utility limits, generators, storage, sags."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check, Rule
from facility.core.views import show
from facility.power.backup.steps import iso_class, running_sets, step_limit
from facility.study.rules import RULES
from facility.study.studies import StudyContext
from facility.study.transient.load.figures import AUTONOMY
from facility.study.transient.load.result import LoadStudy

_COUNTER = "the event-counter setting of the UPS is not specified (power.ups.sags)"


def motion_checks(design: StudyContext, study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of a study."""
    yield from _utility_checks(study)
    yield _flicker(design, study)
    yield from _storage_checks(study)
    yield from _generator_checks(design, study)
    yield from _sag_checks(design, study)


def _utility_checks(study: LoadStudy) -> Iterator[Check]:
    limits, before, after = study.motion.limits, study.before, study.after
    limits_checked: tuple[tuple[Rule, Rule, str, float | None, str, float, float], ...] = (
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
    for rule, with_storage, field, limit, kind, found, left in limits_checked:
        yield _limit_check(rule, field, limit, kind, found)
        yield _limit_check(with_storage, field, limit, kind, left, _power_short(study))
    unseen = ""
    if study.sees_hz < limits.band_to_hz:
        unseen = f"the record resolves no frequency above {study.sees_hz:.3g} Hz"
    for rule, state, short in (
        (RULES["SWING-BAND"], before, ""),
        (RULES["SWING-BAND-STORAGE"], after, _power_short(study)),
    ):
        share = state.share(limits.band_from_hz, limits.band_to_hz)
        yield _limit_check(
            rule, "site.grid.band_limit", limits.band, "fraction", share, unseen or short
        )


def _limit_check(
    rule: Rule, field: str, limit: float | None, kind: str, value: float, unknown: str = ""
) -> Check:
    """Return the check of a utility limit if one is stated."""
    if limit is None:
        words = f"no utility limit is specified ({field}); load value {show(value, kind)}"
        return rule.not_evaluated("utility", words)
    if unknown:
        return rule.not_evaluated("utility", unknown)
    return rule.at_most("utility", value, limit, kind)


def _power_short(study: LoadStudy) -> str:
    """Return why the as-built storage cannot follow the load; empty if it can."""
    given_w = study.motion.smoothing.power_w
    if given_w is None or given_w >= float(study.results["swing.storage.power"].si):
        return ""
    return "the power of the as-built storage is below the load swing: see SWING-STORAGE-POWER"


def _flicker(design: StudyContext, study: LoadStudy) -> Check:
    limit, found = study.motion.limits.flicker, study.results.get("swing.flicker")
    if found is None:
        unknown = "site.fault_level" if design.facility.site.fault_level_va is None else "step_time"
        return RULES["SWING-FLICKER"].not_evaluated(
            "utility", f"{unknown} is not known for this load and site"
        )
    return _limit_check(
        RULES["SWING-FLICKER"], "site.grid.flicker_limit", limit, "ratio", float(found.si)
    )


def _storage_checks(study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of the as-built storage vs. the required size."""
    smoothing = study.motion.smoothing
    for rule, given, key in (
        (RULES["SWING-STORAGE-ENERGY"], smoothing.energy_j, "swing.storage.nominal"),
        (RULES["SWING-STORAGE-POWER"], smoothing.power_w, "swing.storage.power"),
    ):
        value = study.results[key]
        if given is None:
            yield rule.not_evaluated("storage", f"not specified; {value.shown()} required")
        else:
            yield rule.at_least("storage", given, float(value.si), value.kind)


def _generator_checks(design: StudyContext, study: LoadStudy) -> Iterator[Check]:
    """Yield the checks of the load swing on the generators, by their load-step limits."""
    plant, operation = design.chain.generators, design.chain.chain.generator.operation
    name, job = operation.performance_class, study.motion.job
    if not plant.count:
        for rule in (RULES["SWING-GENERATOR-STEP"], RULES["SWING-GENERATOR-RECOVERY"]):
            yield rule.not_evaluated("generators", "no set is installed")
        return
    subject = f"{running_sets(design.chain)} x {plant.model}"
    part = float(study.results["swing.generator.part"].si)
    points = (point for point in study.points if point.id == "generator")
    highest_w = max(float(w) for point in points for w in point.profile.values)
    highest = highest_w / float(study.results["swing.generator"].si)
    limit = step_limit(design.chain)
    permitted = limit.after(part * highest)
    if permitted is None:
        words = (
            f"step of {part:.1%} of the running capacity; no data sheet states the step limit of "
            f"loaded sets, and class {name} refers it to the mean effective pressure of the engine"
        )
        yield RULES["SWING-GENERATOR-STEP"].not_evaluated(subject, words)
    else:
        words = f"{part:.1%} of the running capacity; {permitted:.0%} permitted ({limit.because})"
        yield RULES["SWING-GENERATOR-STEP"].at_most(subject, part, permitted, "fraction", words)
    row = iso_class(name)
    times = [row.si_or_none(f"{of}_recovery_time_max_s") for of in ("frequency", "voltage")]
    if None in times or job.power_file is not None:
        words = "the recovery times of the performance class, or the load phases, are not known"
        yield RULES["SWING-GENERATOR-RECOVERY"].not_evaluated(subject, words)
        return
    recovery_s = max(time_s for time_s in times if time_s is not None)
    share = min(job.communication_share, 1.0 - job.communication_share)
    words = f"frequency and voltage recovery within {recovery_s:g} s in class {name}"
    shortest_s = share * job.step_s
    yield RULES["SWING-GENERATOR-RECOVERY"].at_least(subject, shortest_s, recovery_s, "time", words)


def _sag_checks(design: StudyContext, study: LoadStudy) -> Iterator[Check]:
    sags, ride = study.motion.sags, study.ride
    subject = f"{sags.count} sags in {show(sags.within_s, 'time')}"
    stays = ride.locked_s is not None
    words = "the load returns to the utility after each sag"
    if ride.locked_s is not None:
        load = study.results["sag.load_off"].shown()
        words = (
            f"{sags.events} events within {show(sags.events_within_s, 'time')}: {load} remains off "
            f"the utility from {show(ride.locked_s, 'time')}"
        )
    if sags.counter_stated:
        yield RULES["SAG-STAYS-OFF"].verdict(subject, not stays, words)
    else:
        yield RULES["SAG-STAYS-OFF"].not_evaluated(subject, f"{_COUNTER}; if {words}")
    lasts = design.results.get(AUTONOMY)
    used_s = float(study.results["sag.battery_used"].si)
    if lasts is None:
        yield RULES["SAG-BATTERY"].not_evaluated(subject, "the battery autonomy is not known")
    elif stays and not design.chain.generators.count:
        words = "no generator supplies the load that remains off the utility"
        if sags.counter_stated:
            yield RULES["SAG-BATTERY"].verdict(subject, False, words)
        else:
            yield RULES["SAG-BATTERY"].not_evaluated(subject, f"{_COUNTER}, and {words}")
    else:
        yield RULES["SAG-BATTERY"].at_most(subject, used_s, float(lasts.si), "time")
